package io.weir.rm.slurm.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.NodeAllocation;
import io.weir.topics.AvroTrust;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Starts on nodes that Slurm's backfill scheduler would set aside as a whole. */
class StartOrderTest {
    static {
        AvroTrust.install();
    }

    private long nanos;
    private final Set<String> begun = new TreeSet<>();
    private final StartOrder order = new StartOrder(() -> nanos);

    /** Returns the parts of a start, each with its nodes by comma. */
    private static List<StartedPart> parts(String... nodes) {
        List<StartedPart> parts = new ArrayList<>();
        for (String some : nodes) {
            parts.add(new StartedPart(
                    "17+" + parts.size(),
                    List.of(some.split(",", -1)).stream()
                            .map(node -> new NodeAllocation(node, 1))
                            .toList()));
        }
        return parts;
    }

    private boolean mayBegin(String command, String... nodes) {
        boolean may = order.mayBegin(command, parts(nodes), begun);
        if (may) {
            begun.add(command);
        }
        return may;
    }

    private void over(String command) {
        begun.remove(command);
        order.over(command);
    }

    @Test
    void shouldLetJobsOfOneRecordStartBesideEachOther() {
        assertThat(mayBegin("a", "n1,n2")).isTrue();
        assertThat(mayBegin("b", "n2")).isTrue();
    }

    @Test
    void shouldKeepStartsOnNodesOfComponentsApart() {
        assertThat(mayBegin("a", "n1", "n2")).isTrue();
        assertThat(mayBegin("b", "n2")).isFalse();
        assertThat(mayBegin("c", "n3", "n4,n1")).isFalse();
        assertThat(mayBegin("d", "n5", "n6")).isTrue();
        over("a");
        assertThat(mayBegin("c", "n3", "n4,n1")).isTrue();
        assertThat(mayBegin("b", "n2")).isTrue();
    }

    @Test
    void shouldHaveComponentsWaitForAJobOnOneOfTheirNodes() {
        assertThat(mayBegin("a", "n2")).isTrue();
        assertThat(mayBegin("b", "n1", "n2")).isFalse();
        over("a");
        assertThat(mayBegin("b", "n1", "n2")).isTrue();
    }

    @Test
    void shouldLetNobodyPassAHeterogeneousJobThatWaits() {
        assertThat(mayBegin("a", "n2")).isTrue();
        assertThat(mayBegin("b", "n1", "n2")).isFalse();
        assertThat(mayBegin("c", "n2")).isFalse();
        over("a");
        assertThat(mayBegin("c", "n2")).isFalse();
        assertThat(mayBegin("b", "n1", "n2")).isTrue();
        over("b");
        assertThat(mayBegin("c", "n2")).isTrue();
    }

    @Test
    void shouldForgetAStartThatIsNotAskedForAgain() {
        assertThat(mayBegin("a", "n2")).isTrue();
        assertThat(mayBegin("b", "n1", "n2")).isFalse();
        nanos += Duration.ofSeconds(11).toNanos();
        assertThat(mayBegin("c", "n1")).as("b is gone").isTrue();
        assertThat(mayBegin("d", "n2", "n3")).as("a has begun").isFalse();
    }

    @Test
    void shouldBringEachToItsTurnThoughManyWait() {
        int many = 2_000;
        List<String> waiting = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            waiting.add("c" + i);
        }
        int rounds = 0;
        while (!waiting.isEmpty()) {
            List<String> may = new ArrayList<>();
            for (String command : waiting) {
                String node = "n" + Integer.parseInt(command.substring(1)) % 100;
                if (mayBegin(command, node, "x" + node)) {
                    may.add(command);
                }
            }
            assertThat(may)
                    .as("one on each node, the one that came first")
                    .hasSize(100)
                    .startsWith("c" + 100 * rounds);
            may.forEach(this::over);
            waiting.removeAll(may);
            rounds++;
        }
        assertThat(rounds).isEqualTo(many / 100);
    }

    @Test
    void shouldCountStartsOfAnEarlierProcess() {
        order.begun("a", parts("n1", "n2"));
        begun.add("a");
        nanos += Duration.ofSeconds(11).toNanos();
        assertThat(mayBegin("b", "n1")).isFalse();
    }
}

package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.NodeState;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What jobs that need one run of node indexes are promised, on nodes that are otherwise alike. */
class ContiguousPlanTest {
    private static final long HOUR = 3600;

    /** Six nodes of one processor, index 1 to 6; a on 1, b on 3 to 4 and c on 6 leave 2 and 5. */
    private static SchedulerFixture gaps(String policy) {
        SchedulerFixture weir = new SchedulerFixture().policy(policy).nodes(6, 1);
        return weir.adopt("a", 1, HOUR, 0, "n1")
                .adopt("b", 1, 2 * HOUR, 0, "n3")
                .adopt("b2", 1, 2 * HOUR, 0, "n4")
                .adopt("c", 1, 3 * HOUR, 0, "n6");
    }

    @Test
    void shouldPromiseTheFirstInstantAtWhichARunIsFree() {
        SchedulerFixture weir = gaps("NODEALLOCATIONPOLICY CONTIGUOUS");

        weir.submit("j", 3, HOUR).iterate(1);

        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("j")).isEqualTo(2 * HOUR);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldPromiseTheFirstInstantAmongManyAtWhichARunIsFree(long seed) {
        Random random = new Random(seed);
        SchedulerFixture weir = new SchedulerFixture().policy("NODEALLOCATIONPOLICY CONTIGUOUS");
        int size = 40;
        int[] index = new int[size];
        long[] end = new long[size];
        for (int i = 0; i < size; i++) {
            int its = (i == 0 ? 0 : index[i - 1]) + (random.nextInt(9) == 0 ? 2 : 1);
            index[i] = its;
            weir.node("n" + i, 1, NodeState.IDLE, node -> node.setIndex(its));
        }
        weir.heartbeat(1, true, SchedulerFixture.EPOCH, 0);
        for (int i = 0; i < size; i++) {
            end[i] = (1 + random.nextInt(30)) * HOUR;
            weir.adopt("r" + i, 1, end[i], 0, "n" + i);
        }

        weir.submit("j", 4, HOUR).iterate(1);

        assertThat(weir.reservedStart("j")).isEqualTo(firstRun(index, end, 4));
    }

    /** Returns the first of the instants {@code end} at which so many nodes of consecutive indexes are free. */
    private static long firstRun(int[] index, long[] end, int nodes) {
        return LongStream.of(end)
                .sorted()
                .filter(at -> IntStream.rangeClosed(0, end.length - nodes)
                        .anyMatch(from -> index[from + nodes - 1] - index[from] == nodes - 1
                                && IntStream.range(from, from + nodes).allMatch(i -> end[i] <= at)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldPromiseAJobThatAsksForARunWhatARunAllows() {
        SchedulerFixture weir = gaps("RESERVATIONDEPTH 2");

        weir.submit("j", 3, HOUR, job -> job.setExtension("nallocpolicy=CONTIGUOUS"));
        weir.submit("k", 2, HOUR, job -> job.setUser("bob")).iterate(1);

        assertThat(weir.reservedStart("j")).isEqualTo(2 * HOUR);
        assertThat(weir.started()).as("fits beside, on nodes 2 and 5").containsExactly("k");
    }

    @Test
    void shouldNotLetAJobThatFindsNoRunHoldUpOneThatNeedsNone() {
        SchedulerFixture weir = gaps("RESERVATIONPOLICY NEVER");

        weir.submit("j", 2, HOUR, job -> job.setExtension("nallocpolicy=CONTIGUOUS"));
        weir.submit("k", 2, HOUR).iterate(1);

        assertThat(weir.started()).containsExactly("k");
    }

    @ParameterizedTest
    @CsvSource({"FIRSTFIT", "BESTFIT", "GREEDY", "NONE"})
    void shouldKeepNothingFreeForAJobThatNoRunCanEverHold(String backfill) {
        SchedulerFixture weir =
                new SchedulerFixture().policy("NODEALLOCATIONPOLICY CONTIGUOUS\nBACKFILLPOLICY " + backfill);
        for (int index : List.of(1, 2, 4, 5, 7, 8)) {
            weir.node("n" + index, 1, NodeState.IDLE, node -> node.setIndex(index));
        }
        weir.heartbeat(1, true, SchedulerFixture.EPOCH, 0);

        weir.submit("never", 3, HOUR).submit("other", 2, HOUR).iterate(1);

        assertThat(weir.started()).containsExactly("other");
        assertThat(weir.publishedReservations).doesNotContainKey("never");
        assertThat(weir.job("never").getMessages()).anyMatch(message -> message.contains("could ever hold"));
    }
}

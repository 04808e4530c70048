package io.weir.command.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.command.terminal.BadInputException;
import io.weir.command.topics.StartComparison.Row;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.topics.AvroTrust;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CompareCommandTest {
    static {
        AvroTrust.install();
    }

    @Test
    void shouldSumUpWhatDiffersAndTheWaitsUnderEach() {
        StartComparison comparison = new StartComparison(List.of(
                row("1", 10L, "n1", 30L, "n1"),
                row("2", 20L, "n1", 40L, "n2"),
                row("3", 60L, "n3", 50L, "n1"),
                row("4", null, "", 7L, "n1")));

        List<String> lines = print(comparison);

        assertThat(lines)
                .contains(
                        "4 jobs: 2 as decided (1 of them on equal nodes), 1 elsewhere, 0 on unknown nodes, 0 decided and"
                                + " not started, 1 started and not decided",
                        "Waits of the 3 jobs that were decided and started, in seconds:");
        assertThat(lines.subList(lines.size() - 3, lines.size()))
                .extracting(line -> line.strip().replaceAll(" +", " "))
                .containsExactly("WAIT MEAN MEDIAN P95 LONGEST", "decided 30.0 20 60 60", "started 40.0 40 50 50");
    }

    @Test
    void shouldSayNothingOfWaitsWhereNoJobHasBoth() {
        assertThat(print(new StartComparison(List.of(row("4", null, "", 7L, "n1")))))
                .last()
                .asString()
                .startsWith("1 jobs: ");
    }

    @Test
    void shouldRefuseAClusterOfWhichNothingIsSaid() {
        NodeReport node = NodeReport.newBuilder()
                .setCluster("c1")
                .setNodeId("n1")
                .setState(NodeState.IDLE)
                .setProcs(1)
                .build();

        assertThatThrownBy(() -> CompareCommand.requireKnown("nosuch", List.of(), List.of(), List.of(node)))
                .isInstanceOf(BadInputException.class)
                .hasMessage("There is no cluster 'nosuch'; there are [c1]");
        assertThatCode(() -> CompareCommand.requireKnown("c1", List.of(), List.of(), List.of(node)))
                .doesNotThrowAnyException();
    }

    private static List<String> print(StartComparison comparison) {
        StringWriter text = new StringWriter();
        CompareCommand.print(new PrintWriter(text), comparison);
        return text.toString().lines().toList();
    }

    /** A job submitted in second 0; nodes 1 and 2 are alike. */
    private static Row row(String job, @Nullable Long decided, String on, long started, String ranOn) {
        return new Row(
                job,
                decided == null ? null : Instant.ofEpochSecond(decided),
                decided == null ? new TreeSet<>() : new TreeSet<>(List.of(on)),
                false,
                Instant.ofEpochSecond(started),
                new TreeSet<>(List.of(ranOn)),
                !on.equals("n3"),
                Instant.EPOCH);
    }
}

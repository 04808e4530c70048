package io.weir.command.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.command.topics.StartComparison.Row;
import io.weir.command.topics.StartComparison.Verdict;
import io.weir.schemas.Decision;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartComparisonTest {
    static {
        AvroTrust.install();
    }

    @Test
    void shouldTellWhatWasDecidedFromWhatHappened() {
        StartComparison comparison = StartComparison.of(
                "c1",
                List.of(
                        decision("1", 10, "n1", "n2"),
                        decision("2", 11, "n3"),
                        decision("3", 12, "n4"),
                        decision("1", 20, "n2", "n1")),
                List.of(
                                report("1", 21, "n1", "n2"),
                                report("2", 11, "n5"),
                                report("4", 5, "n6"),
                                report("9", 1, "n1").setCluster("other"))
                        .stream()
                        .map(JobReport.Builder::build)
                        .toList(),
                List.of());

        assertThat(comparison.rows()).extracting(Row::job).containsExactly("4", "2", "3", "1");
        assertThat(comparison.rows())
                .extracting(Row::verdict)
                .containsExactly(Verdict.NOT_DECIDED, Verdict.ELSEWHERE, Verdict.NOT_STARTED, Verdict.SAME);
        assertThat(comparison.count(Verdict.SAME)).isEqualTo(1);
    }

    /** A short job may be over before any report shows it with its nodes. */
    @Test
    void shouldTellAStartWhoseNodesNoReportNames() {
        JobReport over = report("1", 11).setState(JobState.COMPLETED).build();
        JobReport first = report("2", 11, "n1").build();
        JobReport last = report("2", 11).setState(JobState.COMPLETED).build();
        JobReport before = report("3", 5, "n1").build();
        JobReport again =
                report("3", 5).setStartTime(null).setState(JobState.IDLE).build();
        JobReport after = report("3", 12).setState(JobState.COMPLETED).build();

        StartComparison comparison = StartComparison.of(
                "c1",
                List.of(decision("1", 10, "n1"), decision("2", 11, "n1"), decision("3", 12, "n1")),
                List.of(over, first, last, before, again, after),
                List.of(node("n1", 4)));

        assertThat(comparison.rows())
                .extracting(Row::verdict)
                .containsExactly(Verdict.NODES_UNKNOWN, Verdict.SAME, Verdict.NODES_UNKNOWN);
        assertThat(comparison.rows().get(0).verdict().words()).isEqualTo("started, nodes unknown");
        assertThat(comparison.rows().get(2).startedAt()).isEqualTo(Instant.ofEpochSecond(12));
        assertThat(comparison.count(Verdict.NOT_STARTED)).isZero();
    }

    @Test
    void shouldTellANodeOfTheSameKindFromAnother() {
        StartComparison comparison = StartComparison.of(
                "c1",
                List.of(decision("1", 10, "n1"), decision("2", 20, "n1"), decision("3", 30, "n1", "n3")),
                List.of(report("1", 12, "n2"), report("2", 50, "n3"), report("3", 31, "n2", "n3")).stream()
                        .map(JobReport.Builder::build)
                        .toList(),
                List.of(node("n1", 4), node("n2", 4), node("n3", 8)));

        assertThat(comparison.rows())
                .extracting(Row::verdict)
                .containsExactly(Verdict.EQUAL, Verdict.ELSEWHERE, Verdict.EQUAL);
        assertThat(comparison.rows().get(1).decidedWait()).hasValue(20);
        assertThat(comparison.rows().get(1).startedWait()).hasValue(50);
    }

    private static NodeReport node(String name, int procs) {
        return NodeReport.newBuilder()
                .setCluster("c1")
                .setNodeId(name)
                .setState(NodeState.IDLE)
                .setProcs(procs)
                .build();
    }

    private static Decision decision(String job, long second, String... nodes) {
        return Decision.newBuilder()
                .setCluster("c1")
                .setIteration(1)
                .setTime(Instant.ofEpochSecond(second))
                .setKind(DecisionKind.START)
                .setJobId(job)
                .setProcs(nodes.length)
                .setAllocation(allocation(nodes))
                .setExecuted(false)
                .setReason("test")
                .build();
    }

    private static JobReport.Builder report(String job, long second, String... nodes) {
        return JobReport.newBuilder()
                .setCluster("c1")
                .setJobId(job)
                .setQueueSequence(1)
                .setState(JobState.RUNNING)
                .setTasks(nodes.length)
                .setSubmitTime(Instant.EPOCH)
                .setStartTime(Instant.ofEpochSecond(second))
                .setAllocation(allocation(nodes));
    }

    private static List<NodeAllocation> allocation(String... nodes) {
        return Arrays.stream(nodes).map(node -> new NodeAllocation(node, 1)).toList();
    }
}

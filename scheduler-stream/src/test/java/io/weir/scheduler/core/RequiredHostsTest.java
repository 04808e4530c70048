package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.TaskRequirement;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that have to use some nodes and may use others besides. Node n1, n2 and so on have four processors each. */
class RequiredHostsTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    private static Consumer<JobReport.Builder> with(int tasks, String... hosts) {
        return with(TaskRequirement.newBuilder().setTasks(tasks), hosts);
    }

    private static Consumer<JobReport.Builder> with(TaskRequirement.Builder requirement, String... hosts) {
        return job -> job.setRequirements(
                List.of(requirement.setRequiredHosts(List.of(hosts)).build()));
    }

    private List<String> nodesOf(String job) {
        return weir.job(job).getAllocation().stream()
                .map(NodeAllocation::getNodeId)
                .toList();
    }

    private List<String> reservedNodes(String job) {
        return weir.publishedReservations.get(job).getPlacements().stream()
                .map(TaskPlacement::getNodeId)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FIRSTAVAILABLE",
                "LASTAVAILABLE",
                "PRIORITY",
                "MINRESOURCE",
                "CPULOAD",
                "CONTIGUOUS",
                "MAXBALANCE",
                "FASTEST"
            })
    @Feature("ALLOC-30")
    void shouldUseTheNodesThatAJobHasToUseAndOthersWhereTheseHaveTooLittleRoom(String policy) {
        weir.policy("NODEALLOCATIONPOLICY " + policy)
                .nodes(5, 4)
                .submit("three", 3, HOUR, with(3, "n2"))
                .submit("six", 6, HOUR, with(6, "n4"))
                .iterate(0);

        assertThat(nodesOf("three")).containsExactly("n2");
        assertThat(nodesOf("six")).contains("n4").hasSizeBetween(2, 3);
    }

    /** Other jobs have three of the four processors of n1. */
    @Test
    @Feature("ALLOC-30")
    void shouldTakeWhatIsFreeOfANodeNowInsteadOfWaitingUntilItHoldsAllTasks() {
        weir.nodes(2, 4)
                .adopt("busy", 3, HOUR, 0, "n1")
                .submit("job", 3, HOUR, with(3, "n1"))
                .iterate(0);

        assertThat(nodesOf("job")).containsExactlyInAnyOrder("n1", "n2");
    }

    /** While {@code wide} waits for n1, whatever is over by then may start on the others. */
    @Test
    @Feature("ALLOC-30")
    void shouldWaitForANodeThatAJobHasToUseAndLetOthersStartMeanwhile() {
        weir.nodes(3, 4)
                .adopt("busy", 4, HOUR, 0, "n1")
                .submit("wide", 10, HOUR, with(10, "n1"))
                .submit("short", 8, HOUR - 60)
                .submit("long", 8, HOUR + 60)
                .iterate(0);

        assertThat(weir.started()).containsExactly("short");
        assertThat(weir.reservedStart("wide")).isEqualTo(HOUR);
        assertThat(reservedNodes("wide")).contains("n1");
    }

    @Test
    @Feature("ALLOC-30")
    void shouldSayForWhichNodeAJobWaitsThoughOthersHaveRoom() {
        weir.nodes(3, 4)
                .adopt("busy", 4, HOUR, 0, "n2")
                .submit("job", 3, HOUR, with(3, "n2"))
                .iterate(0);

        assertThat(weir.publishedExplanations.get("job").getMessage())
                .contains("has to use node n2, which has no room now; waits for busy");
        assertThat(weir.publishedExplanations.get("job").getBlockers()).containsExactly("busy");
    }

    @ParameterizedTest
    @CsvSource({"'n1,n9', 4", "'n1,n2,n3', 2"})
    @Feature("ALLOC-30")
    void shouldNeverStartWithoutANodeThatIsNotThereNorWithFewerTasksThanNodes(String hosts, int tasks) {
        weir.nodes(4, 4)
                .heartbeat(1, true, SchedulerFixture.EPOCH, 0)
                .submit("job", tasks, HOUR, with(tasks, hosts.split(",", -1)))
                .iterate(0);

        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("job")).isEqualTo(-1);
        assertThat(weir.job("job").getMessages()).isNotEmpty();
    }

    @Test
    @Feature("ALLOC-30")
    void shouldHoldWithANumberOfNodesAndWithNodesLeftOutAndWithNodesOfOnesOwn() {
        weir.nodes(6, 4)
                .submit(
                        "three",
                        3,
                        HOUR,
                        with(
                                TaskRequirement.newBuilder()
                                        .setTasks(3)
                                        .setLeastNodes(3)
                                        .setMostNodes(3),
                                "n2"))
                .submit("alone", 6, HOUR, job -> {
                    with(6, "n6").accept(job);
                    job.setNodeAccess("SINGLEJOB").setExcludedHosts(List.of("n4", "n5"));
                })
                .iterate(0);

        assertThat(nodesOf("three")).hasSize(3).contains("n2");
        assertThat(weir.started()).containsExactly("three");

        weir.end("three", 60).iterate(60);
        assertThat(nodesOf("alone")).hasSize(2).contains("n6").doesNotContain("n4", "n5");
        assertThat(weir.job("alone").getAllocation())
                .extracting(NodeAllocation::getProcs)
                .containsExactly(4, 4);
    }

    /** n1 and n2 are in a rack, n3 and n4 in another. */
    @Test
    @Feature("ALLOC-30")
    void shouldLieInTheNodeSetOfTheNodesThatAJobHasToUse() {
        weir.policy("NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETLIST a,b\nNODESETISOPTIONAL FALSE");
        for (int i = 1; i <= 4; i++) {
            String rack = i <= 2 ? "a" : "b";
            weir.node("n" + i, 4, NodeState.IDLE, node -> node.setFeatures(List.of(rack)));
        }
        weir.submit("b", 6, HOUR, with(6, "n4"))
                .submit("a", 6, HOUR, with(6, "n1"))
                .submit("both", 6, HOUR, with(6, "n1", "n4"))
                .heartbeat(1, true, SchedulerFixture.EPOCH, 0)
                .iterate(0);

        assertThat(nodesOf("b")).containsExactlyInAnyOrder("n3", "n4");
        assertThat(nodesOf("a")).containsExactlyInAnyOrder("n1", "n2");
        assertThat(weir.reservedStart("both")).isEqualTo(-1);
        assertThat(weir.job("both").getMessages()).containsExactly("Set: no node set could ever hold the request");
    }

    @Test
    @Feature("ALLOC-30")
    void shouldStartInThePartitionOfTheNodesThatAJobHasToUse() {
        for (int i = 1; i <= 4; i++) {
            String partition = i <= 2 ? "a" : "b";
            weir.node("n" + i, 4, NodeState.IDLE, node -> node.setPartition(partition));
        }
        weir.submit("job", 6, HOUR, with(6, "n3"))
                .submit("both", 6, HOUR, with(6, "n1", "n3"))
                .iterate(0);

        assertThat(nodesOf("job")).containsExactlyInAnyOrder("n3", "n4");
        assertThat(weir.started()).containsExactly("job");
        assertThat(weir.reservedStart("both")).isEqualTo(-1);
    }

    @Test
    @Feature("ALLOC-30")
    void shouldReadFromAHostListWhetherOthersMayJoin() {
        weir.nodes(3, 4)
                .submit("joined", 6, HOUR, job -> job.setExtension("hostlist=n2*"))
                .iterate(0);
        assertThat(nodesOf("joined")).hasSize(2).contains("n2");

        weir.end("joined", 60)
                .submit("only", 6, HOUR, job -> job.setExtension("hostlist=n1+n2+n3^"))
                .submit("few", 6, HOUR, job -> job.setExtension("hostlist=n2^"))
                .iterate(60);
        assertThat(nodesOf("only")).hasSize(2);
        assertThat(nodesOf("few")).isEmpty();
    }

    @Test
    void shouldUseAsManyOfTheNamedNodesAsItTakes() {
        weir.nodes(4, 4)
                .submit("one", 1, HOUR, job -> job.setExtension("hostlist=n2+n3*"))
                .iterate(0);

        assertThat(nodesOf("one")).hasSize(1).isSubsetOf("n2", "n3");
    }
}

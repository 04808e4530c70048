package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.timeline.NodeSharing;
import io.weir.schemas.JobReport;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeState;
import io.weir.schemas.TaskRequirement;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Node n1 has 8 processors, 1000 MB of memory, 2000 MB of swap and 100 MB of disk; n2 has 2 processors. */
class PlanKeyTableTest {
    private final TestCluster cluster = new TestCluster()
            .node("n1", 8, node -> node.setMemoryMb(1000).setSwapMb(2000).setDiskMb(100))
            .node("n2", 2, node -> {});
    private final PlanKeyTable keys = new PlanKeyTable(cluster.nodes, cluster.placement, new NodeSets(cluster.nodes));

    PlanKeyTableTest() {
        keys.refresh(SitePolicy.DEFAULT);
    }

    /** Of 10 processors; 100 MB of memory are a tenth of all. */
    @ParameterizedTest
    @CsvSource({
        "3, 1, 0, 0, 0, 3000",
        "2, 2, 0, 0, 0, 4000",
        "2, 1, 200, 0, 0, 4000",
        "2, 1, 0, 600, 0, 6000",
        "2, 1, 0, 0, 40, 8000",
        "1, 1, 333, 0, 0, 3330",
        "1, 1, 0, 1333, 0, 6665",
        "1, 1, 100, 200, 10, 1000"
    })
    void shouldWeighAJobByTheScarcestResourceItAsksFor(
            int tasks, int procs, long memory, long swap, long disk, long milli) {
        Requirement requirement = new Requirement(
                tasks,
                new TaskResources(procs, memory, swap, disk, new TreeMap<>()),
                NodeDemands.NONE,
                null,
                null,
                false);

        assertThat(keys.milliEquivalents(cluster.waiting("job", null, 60, requirement)))
                .isEqualTo(milli);
    }

    @Test
    void shouldWeighAllRequirementsTogether() {
        Job job = cluster.waiting("job", null, 60, Requirement.ofProcs(2, 1), TestCluster.tasksWithMemory(2, 300));

        assertThat(keys.milliEquivalents(job)).isEqualTo(6000);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, AS_THE_NODE_SAYS",
                "SHARED, OTHERS",
                "SINGLEUSER, OTHERS",
                "SINGLEJOB, NOBODY",
                "SINGLETASK, NOBODY"
            })
    void shouldKnowWithWhomAJobSharesItsNodes(@Nullable String access, NodeSharing sharing) {
        assertThat(keys.sharing(TestJob.waiting("j", report -> report.setNodeAccess(access))))
                .isEqualTo(sharing);
    }

    @Test
    void shouldGiveJobsThatAskForTheSameOneKeyHoweverManyTasksTheyHave() {
        PlanKey key = keys.of(job(report -> report.setTasks(1)));

        assertThat(keys.of(job(report -> report.setTasks(5)))).isSameAs(key);
        assertThat(keys.of(job(report -> report.setProcsPerTask(2)))).isNotSameAs(key);
        assertThat(keys.of(job(report -> report.setHosts(List.of("n1"))))).isNotSameAs(key);
        assertThat(keys.of(job(report -> report.setNodeAccess("SINGLEJOB")))).isNotSameAs(key);
        assertThat(keys.of(job(report -> report.setNodeAccess("SINGLEUSER")))).isNotSameAs(key);
    }

    @Test
    void shouldPlanTheCountOfTheOneClassThatARequirementMayUse() {
        cluster.node("n3", 1, node -> node.setClasses(List.of(new NameCount("batch", 1L), new NameCount("test", 1L))));
        keys.refresh(SitePolicy.DEFAULT);

        assertThat(counted(inClasses(), List.of())).containsExactly(1, 0);
        assertThat(counted(inClasses(), List.of("test"))).containsExactly(0, 0);
        assertThat(counted(inClasses("test"), List.of())).containsExactly(0, 1);
        assertThat(counted(inClasses("test"), List.of("other"))).containsExactly(0, 1);
        assertThat(counted(inClasses("test", "batch"), List.of())).containsExactly(0, 0);
    }

    private static TaskRequirement inClasses(String... classes) {
        return TaskRequirement.newBuilder()
                .setTasks(1)
                .setClasses(List.of(classes))
                .build();
    }

    /** Returns what a task of a job of class batch takes of the counts of batch and test. */
    private int[] counted(TaskRequirement requirement, List<String> otherClasses) {
        PlanKey key = keys.of(job(report ->
                report.setJobClass("batch").setOtherClasses(otherClasses).setRequirements(List.of(requirement))));
        int[] full = key.needs[0].full();
        return Arrays.copyOfRange(full, full.length - 2, full.length);
    }

    @Test
    void shouldKnowWhichRequirementsShareNoNode() {
        TaskRequirement any = inClasses();
        TaskRequirement apart = TaskRequirement.newBuilder(any).setApart(true).build();
        PlanKey key = keys.of(job(report -> report.setRequirements(List.of(any, apart, any))));

        assertThat(key.dividesNodes()).isTrue();
        assertThat(key.mayShareNode(0, 2)).isTrue();
        assertThat(key.mayShareNode(1, 1)).isTrue();
        assertThat(key.mayShareNode(0, 1)).isFalse();
        assertThat(key.mayShareNode(1, 2)).isFalse();
        assertThat(keys.of(job(report -> report.setRequirements(List.of(any, any))))
                        .dividesNodes())
                .isFalse();
        assertThat(keys.of(job(report -> report.setRequirements(List.of(apart))))
                        .dividesNodes())
                .isFalse();
    }

    @Test
    void shouldRememberTheKeyOfAJob() {
        Job job = job(report -> report.setProcsPerTask(2));
        keys.of(job(report -> {}));
        PlanKey key = keys.of(job);

        assertThat(keys.place(job)).isEqualTo(1);
        assertThat(keys.current(job.planMark())).isTrue();
        assertThat(keys.noted(job.planMark())).isSameAs(key);
        assertThat(keys.of(job)).isSameAs(key);
    }

    @Test
    void shouldKeepItsKeysAsLongAsNodesAndPolicyAreAlike() {
        Job job = job(report -> {});
        PlanKey key = keys.of(job);
        keys.refresh(SitePolicy.DEFAULT);
        assertThat(keys.of(job)).isSameAs(key);
    }

    @Test
    void shouldFindItsKeysAnewForOtherNodes() {
        Job job = job(report -> {});
        PlanKey key = keys.of(job);
        long mark = job.planMark();
        cluster.node("n2", 4, node -> {});
        keys.refresh(SitePolicy.DEFAULT);

        assertThat(keys.current(mark)).isFalse();
        assertThat(keys.of(job)).isNotSameAs(key);
        assertThat(keys.of(job).atMost).isEqualTo(12);
        assertThat(keys.resources().total(NodeResources.PROCS)).isEqualTo(12);
    }

    @Test
    void shouldFindItsKeysAnewUnderAnotherPolicy() {
        Job job = job(report -> {});
        PlanKey key = keys.of(job);
        keys.refresh(TestCluster.policy("NODEACCESSPOLICY SINGLEJOB"));

        assertThat(keys.of(job)).isNotSameAs(key);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"1, -, 10", "3, -, 2", "8, -, 1", "1, SINGLETASK, 2", "1, SINGLEJOB, 10"})
    void shouldKnowHowManyTasksThePartitionHoldsAtMost(int procs, @Nullable String access, long tasks) {
        assertThat(keys.of(job(report -> report.setProcsPerTask(procs).setNodeAccess(access))).atMost)
                .isEqualTo(tasks);
    }

    @Test
    void shouldPutOneTaskOnANodeThatIsForSingleTasks() {
        SitePolicy site = TestCluster.policy("NODECFG[n1] ACCESS=SINGLETASK");
        cluster.nodes.configure(site);
        keys.refresh(site);

        assertThat(keys.of(job(report -> {})).atMost).isEqualTo(3);
        assertThat(keys.of(job(report -> report.setNodeAccess("SHARED"))).atMost)
                .isEqualTo(10);
    }

    /** A part has the nodes on which jobs may be planned; what a partition holds counts all. */
    @Test
    void shouldMakeAPartOfEachPartitionWithNodesForEveryRequirement() {
        cluster.node("p1", 4, node -> node.setPartition("p"))
                .node("q1", 16, node -> node.setPartition("q").setState(NodeState.DOWN));
        keys.refresh(SitePolicy.DEFAULT);
        PlanKey key = keys.of(job(report -> {}));

        assertThat(key.parts).extracting(PlanKey.Part::name).containsExactly("DEFAULT", "p");
        assertThat(key.parts.get(1).groups().get(0).positions()).containsExactly(cluster.nodes.position("p1"));
        assertThat(key.atMost).isEqualTo(16);
    }

    @Test
    void shouldNeedAsManyNodesAsAskedForWhereThatIsExact() {
        Job two = cluster.waiting(
                "two", null, 60, new Requirement(4, TaskResources.ofProcs(1), NodeDemands.NONE, 2, null, false));
        assertThat(keys.of(two).nodes).containsExactly(0);

        keys.refresh(TestCluster.policy("JOBNODEMATCHPOLICY EXACTNODE"));
        assertThat(keys.of(two).nodes).containsExactly(2);
    }

    private static Job job(Consumer<JobReport.Builder> more) {
        return TestJob.waiting("j", more);
    }
}

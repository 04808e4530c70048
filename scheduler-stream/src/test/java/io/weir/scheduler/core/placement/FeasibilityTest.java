package io.weir.scheduler.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.NodeCount;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.TaskDistribution;
import io.weir.schemas.JobReport;
import io.weir.schemas.NameCount;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Node n1 has 2 processors, n2 has 4 and memory, n3 has 8 and much else. */
class FeasibilityTest {
    private final TestCluster cluster = new TestCluster()
            .node("n1", 2, node -> {})
            .node(
                    "n2",
                    4,
                    node -> node.setMemoryMb(100)
                            .setSwapMb(100)
                            .setDiskMb(100)
                            .setFeatures(List.of("fast"))
                            .setPartition("p"))
            .node(
                    "n3",
                    8,
                    node -> node.setMemoryMb(800)
                            .setSwapMb(800)
                            .setDiskMb(800)
                            .setFeatures(List.of("fast", "big"))
                            .setArch("x86")
                            .setOs("linux")
                            .setNetworks(List.of("ether"))
                            .setGres(List.of(new NameCount("gpu", 4L)))
                            .setPartition("q"));
    private final Feasibility feasibility = new Feasibility(cluster.nodes, new GlobalResources(cluster.nodes));
    private final Job job = TestJob.waiting("j", report -> {});

    @Test
    void shouldFindEveryNodeThatIsLargeEnough() {
        assertThat(nodes(Requirement.ofProcs(1, 1))).containsExactly("n1", "n2", "n3");
        assertThat(nodes(Requirement.ofProcs(1, 4))).containsExactly("n2", "n3");
        assertThat(nodes(Requirement.ofProcs(1, 9))).isEmpty();
    }

    @Test
    void shouldSayHowManyTasksTheNodesHoldTogether() {
        assertThat(feasibility.match(job, Requirement.ofProcs(1, 3)).tasks()).isEqualTo(3);
        assertThat(feasibility.match(job, Requirement.ofProcs(1, 1)).tasks()).isEqualTo(14);
    }

    @Test
    void shouldCountUnderTheFirstReasonWhyANodeIsLeftOut() {
        Requirement large = requirement(task(4, 200, 0, 0), demands("fast"));

        assertThat(feasibility.match(job, large).rejections()).hasToString("3 nodes: CPU 1, Memory 1, 1 left");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "0, 0, 0, n1 n2 n3",
                "100, 0, 0, n2 n3",
                "101, 0, 0, n3",
                "0, 100, 0, n2 n3",
                "0, 101, 0, n3",
                "0, 0, 100, n2 n3",
                "0, 0, 101, n3",
                "801, 0, 0, ''",
                "0, 801, 0, ''",
                "0, 0, 801, ''"
            })
    void shouldAskForConfiguredAmounts(long memory, long swap, long disk, String found) {
        assertThat(String.join(" ", nodes(requirement(task(1, memory, swap, disk), NodeDemands.NONE))))
                .isEqualTo(found);
    }

    /** Amounts that no node tells cannot be asked for. */
    @Test
    void shouldNotAskForAmountsThatNoNodeTells() {
        TestCluster silent = new TestCluster().nodes(1, 1);
        Feasibility any = new Feasibility(silent.nodes, new GlobalResources(silent.nodes));

        assertThat(any.match(job, requirement(task(1, 1, 1, 1), NodeDemands.NONE))
                        .nodes()
                        .cardinality())
                .isEqualTo(1);
    }

    @Test
    void shouldAskForFeatures() {
        assertThat(nodes(requirement(demands("fast")))).containsExactly("n2", "n3");
        assertThat(nodes(requirement(demands("fast", "big")))).containsExactly("n3");
        assertThat(nodes(requirement(demands("slow")))).isEmpty();
        assertThat(nodes(requirement(demands("slow|big")))).containsExactly("n3");
        assertThat(nodes(requirement(demands("fast|slow")))).containsExactly("n2", "n3");
    }

    @Test
    void shouldAskForArchitectureSystemAndNetwork() {
        assertThat(nodes(requirement(new NodeDemands(List.of(), "x86", null, null, List.of()))))
                .containsExactly("n3");
        assertThat(nodes(requirement(new NodeDemands(List.of(), null, "linux", null, List.of()))))
                .containsExactly("n3");
        assertThat(nodes(requirement(new NodeDemands(List.of(), null, null, "ETHER", List.of()))))
                .containsExactly("n3");
        assertThat(nodes(requirement(new NodeDemands(List.of(), "arm", null, null, List.of()))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"procs>=4, CPU", "mem>=100, MEMORY", "disk>=100, DISK"})
    void shouldMeetConditions(String condition, RejectionReason reason) {
        Requirement conditional = requirement(new NodeDemands(List.of(), null, null, null, List.of(condition)));

        assertThat(nodes(conditional)).containsExactly("n2", "n3");
        assertThat(feasibility.reason(job, conditional, 0)).isEqualTo(reason);
    }

    @Test
    void shouldTakeGenericResourcesFromTheNodeOrElseFromTheCluster() {
        assertThat(nodes(gpus(4))).containsExactly("n3");
        assertThat(nodes(gpus(5))).isEmpty();

        cluster.node(EffectiveNode.GLOBAL, 1, node -> node.setGres(List.of(new NameCount("gpu", 5L))));
        assertThat(nodes(gpus(5))).containsExactly("n1", "n2");
        assertThat(nodes(gpus(6))).isEmpty();
    }

    @Test
    void shouldHoldTheTasksThatStayTogether() {
        assertThat(nodes(perNode(4, 3, false))).containsExactly("n2", "n3");
        assertThat(nodes(perNode(4, 3, true))).containsExactly("n2", "n3");
        assertThat(nodes(perNode(4, 100, true))).containsExactly("n2", "n3");
        assertThat(nodes(new Requirement(8, TaskResources.ofProcs(1), NodeDemands.NONE, 1, null, false)))
                .containsExactly("n3");
        assertThat(nodes(requirementOn(4, task(1, 50, 0, 0), 3))).containsExactly("n3");
    }

    @Test
    void shouldTakeNodesOfExactlyTheProcessorsAskedForWhereThePolicySaysSo() {
        site("JOBNODEMATCHPOLICY EXACTPROC");

        assertThat(nodes(Requirement.ofProcs(1, 4))).containsExactly("n2");
        assertThat(nodes(perNode(4, 2, false))).containsExactly("n1");
        assertThat(nodes(Requirement.ofProcs(1, 3))).isEmpty();
    }

    @Test
    void shouldGoByTheHostsAndPartitionsOfTheJob() {
        assertThat(of(report -> report.setHosts(List.of("n1", "n3", "n9")))).containsExactly("n1", "n3");
        assertThat(of(report -> report.setExcludedHosts(List.of("n1")))).containsExactly("n2", "n3");
        assertThat(of(report -> report.setPartitions(List.of("q")))).containsExactly("n3");
        assertThat(of(report -> report.setPartitions(List.of("p", "q")))).containsExactly("n2", "n3");

        Job excluding = TestJob.waiting("j", report -> report.setExcludedHosts(List.of("n1")));
        assertThat(feasibility.reason(excluding, Requirement.ofProcs(1, 1), 0)).isEqualTo(RejectionReason.POLICY);
    }

    @Test
    void shouldGoByTheClassesOfTheJob() {
        cluster.node("n4", 1, node -> node.setClasses(List.of(new NameCount("batch", 1L))));
        site("CLASSCFG[some] HOSTLIST=n2", "CLASSCFG[big] REQ.FEATURES=big");

        assertThat(of(report -> report.setJobClass("batch"))).containsExactly("n1", "n2", "n3", "n4");
        assertThat(of(report -> report.setJobClass("test"))).containsExactly("n1", "n2", "n3");
        assertThat(of(report -> report.setJobClass("some"))).containsExactly("n2");
        assertThat(of(report -> report.setJobClass("big"))).containsExactly("n3");
        assertThat(of(report -> report.setJobClass("some").setOtherClasses(List.of("batch"))))
                .containsExactly("n1", "n2", "n3", "n4");
        Job some = TestJob.waiting("j", report -> report.setJobClass("some"));
        assertThat(feasibility.reason(some, Requirement.ofProcs(1, 1), 0)).isEqualTo(RejectionReason.CLASS);
    }

    @Test
    void shouldGoByTheClassesOfTheRequirementInPlaceOfThoseOfTheJob() {
        cluster.node("n4", 1, node -> node.setClasses(List.of(new NameCount("batch", 1L))));
        site("CLASSCFG[some] HOSTLIST=n2", "CLASSCFG[big] REQ.FEATURES=big");
        Job some = TestJob.waiting("j", report -> report.setJobClass("some").setOtherClasses(List.of("batch", "test")));

        assertThat(of(some, classes("batch"))).containsExactly("n1", "n2", "n3", "n4");
        assertThat(of(some, classes("test"))).containsExactly("n1", "n2", "n3");
        assertThat(of(some, classes("some"))).containsExactly("n2");
        assertThat(of(some, classes("some", "batch"))).containsExactly("n1", "n2", "n3", "n4");
        assertThat(of(some, classes("big"))).containsExactly("n3");
        assertThat(of(job, classes("some"))).containsExactly("n2");
        assertThat(feasibility.reason(some, classes("some"), 0)).isEqualTo(RejectionReason.CLASS);
        assertThat(feasibility.reason(some, classes("batch"), 0)).isNull();
    }

    @Test
    void shouldGoByTheHostsOfTheRequirementInPlaceOfThoseOfTheJob() {
        Job hosts = TestJob.waiting(
                "j", report -> report.setHosts(List.of("n1", "n2")).setExcludedHosts(List.of("n2")));

        assertThat(of(hosts, hosts(List.of("n3", "n9"), List.of()))).containsExactly("n3");
        assertThat(of(hosts, hosts(List.of("n2", "n3"), List.of()))).containsExactly("n3");
        assertThat(of(hosts, hosts(List.of(), List.of("n1")))).isEmpty();
        assertThat(of(hosts, hosts(List.of("n1", "n3"), List.of("n1", "n9")))).containsExactly("n3");
        assertThat(of(hosts, Requirement.ofProcs(1, 1))).containsExactly("n1");
        assertThat(of(job, hosts(List.of(), List.of("n1", "n3")))).containsExactly("n2");
        assertThat(feasibility.reason(job, hosts(List.of(), List.of("n1")), 0)).isEqualTo(RejectionReason.POLICY);
    }

    @Test
    void shouldReadNamesAnewWhenTheNodesLieOtherwise() {
        Requirement named = hosts(List.of("n0", "n3"), List.of("n1"));
        assertThat(nodes(named)).containsExactly("n3");

        cluster.node("n0", 1, node -> {});

        assertThat(nodes(named)).containsExactlyInAnyOrder("n0", "n3");
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 3"})
    void shouldLeaveOutNodesThatTakeFewerTasksThanLieTogether(int mostTasks, int found) {
        cluster.node("n1", 4, node -> node.setMaxTasks(mostTasks));
        Requirement two = new Requirement(2, TaskResources.ofProcs(1), NodeDemands.NONE, null, 2, false);

        assertThat(nodes(two)).hasSize(found);
        assertThat(feasibility.reason(job, two, cluster.nodes.position("n1")))
                .isEqualTo(found == 2 ? RejectionReason.POLICY : null);
    }

    @ParameterizedTest
    @CsvSource({"MAXPROC=1, 0", "MAXPROC=2, 1", "MAXPROCPERUSER=1, 0", "MAXPROCPERUSER=2, 1", "MAXPE=1, 0", "MAXPE=2, 1"
    })
    void shouldLeaveOutNodesWhoseCapsNoTaskCanMeet(String cap, int found) {
        site("NODECFG[n1] " + cap);

        assertThat(nodes(Requirement.ofProcs(1, 2))).hasSize(2 + found);
        assertThat(feasibility.reason(job, Requirement.ofProcs(1, 2), 0))
                .isEqualTo(found == 0 ? RejectionReason.POLICY : null);
    }

    @Test
    void shouldSayWhyANodeCouldNeverRunATask() {
        assertThat(feasibility.reason(job, Requirement.ofProcs(1, 4), 0)).isEqualTo(RejectionReason.CPU);
        assertThat(feasibility.reason(job, Requirement.ofProcs(1, 4), 1)).isNull();
        assertThat(feasibility.reason(job, requirement(demands("big")), 1)).isEqualTo(RejectionReason.FEATURES);
        assertThat(feasibility.reason(job, requirement(task(1, 1, 0, 0), NodeDemands.NONE), 0))
                .isEqualTo(RejectionReason.MEMORY);
        assertThat(feasibility.reason(job, requirement(new NodeDemands(List.of(), null, null, "ether", List.of())), 0))
                .isEqualTo(RejectionReason.NETWORK);
    }

    @Test
    void shouldSayThatTheNodeOfFloatingResourcesHasNoProcessors() {
        cluster.node(EffectiveNode.GLOBAL, 1, node -> {});

        assertThat(feasibility.reason(job, Requirement.ofProcs(1, 1), cluster.nodes.position(EffectiveNode.GLOBAL)))
                .isEqualTo(RejectionReason.CPU);
    }

    @Test
    void shouldKeepAnswersUntilTheNodesChange() {
        NodeMatch first = feasibility.match(job, Requirement.ofProcs(1, 1));
        assertThat(feasibility.match(job, Requirement.ofProcs(1, 1))).isSameAs(first);

        cluster.node("n4", 1, node -> {});
        assertThat(nodes(Requirement.ofProcs(1, 1))).containsExactly("n1", "n2", "n3", "n4");
    }

    @Test
    void shouldKeepAnswersUnderAPolicyThatSaysTheSameOfNodesAndClasses() {
        NodeMatch first = feasibility.match(job, Requirement.ofProcs(1, 1));
        feasibility.configure(TestCluster.policy("QUEUETIMEWEIGHT 5"));
        assertThat(feasibility.match(job, Requirement.ofProcs(1, 1))).isSameAs(first);

        feasibility.configure(TestCluster.policy("JOBNODEMATCHPOLICY EXACTPROC"));
        assertThat(nodes(Requirement.ofProcs(1, 1))).isEmpty();
        feasibility.configure(TestCluster.policy("CLASSCFG[DEFAULT] REQ.FEATURES=big"));
        assertThat(nodes(Requirement.ofProcs(1, 1))).containsExactly("n3");
    }

    @Test
    void shouldShapeTasksAsTheRequirementSays() {
        assertThat(shape(perNode(4, 3, false))).isEqualTo(shape(3, 1, NodeCount.ANY));
        assertThat(shape(perNode(4, 3, true))).isEqualTo(shape(1, 3, NodeCount.ANY));
        assertThat(shape(perNode(4, 0, false))).isEqualTo(shape(1, 1, NodeCount.ANY));
        assertThat(shape(perNode(4, 0, true))).isEqualTo(shape(1, 1, NodeCount.ANY));
        assertThat(shape(on(2))).isEqualTo(shape(2, 1, NodeCount.ANY));
        assertThat(shape(on(3))).isEqualTo(shape(1, 1, NodeCount.ANY));
        assertThat(shape(on(0))).isEqualTo(shape(1, 1, NodeCount.ANY));
        assertThat(shape(Requirement.ofProcs(4, 1))).isEqualTo(shape(1, 1, NodeCount.ANY));
    }

    @Test
    void shouldUseExactlyTheNodesAskedForWhereThePolicySaysSo() {
        site("JOBNODEMATCHPOLICY EXACTNODE");

        assertThat(shape(on(2))).isEqualTo(shape(2, 1, new NodeCount(2, 2, 0)));
        assertThat(shape(Requirement.ofProcs(4, 1))).isEqualTo(shape(1, 1, NodeCount.ANY));
    }

    private TaskShape shape(Requirement requirement) {
        return feasibility.taskShape(requirement, TaskDistribution.DEFAULT);
    }

    private static TaskShape shape(int group, int least, NodeCount count) {
        return new TaskShape(4, group, least, count, TaskDistribution.DEFAULT);
    }

    private void site(String... lines) {
        SitePolicy policy = TestCluster.policy(lines);
        cluster.nodes.configure(policy);
        feasibility.configure(policy);
    }

    private List<String> of(Consumer<JobReport.Builder> more) {
        return names(feasibility.match(TestJob.waiting("j", more), Requirement.ofProcs(1, 1)));
    }

    private List<String> nodes(Requirement requirement) {
        return of(job, requirement);
    }

    private List<String> of(Job asking, Requirement requirement) {
        return names(feasibility.match(asking, requirement));
    }

    private static Requirement classes(String... classes) {
        return requirement(
                new NodeDemands(List.of(), null, null, null, List.of(), List.of(classes), List.of(), List.of(), false));
    }

    private static Requirement hosts(List<String> hosts, List<String> excluded) {
        return requirement(new NodeDemands(List.of(), null, null, null, List.of(), List.of(), hosts, excluded, false));
    }

    private List<String> names(NodeMatch match) {
        return match.nodes().stream()
                .mapToObj(position -> cluster.nodes.at(position).id())
                .toList();
    }

    private static NodeDemands demands(String... features) {
        return new NodeDemands(List.of(features), null, null, null, List.of());
    }

    private static Requirement requirement(NodeDemands demands) {
        return requirement(TaskResources.ofProcs(1), demands);
    }

    private static Requirement requirement(TaskResources task, NodeDemands demands) {
        return new Requirement(1, task, demands, null, null, false);
    }

    private static Requirement requirementOn(int tasks, TaskResources task, @Nullable Integer perNode) {
        return new Requirement(tasks, task, NodeDemands.NONE, null, perNode, false);
    }

    private static Requirement perNode(int tasks, int perNode, boolean atLeast) {
        return new Requirement(tasks, TaskResources.ofProcs(1), NodeDemands.NONE, null, perNode, atLeast);
    }

    private static Requirement on(int nodes) {
        return new Requirement(4, TaskResources.ofProcs(1), NodeDemands.NONE, nodes, null, false);
    }

    private static Requirement gpus(long count) {
        return requirement(new TaskResources(1, 0, 0, 0, new TreeMap<>(Map.of("gpu", count))), NodeDemands.NONE);
    }

    private static TaskResources task(int procs, long memory, long swap, long disk) {
        return new TaskResources(procs, memory, swap, disk, new TreeMap<>());
    }
}

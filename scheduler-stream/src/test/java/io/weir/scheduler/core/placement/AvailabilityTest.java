package io.weir.scheduler.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.ResourceKind;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Node n1 has 8 processors, 800 MB of memory, 1600 MB of swap and 80 MB of disk. */
class AvailabilityTest {
    private static final String DEDICATED = "NODEAVAILABILITYPOLICY DEDICATED";
    private static final String UTILIZED = "NODEAVAILABILITYPOLICY UTILIZED";
    private static final String COMBINED = "NODEAVAILABILITYPOLICY COMBINED";

    private final TestCluster cluster = new TestCluster();
    private final Availability availability =
            new Availability(cluster.nodes, cluster.jobs, new GlobalResources(cluster.nodes));
    private final List<Job> unmeasured = new ArrayList<>();
    private final Job job = TestJob.waiting("j", report -> {});

    @ParameterizedTest
    @CsvSource({"PROC, 8", "MEM, 800", "SWAP, 1600", "DISK, 80"})
    void shouldHaveAllOfAnIdleNodeToGive(ResourceKind resource, long amount) {
        node(node -> {}).begin(COMBINED);

        assertThat(availability.available(0, resource)).isEqualTo(amount);
    }

    @ParameterizedTest
    @CsvSource({"PROC, 5", "MEM, 700", "SWAP, 1400", "DISK, 50"})
    void shouldTakeAwayWhatJobsWereGiven(ResourceKind resource, long amount) {
        node(node -> {}).running("r", 1, task(3, 100, 200, 30)).begin(DEDICATED);

        assertThat(availability.available(0, resource)).isEqualTo(amount);
        assertThat(availability.undedicated(0)).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({
        "DEDICATED, PROC, 6", "UTILIZED, PROC, 5", "COMBINED, PROC, 5",
        "DEDICATED, MEM, 700", "UTILIZED, MEM, 600", "COMBINED, MEM, 600",
        "DEDICATED, SWAP, 1400", "UTILIZED, SWAP, 1500", "COMBINED, SWAP, 1400",
        "DEDICATED, DISK, 50", "UTILIZED, DISK, 40", "COMBINED, DISK, 40"
    })
    void shouldGoByWhatIsGivenOrMeasuredOrTheStricter(String measure, ResourceKind resource, long amount) {
        node(node -> node.setLoad(3.4)
                        .setAvailableMemoryMb(600L)
                        .setAvailableSwapMb(1500L)
                        .setAvailableDiskMb(40L))
                .running("r", 1, task(2, 100, 200, 30))
                .begin("NODEAVAILABILITYPOLICY " + measure);

        assertThat(availability.available(0, resource)).isEqualTo(amount);
    }

    @Test
    void shouldNotHaveMoreThanIsConfiguredNorLessThanNothing() {
        node(node -> node.setLoad(12.0).setAvailableMemoryMb(5_000L)).begin(UTILIZED);

        assertThat(availability.available(0, ResourceKind.PROC)).isZero();
        assertThat(availability.available(0, ResourceKind.MEM)).isEqualTo(800);
    }

    /** A processor that is in part unused counts; rounding errors do not. */
    @ParameterizedTest
    @CsvSource({"3.0, 5", "3.0000000001, 5", "2.9999999999, 5", "2.9, 6"})
    void shouldRoundUnusedProcessorsUp(double load, long procs) {
        node(node -> node.setLoad(load)).begin(UTILIZED);

        assertThat(availability.available(0, ResourceKind.PROC)).isEqualTo(procs);
    }

    @Test
    void shouldCountWhatStartedTooLateToBeMeasuredAsInUse() {
        node(node -> {}).running("r", 1, task(3, 100, 200, 30));
        unmeasured.addAll(cluster.jobs.all());
        begin(UTILIZED);

        assertThat(availability.load(0)).isEqualTo(3);
        assertThat(availability.available(0, ResourceKind.PROC)).isEqualTo(5);
        assertThat(availability.available(0, ResourceKind.MEM)).isEqualTo(700);
        assertThat(availability.available(0, ResourceKind.SWAP)).isEqualTo(1400);
        assertThat(availability.available(0, ResourceKind.DISK)).isEqualTo(50);
        assertThat(availability.assumed().stream()).containsExactly(0);
    }

    @Test
    void shouldCountWhatStartsInThisIterationAsInUse() {
        node(node -> {}).begin(UTILIZED);
        running("r", 1, task(3, 0, 0, 0));
        availability.started(job("r"));

        assertThat(availability.load(0)).isEqualTo(3);
        assertThat(availability.available(0, ResourceKind.PROC)).isEqualTo(5);
    }

    @Test
    void shouldForgetWhatItAssumedInTheNextIteration() {
        node(node -> {}).running("r", 1, task(3, 0, 0, 0));
        unmeasured.addAll(cluster.jobs.all());
        begin(UTILIZED);
        unmeasured.clear();
        begin(UTILIZED);

        assertThat(availability.available(0, ResourceKind.PROC)).isEqualTo(8);
        assertThat(availability.assumed().isEmpty()).isTrue();
    }

    @Test
    void shouldAssumeNothingOfNodesThatAreGone() {
        node(node -> {}).begin(UTILIZED);
        availability.started(TestJob.running("x", 0, report -> {}, new NodeAllocation("n9", 4)));

        assertThat(availability.assumed().isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"DEDICATED", "UTILIZED", "COMBINED"})
    void shouldKeepWhatIsPromisedUntilItIsSettled(String measure) {
        node(node -> {}).begin("NODEAVAILABILITYPOLICY " + measure);
        availability.promise(0, requirement(task(2, 100, 200, 10)), 3);

        assertThat(availability.available(0, ResourceKind.PROC)).isEqualTo(2);
        assertThat(availability.available(0, ResourceKind.MEM)).isEqualTo(500);
        assertThat(availability.available(0, ResourceKind.SWAP)).isEqualTo(1000);
        assertThat(availability.available(0, ResourceKind.DISK)).isEqualTo(50);

        availability.settle();
        assertThat(availability.available(0, ResourceKind.PROC)).isEqualTo(8);
        assertThat(availability.available(0, ResourceKind.MEM)).isEqualTo(800);
    }

    @Test
    void shouldForgetPromisesInTheNextIteration() {
        node(node -> {}).begin(DEDICATED);
        availability.promise(0, requirement(task(2, 0, 0, 0)), 3);
        begin(DEDICATED);

        assertThat(availability.available(0, ResourceKind.PROC)).isEqualTo(8);
    }

    @Test
    void shouldBeBusyFromTheLoadLimitOn() {
        node(node -> node.setLoad(3.9)).begin(DEDICATED, "NODEMAXLOAD 4");
        assertThat(availability.busy(0)).isFalse();
        assertThat(room(task(1, 0, 0, 0))).isEqualTo(8);

        node(node -> node.setLoad(4.0)).begin(DEDICATED, "NODEMAXLOAD 4");
        assertThat(availability.busy(0)).isTrue();
        assertThat(room(task(1, 0, 0, 0))).isZero();
        assertThat(availability.reason()).isEqualTo(RejectionReason.STATE);
    }

    @ParameterizedTest
    @CsvSource({"0.0, 4", "1.4, 3", "1.5, 3", "1.6, 2", "4.0, 0", "9.0, 0"})
    void shouldTakeProcessorsAwayForLoadWhereThePolicySaysSo(double load, long procs) {
        node(node -> node.setLoad(load)).begin(DEDICATED, "NODEMAXLOAD 4", "NODELOADPOLICY ADJUSTPROCS");

        assertThat(availability.available(0, ResourceKind.PROC)).isEqualTo(procs);
        assertThat(availability.busy(0)).isEqualTo(procs == 0);
    }

    @Test
    void shouldNotAdjustProcessorsOfNodesWithoutALoadLimit() {
        node(node -> node.setLoad(5.0)).begin(DEDICATED, "NODELOADPOLICY ADJUSTPROCS");

        assertThat(availability.available(0, ResourceKind.PROC)).isEqualTo(8);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, 0, 0, 8",
        "3, 0, 0, 0, 2",
        "1, 200, 0, 0, 4",
        "1, 0, 600, 0, 2",
        "1, 0, 0, 25, 3",
        "8, 800, 1600, 80, 1"
    })
    void shouldHaveRoomForAsManyTasksAsEveryResourceAllows(int procs, long memory, long swap, long disk, int tasks) {
        node(node -> {}).begin(COMBINED);

        assertThat(room(task(procs, memory, swap, disk))).isEqualTo(tasks);
    }

    @ParameterizedTest
    @CsvSource({
        "9, 0, 0, 0, CPU",
        "1, 801, 0, 0, MEMORY",
        "1, 0, 1601, 0, MEMORY",
        "1, 0, 0, 81, DISK",
        "1, 801, 0, 81, MEMORY"
    })
    void shouldSayOfWhatThereIsTooLittle(int procs, long memory, long swap, long disk, RejectionReason reason) {
        node(node -> {}).begin(COMBINED);

        assertThat(room(task(procs, memory, swap, disk))).isZero();
        assertThat(availability.reason()).isEqualTo(reason);
    }

    /** A node that does not say how much it has is not asked. */
    @Test
    void shouldIgnoreAmountsThatANodeDoesNotTell() {
        cluster.node("n1", 8, node -> {});
        begin(COMBINED);

        assertThat(room(task(1, 1_000, 1_000, 1_000))).isEqualTo(8);
    }

    @Test
    void shouldHaveNoRoomOnANodeWhoseMemoryIsInUse() {
        node(node -> node.setAvailableMemoryMb(0L)).begin(UTILIZED);
        assertThat(room(task(1, 0, 0, 0))).isZero();
        assertThat(availability.reason()).isEqualTo(RejectionReason.MEMORY);
        assertThat(availability.busy(0)).isTrue();

        node(node -> node.setAvailableMemoryMb(1L)).begin(UTILIZED);
        assertThat(room(task(1, 0, 0, 0))).isEqualTo(8);
        assertThat(availability.busy(0)).isFalse();

        node(node -> node.setAvailableMemoryMb(0L)).begin(DEDICATED);
        assertThat(room(task(1, 0, 0, 0))).isEqualTo(8);
        assertThat(availability.busy(0)).isFalse();
    }

    @Test
    void shouldBeBusyWhereUseLeavesNoneOfTheUndedicatedProcessors() {
        node(node -> node.setLoad(8.0)).begin(COMBINED);
        assertThat(availability.busy(0)).isTrue();

        node(node -> {}).running("r", 1, task(8, 0, 0, 0)).begin(COMBINED);
        assertThat(availability.busy(0)).isFalse();
        assertThat(availability.undedicated(0)).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = NodeState.class,
            names = {"DOWN", "DRAINED"})
    void shouldHaveNoRoomOnANodeWhoseStateTakesNoTasks(NodeState state) {
        node(node -> node.setState(state)).begin(COMBINED);

        assertThat(availability.busy(0)).isTrue();
        assertThat(room(task(1, 0, 0, 0))).isZero();
        assertThat(availability.reason()).isEqualTo(RejectionReason.STATE);
    }

    @Test
    void shouldHaveNoRoomOnANodeThatIsSwitchedOff() {
        node(node -> node.setPoweredOn(false)).begin(COMBINED);

        assertThat(availability.busy(0)).isTrue();
        assertThat(room(task(1, 0, 0, 0))).isZero();
        assertThat(availability.reason()).isEqualTo(RejectionReason.STATE);
    }

    @Test
    void shouldHaveNoRoomWherePolicyForbidsIt() {
        node(node -> node.setMaxTasks(0)).begin(COMBINED);

        assertThat(room(task(1, 0, 0, 0))).isZero();
        assertThat(availability.reason()).isEqualTo(RejectionReason.POLICY);
        assertThat(availability.limits().personal()).isFalse();
    }

    @Test
    void shouldTakeGenericResourcesFromTheNodeThatHasThem() {
        node(node -> node.setGres(List.of(new NameCount("gpu", 6L))))
                .running("r", 1, gpus(1))
                .begin(COMBINED);

        assertThat(room(gpus(2))).isEqualTo(2);
        availability.promise(0, requirement(gpus(2)), 1);
        assertThat(room(gpus(2))).isEqualTo(1);
        assertThat(room(gpus(4))).isZero();
        assertThat(availability.reason()).isEqualTo(RejectionReason.FEATURES);
        availability.settle();
        assertThat(room(gpus(2))).isEqualTo(2);
    }

    @Test
    void shouldTakeGenericResourcesFromTheClusterWhereTheNodeHasNone() {
        node(node -> {})
                .running("r", 1, gpus(1))
                .cluster
                .node(EffectiveNode.GLOBAL, 1, node -> node.setGres(List.of(new NameCount("gpu", 6L))));
        begin(COMBINED);
        int position = cluster.nodes.position("n1");

        assertThat(availability.room(position, job, requirement(gpus(2)))).isEqualTo(2);
        availability.promise(position, requirement(gpus(2)), 2);
        assertThat(availability.room(position, job, requirement(gpus(2)))).isZero();
    }

    @Test
    void shouldCountFloatingResourcesOfJobsThatStart() {
        node(node -> {}).cluster.node(EffectiveNode.GLOBAL, 1, node -> node.setGres(List.of(new NameCount("gpu", 6L))));
        begin(COMBINED);
        running("r", 1, gpus(5));
        availability.started(job("r"));

        assertThat(availability.room(cluster.nodes.position("n1"), job, requirement(gpus(2))))
                .isZero();
    }

    @Test
    void shouldHearFromAStartedJobThatItKeepsOthersAway() {
        node(node -> {}).begin(COMBINED);
        Job single = TestJob.running("s", 0, report -> report.setNodeAccess("SINGLEJOB"), new NodeAllocation("n1", 1));
        cluster.jobs.put(single);
        cluster.nodes.hold("s", single.shares());
        availability.started(single);

        assertThat(room(task(1, 0, 0, 0))).isZero();
        assertThat(availability.reason()).isEqualTo(RejectionReason.POLICY);
    }

    private AvailabilityTest node(Consumer<NodeReport.Builder> more) {
        cluster.node("n1", 8, node -> {
            node.setMemoryMb(800).setSwapMb(1600).setDiskMb(80);
            more.accept(node);
        });
        return this;
    }

    private AvailabilityTest running(String id, int tasks, TaskResources task) {
        Job running = TestJob.running(
                id,
                0,
                report -> report.setRequirements(
                        List.of(new Requirement(tasks, task, NodeDemands.NONE, null, null, false).toRecord())),
                new NodeAllocation("n1", tasks * task.procs()));
        cluster.jobs.put(running);
        cluster.nodes.hold(id, running.shares());
        return this;
    }

    private void begin(String... lines) {
        SitePolicy policy = TestCluster.policy(lines);
        cluster.nodes.configure(policy);
        availability.begin(policy, unmeasured);
    }

    private Job job(String id) {
        return Objects.requireNonNull(cluster.jobs.get(id));
    }

    private int room(TaskResources task) {
        return availability.room(0, job, requirement(task));
    }

    private static Requirement requirement(TaskResources task) {
        return new Requirement(1, task, NodeDemands.NONE, null, null, false);
    }

    private static TaskResources task(int procs, long memory, long swap, long disk) {
        return new TaskResources(procs, memory, swap, disk, new TreeMap<>());
    }

    private static TaskResources gpus(long count) {
        return new TaskResources(1, 0, 0, 0, new TreeMap<>(Map.of("gpu", count)));
    }
}

package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.TaskRequirement;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of nodes, nodes left out, choices among features and among classes. */
class RequestShapeTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    private static Consumer<JobReport.Builder> on(int tasks, int least, int most, int mostTasks) {
        return job -> job.setRequirements(List.of(TaskRequirement.newBuilder()
                .setTasks(tasks)
                .setLeastNodes(least)
                .setMostNodes(most)
                .setMostTasksPerNode(mostTasks)
                .build()));
    }

    private static Consumer<JobReport.Builder> onTheFewest(int tasks) {
        return job -> job.setRequirements(List.of(TaskRequirement.newBuilder()
                .setTasks(tasks)
                .setFewestNodes(true)
                .build()));
    }

    private static Consumer<JobReport.Builder> features(int tasks, String... features) {
        return job -> job.setRequirements(List.of(TaskRequirement.newBuilder()
                .setTasks(tasks)
                .setFeatures(List.of(features))
                .build()));
    }

    private List<String> nodesOf(String job) {
        JobStatus status = weir.publishedJobs.get(job);
        return status == null
                ? List.of()
                : status.getAllocation().stream().map(NodeAllocation::getNodeId).toList();
    }

    private List<Integer> tasksOf(String job) {
        return weir.publishedJobs.get(job).getPlacements().stream()
                .map(TaskPlacement::getTasks)
                .sorted()
                .toList();
    }

    @Test
    @Feature("REQ-1")
    void shouldUseTheNumberOfNodesAskedForThoughOneWouldDo() {
        weir.nodes(4, 4).submit("j", 4, HOUR, on(4, 2, 2, 0)).iterate(0);
        assertThat(nodesOf("j")).hasSize(2);
    }

    @Test
    @Feature("REQ-1")
    void shouldNotSpreadAJobThatWantsOneNode() {
        weir.nodes(2, 4).submit("a", 2, HOUR).submit("b", 2, HOUR, job -> job.setHosts(List.of("n1")));
        weir.iterate(0);
        weir.submit("j", 4, HOUR, on(4, 1, 1, 0)).iterate(1);
        assertThat(nodesOf("j")).hasSizeLessThanOrEqualTo(1);
        assertThat(nodesOf("a")).hasSize(1);
    }

    @Test
    void shouldKeepTasksTogetherWhereANodeHasRoomForAll() {
        weir.nodes(3, 4)
                .submit("a", 3, HOUR, job -> job.setHosts(List.of("n1")))
                .iterate(0);
        weir.submit("j", 2, HOUR, onTheFewest(2)).iterate(1);
        assertThat(tasksOf("j")).containsExactly(2);

        weir.submit("wide", 6, HOUR, onTheFewest(6)).iterate(2);
        assertThat(nodesOf("wide")).as("no node has room for all").hasSize(2);
    }

    /** The first node in the order of the policy that has room for all; else as few as hold them. */
    @ParameterizedTest
    @ValueSource(strings = {"FIRSTAVAILABLE", "LASTAVAILABLE"})
    void shouldTakeTheFirstNodeOfThePolicyThatHasRoomForAll(String policy) {
        Random random = new Random(17);
        weir.policy("NODEALLOCATIONPOLICY " + policy + "\nRESERVATIONDEPTH 0").nodes(12, 8);
        int[] free = new int[12];
        for (int i = 0; i < 12; i++) {
            int taken = random.nextInt(9);
            free[i] = 8 - taken;
            String host = "n" + (i + 1);
            if (taken > 0) {
                weir.submit("on" + i, taken, HOUR, job -> job.setHosts(List.of(host)));
            }
        }
        weir.iterate(0);
        for (int round = 1; round < 30; round++) {
            int tasks = 2 + random.nextInt(7);
            String job = "j" + round;
            weir.submit(job, tasks, HOUR, onTheFewest(tasks)).iterate(round);
            int node = firstWithRoom(free, tasks, policy.equals("FIRSTAVAILABLE"));
            if (node >= 0) {
                assertThat(nodesOf(job)).as("%s of %d tasks", job, tasks).containsExactly("n" + (node + 1));
            } else if (Arrays.stream(free).sum() >= tasks) {
                assertThat(nodesOf(job)).as("%s of %d tasks", job, tasks).hasSize(fewestWithRoom(free, tasks));
            } else {
                assertThat(nodesOf(job)).isEmpty();
                return;
            }
            JobStatus status = weir.publishedJobs.get(job);
            status.getAllocation()
                    .forEach(each -> free[Integer.parseInt(each.getNodeId().substring(1)) - 1] -= each.getProcs());
        }
    }

    private static int firstWithRoom(int[] free, int tasks, boolean upwards) {
        return IntStream.range(0, free.length)
                .map(i -> upwards ? i : free.length - 1 - i)
                .filter(i -> free[i] >= tasks)
                .findFirst()
                .orElse(-1);
    }

    private static int fewestWithRoom(int[] free, int tasks) {
        int[] sorted = Arrays.stream(free).sorted().toArray();
        int nodes = 0;
        for (int missing = tasks; missing > 0; missing -= sorted[sorted.length - nodes]) {
            nodes++;
        }
        return nodes;
    }

    @Test
    @Feature("REQ-2")
    void shouldUseAsManyNodesOfARangeAsThereAre() {
        weir.nodes(3, 4).submit("j", 6, HOUR, on(6, 2, 5, 0)).iterate(0);
        assertThat(nodesOf("j")).hasSize(3);
        assertThat(tasksOf("j").stream().mapToInt(Integer::intValue).sum()).isEqualTo(6);
    }

    @Test
    @Feature("REQ-2")
    void shouldWaitForTheFewestNodesOfARange() {
        weir.nodes(1, 8).submit("j", 4, HOUR, on(4, 2, 3, 0)).iterate(0);
        assertThat(nodesOf("j")).isEmpty();
        weir.node("n2", 8, NodeState.IDLE).iterate(1);
        assertThat(nodesOf("j")).containsExactlyInAnyOrder("n1", "n2");
    }

    @Test
    @Feature("REQ-3")
    void shouldPutNoMoreTasksOnANodeThanAsked() {
        weir.nodes(4, 4).submit("j", 6, HOUR, on(6, 0, 0, 2)).iterate(0);
        assertThat(tasksOf("j")).containsExactly(2, 2, 2);
    }

    @Test
    @Feature("REQ-3")
    void shouldPlanAJobWithMostTasksForWhenEnoughNodesAreFree() {
        weir.nodes(2, 4)
                .submit("busy", 4, 100, job -> job.setHosts(List.of("n1")))
                .iterate(0);
        weir.submit("j", 4, HOUR, on(4, 2, 2, 2)).iterate(1);
        assertThat(nodesOf("j")).isEmpty();
        weir.end("busy", 50).iterate(50);
        assertThat(nodesOf("j")).containsExactlyInAnyOrder("n1", "n2");
    }

    @Test
    @Feature("REQ-1")
    void shouldHoldUpNobodyByAJobOfFewerTasksThanNodes() {
        weir.nodes(4, 4).heartbeat(1, true, SchedulerFixture.EPOCH, 0);
        weir.submit("never", 2, HOUR, on(2, 4, 4, 0)).submit("j", 4, HOUR, on(4, 4, 4, 0));
        weir.iterate(0);
        assertThat(weir.job("never").getMessages())
                .containsExactly("Policy: the request has 2 tasks, fewer than the nodes it is to use");
        assertThat(nodesOf("j")).hasSize(4);
    }

    @Test
    @Feature("REQ-1")
    void shouldHoldUpNobodyByTasksThatStayTogether() {
        weir.nodes(9, 4);
        for (int i = 1; i <= 9; i++) {
            String host = "n" + i;
            weir.submit("busy" + i, 3, 2 * HOUR, job -> job.setHosts(List.of(host)));
        }
        weir.iterate(0);
        weir.submit("together", 8, HOUR, onNodes(8, 4)).submit("loose", 9, HOUR, onNodes(9, 4));
        weir.iterate(1);
        assertThat(nodesOf("together")).isEmpty();
        assertThat(nodesOf("loose")).hasSize(9);
    }

    private static Consumer<JobReport.Builder> onNodes(int tasks, int nodes) {
        return job -> job.setRequirements(List.of(
                TaskRequirement.newBuilder().setTasks(tasks).setNodes(nodes).build()));
    }

    @Test
    @Feature("REQ-4")
    void shouldLeaveOutTheNodesExcluded() {
        weir.nodes(3, 1)
                .submit("j", 1, HOUR, job -> job.setExcludedHosts(List.of("n1", "n3", "nowhere")))
                .submit("k", 2, HOUR, job -> job.setExcludedHosts(List.of("n2")))
                .iterate(0);
        assertThat(nodesOf("j")).containsExactly("n2");
        assertThat(nodesOf("k")).containsExactlyInAnyOrder("n1", "n3");
    }

    @Test
    @Feature("REQ-4")
    void shouldForgetNothingOfTheRequestInARebuild() {
        weir.rebuildingAlways();
        weir.nodes(3, 1)
                .submit("busy", 1, HOUR, job -> job.setHosts(List.of("n2")))
                .iterate(0);
        weir.submit(
                        "j",
                        1,
                        HOUR,
                        job -> job.setExcludedHosts(List.of("n1", "n3")).setOtherClasses(List.of("x")))
                .iterate(1);
        assertThat(nodesOf("j")).isEmpty();
        weir.end("busy", 5).iterate(5);
        assertThat(nodesOf("j")).containsExactly("n2");
    }

    @Test
    @Feature("REQ-5")
    void shouldTakeEitherFeature() {
        featured("n1", "slow", "rack1");
        featured("n2", "fast", "rack2");
        featured("n3", "old", "rack2");
        weir.submit("j", 2, HOUR, features(2, "fast|slow")).iterate(0);
        assertThat(nodesOf("j")).containsExactlyInAnyOrder("n1", "n2");
        weir.submit("k", 1, HOUR, features(1, "fast|old", "rack2")).iterate(1);
        assertThat(nodesOf("k")).containsExactly("n3");
        weir.submit("never", 1, HOUR, features(1, "|")).iterate(2);
        assertThat(nodesOf("never")).isEmpty();
    }

    private void featured(String name, String... features) {
        weir.node(name, 1, NodeState.IDLE, (NodeReport.Builder node) -> node.setFeatures(List.of(features)));
    }

    @Test
    @Feature("REQ-6")
    void shouldRunInAnyOfSeveralClasses() {
        accepting("n1", "batch");
        accepting("n2", "short");
        accepting("n3", "gpu");
        weir.submit("j", 2, HOUR, job -> job.setJobClass("short").setOtherClasses(List.of("batch")))
                .iterate(0);
        assertThat(nodesOf("j")).containsExactlyInAnyOrder("n1", "n2");
        weir.submit("k", 1, HOUR, job -> job.setJobClass("short").setOtherClasses(List.of("gpu")))
                .iterate(1);
        assertThat(nodesOf("k")).containsExactly("n3");
    }

    private void accepting(String name, String jobClass) {
        weir.node(
                name,
                1,
                NodeState.IDLE,
                (NodeReport.Builder node) -> node.setClasses(List.of(new NameCount(jobClass, 1L))));
    }

    @Test
    void shouldRefuseAWaitingJobThatAsksForMoreThanIsLookedUpForOne() {
        JobReport.Builder job = JobReport.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setJobId("j")
                .setQueueSequence(1)
                .setTasks(1)
                .setProcsPerTask(1)
                .setSubmitTime(SchedulerFixture.at(0));
        TaskRequirement.Builder choices = TaskRequirement.newBuilder()
                .setTasks(1)
                .setProcsPerTask(1)
                .setFeatures(List.of("a" + "|b".repeat(100)));
        job.setRequirements(Collections.nCopies(21, choices.build()));

        weir.nodes(1, 1);
        assertThat(weir.check(job.setState(JobState.IDLE).build()))
                .hasValueSatisfying(rejection -> assertThat(rejection.message())
                        .contains("have 2121 features with their alternatives", "at most 2048 are allowed"));
        assertThat(weir.check(job.setState(JobState.RUNNING)
                        .setStartTime(SchedulerFixture.at(0))
                        .setAllocation(List.of(new NodeAllocation("n1", 1)))
                        .build()))
                .isEmpty();
        job.setRequirements(Collections.nCopies(20, choices.build()));
        assertThat(weir.check(job.setState(JobState.IDLE)
                        .setStartTime(null)
                        .setAllocation(List.of())
                        .build()))
                .isEmpty();
    }
}

package io.weir.scheduler.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.JobReport;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.TaskRequirement;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Node n1 has 8 processors. Jobs began at 0 and may run 100 s. */
class NodeLimitsTest {
    private static final int ALL = Integer.MAX_VALUE;

    private final TestCluster cluster = new TestCluster();
    private final PromisedTasks promised = new PromisedTasks(cluster.nodes);
    private final NodeLimits limits = new NodeLimits(cluster.nodes, cluster.jobs, promised);
    private final Job anns = job("ann");

    @Test
    void shouldLimitNothingUnlessSomethingIsSaid() {
        node(node -> {}).running("b", "bob", 2).site();

        assertThat(tasks(anns, 1, 8)).isEqualTo(8);
        assertThat(admitted(0)).isEqualTo(ALL);
        assertThat(limits.personal()).isFalse();
    }

    @Test
    void shouldKeepToTheTaskLimitOfTheNode() {
        node(node -> node.setMaxTasks(4)).running("b", "bob", 2).site();

        assertThat(tasks(anns, 1, 8)).isEqualTo(2);
        assertThat(tasks(anns, 1, 1)).isEqualTo(1);
    }

    @Test
    void shouldKeepToTheInitiatorsOfItsClass() {
        node(node -> node.setClasses(List.of(new NameCount("batch", 3L), new NameCount("test", 3L))));
        running("b", report -> report.setJobClass("batch"), 1);
        running("t", report -> report.setJobClass("test"), 1);
        site();

        assertThat(tasks(TestJob.waiting("j", report -> report.setJobClass("batch")), 1, 8))
                .isEqualTo(2);
        assertThat(tasks(anns, 1, 8)).isEqualTo(8);
        assertThat(tasks(TestJob.waiting("j", report -> report.setJobClass("none")), 1, 8))
                .isEqualTo(8);
    }

    @Test
    void shouldKeepToTheInitiatorsOfThatOfItsClassesWhichLeavesMost() {
        node(node -> node.setClasses(List.of(new NameCount("batch", 3L), new NameCount("part", 2L))));
        running("p", report -> report.setJobClass("part"), 1);
        site();

        assertThat(tasks(inAnyOf("part", "batch"), 1, 8)).isEqualTo(3);
        assertThat(tasks(inAnyOf("batch", "part"), 1, 8)).isEqualTo(3);
        assertThat(tasks(inAnyOf("none", "part"), 1, 8)).isEqualTo(1);
        assertThat(tasks(inAnyOf("none", "neither"), 1, 8)).isEqualTo(8);
    }

    private static Job inAnyOf(String first, String second) {
        return TestJob.waiting("j", report -> report.setJobClass(first).setOtherClasses(List.of(second)));
    }

    @Test
    void shouldKeepToTheInitiatorsOfTheClassOfARequirement() {
        node(node -> node.setClasses(List.of(new NameCount("batch", 4L), new NameCount("test", 4L))));
        running("b", report -> report.setJobClass("batch").setRequirements(List.of(inClasses("test"))), 1);
        running("s", report -> report.setJobClass("batch").setRequirements(List.of(inClasses("test", "batch"))), 1);
        site();

        assertThat(initiators("batch")).isEqualTo(4);
        assertThat(initiators("test")).isEqualTo(3);
        assertThat(initiators("none", "batch")).isEqualTo(4);
        assertThat(initiators("batch", "test")).isEqualTo(3);
        assertThat(initiators("batch", "test", "batch"))
                .as("which of them is not told")
                .isEqualTo(8);
    }

    private static TaskRequirement inClasses(String... classes) {
        return TaskRequirement.newBuilder()
                .setTasks(1)
                .setClasses(List.of(classes))
                .build();
    }

    /** Returns how many of eight tasks a job of {@code jobClass} may have here whose requirement has {@code own} classes. */
    private long initiators(String jobClass, String... own) {
        Job job = TestJob.waiting("j", report -> report.setJobClass(jobClass).setRequirements(List.of(inClasses(own))));
        return limits.tasks(0, cluster.nodes.at(0), job, job.request().first(), 8);
    }

    @Test
    void shouldLeaveNothingWhereTheTaskLimitIsReached() {
        node(node -> node.setMaxTasks(1))
                .running("b", "bob", 1)
                .site("NODECFG[n1] MAXPROC=8", "NODEACCESSPOLICY SHAREDONLY");

        assertThat(tasks(anns, 1, 8)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "MAXJOB=2, 0",
        "MAXJOB=3, 8",
        "MAXJOBPERUSER=1, 0",
        "MAXJOBPERUSER=2, 8",
        "MAXPROC=7, 2",
        "MAXPROC=5, 0",
        "MAXPROC=4, 0",
        "MAXPROCPERUSER=6, 4",
        "MAXPROCPERUSER=2, 0",
        "MAXPE=8, 3",
        "MAXPE=4, 0"
    })
    void shouldKeepToTheCapsOfANode(String cap, int tasks) {
        node(node -> {}).running("a", "ann", 2).running("b", "bob", 3).site("NODECFG[n1] " + cap);

        assertThat(tasks(anns, 1, 8)).isEqualTo(tasks);
        assertThat(admitted(0)).isEqualTo(tasks == 8 ? ALL : tasks);
    }

    @ParameterizedTest
    @CsvSource({"MAXPROC=7, 1", "MAXPROCPERUSER=7, 2", "MAXPE=7, 1"})
    void shouldDivideWhatIsLeftByTheProcessorsOfATask(String cap, int tasks) {
        node(node -> {}).running("b", "bob", 3).site("NODECFG[n1] " + cap);
        promised.add(0, Requirement.ofProcs(1, 1), 1);

        assertThat(tasks(anns, 2, 8)).isEqualTo(cap.startsWith("MAXPROCPER") ? 3 : tasks);
        assertThat(tasks(anns, 3, 8)).isEqualTo(cap.startsWith("MAXPROCPER") ? 2 : tasks);
    }

    /** Three tasks of another requirement of the job are to lie here. */
    @ParameterizedTest
    @CsvSource({"MAXPROC=5, 2", "MAXPROCPERUSER=5, 2", "MAXPE=5, 2", "MAXPROC=3, 0", "MAXJOB=1, 8"})
    void shouldCountWhatOtherRequirementsOfTheJobTakeToTheCaps(String cap, int tasks) {
        node(node -> {}).site("NODECFG[n1] " + cap);
        promised.add(0, Requirement.ofProcs(3, 1), 3);

        assertThat(tasks(anns, 1, 8)).isEqualTo(tasks);
        assertThat(admitted(0)).isEqualTo(tasks == 8 ? ALL : tasks);
    }

    @Test
    void shouldCountWhatOtherRequirementsOfTheJobTakeToTheTaskLimitAndInitiators() {
        node(node -> node.setMaxTasks(5).setClasses(List.of(new NameCount("batch", 4L))));
        site();
        promised.add(0, Requirement.ofProcs(3, 1), 3);

        assertThat(tasks(anns, 1, 8)).isEqualTo(2);
        assertThat(tasks(TestJob.waiting("j", report -> report.setJobClass("batch")), 1, 8))
                .isEqualTo(1);
    }

    /** The cluster has 8 processors and 8,000 MB: 1,000 MB are as much as a processor. */
    @ParameterizedTest
    @CsvSource({"1, 1000, 5, 1", "1, 2000, 2, 0", "2, 1000, 2, 1", "1, 3000, 1, 0", "1, 6000, 0, 0", "1, 0, 5, 4"})
    void shouldCountTheLargestShareOfTheClusterAsProcessorEquivalents(int procs, long memory, int tasks, int beside) {
        node(node -> node.setMemoryMb(8_000L));
        running("b", report -> report.setRequirements(List.of(threeEquivalents())), 1);
        site("NODECFG[n1] MAXPE=8");
        Requirement asked = memory(procs, memory);

        assertThat(limits.tasks(0, cluster.nodes.at(0), anns, asked, 8)).isEqualTo(tasks);
        assertThat(limits.admitted(0, anns, asked, 0, List.of())).isEqualTo(tasks);
        PlannedShare bobs = new PlannedShare(job("bob"), new Capacity(1, 5_000, 0, 0), 0, 10);
        assertThat(limits.admitted(0, anns, asked, 0, List.of(bobs))).isZero();

        promised.add(0, memory(1, 4_000), 1);
        assertThat(limits.tasks(0, cluster.nodes.at(0), anns, asked, 8)).isEqualTo(beside);
    }

    private static TaskRequirement threeEquivalents() {
        return TaskRequirement.newBuilder().setTasks(1).setMemoryMb(3_000L).build();
    }

    private static Requirement memory(int procs, long megabytes) {
        return new Requirement(
                1,
                new TaskResources(procs, megabytes, 0, 0, Collections.emptySortedMap()),
                NodeDemands.NONE,
                null,
                null,
                false);
    }

    @Test
    void shouldNotCountWhatTheJobItselfHolds() {
        node(node -> {}).running("j", "ann", 2).site("NODECFG[n1] MAXJOB=1");

        assertThat(tasks(anns, 1, 8)).isEqualTo(8);
    }

    @Test
    void shouldNotCountJobsThatWillBeOver() {
        node(node -> {}).running("b", "bob", 2).site("NODECFG[n1] MAXJOB=1");

        assertThat(admitted(99)).isZero();
        assertThat(admitted(100)).isEqualTo(ALL);
    }

    /** Bob's job runs until 100 with three processors; ann and bob are to have two each from 90 and from 100 on. */
    @ParameterizedTest
    @CsvSource({
        "MAXJOB=2, 0, 0",
        "MAXJOB=3, 8, 8",
        "MAXJOBPERUSER=1, 0, 0",
        "MAXJOBPERUSER=2, 8, 8",
        "MAXPROC=5, 0, 1",
        "MAXPROC=7, 2, 3",
        "MAXPE=7, 2, 3",
        "MAXPROCPERUSER=3, 1, 1"
    })
    void shouldKeepToTheCapsOfANodeBesideJobsThatAreToBeThere(String cap, int now, int later) {
        node(node -> {}).running("b", "bob", 3).site("NODECFG[n1] " + cap);
        PlannedShare ann = new PlannedShare(job("ann"), procs(2), 90, 150);
        PlannedShare bob = new PlannedShare(job("bob"), procs(2), 100, 200);

        assertThat(admitted(0, ann, bob)).isEqualTo(now == 8 ? ALL : now);
        assertThat(admitted(100, ann, bob)).isEqualTo(later == 8 ? ALL : later);
    }

    /** One after the other they leave room that they would not leave together. */
    @Test
    void shouldNotAddUpJobsThatAreNeverThereTogether() {
        node(node -> {}).running("b", "bob", 3).site("NODECFG[n1] MAXJOB=2");

        assertThat(admitted(
                        0,
                        new PlannedShare(job("bob"), procs(8), 100, 200),
                        new PlannedShare(job("bob"), procs(8), 200, 300)))
                .isEqualTo(ALL);
    }

    @ParameterizedTest
    @CsvSource({
        "SINGLEUSER, ann, true",
        "SINGLEUSER, bob, false",
        "UNIQUEUSER, ann, false",
        "UNIQUEUSER, bob, true",
        "SHARED, bob, true",
        "SINGLEJOB, ann, false"
    })
    void shouldKeepJobsFromThoseThatAreToBeThereAsTheseSay(String wish, String user, boolean lets) {
        node(node -> {}).site();
        Job planned = TestJob.waiting("p", report -> report.setUser(user).setNodeAccess(wish));

        assertThat(admitted(0, new PlannedShare(planned, procs(1), 90, 150))).isEqualTo(lets ? ALL : 0);
    }

    @ParameterizedTest
    @CsvSource({"SINGLEUSER, true", "uniqueuser, true", "SINGLEJOB, false", "SHARED, false", "OTHER, false"})
    void shouldKnowThatItMattersToAJobThatWaitsWhichJobsAreThere(String wish, boolean personal) {
        node(node -> {});
        cluster.jobs.put(TestJob.waiting("w", report -> report.setNodeAccess(wish)));
        cluster.jobs.put(TestJob.waiting("x", report -> report.setNodeAccess(wish)));
        site();
        assertThat(limits.personal()).isEqualTo(personal);

        cluster.jobs.remove("w");
        site();
        assertThat(limits.personal()).isEqualTo(personal);
        cluster.jobs.remove("x");
        site();
        assertThat(limits.personal()).isFalse();
    }

    /** Nobody is not the same user as nobody. */
    @Test
    void shouldNotTakeJobsWithoutUserForOneUsers() {
        node(node -> {});
        running("b", report -> report.setUser(null), 2);
        site("NODECFG[n1] MAXJOBPERUSER=1");

        assertThat(tasks(TestJob.waiting("j", report -> report.setUser(null)), 1, 8))
                .isEqualTo(8);
    }

    @Test
    void shouldCountAHolderThatIsNotKnown() {
        node(node -> {}).site("NODECFG[n1] MAXJOB=1");
        cluster.nodes.hold(
                "x",
                TestJob.running("x", 0, report -> {}, new NodeAllocation("n1", 1))
                        .shares());

        assertThat(tasks(anns, 1, 8)).isZero();
        assertThat(admitted(1_000)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NODEACCESSPOLICY SINGLEUSER",
                "NODECFG[n1] ACCESS=SINGLEUSER",
                "PARCFG[DEFAULT] NODEACCESSPOLICY=SINGLEUSER",
                "CLASSCFG[c] NODEACCESSPOLICY=SINGLEUSER",
                "CLASSCFG[c] FORCENODEACCESSPOLICY=SINGLEUSER"
            })
    void shouldKeepJobsApartAsThePolicySays(String line) {
        node(node -> {});
        running("b", report -> report.setUser("bob").setJobClass("c"), 2);
        site(line);

        assertThat(tasks(anns, 1, 8)).isZero();
        assertThat(admitted(99)).isZero();
        assertThat(admitted(100)).isEqualTo(ALL);
        assertThat(tasks(job("bob"), 1, 8)).isEqualTo(8);
        assertThat(limits.personal()).isTrue();
    }

    @Test
    void shouldKeepOthersFromTheNodesOfAJobThatSaysSo() {
        node(node -> {});
        running("b", report -> report.setUser("bob").setNodeAccess("SINGLEJOB"), 2);
        site();

        assertThat(tasks(anns, 1, 8)).isZero();
        assertThat(limits.personal()).isFalse();
    }

    @Test
    void shouldKeepAJobFromNodesItDoesNotWantToShare() {
        node(node -> {}).running("b", "bob", 2).site();
        Job alone = TestJob.waiting("j", report -> report.setNodeAccess("SINGLEUSER"));

        assertThat(tasks(alone, 1, 8)).isZero();
        assertThat(limits.personal()).isTrue();
    }

    @Test
    void shouldForgetTheWordsOfJobsInTheNextIteration() {
        node(node -> {}).site();
        limits.look(TestJob.waiting("j", report -> report.setNodeAccess("SINGLEUSER")));
        assertThat(limits.personal()).isTrue();

        site();
        assertThat(limits.personal()).isFalse();
    }

    @Test
    void shouldPutOneTaskOnANodeForItself() {
        node(node -> {}).site();
        Job single = TestJob.waiting("j", report -> report.setNodeAccess("SINGLETASK"));

        assertThat(tasks(single, 1, 8)).isEqualTo(1);
        promised.add(0, Requirement.ofProcs(1, 1), 1);
        assertThat(tasks(single, 1, 8)).isZero();
    }

    @Test
    void shouldShareANodeWithItself() {
        node(node -> {}).running("j", "ann", 2).site("NODEACCESSPOLICY SINGLEJOB");

        assertThat(tasks(anns, 1, 8)).isEqualTo(8);
        assertThat(admitted(0)).isEqualTo(ALL);
    }

    @ParameterizedTest
    @CsvSource({
        "NODEACCESSPOLICY SINGLEJOB, false",
        "NODEACCESSPOLICY UNIQUEUSER, true",
        "NODECFG[n1] ACCESS=SINGLEJOB, false",
        "NODECFG[n1] ACCESS=SINGLEGROUP, true",
        "NODECFG[n1] MAXJOBPERUSER=2, true",
        "NODECFG[n1] MAXPROCPERUSER=2, true",
        "NODECFG[n1] MAXJOB=2, true",
        "PARCFG[p] NODEACCESSPOLICY=SINGLEJOB, false",
        "PARCFG[p] NODEACCESSPOLICY=SINGLEACCOUNT, true",
        "CLASSCFG[c] NODEACCESSPOLICY=SHARED, false",
        "CLASSCFG[c] NODEACCESSPOLICY=SINGLEUSER, true",
        "CLASSCFG[c] FORCENODEACCESSPOLICY=SINGLEUSER, true",
        "CLASSCFG[c] FORCENODEACCESSPOLICY=SINGLEJOB, false"
    })
    void shouldKnowWhetherItMattersWhichJobsAreThere(String line, boolean personal) {
        node(node -> {}).site(line);

        assertThat(limits.personal()).isEqualTo(personal);
    }

    private NodeLimitsTest node(Consumer<NodeReport.Builder> more) {
        cluster.node("n1", 8, more);
        promised.clear();
        return this;
    }

    private NodeLimitsTest running(String id, String user, int procs) {
        return running(id, report -> report.setUser(user), procs);
    }

    private NodeLimitsTest running(String id, Consumer<JobReport.Builder> more, int procs) {
        Job job = TestJob.running(id, 0, more, new NodeAllocation("n1", procs));
        cluster.jobs.put(job);
        cluster.nodes.hold(id, job.shares());
        return this;
    }

    private void site(String... lines) {
        SitePolicy policy = TestCluster.policy(lines);
        cluster.nodes.configure(policy);
        limits.begin(policy);
    }

    private static Job job(String user) {
        return TestJob.waiting("j", report -> report.setUser(user));
    }

    /** Returns how many tasks of ann's job may begin at {@code start} beside jobs that are there or are to be. */
    private int admitted(long start, PlannedShare... planned) {
        return limits.admitted(0, anns, Requirement.ofProcs(1, 1), start, List.of(planned));
    }

    private long tasks(Job job, int procs, long wanted) {
        return limits.tasks(0, cluster.nodes.at(0), job, Requirement.ofProcs(1, procs), wanted);
    }

    private static Capacity procs(int procs) {
        return new Capacity(procs, 0, 0, 0);
    }
}

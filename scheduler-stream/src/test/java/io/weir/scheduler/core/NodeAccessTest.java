package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.JobReport;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TaskRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who shares nodes with whom: which word is the strongest, and jobs of several requirements that are alone. */
class NodeAccessTest {
    private final SchedulerFixture weir = new SchedulerFixture();

    /** What a job or its class says is stronger than what is said of the node, also where it says less. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "NODEACCESSPOLICY SINGLEJOB",
                "NODEACCESSPOLICY SINGLETASK",
                "NODEACCESSPOLICY SINGLEUSER",
                "NODECFG[DEFAULT] ACCESS=SINGLEJOB",
                "PARCFG[DEFAULT] NODEACCESSPOLICY=SINGLEJOB"
            })
    @Feature("CFG-2")
    void shouldLetAClassShareNodesThatOthersHaveToThemselves(String site) {
        weir.policy(site + "\nCLASSCFG[small] NODEACCESSPOLICY=SHARED").node("n1", 4, NodeState.IDLE);
        weir.submit("s1", 1, 100, job -> job.setJobClass("small").setUser("joe"))
                .submit("own", 1, 50)
                .submit("s2", 1, 100, job -> job.setNodeAccess("SHARED").setUser("eve"))
                .iterate(0);

        assertThat(weir.started()).containsExactly("s1", "s2");
        assertThat(weir.reservedStart("own")).isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "NODEACCESSPOLICY SINGLEJOB",
                "NODECFG[DEFAULT] ACCESS=SINGLEJOB",
                "CLASSCFG[c] NODEACCESSPOLICY=SINGLEJOB"
            })
    @Feature("CFG-2")
    void shouldLetAllTasksOfAJobShareANodeThatIsTheirs(String site) {
        weir.policy(site).node("n1", 4, NodeState.IDLE).adopt("R", 4, 100, 0, "n1");
        weir.submit(
                        "j",
                        1,
                        60,
                        job -> job.setRequirements(tasks(1, 2))
                                .setJobClass("c")
                                .setNodeAccess(site.isEmpty() ? "SINGLEJOB" : null))
                .iterate(0);
        assertThat(weir.reservedStart("j")).isEqualTo(100);

        weir.end("R", 50).iterate(50);
        assertThat(weir.started()).containsExactly("j");
        assertThat(weir.job("j").getAllocation()).containsExactly(new NodeAllocation("n1", 4));
    }

    /** What is free of the node stays the same when one that keeps others away is followed by one that does not. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Feature("RSV-3")
    void shouldPromiseTheEndOfAJobThatKeepsOthersAwayThoughAnotherTakesItsPlace(int tasks) {
        weir.policy("RESERVATIONDEPTH INFINITY").node("n1", 4, NodeState.IDLE).adopt("R", 4, 300, 0, "n1");
        weir.submit("alone", tasks, 900, job -> job.setUser("bob").setNodeAccess("SINGLEUSER"))
                .submit("next", 2, 2000, job -> job.setUser("ann"))
                .submit("beside", 2, 500, job -> job.setUser("cyd"))
                .iterate(0);

        assertThat(weir.reservedStart("alone")).isEqualTo(300);
        assertThat(weir.reservedStart("next")).isEqualTo(1200);
        assertThat(weir.reservedStart("beside")).isEqualTo(1200);
    }

    /** The same where the one that keeps others away runs, and where a cap of the node keeps them away. */
    @Test
    @Feature("RSV-3")
    void shouldPromiseTheEndOfAJobThatRunsAndKeepsOthersAwayThoughAnotherTakesItsPlace() {
        weir.policy("RESERVATIONDEPTH INFINITY\nNODECFG[n1] MAXJOB=2")
                .node("n1", 4, NodeState.IDLE)
                .adopt("R", 1, 300, 0, "n1")
                .adopt("S", 1, 900, 0, "n1");
        weir.submit("next", 1, 2000).submit("beside", 1, 500).iterate(0);

        assertThat(weir.reservedStart("next")).isEqualTo(300);
        assertThat(weir.reservedStart("beside")).isEqualTo(900);
    }

    /** Where a node takes one task, no slot for two on one node is promised. */
    @ParameterizedTest
    @ValueSource(strings = {"NODEACCESSPOLICY SINGLETASK", "NODECFG[n1] ACCESS=SINGLETASK"})
    @Feature("CFG-2")
    void shouldPromiseOneTaskOnANodeForOneTask(String site) {
        weir.policy(site).node("n1", 4, NodeState.IDLE).adopt("R", 4, 100, 0, "n1");
        weir.submit("two", 2, 60)
                .submit("both", 1, 60, job -> job.setRequirements(tasks(1, 1)))
                .submit("one", 1, 60)
                .iterate(0);

        assertThat(weir.reservedStart("two")).isEqualTo(-1);
        assertThat(weir.reservedStart("both")).isEqualTo(-1);
        assertThat(weir.reservedStart("one")).isEqualTo(100);
    }

    /** A job that a cap keeps waiting is promised the end of those it waits for. */
    @ParameterizedTest
    @ValueSource(strings = {"MAXJOB=1", "MAXJOBPERUSER=1", "MAXPROC=2", "MAXPROCPERUSER=2", "MAXPE=2"})
    @Feature("CFG-2")
    void shouldPromiseRoomThatCapsOfTheNodeLeave(String cap) {
        weir.policy("NODECFG[n1] " + cap).node("n1", 4, NodeState.IDLE).adopt("R", 1, 100, 0, "n1");
        weir.submit("j", 2, 60).iterate(0);
        assertThat(weir.reservedStart("j")).isEqualTo(100);

        weir.iterate(100);
        assertThat(weir.started()).isEmpty();
        weir.end("R", 101).iterate(101);
        assertThat(weir.started()).containsExactly("j");
    }

    /** Two jobs that may not be on a node together hold reservations there from the same instant on: one starts, the other goes behind it. */
    @ParameterizedTest
    @CsvSource({
        "NODECFG[n1] MAXJOB=1, eve, ",
        "NODECFG[n1] MAXJOBPERUSER=1, ann, ",
        "NODECFG[n1] MAXPROC=1, eve, ",
        "NODEACCESSPOLICY SINGLEUSER, eve, ",
        "NODEACCESSPOLICY UNIQUEUSER, ann, ",
        "NODEACCESSPOLICY SHAREDONLY, ann, SINGLEUSER"
    })
    @Feature("CFG-2")
    void shouldStartOneOfTwoReservedJobsThatMayNotBeTogether(String site, String user, String access) {
        weir.policy(site + "\nRESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 2");
        meetOnOneNode(user, access, null);

        assertThat(weir.started()).containsExactly("a");
        assertThat(weir.reservedStart("b")).isEqualTo(660);
        weir.end("a", 660).iterate(660);
        assertThat(weir.started()).containsExactly("b");
    }

    /** The same where the reservations are kept for deadlines. */
    @ParameterizedTest
    @CsvSource({"NODECFG[n1] MAXJOB=1, eve", "NODEACCESSPOLICY SINGLEUSER, eve"})
    @Feature("CFG-2")
    void shouldStartOneOfTwoDueJobsThatMayNotBeTogether(String site, String user) {
        weir.policy(site);
        meetOnOneNode(user, null, "deadline=+40000");

        assertThat(weir.started()).containsExactly("a");
        assertThat(weir.reservedStart("b")).isEqualTo(660);
    }

    /** Node n1 of four processors comes free at 600, for which a and b wait. */
    private void meetOnOneNode(String user, @Nullable String access, @Nullable String extension) {
        weir.node("n1", 4, NodeState.IDLE).adopt("R", 4, 7200, 0, "n1");
        weir.submit("a", 1, 60, job -> job.setExtension(extension))
                .submit(
                        "b",
                        1,
                        60,
                        job -> job.setUser(user).setNodeAccess(access).setExtension(extension))
                .iterate(0);
        assertThat(weir.publishedReservations.keySet()).containsExactly("a", "b");
        weir.end("R", 600).iterate(600);
    }

    @Test
    @Feature("CFG-2")
    void shouldBackfillBesideAJobThatACapKeepsWaiting() {
        weir.policy("NODECFG[n1] MAXPROC=3").node("n1", 4, NodeState.IDLE);
        weir.submit("a", 2, 100)
                .submit("b", 2, 100)
                .submit("c", 1, 100)
                .submit("never", 1, 100, job -> job.setProcsPerTask(4))
                .iterate(0);

        assertThat(weir.started()).containsExactly("a", "c");
        assertThat(weir.reservedStart("b")).isEqualTo(100);
        assertThat(weir.reservedStart("never")).isEqualTo(-1);
    }

    /** Node n1 of eight processors is left three of four to one requirement; the other goes to n2. */
    @ParameterizedTest
    @CsvSource({
        "MAXPROC=4, FIRSTAVAILABLE",
        "MAXPROCPERUSER=4, FIRSTAVAILABLE",
        "MAXPE=4, FIRSTAVAILABLE",
        "MAXPROC=4, MINRESOURCE",
        "MAXPE=4, MINRESOURCE"
    })
    @Feature("CFG-2")
    void shouldKeepTheRequirementsOfAJobTogetherWithinTheCapsOfANode(String cap, String choice) {
        weir.policy("NODECFG[n1] " + cap + "\nNODEALLOCATIONPOLICY " + choice)
                .node("n1", 8, NodeState.IDLE)
                .node("n2", 8, NodeState.IDLE, node -> node.setMemoryMb(8_000L));
        weir.submit("j", 1, 100, job -> job.setExtension("nodes=1:ppn=3+1:ppn=3"))
                .iterate(0);

        assertThat(weir.job("j").getAllocation())
                .containsExactly(new NodeAllocation("n1", 3), new NodeAllocation("n2", 3));
    }

    @Test
    @Feature("CFG-2")
    void shouldKeepTheRequirementsOfAJobTogetherWithinTheTaskLimitOfANode() {
        weir.policy("NODEALLOCATIONPOLICY FIRSTAVAILABLE")
                .node("n1", 8, NodeState.IDLE, node -> node.setMaxTasks(4))
                .node("n2", 8, NodeState.IDLE);
        weir.submit("j", 1, 100, job -> job.setExtension("nodes=1:ppn=3+1:ppn=3"))
                .iterate(0);

        assertThat(weir.job("j").getAllocation())
                .containsExactly(new NodeAllocation("n1", 3), new NodeAllocation("n2", 3));
    }

    @Test
    @Feature("CFG-2")
    void shouldPlanTheRequirementsOfAJobTogetherWithinTheCapsOfANode() {
        weir.policy("NODECFG[n1] MAXPROC=4\nNODEALLOCATIONPOLICY FIRSTAVAILABLE")
                .node("n1", 8, NodeState.IDLE)
                .node("n2", 8, NodeState.IDLE)
                .adopt("R", 8, 100, 0, "n2");
        weir.submit("j", 1, 100, job -> job.setExtension("nodes=1:ppn=3+1:ppn=3"))
                .iterate(0);

        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("j")).isEqualTo(100);
    }

    /** Each requirement by itself has room on node n1, and both together never. */
    @Test
    @Timeout(60)
    @Feature("CFG-2")
    void shouldNotLookForEverForRoomThatCapsNeverLeaveToAllRequirements() {
        weir.policy("NODECFG[n1] MAXPROC=4").node("n1", 8, NodeState.IDLE);
        weir.submit("never", 1, 100, job -> job.setExtension("nodes=1:ppn=3+1:ppn=3"))
                .submit("behind", 2, 100)
                .iterate(0);

        assertThat(weir.started()).containsExactly("behind");
        assertThat(weir.reservedStart("never")).isEqualTo(-1);
    }

    /** 1,000 MB are as much of the cluster as a processor. */
    @Test
    @Feature("CFG-2")
    void shouldCountMemoryToTheProcessorEquivalentsThatANodeIsCappedAt() {
        weir.policy("NODECFG[n1] MAXPE=5").node("n1", 8, NodeState.IDLE, node -> node.setMemoryMb(8_000L));
        weir.submit("six", 1, 100, memory(6_000))
                .submit("four", 1, 100, memory(4_000))
                .submit("two", 2, 100)
                .submit("one", 1, 100, memory(900))
                .iterate(0);

        assertThat(weir.started()).containsExactly("four", "one");
        assertThat(weir.reservedStart("two")).isEqualTo(100);
    }

    private static Consumer<JobReport.Builder> memory(long megabytes) {
        return job -> job.setRequirements(List.of(
                TaskRequirement.newBuilder().setTasks(1).setMemoryMb(megabytes).build()));
    }

    /** R leaves at 100 what the first job waits for; what starts before may not be in its way then. */
    @ParameterizedTest
    @CsvSource({
        "'', SINGLEUSER, joe",
        "'', SINGLEGROUP, joe",
        "'', SINGLEACCOUNT, joe",
        "'', UNIQUEUSER, eve",
        "NODEACCESSPOLICY UNIQUEUSER, , eve",
        "CLASSCFG[c] NODEACCESSPOLICY=SINGLEUSER, , joe",
        "NODECFG[DEFAULT] MAXPROC=3, , joe",
        "NODECFG[DEFAULT] MAXPE=3, , joe",
        "NODECFG[DEFAULT] MAXJOBPERUSER=1, , eve",
        "NODECFG[DEFAULT] MAXPROCPERUSER=3, , eve"
    })
    @Feature({"CFG-2", "RSV-3"})
    void shouldNotBackfillBesideAReservedJobThatWouldNotShareItsNode(String site, String wish, String user) {
        for (String reserving : List.of("CURRENTHIGHEST", "HIGHEST")) {
            SchedulerFixture each = new SchedulerFixture()
                    .policy(site + "\nRESERVATIONPOLICY " + reserving)
                    .node("n1", 4, NodeState.IDLE)
                    .adopt("R", 2, 100, 0, "n1");
            each.submit(
                            "first",
                            3,
                            50,
                            job -> job.setUser("eve")
                                    .setGroup("a")
                                    .setAccount("x")
                                    .setJobClass("c")
                                    .setNodeAccess(wish))
                    .submit("long", 1, 101, job -> job.setUser(user).setGroup("b"))
                    .submit("short", 1, 100, job -> job.setUser(user).setGroup("b"))
                    .iterate(0);
            assertThat(each.started()).containsExactly("short");
            assertThat(each.reservedStart("first")).isEqualTo(100);
            each.request("q", RequestKind.EXPLAIN_JOB, "long", List.of(new NameValue("verbose", "true")))
                    .iterate(1);
            assertThat(each.lastAnswers().get(0).getDetails())
                    .filteredOn(detail -> detail.getName().equals("node n1"))
                    .singleElement()
                    .extracting(NameValue::getValue)
                    .asString()
                    .matches("(Req\\[0] )?(Reserved \\(first\\)|Policy)");

            each.end("R", 100).end("short", 100).iterate(100);
            assertThat(each.started()).containsExactly("first");
            assertThat(each.reservedStart("long")).isEqualTo(150);
        }
    }

    /** A requirement that many nodes meet does not take the nodes that another one of the same job needs. */
    @Test
    @Feature("ALLOC-4")
    void shouldLeaveRareNodesToTheRequirementThatNeedsThem() {
        weir.nodes(3, 1);
        for (String id : List.of("n4", "n5")) {
            weir.node(id, 1, NodeState.IDLE, node -> node.setFeatures(List.of("big")));
        }
        List<TaskRequirement> requirements = new ArrayList<>(tasks(1, 2));
        requirements.set(
                1,
                TaskRequirement.newBuilder(requirements.get(1))
                        .setFeatures(List.of("big"))
                        .build());
        weir.submit("j", 1, 60, job -> job.setRequirements(requirements)).iterate(0);

        assertThat(weir.started()).containsExactly("j");
        assertThat(weir.job("j").getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactlyInAnyOrder("n3", "n4", "n5");
    }

    /** At 90 each requirement finds no more room by itself than before, but both together do. */
    @Test
    @Feature("RSV-3")
    void shouldFindTheInstantAtWhichSeveralRequirementsFitTogether() {
        weir.node("n1", 3, NodeState.IDLE, node -> node.setMemoryMb(1000));
        weir.adopt("R1", 1, 90, 0, "n1");
        List<TaskRequirement> requirements = new ArrayList<>(tasks(1, 1));
        requirements.set(
                0,
                TaskRequirement.newBuilder(requirements.get(0))
                        .setMemoryMb(1000L)
                        .build());
        requirements.set(
                1,
                TaskRequirement.newBuilder(requirements.get(1))
                        .setProcsPerTask(2)
                        .build());
        weir.submit("j", 1, 60, job -> job.setRequirements(requirements)).iterate(0);

        assertThat(weir.reservedStart("j")).isEqualTo(90);
    }

    private static List<TaskRequirement> tasks(int... counts) {
        List<TaskRequirement> requirements = new ArrayList<>();
        for (int count : counts) {
            requirements.add(TaskRequirement.newBuilder()
                    .setTasks(count)
                    .setProcsPerTask(1)
                    .build());
        }
        return requirements;
    }
}

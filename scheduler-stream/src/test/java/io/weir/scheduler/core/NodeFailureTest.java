package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.scheduler.Feature;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobNodeFailure;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens to a running job when nodes of its fail, by the policies of its four levels. */
@NullUnmarked
class NodeFailureTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    @BeforeEach
    void fourNodes() {
        policy("").nodes(4, 1);
    }

    @Test
    @Feature({"FAIL-3", "FAIL-4"})
    void RF1() {
        running("j", 3, job -> {}).submit("next", 2, HOUR).iterate(1);

        down("n2").iterate(2);

        assertThat(orders()).containsExactly(tuple(CommandKind.CANCEL_JOB, "j"), tuple(CommandKind.START_JOB, "next"));
        cancelled("j", 3);
        assertThat(weir.job("j").getState()).isEqualTo(JobState.CANCELLED);
        assertThat(nodesOf("next")).containsExactly("n1", "n3");
        assertThat(events()).contains("jobcancel");
    }

    @Test
    @Feature({"FAIL-8", "FAIL-11", "FAIL-12", "FAIL-20"})
    void RF2() {
        policy("CLASSCFG[batch] RESFAILPOLICY=REQUEUE\nUSERCFG[ann] EMAILADDRESS=ann@site.example");
        running("j", 2, job -> job.setJobClass("batch").setExtension("resfailpolicy=notify"));

        down("n2").iterate(2);

        assertThat(orders()).isEmpty();
        assertThat(weir.job("j").getState()).isEqualTo(JobState.RUNNING);
        assertThat(weir.lastNotifications().stream()
                        .filter(notice -> notice.getEvent().equals("jobnodefailure"))
                        .map(Notification::getRecipients))
                .containsExactly(List.of(), List.of("ann@site.example"));
    }

    @Test
    @Feature({"FAIL-17", "FAIL-2"})
    void RF3() {
        policy("CLASSCFG[batch] RESFAILPOLICY=requeue*");
        running("j", 3, job -> job.setJobClass("batch"));

        down("n3").iterate(2);
        assertThat(orders()).isEmpty();
        assertThat(weir.job("j").getState()).isEqualTo(JobState.RUNNING);

        down("n1").iterate(3);
        assertThat(orders()).containsExactly(tuple(CommandKind.REQUEUE_JOB, "j"));
        weir.answer("j", CommandOutcome.DONE, 3);
        assertThat(weir.job("j").getState()).isEqualTo(JobState.IDLE);
    }

    @Test
    @Feature({"FAIL-14", "FAIL-11"})
    void RF4() {
        policy("PARCFG[DEFAULT] JOBACTIONONNODEFAILURE=NOTIFY\nNODEALLOCRESFAILUREPOLICY=MIGRATE");
        running("j", 2, job -> {});

        down("n2").iterate(2);

        assertThat(orders()).isEmpty();
        assertThat(events()).contains("jobnodefailure");
    }

    @Test
    @Feature({"FAIL-1", "FAIL-10", "FAIL-20"})
    void RF5() {
        policy("NODEALLOCRESFAILUREPOLICY MIGRATE");
        running("j", 3, job -> {});

        down("n2").iterate(2);
        assertThat(orders()).containsExactly(tuple(CommandKind.ADD_NODES, "j"));
        assertThat(nodesOf("j")).contains("n4");
        weir.answer("j", CommandOutcome.DONE, 2).iterate(3);

        assertThat(orders()).containsExactly(tuple(CommandKind.REMOVE_NODES, "j"));
        weir.answer("j", CommandOutcome.DONE, 3).iterate(4);
        assertThat(orders()).isEmpty();
        assertThat(weir.job("j").getState()).isEqualTo(JobState.RUNNING);
        assertThat(weir.job("j").getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n1", "n3", "n4");
        assertThat(weir.job("j").getFailedNodes()).isEmpty();
    }

    @Test
    @Feature("FAIL-10")
    void requeuesAJobThatGetsNoOtherNodes() {
        policy("NODEALLOCRESFAILUREPOLICY MIGRATE");
        running("j", 3, job -> {});
        down("n2").iterate(2);

        weir.answer("j", CommandOutcome.REFUSED, 2).iterate(3);

        assertThat(orders()).contains(tuple(CommandKind.REQUEUE_JOB, "j"));
        weir.answer("j", CommandOutcome.DONE, 3).iterate(4);
        assertThat(weir.started()).containsExactly("j");
        assertThat(nodesOf("j")).containsExactly("n1", "n3", "n4");
    }

    @Test
    @Feature("FAIL-10")
    void triesOtherNodesWhenTheResourceManagerRefusesOne() {
        policy("NODEALLOCRESFAILUREPOLICY MIGRATE").nodes(7, 1);
        running("j", 2, job -> {});
        down("n2").iterate(2);
        assertThat(weir.job("j").getFailedNodes())
                .singleElement()
                .satisfies(node -> assertThat(node.getReplacement()).isEqualTo("n3"));

        weir.answer("j", CommandOutcome.REFUSED, 2).iterate(3);
        assertThat(orders()).containsExactly(tuple(CommandKind.ADD_NODES, "j"));
        assertThat(weir.job("j").getFailedNodes()).singleElement().satisfies(node -> {
            assertThat(node.getReplacement()).isEqualTo("n4");
            assertThat(node.getRefused()).containsExactly("n3");
        });
        weir.answer("j", CommandOutcome.DONE, 3).iterate(4);
        assertThat(orders()).containsExactly(tuple(CommandKind.REMOVE_NODES, "j"));
        weir.answer("j", CommandOutcome.DONE, 4).iterate(5);
        assertThat(weir.job("j").getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n1", "n4");
        assertThat(weir.job("j").getFailedNodes()).isEmpty();
    }

    @Test
    @Feature("FAIL-10")
    void requeuesAJobWhenThreeOtherNodesWereRefused() {
        policy("NODEALLOCRESFAILUREPOLICY MIGRATE").nodes(7, 1);
        running("j", 2, job -> {});
        down("n2").iterate(2);
        for (int time = 2; time < 5; time++) {
            assertThat(orders()).containsExactly(tuple(CommandKind.ADD_NODES, "j"));
            weir.answer("j", CommandOutcome.REFUSED, time).iterate(time + 1);
        }

        assertThat(orders()).containsExactly(tuple(CommandKind.REQUEUE_JOB, "j"));
    }

    @Test
    @Feature("FAIL-10")
    void requeuesAJobForWhichThereAreNoOtherNodes() {
        policy("NODEALLOCRESFAILUREPOLICY MIGRATE");
        running("j", 4, job -> {});
        down("n2").iterate(2);

        assertThat(orders()).containsExactly(tuple(CommandKind.REQUEUE_JOB, "j"));
    }

    @Test
    @Feature("FAIL-10")
    void requeuesAJobThatLostTheNodeOfItsScript() {
        policy("NODEALLOCRESFAILUREPOLICY MIGRATE");
        running("j", 3, job -> {});
        weir.runs("j", report -> report.setScriptNode("n2")).iterate(1);
        down("n2").iterate(2);

        assertThat(orders()).containsExactly(tuple(CommandKind.REQUEUE_JOB, "j"));
    }

    @Test
    @Feature("FAIL-1")
    void givesOtherNodesToAJobThatGoesOn() {
        policy("NODEALLOCRESFAILUREPOLICY IGNORE\nJOBREALLOCATE TRUE");
        running("j", 3, job -> {});
        down("n2").iterate(2);
        assertThat(orders()).containsExactly(tuple(CommandKind.ADD_NODES, "j"));

        weir.answer("j", CommandOutcome.REFUSED, 2).iterate(3);
        assertThat(orders()).extracting(order -> order.toList().get(0)).doesNotContain(CommandKind.REQUEUE_JOB);
        assertThat(weir.job("j").getState()).isEqualTo(JobState.RUNNING);
        assertThat(weir.job("j").getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n1", "n2", "n3");
    }

    @Test
    @Feature({"FAIL-6", "FAIL-20"})
    void RF6() {
        running("j", 2, job -> job.setExtension("resfailpolicy=hold,restartable=true"));

        down("n2").iterate(2);

        assertThat(orders()).containsExactly(tuple(CommandKind.REQUEUE_JOB, "j"));
        weir.answer("j", CommandOutcome.DONE, 2);
        assertThat(weir.job("j").getHeld()).isFalse();
        assertThat(weir.job("j").getMessages())
                .containsExactly("node n2 failed; HOLD by job: the job cannot be checkpointed");
    }

    @Test
    @Feature({"FAIL-6"})
    void holdsWhatCanGoOnFromACheckpoint() {
        running("j", 2, job -> job.setExtension("resfailpolicy=hold,checkpointable=true"));

        down("n2").iterate(2);

        assertThat(orders()).containsExactly(tuple(CommandKind.REQUEUE_JOB, "j"));
        weir.answer("j", CommandOutcome.DONE, 2).iterate(3);
        assertThat(weir.job("j").getHolds()).containsExactly("BATCH");
        assertThat(weir.started()).isEmpty();
    }

    @Test
    @Feature({"FAIL-9", "FAIL-15", "FAIL-21"})
    void RF7() {
        policy("NODEALLOCRESFAILUREPOLICY REQUEUE");
        running("j", 4, job -> {}).submit("next", 3, HOUR).iterate(1);

        down("n2").iterate(2);

        assertThat(orders()).containsExactly(tuple(CommandKind.REQUEUE_JOB, "j"), tuple(CommandKind.START_JOB, "next"));
        assertThat(nodesOf("next")).containsExactly("n1", "n3", "n4");
        weir.answer("j", CommandOutcome.DONE, 2);
        assertThat(weir.job("j").getState()).isEqualTo(JobState.IDLE);
        assertThat(weir.job("j").getSubmitTime()).isEqualTo(SchedulerFixture.at(0));
    }

    @Test
    @Feature({"FAIL-7", "FAIL-16", "SMD-53"})
    void RF8() {
        running("kept", 2, job -> job.setExtension("nokill"));
        running("lost", 2, job -> {});

        down("n2").node("n4", 1, NodeState.DOWN).iterate(2);

        assertThat(orders()).containsExactly(tuple(CommandKind.CANCEL_JOB, "lost"));
        assertThat(weir.job("kept").getState()).isEqualTo(JobState.RUNNING);
        assertThat(weir.job("kept").getFailedNodes())
                .extracting(JobNodeFailure::getNodeId, JobNodeFailure::getAction)
                .containsExactly(tuple("n2", "IGNORE"));
    }

    @Test
    @Feature("FAIL-5")
    void failsAJobWhosePolicyIsFail() {
        running("j", 2, job -> job.setExtension("resfailpolicy=fail"));

        down("n1").iterate(2);
        assertThat(orders()).containsExactly(tuple(CommandKind.CANCEL_JOB, "j"));
        cancelled("j", 3);

        assertThat(weir.job("j").getState()).isEqualTo(JobState.FAILED);
        assertThat(events()).contains("jobfail");
    }

    @Test
    @Feature({"FAIL-2", "FAIL-13", "FAIL-11"})
    void takesThePolicyOfTheClassBeforeThatOfThePartition() {
        policy("CLASSCFG[batch] RESFAILPOLICY=REQUEUE\nPARCFG[DEFAULT] JOBACTIONONNODEFAILURE=NOTIFY");
        running("j", 2, job -> job.setJobClass("batch"));

        down("n2").iterate(2);

        assertThat(orders()).containsExactly(tuple(CommandKind.REQUEUE_JOB, "j"));
    }

    @Test
    @Feature("FAIL-15")
    void takesTheOtherNameOfTheSystemsPolicyOnlyWhereTheFirstIsNotSet() {
        policy("JOBACTIONONNODEFAILURE IGNORE");
        running("j", 2, job -> {});
        down("n2").iterate(2);
        assertThat(orders()).isEmpty();

        policy("JOBACTIONONNODEFAILURE IGNORE\nNODEALLOCRESFAILUREPOLICY=CANCEL")
                .iterate(3);
        down("n1").iterate(4);
        assertThat(orders()).containsExactly(tuple(CommandKind.CANCEL_JOB, "j"));
    }

    @Test
    @Feature({"FAIL-2", "FAIL-12", "FAIL-7"})
    void letsAnExplicitPolicyOfTheJobWinOverNokill() {
        running("j", 2, job -> job.setExtension("nokill,resfailpolicy=requeue"));

        down("n2").iterate(2);

        assertThat(orders()).containsExactly(tuple(CommandKind.REQUEUE_JOB, "j"));
    }

    @Test
    @Feature("FAIL-9")
    void cancelsAJobThatMayNotBeStartedAgainInsteadOfRequeueingIt() {
        running("j", 2, job -> job.setExtension("resfailpolicy=requeue,restartable=false"));

        down("n2").iterate(2);

        assertThat(orders()).containsExactly(tuple(CommandKind.CANCEL_JOB, "j"));
        assertThat(weir.job("j").getMessages()).singleElement().asString().contains("may not be started again");
    }

    @Test
    void takesNodesThatFailTogetherForOneFailure() {
        running("j", 4, job -> {});

        down("n2").node("n3", 1, NodeState.DOWN).iterate(2);

        assertThat(orders()).containsExactly(tuple(CommandKind.CANCEL_JOB, "j"));
        assertThat(weir.job("j").getMessages()).containsExactly("nodes n2,n3 failed; CANCEL by system");
    }

    @Test
    void answersAFailureOnce() {
        running("j", 3, job -> job.setExtension("resfailpolicy=notify"));
        down("n2").iterate(2);

        weir.node("n2", 1, NodeState.DOWN, node -> node.setReason("still")).iterate(3);
        assertThat(events()).doesNotContain("jobnodefailure");

        down("n3").iterate(4);
        assertThat(weir.lastNotifications())
                .anySatisfy(notice -> assertThat(notice.getText()).isEqualTo("job j: node n3 failed; NOTIFY by job"));
    }

    @Test
    void waitsAsLongAsTheSiteIsPatient() {
        policy("JOBACTIONONNODEFAILUREDURATION 1:00");
        running("j", 2, job -> {});

        down("n2").iterate(10);
        assertThat(orders()).isEmpty();
        assertThat(weir.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(70));

        weir.iterate(69);
        assertThat(orders()).isEmpty();
        weir.iterate(70);
        assertThat(orders()).containsExactly(tuple(CommandKind.CANCEL_JOB, "j"));
    }

    @Test
    void forgetsAFailureThatDidNotLast() {
        policy("JOBACTIONONNODEFAILUREDURATION 1:00");
        running("j", 2, job -> {});
        down("n2").iterate(10);

        weir.node("n2", 1, NodeState.RUNNING).iterate(30).iterate(100);

        assertThat(orders()).isEmpty();
        assertThat(weir.job("j").getFailedNodes()).isEmpty();
    }

    @Test
    void givesTheNodesBackToAJobWhoseCancellationIsRefused() {
        running("j", 2, job -> {});
        down("n2").iterateSilently(2);

        weir.answer("j", CommandOutcome.REFUSED, 2).submit("next", 3, HOUR).iterate(3);

        assertThat(orders()).isEmpty();
        assertThat(weir.job("j").getFailedNodes())
                .extracting(JobNodeFailure::getAction)
                .containsExactly("IGNORE");
    }

    @Test
    void ordersAgainWhatCameTooLate() {
        running("j", 2, job -> {});
        down("n2").iterateSilently(2);

        weir.answer("j", CommandOutcome.EXPIRED, 400).iterate(401);

        assertThat(orders()).containsExactly(tuple(CommandKind.CANCEL_JOB, "j"));
    }

    @Test
    @Feature("FAIL-16")
    void knowsAFailedNodeThatTheResourceManagerTookFromTheJob() {
        running("j", 3, job -> job.setExtension("nokill"));

        weir.runsOn("j", Long.MAX_VALUE, new NodeAllocation("n1", 1), new NodeAllocation("n3", 1))
                .iterate(2);
        down("n2").iterate(3);

        assertThat(weir.job("j").getFailedNodes())
                .extracting(JobNodeFailure::getNodeId, JobNodeFailure::getAction)
                .containsExactly(tuple("n2", "IGNORE"));
        assertThat(nodesOf("j")).containsExactly("n1", "n3");
    }

    @Test
    void takesNoNodeForFailedThatAPollShowsToBeUp() {
        running("j", 3, job -> job.setExtension("nokill"));
        weir.runsOn("j", Long.MAX_VALUE, new NodeAllocation("n1", 1), new NodeAllocation("n3", 1))
                .iterate(2);

        weir.heartbeat(1, false, SchedulerFixture.EPOCH, 3).iterate(3);

        assertThat(weir.job("j").getFailedNodes()).isEmpty();
    }

    @Test
    @Feature({"FAIL-3", "FAIL-4"})
    void cancelsAJobThatItsResourceManagerRequeuedWhenANodeFailed() {
        running("j", 2, job -> {});

        down("n2").report("j", JobState.IDLE, Long.MAX_VALUE).iterate(2);
        assertThat(orders()).containsExactly(tuple(CommandKind.CANCEL_JOB, "j"));
        assertThat(weir.job("j").getMessages())
                .containsExactly("node n2 failed; CANCEL by system: requeued by the resource manager");
        cancelled("j", 3);
        weir.iterate(3);
        assertThat(weir.job("j").getState()).isEqualTo(JobState.CANCELLED);
        assertThat(weir.started()).isEmpty();
    }

    @Test
    @Feature({"FAIL-3", "FAIL-4"})
    void cancelsAJobWhoseRequeueIsHeardOfBeforeTheFailureOfItsNode() {
        running("j", 2, job -> {});

        weir.report("j", JobState.IDLE, Long.MAX_VALUE);
        down("n2").heartbeat(1, false, SchedulerFixture.EPOCH, 2).iterate(2);

        assertThat(orders()).containsExactly(tuple(CommandKind.CANCEL_JOB, "j"));
        assertThat(weir.started()).isEmpty();
    }

    @Test
    @Feature({"FAIL-3", "FAIL-4"})
    void startsNoRequeuedJobBeforeThePollSaysWhetherItsNodeFailed() {
        running("j", 2, job -> {});

        weir.report("j", JobState.IDLE, Long.MAX_VALUE).iterate(2);
        assertThat(weir.started()).isEmpty();
        down("n2").heartbeat(1, false, SchedulerFixture.EPOCH, 3).iterate(3);

        assertThat(orders()).containsExactly(tuple(CommandKind.CANCEL_JOB, "j"));
    }

    @Test
    void startsARequeuedJobOnceThePollHasNothingToSayOfItsNodes() {
        running("j", 2, job -> {});
        weir.report("j", JobState.IDLE, Long.MAX_VALUE).iterate(2);

        weir.heartbeat(1, false, SchedulerFixture.EPOCH, 3).iterate(3);

        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    void startsAJobAgainThatItsResourceManagerRequeuedWithAllItsNodesUp() {
        running("j", 2, job -> {});

        weir.report("j", JobState.IDLE, Long.MAX_VALUE).heartbeat(1, false, SchedulerFixture.EPOCH, 2);
        assertThat(weir.job("j").getFailedNodes()).isEmpty();
        down("n2").iterate(2);

        assertThat(orders()).containsExactly(tuple(CommandKind.START_JOB, "j"));
        assertThat(nodesOf("j")).doesNotContain("n2");
    }

    @Test
    @Feature("FAIL-5")
    void failsAJobThatItsResourceManagerRequeuedWhenANodeFailed() {
        running("j", 2, job -> job.setExtension("resfailpolicy=fail"));

        down("n2").report("j", JobState.IDLE, Long.MAX_VALUE).iterate(2);
        cancelled("j", 3);
        assertThat(weir.job("j").getState()).isEqualTo(JobState.FAILED);
    }

    @Test
    @Feature("FAIL-6")
    void holdsAJobThatItsResourceManagerRequeuedWhenANodeFailed() {
        running("j", 2, job -> job.setExtension("resfailpolicy=hold,checkpointable=true"));

        down("n2").report("j", JobState.IDLE, Long.MAX_VALUE).iterate(2).iterate(3);
        assertThat(weir.job("j").getHolds()).containsExactly("BATCH");
        assertThat(weir.started()).isEmpty();
    }

    @Test
    @Feature("FAIL-9")
    void startsAJobAgainThatItsResourceManagerRequeuedWhenANodeFailed() {
        policy("NODEALLOCRESFAILUREPOLICY REQUEUE");
        running("j", 2, job -> {});

        down("n2").report("j", JobState.IDLE, Long.MAX_VALUE).iterate(2);
        assertThat(events()).contains("jobrequeue");
        weir.iterate(3);
        assertThat(nodesOf("j")).containsExactly("n1", "n3");
        assertThat(weir.job("j").getFailedNodes()).isEmpty();
    }

    @Test
    void takesNoRequeueForAFailureWhenNoNodeIsDown() {
        running("j", 2, job -> {});

        weir.report("j", JobState.IDLE, Long.MAX_VALUE)
                .heartbeat(1, false, SchedulerFixture.EPOCH, 2)
                .iterate(2);
        assertThat(orders()).containsExactly(tuple(CommandKind.START_JOB, "j"));
    }

    @Test
    @Feature("FAIL-22")
    void keepsJobsFromANodeThatIsBackUntilItIsRidOfTheJobThatEnded() {
        policy("NODEFAILURERESERVETIME 0").nodes(1, 4);
        running("j", 2, job -> job.setHosts(List.of("n1")));
        weir.node("n1", 4, NodeState.DOWN).iterate(100);
        assertThat(orders()).containsExactly(tuple(CommandKind.CANCEL_JOB, "j"));

        weir.node("n1", 4, NodeState.IDLE)
                .submit("next", 2, HOUR, job -> job.setHosts(List.of("n1")))
                .iterate(110);
        assertThat(weir.started()).isEmpty();

        cancelled("j", 120);
        weir.iterate(120);
        assertThat(weir.started()).containsExactly("next");
    }

    @Test
    @Feature("FAIL-22")
    void keepsJobsFromANodeThatIsBackAndNotIdleForTwoPolls() {
        policy("NODEFAILURERESERVETIME 0");
        running("j", 1, job -> job.setHosts(List.of("n1")));
        weir.node("n1", 1, NodeState.DOWN).iterate(100);
        cancelled("j", 100);

        weir.iterate(110);
        weir.node("n1", 1, NodeState.RUNNING)
                .submit("next", 1, HOUR, job -> job.setHosts(List.of("n1")))
                .iterate(111);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(170));
        weir.iterate(169);
        assertThat(weir.started()).isEmpty();
        weir.iterate(170);
        assertThat(weir.started()).containsExactly("next");
    }

    /** That a node has to clean up after a job is no reason to forget that it was down for a moment only. */
    @Test
    @Feature({"FAIL-22", "TRANS-4"})
    void reservesANodeThatWasDownForAMomentUnderAJob() {
        policy("NODEFAILURERESERVETIME 60\nNODEALLOCRESFAILUREPOLICY REQUEUE").nodes(1, 1);
        running("j", 1, job -> job.setHosts(List.of("n1"))).iterate(99);
        down("n1").iterate(100);
        assertThat(orders()).containsExactly(tuple(CommandKind.REQUEUE_JOB, "j"));
        weir.answer("j", CommandOutcome.DONE, 101).iterate(101);

        weir.node("n1", 1, NodeState.IDLE).iterate(102);
        assertThat(weir.publishedReservations).containsKey("failure.n1.1");
        assertThat(weir.started()).isEmpty();
        weir.iterate(161);
        assertThat(weir.started()).isEmpty();

        weir.iterate(162);
        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    void actsInNoWayUnderModeMonitor() {
        running("j", 2, job -> {});
        policy("SCHEDCFG[weir] MODE=MONITOR");

        down("n2").iterate(2);

        assertThat(orders()).isEmpty();
        assertThat(weir.job("j").getFailedNodes())
                .extracting(JobNodeFailure::getNodeId)
                .containsExactly("n2");
    }

    private SchedulerFixture running(String id, int tasks, Consumer<JobReport.Builder> more) {
        weir.submit(id, tasks, HOUR, more).iterate(0).report(id, JobState.RUNNING, Long.MAX_VALUE);
        assertThat(weir.job(id).getState()).isEqualTo(JobState.RUNNING);
        return weir;
    }

    private SchedulerFixture policy(String text) {
        return weir.policy("NODEALLOCATIONPOLICY FIRSTAVAILABLE\n" + text);
    }

    private SchedulerFixture down(String node) {
        return weir.node(node, 1, NodeState.DOWN, report -> report.setReason("no answer"));
    }

    private void cancelled(String id, long time) {
        weir.answer(id, CommandOutcome.DONE, time).report(id, JobState.CANCELLED, Long.MAX_VALUE);
    }

    private List<Tuple> orders() {
        return weir.lastCommands().stream()
                .filter(command -> command.getJobId() != null)
                .map(command -> tuple(command.getKind(), command.getJobId()))
                .toList();
    }

    private List<String> nodesOf(String job) {
        return weir.job(job).getAllocation().stream()
                .map(NodeAllocation::getNodeId)
                .toList();
    }

    private List<String> events() {
        return weir.lastNotifications().stream().map(Notification::getEvent).toList();
    }
}

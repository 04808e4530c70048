package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.fact.Rejection;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.Measurement;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.TaskRequirement;
import java.util.List;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

class ClusterSchedulerTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    @Test
    void shouldStartAJobOnTheLastNodesByDefault() {
        weir.nodes(4, 2).submit("j", 3, HOUR).iterate(0);

        assertThat(weir.lastCommands()).singleElement().satisfies(command -> {
            assertThat(command.getNumber()).isEqualTo(1);
            assertThat(command.getCommandId()).isEqualTo("c/1/0");
            assertThat(command.getAllocation())
                    .containsExactly(new NodeAllocation("n3", 1), new NodeAllocation("n4", 2));
            assertThat(command.getWalltimeSeconds()).isEqualTo(HOUR);
        });
        assertThat(weir.job("j").getState()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void shouldStartAJobOnTheFirstNodesUnderFirstAvailable() {
        weir.policy("NODEALLOCATIONPOLICY FIRSTAVAILABLE")
                .nodes(4, 2)
                .submit("j", 3, HOUR)
                .iterate(0);

        assertThat(weir.lastCommands().get(0).getAllocation())
                .containsExactly(new NodeAllocation("n1", 2), new NodeAllocation("n2", 1));
    }

    @Test
    void shouldKeepTheTasksOfAJobWhole() {
        weir.nodes(3, 3)
                .submit("pair", 3, 2, HOUR, 0)
                .submit("four", 1, 4, HOUR, 0)
                .iterate(0);

        assertThat(weir.started()).containsExactly("pair");
        assertThat(weir.job("pair").getAllocation())
                .extracting(NodeAllocation::getProcs)
                .containsOnly(2);
        assertThat(weir.job("four").getState()).isEqualTo(JobState.IDLE);
    }

    /** BF1: A holds one of two processors for 3 h more, B needs both, C fits before B. A ends early: B slides. */
    @Test
    @Feature("RSV-3")
    void BF1() {
        weir.nodes(2, 1).adopt("A", 1, 4 * HOUR, -HOUR, "n1");
        weir.submit("B", 2, HOUR).submit("C", 1, 2 * HOUR).iterate(0);

        assertThat(weir.started()).containsExactly("C");
        assertThat(weir.reservedStart("B")).isEqualTo(3 * HOUR);

        weir.end("A", HOUR).iterate(HOUR);
        assertThat(weir.reservedStart("B")).isEqualTo(2 * HOUR);
    }

    /** BF2: C would end after B's reservation begins, so it waits. */
    @Test
    void BF2() {
        weir.nodes(2, 1).adopt("A", 1, 4 * HOUR, -HOUR, "n1");
        weir.submit("B", 2, HOUR).submit("C", 1, 4 * HOUR).iterate(0);

        assertThat(weir.started()).isEmpty();
    }

    /** BF4: with depth 1 only the top job is protected, with depth 100 everyone is. */
    @Test
    @Feature({"RSV-10", "RSV-11"})
    void BF4() {
        weir.nodes(4, 1).adopt("R1", 1, 2 * HOUR, 0, "n1").adopt("R2", 1, 2 * HOUR, 0, "n2");
        weir.adopt("R3", 1, 2 * HOUR, 0, "n3");
        weir.submit("P1", 4, HOUR)
                .submit("P2", 2, HOUR)
                .submit("P3", 1, 2 * HOUR)
                .submit("P4", 1, 4 * HOUR);
        weir.iterate(0);
        assertThat(weir.started()).containsExactly("P3");
        assertThat(weir.publishedReservations.keySet()).containsExactly("P1");

        SchedulerFixture deep =
                new SchedulerFixture().policy("RESERVATIONDEPTH 100").nodes(4, 1);
        deep.adopt("R1", 1, 2 * HOUR, 0, "n1").adopt("R2", 1, 2 * HOUR, 0, "n2").adopt("R3", 1, 2 * HOUR, 0, "n3");
        deep.submit("P1", 4, HOUR)
                .submit("P2", 2, HOUR)
                .submit("P3", 1, 2 * HOUR)
                .submit("P4", 1, 4 * HOUR);
        deep.iterate(0);
        assertThat(deep.started()).containsExactly("P3");
        assertThat(deep.reservedStart("P1")).isEqualTo(2 * HOUR);
        assertThat(deep.reservedStart("P2")).isEqualTo(3 * HOUR);
        assertThat(deep.reservedStart("P4")).isEqualTo(3 * HOUR);
    }

    @Test
    void shouldRetryARefusedStartOnceAndThenDefer() {
        weir.policy("NODEFAILURERESERVETIME 0").nodes(1, 1).submit("j", 1, HOUR).iterateSilently(0);
        weir.answer("j", CommandOutcome.REFUSED, 0).iterateSilently(10);

        assertThat(weir.started()).isEmpty();
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).containsExactly("jobstartfail");
        assertThat(weir.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(60));

        weir.iterateSilently(60);
        assertThat(weir.started()).containsExactly("j");
        weir.answer("j", CommandOutcome.REFUSED, 60).iterateSilently(61);
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).containsExactly("jobdefer");
        assertThat(weir.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(60 + HOUR));
        assertThat(weir.iterate(60 + HOUR).started()).containsExactly("j");
        assertThat(weir.job("j").getStartFailures()).isZero();
    }

    @Test
    void shouldNotLetADeferredJobBlockOthers() {
        weir.policy("NODEFAILURERESERVETIME 0").nodes(1, 1).submit("a", 1, HOUR).iterateSilently(0);
        weir.answer("a", CommandOutcome.REFUSED, 0).submit("b", 1, HOUR).iterate(1);

        assertThat(weir.started()).containsExactly("b");
    }

    @Test
    void shouldStartAnExpiredStartAgainAtOnce() {
        weir.nodes(1, 1)
                .submit("j", 1, HOUR)
                .iterateSilently(0)
                .answer("j", CommandOutcome.EXPIRED, 400)
                .iterate(400);

        assertThat(weir.started()).containsExactly("j");
    }

    /** Where the clock of a connector is ahead by more than a command holds, every one has expired when it arrives. */
    @Test
    void shouldNotStartAgainAtOnceWhatIsSaidToHaveExpiredBeforeItsTime() {
        weir.nodes(1, 1).submit("j", 1, HOUR).iterateSilently(0);
        weir.answer("j", CommandOutcome.EXPIRED, 86_400).iterateSilently(1);
        assertThat(weir.started()).isEmpty();

        weir.iterateSilently(60);

        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    void shouldKeepNodesCommittedUntilAResultOrALaterPollSaysOtherwise() {
        weir.nodes(1, 1).submit("j", 1, HOUR).submit("k", 1, HOUR).iterateSilently(0);

        weir.report("j", JobState.IDLE, 0).iterateSilently(1000);
        assertThat(weir.started())
                .as("a report older than the command undoes nothing")
                .isEmpty();
        assertThat(weir.job("j").getState()).isEqualTo(JobState.STARTING);

        weir.report("j", JobState.IDLE, 1).iterateSilently(1001);
        assertThat(weir.job("j").getState()).as("a poll that began later does").isEqualTo(JobState.STARTING);
        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    void shouldIgnoreALateResultOfAnEarlierCommand() {
        weir.nodes(1, 1)
                .submit("j", 1, HOUR)
                .iterateSilently(0)
                .report("j", JobState.IDLE, 1)
                .iterateSilently(1);
        assertThat(weir.started()).containsExactly("j");

        weir.fact(new io.weir.schemas.CommandResult(
                "c", "rm", 1L, "c/1/0", "j", CommandOutcome.REFUSED, null, "late", false, false));

        assertThat(weir.job("j").getState()).isEqualTo(JobState.STARTING);
    }

    @Test
    void shouldCancelAJobThatOutlivesItsLimitOnlyAtALaterInstant() {
        weir.nodes(1, 1).submit("j", 1, 100).iterate(0);
        assertThat(weir.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(101));

        assertThat(weir.iterate(100).lastCommands()).isEmpty();
        assertThat(weir.iterate(101).lastCommands()).singleElement().satisfies(command -> {
            assertThat(command.getKind()).isEqualTo(CommandKind.CANCEL_JOB);
            assertThat(command.getReason()).contains("WALLCLOCK");
        });
        assertThat(weir.iterate(102).lastCommands()).isEmpty();
    }

    @Test
    void shouldNotCancelRightAfterAJumpOfTheClock() {
        weir.nodes(1, 1).submit("j", 1, 100).iterate(0);

        assertThat(weir.iterate(5000).lastCommands()).isEmpty();
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).containsExactly("clockjump");
        assertThat(weir.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(5001));
        assertThat(weir.iterate(5001).lastCommands()).hasSize(1);
    }

    @Test
    void shouldWaitForAPollAfterAJumpHoweverLongThatTakes() {
        weir.policy("NODEPOLLTIMEOUT 0")
                .nodes(1, 1)
                .submit("j", 1, 100)
                .heartbeat(1, false, SchedulerFixture.EPOCH, 0)
                .iterate(0);
        weir.heartbeat(2, false, SchedulerFixture.EPOCH, 90).iterate(90);

        assertThat(weir.iterate(5000).lastCommands()).isEmpty();
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).containsExactly("clockjump");
        assertThat(weir.iterate(5060).lastCommands()).isEmpty();
        assertThat(weir.iterate(5500).lastCommands()).isEmpty();
        assertThat(weir.heartbeat(3, false, SchedulerFixture.EPOCH, 5501)
                        .iterate(5501)
                        .lastCommands())
                .hasSize(1);
    }

    @Test
    void shouldCancelOnlyWhatAPollBehindTheLimitStillShows() {
        weir.nodes(1, 1)
                .submit("j", 1, 100)
                .heartbeat(1, false, SchedulerFixture.EPOCH, 0)
                .iterate(0);
        weir.heartbeat(2, false, SchedulerFixture.EPOCH, 95).iterate(95);

        assertThat(weir.iterate(300).lastCommands()).as("a clock ahead").isEmpty();
        assertThat(weir.heartbeat(3, false, SchedulerFixture.EPOCH, 100)
                        .iterate(301)
                        .lastCommands())
                .as("the instant of the limit")
                .isEmpty();
        assertThat(weir.heartbeat(4, false, SchedulerFixture.EPOCH, 110)
                        .iterate(302)
                        .lastCommands())
                .hasSize(1);
    }

    @Test
    void shouldPlanAroundAJobThatOverruns() {
        weir.nodes(1, 1).submit("j", 1, 100).submit("k", 1, 100).iterate(0);
        assertThat(weir.reservedStart("k")).isEqualTo(100);

        weir.iterate(100);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("k")).isEqualTo(101);
    }

    @Test
    void shouldCarryOutRequestsAndAnswerThem() {
        weir.nodes(1, 1).submit("run", 1, HOUR).submit("wait", 1, HOUR).iterate(0);

        weir.request("r1", RequestKind.CANCEL_JOB, "run")
                .request("r2", RequestKind.HOLD_JOB, "wait")
                .request("r3", RequestKind.CANCEL_JOB, "nobody")
                .request("r4", RequestKind.REQUEUE_JOB, "wait")
                .iterate(10);

        assertThat(weir.lastCommands()).extracting(c -> c.getKind()).containsExactly(CommandKind.CANCEL_JOB);
        assertThat(weir.lastAnswers())
                .extracting(a -> a.getOutcome())
                .containsExactly(
                        RequestOutcome.ACCEPTED,
                        RequestOutcome.ACCEPTED,
                        RequestOutcome.REFUSED,
                        RequestOutcome.REFUSED);
        assertThat(weir.publishedReservations).isEmpty();

        weir.end("run", 11).iterate(11);
        assertThat(weir.started()).as("held").isEmpty();
        weir.request("r5", RequestKind.RELEASE_JOB, "wait").iterate(12);
        assertThat(weir.started()).containsExactly("wait");
    }

    @Test
    void shouldTakeARequeuedJobBackIntoTheQueue() {
        weir.nodes(1, 1)
                .submit("j", 1, HOUR)
                .iterate(0)
                .request("r", RequestKind.REQUEUE_JOB, "j")
                .iterate(5);
        weir.answer("j", CommandOutcome.DONE, 5);
        assertThat(weir.job("j").getState()).isEqualTo(JobState.IDLE);

        weir.iterate(6);
        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    void shouldAdoptJobsThatRunAlready() {
        weir.nodes(1, 4)
                .adopt("theirs", 3, HOUR, -600, "n1")
                .submit("mine", 2, HOUR)
                .iterate(0);

        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("mine")).isEqualTo(HOUR - 600);
    }

    @Test
    void shouldDropWhatAFullPollOfANewEpochDoesNotList() {
        weir.nodes(2, 1).submit("run", 1, HOUR).submit("wait", 2, HOUR).iterate(0);
        weir.heartbeat(1, true, SchedulerFixture.EPOCH, 1).iterate(1);
        assertThat(weir.job("run").getState()).as("reported in this epoch").isEqualTo(JobState.RUNNING);

        weir.hello(20).heartbeat(1, true, 20, 2).iterate(2);
        assertThat(weir.job("run").getState()).as("not listed by the new epoch").isEqualTo(JobState.REMOVED);
        assertThat(weir.job("wait").getState()).isEqualTo(JobState.REMOVED);
        assertThat(weir.publishedReservations).isEmpty();
    }

    @Test
    void shouldAskForAFullPollWhenFactsAreMissing() {
        weir.nodes(1, 1)
                .fact(new GenericEvent("c", "gap", "rm", "rm", null, SchedulerFixture.at(0), "intake", true, null));

        assertThat(weir.iterate(0).lastCommands()).singleElement().satisfies(command -> {
            assertThat(command.getKind()).isEqualTo(CommandKind.FULL_POLL);
            assertThat(command.getJobId()).isNull();
        });
        assertThat(weir.iterate(1).lastCommands()).isEmpty();
    }

    @Test
    @Feature("NOTE-1")
    void shouldTellFromWhichStateANodeWentDownAndCameBackAndWhy() {
        weir.nodes(1, 1)
                .iterate(0)
                .node("n1", 1, NodeState.DOWN, report -> report.setReason("power supply"))
                .iterate(1);
        assertThat(weir.lastNotifications())
                .extracting(Notification::getEvent, Notification::getObjectId, Notification::getText)
                .containsExactly(tuple("nodedown", "n1", "node n1: IDLE to DOWN: power supply"));

        weir.node("n1", 1, NodeState.DOWN, report -> report.setReason("still down"))
                .iterate(2);
        assertThat(weir.lastNotifications()).isEmpty();

        weir.iterate(1_000).node("n1", 1, NodeState.IDLE).iterate(1_001);
        assertThat(weir.lastNotifications())
                .extracting(Notification::getEvent, Notification::getObjectId, Notification::getText)
                .containsExactly(tuple("nodeup", "n1", "node n1: DOWN to IDLE"));
    }

    @Test
    void shouldNotPlanOnNodesThatAreDownAndSaySo() {
        weir.nodes(2, 1)
                .iterate(0)
                .node("n1", 1, NodeState.DOWN)
                .submit("two", 2, HOUR)
                .submit("one", 1, HOUR)
                .iterate(1);

        assertThat(weir.started()).containsExactly("one");
        assertThat(weir.publishedReservations).isEmpty();
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).containsExactly("nodedown");

        weir.node("n1", 1, NodeState.IDLE).iterate(2);
        assertThat(weir.reservedStart("two")).isEqualTo(HOUR + 1);
    }

    @Test
    void shouldDecideButNotCommandInMonitorMode() {
        weir.policy("SCHEDCFG[weir] MODE=MONITOR")
                .nodes(1, 2)
                .submit("a", 1, HOUR)
                .submit("b", 2, HOUR)
                .iterate(0);

        assertThat(weir.lastCommands()).isEmpty();
        assertThat(weir.lastDecisions())
                .extracting(d -> d.getKind() + " " + d.getJobId() + " " + d.getExecuted())
                .containsExactly("START a false", "RESERVE b false");
        assertThat(weir.iterate(1).lastDecisions())
                .as("a start is decided once")
                .extracting(d -> d.getKind())
                .doesNotContain(DecisionKind.START);

        weir.policy("").iterate(2);
        assertThat(weir.started()).containsExactly("a");
    }

    @Test
    void shouldForgetFinishedJobsAfterThePurgeTime() {
        weir.nodes(1, 1).submit("j", 1, HOUR).iterate(0).end("j", 10).iterate(10);
        assertThat(weir.publishedJobs.get("j")).extracting(JobStatus::getState).isEqualTo(JobState.COMPLETED);

        weir.iterate(309);
        assertThat(weir.publishedJobs).containsKey("j");
        weir.iterate(310);
        assertThat(weir.publishedJobs).isEmpty();
        assertThat(weir.knows("j")).isFalse();
    }

    @Test
    void shouldReportWhatIsWrongWithAPolicyAndApplyTheRest() {
        weir.policy("NONSENSE 1\nBACKFILLPOLICY NONE").nodes(1, 1).iterate(0);

        assertThat(weir.lastNotifications())
                .extracting(Notification::getText)
                .satisfiesExactly(
                        text -> assertThat(text).contains("line 1: NONSENSE"),
                        text -> assertThat(text).contains("policy version v1 in force"));
    }

    @Test
    void shouldPublishAReservationAndItsDecisionOnlyWhenTheyChange() {
        weir.nodes(1, 1).submit("a", 1, HOUR).submit("b", 1, HOUR).iterate(0);
        assertThat(weir.lastDecisions())
                .extracting(d -> d.getKind())
                .containsExactly(DecisionKind.START, DecisionKind.RESERVE);

        assertThat(weir.iterate(1).lastDecisions()).isEmpty();
        weir.submit("c", 1, HOUR).iterate(2);
        assertThat(weir.lastDecisions()).isEmpty();
    }

    @Test
    void shouldTurnAwayFactsNobodyCouldReckonWith() {
        SchedulerFixture fixture = new SchedulerFixture();
        JobReport job = fixture.job("1", JobState.IDLE, 1, 1, 60, 0, null, null, List.of(), Long.MAX_VALUE);
        NodeReport node = NodeReport.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setNodeId("n1")
                .setState(NodeState.IDLE)
                .setProcs(1)
                .build();

        assertThat(List.of(
                        asking(job, TaskRequirement.newBuilder().setProcsPerTask(0)),
                        asking(job, TaskRequirement.newBuilder().setTasks(-1)),
                        asking(job, TaskRequirement.newBuilder().setMemoryMb(Long.MAX_VALUE)),
                        asking(job, TaskRequirement.newBuilder().setGres(List.of(new NameCount("tape", -1L)))),
                        NodeReport.newBuilder(node).setDiskMb(-1).build(),
                        NodeReport.newBuilder(node).setSpeed(Double.NaN).build(),
                        NodeReport.newBuilder(node)
                                .setMetrics(List.of(new Measurement("temp", Double.NaN)))
                                .build()))
                .extracting(
                        record -> fixture.check(record).map(Rejection::message).orElse("fine"))
                .containsExactly(
                        "requirements[0].procsPerTask is 0; 1 to 10000000 are allowed",
                        "requirements[0].tasks is -1; 1 to 10000000 are allowed",
                        "requirements[0].memoryMb is 9223372036854775807; 0 to 10000000000 are allowed",
                        "requirements[0].gres[0].count is -1; 0 to 10000000000 are allowed",
                        "diskMb is -1; 0 to 10000000000 are allowed",
                        "speed is NaN; a finite number is needed",
                        "metrics[0].value is NaN; a finite number is needed");
    }

    private static SpecificRecord asking(JobReport job, TaskRequirement.Builder requirement) {
        if (!requirement.hasTasks()) {
            requirement.setTasks(1);
        }
        if (!requirement.hasProcsPerTask()) {
            requirement.setProcsPerTask(1);
        }
        return JobReport.newBuilder(job)
                .setRequirements(List.of(requirement.build()))
                .build();
    }

    @Test
    void shouldNotCountTheTimeForWhichAJobIsSuspended() {
        SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
        site.nodes(1, 1).submit("j", 1, 100).iterate(0);
        site.report("j", JobState.RUNNING, Long.MAX_VALUE).iterate(10);
        site.report("j", JobState.SUSPENDED, Long.MAX_VALUE).iterate(50);
        assertThat(site.iterate(300).lastCommands()).isEmpty();
        site.report("j", JobState.RUNNING, Long.MAX_VALUE).iterate(310);

        assertThat(site.iterate(390).lastCommands()).isEmpty();
        assertThat(site.iterate(391).lastCommands())
                .singleElement()
                .satisfies(command -> assertThat(command.getKind()).isEqualTo(CommandKind.CANCEL_JOB));
    }

    /** Where the resource manager gives the processors of a suspended job to others, it may run beside them afterwards. */
    @Test
    void shouldUseTheProcessorsThatASuspendedJobGaveUp() {
        SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
        site.nodes(1, 4).submit("j", 4, 1000).iterate(0);
        site.report("j", JobState.RUNNING, Long.MAX_VALUE).submit("k", 4, 100).iterate(10);
        site.report("j", JobState.SUSPENDED, Long.MAX_VALUE).iterate(20);
        assertThat(site.started()).isEmpty();

        site.runs("j", report -> report.setState(JobState.SUSPENDED).setProcsReleased(true))
                .iterate(30);
        assertThat(site.started()).containsExactly("k");
        site.report("k", JobState.RUNNING, Long.MAX_VALUE).submit("l", 4, 100).iterate(40);

        site.report("j", JobState.RUNNING, Long.MAX_VALUE).iterate(50);
        site.end("k", 60);
        site.iterate(60);
        assertThat(site.started()).isEmpty();
        assertThat(site.job("j").getProcsReleased()).isFalse();
        site.end("j", 70);
        site.iterate(70);
        assertThat(site.started()).containsExactly("l");
    }

    /** Its tasks do not count in its class either, of which a node has as many as it has processors. */
    @Test
    void shouldUseThePlacesInAClassThatASuspendedJobGaveUp() {
        SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
        site.node("n1", 4, NodeState.IDLE, node -> node.setClasses(List.of(new NameCount("batch", 4L))))
                .submit("j", 4, 1000, job -> job.setJobClass("batch"))
                .iterate(0);
        site.runs("j", report -> report.setState(JobState.SUSPENDED).setProcsReleased(true));

        site.submit("k", 4, 100, job -> job.setJobClass("batch")).iterate(10);

        assertThat(site.started()).containsExactly("k");
    }

    @Test
    void shouldKeepTheMemoryOfASuspendedJob() {
        SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
        site.node("n1", 4, NodeState.IDLE, node -> node.setMemoryMb(1000L)).submit("j", 4, 1000, withMemory(200));
        site.iterate(0);
        site.runs("j", report -> report.setState(JobState.SUSPENDED).setProcsReleased(true));

        site.submit("large", 1, 100, withMemory(201))
                .submit("small", 1, 100, withMemory(200))
                .iterate(10);

        assertThat(site.started()).containsExactly("small");
    }

    @Test
    void shouldHaveASuspendedJobInNobodysWay() {
        for (boolean alone : new boolean[] {false, true}) {
            SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
            site.nodes(1, 4).submit("j", 1, 1000, job -> job.setNodeAccess(alone ? "SINGLEJOB" : null));
            site.iterate(0);
            site.runs("j", report -> report.setState(JobState.SUSPENDED).setProcsReleased(true));

            site.submit("k", 1, 100, job -> job.setNodeAccess(alone ? null : "SINGLEJOB"))
                    .iterate(10);

            assertThat(site.started()).as("alone: %s", alone).containsExactly("k");
        }
    }

    private static Consumer<JobReport.Builder> withMemory(long mb) {
        return job -> job.setRequirements(List.of(TaskRequirement.newBuilder()
                .setTasks(job.getTasks())
                .setMemoryMb(mb)
                .build()));
    }

    /** A resource manager that lost its state numbers its jobs from the beginning. */
    @Test
    void shouldNotTakeAJobOfAnotherUserForTheOneThatHadItsId() {
        for (JobState last : List.of(JobState.COMPLETED, JobState.RUNNING)) {
            SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
            site.nodes(1, 1).submit("j", 1, 3600, job -> job.setUser("ann")).iterate(0);
            site.request("r", RequestKind.SET_JOB_PRIORITY, "j", List.of(new NameValue("priority", "7")))
                    .iterate(5);
            site.report("j", last, Long.MAX_VALUE).iterate(10);

            site.submit("j", 1, 3600, job -> job.setUser("bob")).iterateSilently(20);

            assertThat(site.started()).as("%s", last).containsExactly("j");
            assertThat(site.job("j").getSystemPriority()).isNull();
            assertThat(site.job("j").getStarts()).isZero();
            assertThat(site.job("j").getUser()).isEqualTo("bob");
        }
    }

    @Test
    void shouldNotTakeALaterJobOfTheSameUserForTheOneThatHadItsId() {
        assertThat(reused(JobState.IDLE, true).getSystemPriority()).isNull();
        assertThat(reused(JobState.RUNNING, true).getSystemPriority()).isNull();
        assertThat(reused(JobState.COMPLETED, true).getSystemPriority()).isNull();
        assertThat(reused(JobState.COMPLETED, null).getSystemPriority()).isNull();
        assertThat(reused(JobState.COMPLETED, true).getHolds()).isEmpty();
    }

    @Test
    void shouldTakeAJobForTheSameThatWasRequeued() {
        assertThat(reused(JobState.COMPLETED, false).getSystemPriority()).isEqualTo(7);
        assertThat(reused(JobState.RUNNING, false).getSystemPriority()).isEqualTo(7);
        assertThat(reused(JobState.RUNNING, null).getSystemPriority()).isEqualTo(7);
        assertThat(reused(JobState.IDLE, false).getHolds()).containsExactly("USER");
    }

    /** Returns a job of which a later submission is told after {@code last}. */
    private static JobStatus reused(JobState last, Boolean original) {
        SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
        site.nodes(1, 1).submit("j", 1, 3600).iterate(0);
        site.request("r", RequestKind.SET_JOB_PRIORITY, "j", List.of(new NameValue("priority", "7")))
                .request("h", RequestKind.HOLD_JOB, "j")
                .iterate(5);
        site.report("j", last, Long.MAX_VALUE).iterate(10);
        site.submit(
                        "j",
                        1,
                        3600,
                        job -> job.setSubmitTime(SchedulerFixture.at(20)).setOriginalSubmitTime(original))
                .iterateSilently(20);
        return site.job("j");
    }

    /** A job that is suspended and goes on did not begin anew; one that went back into the queue did. */
    @Test
    void shouldCountHowOftenAJobBeganToRun() {
        SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
        site.nodes(1, 1).submit("j", 1, 3600);
        assertThat(site.job("j").getStarts()).isZero();
        site.iterate(0);
        site.report("j", JobState.RUNNING, Long.MAX_VALUE).iterate(10);
        site.report("j", JobState.RUNNING, Long.MAX_VALUE).iterate(20);
        site.report("j", JobState.SUSPENDED, Long.MAX_VALUE).iterate(30);
        site.report("j", JobState.RUNNING, Long.MAX_VALUE).iterate(40);
        assertThat(site.job("j").getStarts()).isEqualTo(1);
        site.report("j", JobState.IDLE, Long.MAX_VALUE).iterate(50);
        site.runsOn("j", Long.MAX_VALUE, new NodeAllocation("n1", 1)).iterate(60);
        assertThat(site.job("j").getStarts()).isEqualTo(2);
        site.end("j", 70);
        assertThat(site.job("j").getStarts()).isEqualTo(2);
    }

    @Test
    void shouldNotCallAJobBackfilledBehindOneThatWasDeferred() {
        for (boolean rebuilding : new boolean[] {false, true}) {
            SchedulerFixture site = rebuilding ? new SchedulerFixture().rebuildingAlways() : new SchedulerFixture();
            site.nodes(2, 2).heartbeat(1, true, SchedulerFixture.EPOCH, 0);

            site.submit("never", 9, 3600).iterate(0);
            site.submit("next", 1, 3600).iterate(1);

            assertThat(site.started()).containsExactly("next");
            assertThat(site.job("next").getBackfilled())
                    .as("rebuilt before every input: %s", rebuilding)
                    .isFalse();
        }
    }
}

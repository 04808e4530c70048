package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that are preempted to make room for others. */
class PreemptionTest {
    private static final long HOUR = 3600;

    private static final String FLAGS = """
            QOSCFG[high] PRIORITY=1000 QFLAGS=PREEMPTOR
            QOSCFG[low] QFLAGS=PREEMPTEE
            QOSWEIGHT 1
            """;

    private static final String OWNED = """
            QOSCFG[high] PRIORITY=1000
            QOSWEIGHT 1
            SRCFG[eng] HOSTLIST=n1 PERIOD=INFINITY ACCOUNTLIST=eng,phys OWNER=ACCT:eng FLAGS=OWNERPREEMPT
            """;

    private final SchedulerFixture weir = new SchedulerFixture();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRequeueARunningJobForOneThatMayPreemptIt(boolean following) {
        if (following) {
            weir.followingNodes();
        }
        cluster(2, 1, "");
        submit("L1", 1, "low", 0);
        submit("L2", 1, "low", 0);
        weir.iterate(0);
        submit("H", 1, "high", 10);

        weir.iterateSilently(10);

        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.REQUEUE_JOB);
        String victim = weir.lastCommands().get(0).getJobId();
        assertThat(weir.job(victim).getPreemption().getBy()).isEqualTo("H");
        assertThat(weir.job("H").getMessages()).contains("preempts " + victim);
        assertThat(weir.reservedStart("H")).isEqualTo(11);

        weir.answer(victim, CommandOutcome.DONE, 11);
        weir.iterate(11);

        assertThat(weir.started()).containsExactly("H");
        assertThat(weir.job(victim).getState()).isEqualTo(JobState.IDLE);
        assertThat(weir.job(victim).getPreemption()).isNull();
        weir.iterate(12);
        assertThat(weir.job("H").getPreemption()).isNull();
    }

    @Test
    void shouldPreemptNobodyOfTheSameOrAHigherPriority() {
        cluster(1, 1, "USERCFG[root] PRIORITY=5000\nUSERWEIGHT 1\n");
        submit("L", 1, "low", 0, job -> job.setUser("root"));
        weir.iterate(0);
        submit("H", 1, "high", 10);

        weir.iterateSilently(10);

        assertThat(weir.lastCommands()).isEmpty();
    }

    @Test
    void shouldPreemptNobodyWithoutAFlag() {
        cluster(1, 1, "");
        submit("plain", 1, "normal", 0);
        weir.iterate(0);
        submit("H", 1, "high", 10);

        weir.iterateSilently(10);

        assertThat(weir.lastCommands()).isEmpty();
    }

    @Test
    void shouldPreemptNobodyWhereTheJobDoesNotFitAfterwards() {
        cluster(4, 1, "");
        submit("plain", 2, "normal", 0);
        submit("L", 2, "low", 0);
        weir.iterate(0);
        submit("H", 3, "high", 10);

        weir.iterateSilently(10);

        assertThat(weir.lastCommands()).isEmpty();
        assertThat(weir.reservedStart("H")).isEqualTo(HOUR);
    }

    @Test
    void shouldPreemptTheYoungestOfThoseOfTheLowestPriority() {
        cluster(3, 1, "QOSCFG[lower] PRIORITY=-10 QFLAGS=PREEMPTEE\nENABLENEGJOBPRIORITY TRUE\n");
        submit("old", 1, "lower", 0);
        weir.iterate(0);
        submit("young", 1, "lower", 5);
        weir.iterate(5);
        submit("L", 1, "low", 6);
        weir.iterate(6);
        submit("H", 1, "high", 10);

        weir.iterateSilently(10);

        assertThat(preempted()).containsExactly("young");
    }

    @Test
    void shouldPreemptNoMoreThanIsNeeded() {
        cluster(8, 1, "");
        for (int i = 0; i < 8; i++) {
            submit("L" + i, 1, "low", 0);
        }
        weir.iterate(0);
        submit("H", 5, "high", 10);

        weir.iterateSilently(10);

        assertThat(preempted()).hasSize(5);
    }

    /** The only node that is wide enough is in use by the one of the highest priority. */
    @Test
    void shouldSpareJobsOnNodesThatAreOfNoUse() {
        weir.hello(SchedulerFixture.EPOCH);
        weir.policy(FLAGS + "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n");
        weir.node("n1", 1, io.weir.schemas.NodeState.IDLE)
                .node("n2", 1, io.weir.schemas.NodeState.IDLE)
                .node("wide", 4, io.weir.schemas.NodeState.IDLE);
        submit("W", 1, "low", 0, job -> job.setProcsPerTask(4));
        weir.iterate(0);
        submit("A", 1, "low", 1);
        submit("B", 1, "low", 1);
        weir.iterate(1);
        submit("H", 1, "high", 10, job -> job.setProcsPerTask(3));

        weir.iterateSilently(10);

        assertThat(preempted()).containsExactly("W");
    }

    @Test
    void shouldKeepTheRoomFromJobsAheadThatWereNotToPreempt() {
        cluster(1, 1, "QOSCFG[top] PRIORITY=5000\n");
        submit("L", 1, "low", 0);
        weir.iterate(0);
        submit("top", 1, "top", 1);
        weir.iterateSilently(1);
        assertThat(weir.lastCommands()).isEmpty();
        submit("H", 1, "high", 10);
        weir.iterateSilently(10);
        assertThat(preempted()).isEmpty();

        weir.policy(FLAGS + "QOSCFG[top] PRIORITY=5000\nRESERVATIONDEPTH 0\n");
        weir.iterateSilently(20);
        assertThat(preempted()).containsExactly("L");
        weir.answer("L", CommandOutcome.DONE, 20);
        weir.iterate(21);

        assertThat(weir.started()).containsExactly("H");
    }

    @Test
    void shouldKeepTheRoomWhileAStartIsRefusedForAMoment() {
        contest("JOBRETRYTIME 5\nDEFERSTARTCOUNT 9\n");
        weir.answer("L", CommandOutcome.DONE, 11);
        weir.iterateSilently(11);
        assertThat(weir.started()).containsExactly("H");

        RmCommand start = weir.lastCommands().get(0);
        weir.fact(CommandResult.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setConnector(SchedulerFixture.CONNECTOR)
                .setNumber(start.getNumber())
                .setCommandId(start.getCommandId())
                .setJobId("H")
                .setOutcome(CommandOutcome.REFUSED)
                .setMessage("the node is still cleaned")
                .setPassing(true)
                .build());
        weir.iterateSilently(12);
        assertThat(weir.lastCommands()).isEmpty();

        weir.iterateSilently(14);
        assertThat(weir.started()).containsExactly("H");
    }

    @Test
    void shouldGoOnWhenThePreemptionIsRefused() {
        contest("");

        weir.answer("L", CommandOutcome.REFUSED, 11);
        weir.iterateSilently(11);

        assertThat(weir.lastCommands()).isEmpty();
        assertThat(weir.job("L").getState()).isEqualTo(JobState.RUNNING);
        assertThat(weir.job("L").getPreemption().getFailed()).isTrue();
        weir.iterateSilently(400);
        assertThat(weir.lastCommands()).isEmpty();
        assertThat(weir.reservedStart("H")).isEqualTo(HOUR);
        assertThat(weir.job("H").getPreemption()).isNull();
    }

    /** A job may have time to end before it is put back. */
    @Test
    void shouldTakeAJobThatEndsByItselfForOneThatGaveWay() {
        contest("");

        weir.end("L", 11);
        weir.answer("L", CommandOutcome.REFUSED, 11);
        weir.iterateSilently(11);

        assertThat(weir.started()).containsExactly("H");
        assertThat(weir.job("L").getState()).isEqualTo(JobState.COMPLETED);
        assertThat(weir.lastNotifications()).isEmpty();
    }

    @Test
    void shouldPreemptAnotherWhenThePreemptionIsRefused() {
        cluster(2, 1, "");
        submit("L1", 1, "low", 0);
        weir.iterate(0);
        submit("L2", 1, "low", 1);
        weir.iterate(1);
        submit("H", 1, "high", 10);
        weir.iterateSilently(10);
        assertThat(preempted()).containsExactly("L2");
        weir.answer("L2", CommandOutcome.REFUSED, 10);

        weir.iterateSilently(10);

        assertThat(preempted()).containsExactly("L1");
        weir.iterateSilently(10);
        assertThat(weir.lastCommands()).isEmpty();
        assertThat(weir.job("H").getPreemption()).isNotNull();
    }

    @Test
    void shouldNameSomeOfManyPreemptedJobs() {
        cluster(30, 1, "");
        for (int i = 10; i < 40; i++) {
            submit("L" + i, 1, "low", 0);
        }
        weir.iterate(0);
        submit("H", 25, "high", 10);

        weir.iterateSilently(10);

        assertThat(preempted()).hasSize(25);
        assertThat(weir.job("H").getMessages())
                .anySatisfy(text -> assertThat(text).startsWith("preempts L").endsWith(" and 15 others"));
    }

    @Test
    void shouldNotWaitForEverForAJobThatStays() {
        cluster(2, 1, "PREEMPTPOLICY CANCEL\n");
        submit("L1", 1, "low", 0);
        weir.iterate(0);
        submit("L2", 1, "low", 1);
        weir.iterate(1);
        submit("H", 1, "high", 10);
        weir.iterateSilently(10);
        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.CANCEL_JOB);
        assertThat(preempted()).containsExactly("L2");
        weir.answer("L2", CommandOutcome.DONE, 10);

        weir.iterateSilently(610);

        assertThat(weir.job("L2").getPreemption().getFailed()).isTrue();
        weir.iterateSilently(611);
        assertThat(preempted()).containsExactly("L1");
    }

    @Test
    void shouldCancelWhatCannotBeStartedAgain() {
        cluster(1, 1, "");
        submit("L", 1, "low", 0, job -> job.setExtension("x=restartable:FALSE"));
        weir.iterate(0);
        submit("H", 1, "high", 10);

        weir.iterateSilently(10);

        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.CANCEL_JOB);
    }

    @Test
    void shouldPreemptNoJobThatHasJustBegunOrHasRunForLong() {
        contest("JOBPREEMPTMINACTIVETIME 5:00\nJOBPREEMPTMAXACTIVETIME 10:00\n");
        assertThat(weir.lastCommands()).isEmpty();
        weir.policy(FLAGS + "JOBPREEMPTMINACTIVETIME 5:00\nJOBPREEMPTMAXACTIVETIME 10:00\n");
        weir.iterateSilently(600);
        assertThat(weir.lastCommands()).isEmpty();

        weir.policy(FLAGS + "JOBPREEMPTMINACTIVETIME 5:00\n");
        weir.iterateSilently(601);

        assertThat(preempted()).containsExactly("L");
    }

    @Test
    void shouldPreemptOnceTheShortestTimeIsOver() {
        contest("JOBPREEMPTMINACTIVETIME 5:00\n");

        assertThat(weir.lastResult.nextWake()).isBeforeOrEqualTo(at(300));
        weir.iterateSilently(300);

        assertThat(preempted()).containsExactly("L");
    }

    /** A job that changes while it waits is the same as before to those it may preempt. */
    @Test
    void shouldPreemptForAJobThatWasChangedWhileItWaited() {
        contest("JOBPREEMPTMINACTIVETIME 5:00\n");
        submit("H", 1, "high", 10, job -> job.setWalltimeSeconds(60L));
        weir.iterateSilently(20);
        assertThat(weir.lastCommands()).isEmpty();

        weir.iterateSilently(300);

        assertThat(preempted()).containsExactly("L");
    }

    @ParameterizedTest
    @ValueSource(strings = {"CLASSCFG[c]", "USERCFG[u]", "GROUPCFG[g]", "ACCOUNTCFG[a]"})
    void shouldReadWhoPreemptsWhomOffOtherNames(String credential) {
        weir.hello(SchedulerFixture.EPOCH);
        weir.policy(credential + " JOBFLAGS=PREEMPTOR PRIORITY=1000\nQOSCFG[low] QFLAGS=PREEMPTEE\n"
                + "CLASSWEIGHT 1\nUSERWEIGHT 1\nGROUPWEIGHT 1\nACCOUNTWEIGHT 1\n");
        weir.nodes(1, 1);
        submit("L", 1, "low", 0);
        weir.iterate(0);
        submit(
                "H",
                1,
                "normal",
                10,
                job -> job.setUser("u").setGroup("g").setAccount("a").setJobClass("c"));

        weir.iterateSilently(10);

        assertThat(preempted()).containsExactly("L");
    }

    @Test
    void shouldLetAJobSayThatItMayBePreempted() {
        cluster(1, 1, "");
        submit("L", 1, "normal", 0, job -> job.setFlags(List.of("preemptee", "PREEMPTOR")));
        weir.iterate(0);
        submit("H", 1, "high", 10);

        weir.iterateSilently(10);

        assertThat(preempted()).containsExactly("L");
    }

    @Test
    void shouldPreemptJobsThatOvertookOthersUnderPreempt() {
        cluster(2, 1, "BACKFILLPOLICY PREEMPT\n");
        submit("first", 1, "normal", 0);
        weir.iterate(0);
        submit("H", 2, "high", 1);
        weir.iterate(1);
        submit("ahead", 1, "normal", 2);
        weir.iterate(2);
        assertThat(weir.started()).containsExactly("ahead");
        weir.end("first", 3);

        weir.iterateSilently(3);

        assertThat(preempted()).containsExactly("ahead");
    }

    @Test
    void shouldPreemptInStrictOrderToo() {
        cluster(1, 1, "BACKFILLPOLICY NONE\n");
        submit("L", 1, "low", 0);
        weir.iterate(0);
        submit("H", 1, "high", 10);
        submit("behind", 1, "normal", 10);
        weir.iterateSilently(10);
        assertThat(preempted()).containsExactly("L");
        weir.answer("L", CommandOutcome.DONE, 11);

        weir.iterate(11);

        assertThat(weir.started()).containsExactly("H");
    }

    @Test
    void shouldPreemptNobodyUnderSuspendOrMonitor() {
        for (String setting : List.of("PREEMPTPOLICY SUSPEND\n", "SCHEDCFG[w] MODE=MONITOR\n")) {
            SchedulerFixture own = new SchedulerFixture();
            own.hello(SchedulerFixture.EPOCH);
            own.policy(FLAGS);
            own.nodes(1, 1);
            own.submit("L", 1, HOUR, job -> job.setQos("low"));
            own.iterate(0);
            own.policy(FLAGS + setting);
            own.submit("H", 1, HOUR, job -> job.setQos("high"));

            own.iterateSilently(10);

            assertThat(own.lastCommands()).as(setting).isEmpty();
        }
    }

    /** What a job uses inside a reservation is the reservation's again once it has ended. */
    @Test
    void shouldPreemptNobodyInsideAReservationThatKeepsTheOtherOut() {
        cluster(1, 1, "SRCFG[ours] HOSTLIST=n1 USERLIST=ann PERIOD=INFINITY\n");
        submit("L", 1, "low", 0, job -> job.setUser("ann"));
        weir.iterate(0);
        weir.iterate(1);
        assertThat(weir.job("L").getState()).isEqualTo(JobState.RUNNING);
        submit("H", 1, "high", 10, job -> job.setUser("bob"));

        weir.iterateSilently(10);

        assertThat(weir.lastCommands()).isEmpty();
        submit("mine", 1, "high", 20, job -> job.setUser("ann"));
        weir.iterateSilently(20);
        assertThat(preempted()).containsExactly("L");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLetTheOwnerOfAReservationPreemptAllOthersInIt(boolean restored) {
        if (restored) {
            weir.rebuildingAlways();
        }
        ownedNode();
        submit("inside", 1, "high", 0, job -> job.setAccount("phys"));
        weir.iterate(0);
        weir.iterate(1);
        submit("others", 1, "normal", 9, job -> job.setAccount("phys"));
        weir.iterateSilently(10);
        assertThat(weir.lastCommands()).isEmpty();
        submit("owner", 1, "normal", 8, job -> job.setAccount("eng"));

        weir.iterateSilently(11);

        assertThat(preempted()).containsExactly("inside");
        weir.answer("inside", CommandOutcome.DONE, 12);
        weir.iterate(12);
        assertThat(weir.started()).containsExactly("owner");
        submit("more", 1, "high", 20, job -> job.setAccount("eng"));
        weir.iterateSilently(20);
        assertThat(weir.lastCommands()).as("the owner's own").isEmpty();
    }

    @Test
    void shouldLetOwnersPreemptNobodyOutsideOfTheirReservation() {
        ownedNode();
        weir.node("n2", 1, io.weir.schemas.NodeState.IDLE);
        submit("phys1", 1, "normal", 0, job -> job.setAccount("phys"));
        submit("phys2", 1, "normal", 0, job -> job.setAccount("phys"));
        weir.iterate(0);
        weir.iterate(1);
        submit("wide", 2, "normal", 10, job -> job.setAccount("eng"));
        weir.iterateSilently(10);
        assertThat(weir.lastCommands()).isEmpty();
        submit("owner", 1, "normal", 11, job -> job.setAccount("eng"));
        weir.policy(OWNED + "RESERVATIONDEPTH 0\n");

        weir.iterateSilently(11);

        String inside = weir.job("phys1").getAllocation().get(0).getNodeId().equals("n1") ? "phys1" : "phys2";
        assertThat(preempted()).containsExactly(inside);
    }

    /** The job waits already when the reservation is made that lets it preempt another. */
    @Test
    void shouldLetOwnersOfWhatOperatorsReservePreempt() {
        weir.hello(SchedulerFixture.EPOCH).nodes(1, 1);
        submit("inside", 1, "normal", 0, job -> job.setAccount("phys"));
        weir.iterate(0);
        submit("owner", 1, "normal", 5, job -> job.setAccount("eng"));
        weir.iterateSilently(5);
        assertThat(weir.lastCommands()).isEmpty();

        weir.request("r", RequestKind.CREATE_RESERVATION, "-", owned("ACCT:eng"));
        weir.iterateSilently(10);

        assertThat(preempted()).containsExactly("inside");
    }

    private static List<NameValue> owned(String owner) {
        return List.of(
                new NameValue("hostexp", "n1"),
                new NameValue("acl", "ACCT==eng,ACCT==phys"),
                new NameValue("flags", "OWNERPREEMPT"),
                new NameValue("owner", owner),
                new NameValue("duration", "1:00:00"));
    }

    private void ownedNode() {
        weir.hello(SchedulerFixture.EPOCH);
        weir.policy(OWNED);
        weir.nodes(1, 1);
    }

    /** Whatever is in the stores: a scheduler that is rebuilt in between goes on as one that is not. */
    @Test
    void shouldGoOnAfterARestart() {
        weir.rebuildingAlways();
        shouldRequeueARunningJobForOneThatMayPreemptIt(false);
    }

    private void cluster(int nodes, int procs, String more) {
        weir.hello(SchedulerFixture.EPOCH);
        weir.policy(FLAGS + more);
        weir.nodes(nodes, procs);
    }

    /** A job that may be preempted has the only processor, and one that may preempt it comes. */
    private void contest(String more) {
        cluster(1, 1, more);
        submit("L", 1, "low", 0);
        weir.iterate(0);
        submit("H", 1, "high", 10);
        weir.iterateSilently(10);
    }

    private void submit(String id, int tasks, String qos, long time) {
        submit(id, tasks, qos, time, job -> {});
    }

    private void submit(String id, int tasks, String qos, long time, Consumer<io.weir.schemas.JobReport.Builder> more) {
        weir.submit(id, tasks, HOUR, job -> {
            job.setQos(qos).setSubmitTime(at(time));
            more.accept(job);
        });
    }

    private List<String> preempted() {
        return weir.lastCommands().stream()
                .filter(c -> c.getKind() == CommandKind.REQUEUE_JOB || c.getKind() == CommandKind.CANCEL_JOB)
                .map(RmCommand::getJobId)
                .sorted(Comparator.naturalOrder())
                .toList();
    }
}

package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.Decision;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Jobs that are kept from running: by their owner, by an administrator, by the scheduler, or for a while. */
@NullUnmarked
class HoldTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture().nodes(2, 1);

    @Test
    void shouldKeepHoldsOfEachKindApart() {
        weir.submit("j", 1, 100);
        ask("h1", "root", RequestKind.HOLD_JOB, "system");
        ask("h2", "ann", RequestKind.HOLD_JOB, null);
        weir.iterate(0);
        assertThat(weir.job("j").getHolds()).containsExactly("USER", "SYSTEM");
        assertThat(weir.job("j").getHeld()).isTrue();
        assertThat(weir.started()).isEmpty();

        ask("u1", "ann", RequestKind.RELEASE_JOB, null);
        weir.iterate(1);
        assertThat(weir.job("j").getHolds()).containsExactly("SYSTEM");
        assertThat(weir.lastAnswers().get(0).getMessage()).isEqualTo("released; a system hold remains");
        assertThat(weir.started()).isEmpty();

        ask("u2", "root", RequestKind.RELEASE_JOB, "system");
        weir.iterate(2);
        assertThat(weir.job("j").getHeld()).isFalse();
        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    void shouldNotLetTheOwnerReleaseWhatIsNotHis() {
        weir.submit("j", 1, 100);
        ask("h", "root", RequestKind.HOLD_JOB, "system");
        ask("u", "ann", RequestKind.RELEASE_JOB, null);
        weir.iterate(0);
        assertThat(weir.lastAnswers().get(1).getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        assertThat(weir.lastAnswers().get(1).getMessage()).contains("system hold");
        assertThat(weir.job("j").getHolds()).containsExactly("SYSTEM");
    }

    @Test
    void shouldRefuseTheOwnerWhatAnAdministratorOfTheResourceManagerHolds() {
        weir.submit(
                "j",
                1,
                100,
                job -> job.setState(JobState.HOLD)
                        .setReason("held by an administrator of Slurm")
                        .setOwnerMayRelease(false));
        ask("u", "ann", RequestKind.RELEASE_JOB, null);
        weir.iterate(0);

        assertThat(weir.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        assertThat(weir.lastAnswers().get(0).getMessage())
                .isEqualTo("job j is held by an administrator of Slurm; its owner cannot release that hold, an operator"
                        + " can");
        assertThat(weir.job("j").getPendingCommand()).isNull();

        ask("h", "ann", RequestKind.HOLD_JOB, null);
        ask("u2", "ann", RequestKind.RELEASE_JOB, null);
        weir.iterate(1);
        assertThat(weir.lastAnswers().get(1).getMessage())
                .isEqualTo("released; the job stays held by an administrator of Slurm");
        assertThat(weir.job("j").getPendingCommand()).isNull();

        ask("u3", "root", RequestKind.RELEASE_JOB, null);
        weir.iterate(2);
        assertThat(weir.lastAnswers().get(0).getMessage()).isEqualTo("released");
        assertThat(weir.job("j").getPendingCommand()).isNotNull();
    }

    @Test
    void shouldLetTheOwnerReleaseWhateverTheReasonSays() {
        weir.submit(
                "j",
                1,
                100,
                job -> job.setState(JobState.HOLD).setReason("held by an administrator, as its owner asked"));
        ask("u", "ann", RequestKind.RELEASE_JOB, null);
        weir.iterate(0);

        assertThat(weir.lastAnswers().get(0).getMessage()).isEqualTo("released");
        assertThat(weir.job("j").getPendingCommand()).isNotNull();
    }

    @Test
    void shouldFollowTheHoldWhenAnAdministratorTakesItOver() {
        weir.submit("j", 1, 100, job -> job.setState(JobState.HOLD).setReason("held by its user"));
        weir.submit(
                "j",
                1,
                100,
                job -> job.setState(JobState.HOLD)
                        .setReason("held by the operators")
                        .setOwnerMayRelease(false));
        ask("u", "ann", RequestKind.RELEASE_JOB, null);
        weir.iterate(0);

        assertThat(weir.job("j").getReason()).isEqualTo("held by the operators");
        assertThat(weir.lastAnswers().get(0).getMessage())
                .isEqualTo("job j is held by the operators; its owner cannot release that hold, an operator can");
    }

    @Test
    void shouldShowWhatAConnectorCouldNotReadOfAJob() {
        weir.submit(
                        "j",
                        1,
                        100,
                        job -> job.setProblems(List.of("WCLIMIT=ten: is no time; ignored, so the default holds")))
                .iterate(0);

        assertThat(weir.job("j").getMessages())
                .containsExactly("WCLIMIT=ten: is no time; ignored, so the default holds");
    }

    @Test
    void shouldLetAnAdministratorReleaseEveryHoldAtOnce() {
        weir.policy("ADMINCFG[1] USERS=ann").submit("j", 1, 100);
        ask("h", "root", RequestKind.HOLD_JOB, "all");
        weir.iterate(0);
        assertThat(weir.job("j").getHolds()).containsExactly("USER", "SYSTEM", "BATCH");
        ask("u", "ann", RequestKind.RELEASE_JOB, null);
        weir.iterate(1);
        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    void shouldRefuseAHoldOfUnknownKind() {
        weir.submit("j", 1, 100);
        ask("h", "root", RequestKind.HOLD_JOB, "eternal");
        weir.iterate(0);
        assertThat(weir.lastAnswers().get(0).getMessage()).contains("'eternal'").contains("batch");
        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    void shouldDeferAJobByRequest() {
        weir.policy("DEFERTIME 0:10:00").submit("j", 1, 100);
        ask("h", "root", RequestKind.HOLD_JOB, "defer");
        weir.iterate(0);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(600));
        weir.iterate(600);
        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    void shouldDeferAJobThatCanNeverRunAndHoldItInTheEnd() {
        weir.policy("DEFERTIME 1:00:00\nDEFERCOUNT 2").heartbeat(1, true, SchedulerFixture.EPOCH, 0);
        weir.submit("large", 3, 100).submit("small", 1, 10).iterate(0);
        assertThat(weir.started()).containsExactly("small");
        assertThat(weir.job("large").getNotBefore()).isEqualTo(SchedulerFixture.at(HOUR));
        assertThat(weir.job("large").getDeferrals()).isEqualTo(1);
        assertThat(decisions("large")).containsExactly(DecisionKind.DEFER);
        assertThat(weir.lastNotifications()).anyMatch(n -> n.getEvent().equals("jobdefer"));

        weir.iterate(100);
        assertThat(decisions("large")).as("not judged again").isEmpty();
        weir.iterate(HOUR);
        assertThat(decisions("large")).containsExactly(DecisionKind.DEFER);
        weir.iterate(2 * HOUR);
        assertThat(decisions("large")).containsExactly(DecisionKind.HOLD);
        assertThat(weir.job("large").getHolds()).containsExactly("BATCH");
        assertThat(weir.job("large").getMessages()).singleElement().asString().contains("larger than the nodes");
    }

    @Test
    void shouldStartADeferredJobOnceItCanRun() {
        weir.heartbeat(1, true, SchedulerFixture.EPOCH, 0)
                .submit("large", 3, 100)
                .iterate(0);
        assertThat(weir.started()).isEmpty();
        weir.node("n3", 1, NodeState.IDLE).iterate(10);
        assertThat(weir.started()).containsExactly("large");
        assertThat(weir.job("large").getDeferrals()).isZero();
        assertThat(weir.job("large").getMessages()).isEmpty();
    }

    /** What was impossible before is not why the job is deferred now. */
    @Test
    void shouldNotEndTheDeferralThatAnOperatorAskedFor() {
        weir.heartbeat(1, true, SchedulerFixture.EPOCH, 0)
                .submit("large", 3, 100)
                .iterate(0);
        ask("h", "root", RequestKind.HOLD_JOB, "defer");
        weir.iterate(5);
        weir.node("n3", 1, NodeState.IDLE).iterate(10);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.job("large").getNotBefore()).isEqualTo(SchedulerFixture.at(5 + HOUR));
    }

    @Test
    void shouldEndADeferralWithItsRelease() {
        weir.submit("j", 1, 100);
        ask("h", "root", RequestKind.HOLD_JOB, "defer");
        weir.iterate(0);
        assertThat(weir.started()).isEmpty();
        ask("u", "root", RequestKind.RELEASE_JOB, null);
        weir.iterate(11);
        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    void shouldNotDeferBeforeTheNodesAreKnown() {
        weir.submit("large", 3, 100).iterate(0);
        assertThat(decisions("large")).isEmpty();
        weir.node("n3", 1, NodeState.IDLE)
                .heartbeat(1, true, SchedulerFixture.EPOCH, 1)
                .iterate(1);
        assertThat(weir.started()).containsExactly("large");
    }

    @Test
    @Feature("SET-13")
    void shouldDeferAJobThatNoNodeSetCouldEverHold() {
        SchedulerFixture sets = new SchedulerFixture()
                .policy("NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETLIST a,b\nNODESETISOPTIONAL FALSE")
                .node("n1", 1, NodeState.IDLE, node -> node.setFeatures(List.of("a")))
                .node("n2", 1, NodeState.IDLE, node -> node.setFeatures(List.of("b")))
                .heartbeat(1, true, SchedulerFixture.EPOCH, 0);
        sets.submit("j", 2, 100).iterate(0);
        assertThat(sets.job("j").getNotBefore()).isEqualTo(SchedulerFixture.at(HOUR));
        assertThat(sets.job("j").getMessages()).singleElement().asString().startsWith("Set");

        sets.node("n2", 1, NodeState.IDLE, node -> node.setFeatures(List.of("a", "b")))
                .iterate(1);
        assertThat(sets.started()).containsExactly("j");
    }

    @Test
    @Feature("RSV-16")
    void shouldHoldAJobWhoseStartsAreRefusedTooOften() {
        weir.policy("DEFERSTARTCOUNT 0\nDEFERTIME 100\nDEFERCOUNT 1")
                .submit("j", 1, 100)
                .iterateSilently(0);
        weir.answer("j", CommandOutcome.REFUSED, 0).iterateSilently(1);
        assertThat(weir.job("j").getHeld()).isFalse();
        assertThat(weir.started()).isEmpty();
        weir.iterateSilently(101);
        assertThat(weir.started()).containsExactly("j");
        weir.answer("j", CommandOutcome.REFUSED, 101).iterateSilently(102);
        assertThat(weir.job("j").getHolds()).containsExactly("BATCH");
        assertThat(weir.lastNotifications()).anyMatch(n -> n.getEvent().equals("jobhold"));
    }

    private List<DecisionKind> decisions(String job) {
        return weir.lastDecisions().stream()
                .filter(decision -> decision.getJobId().equals(job))
                .map(Decision::getKind)
                .toList();
    }

    private void ask(String id, String principal, RequestKind kind, String type) {
        weir.request(
                id,
                principal,
                principal.equals("root") ? SchedulerFixture.ADMINISTRATOR : null,
                kind,
                weir.knows("j") ? "j" : "large",
                type == null ? List.of() : List.of(new NameValue("type", type)));
    }
}

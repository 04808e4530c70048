package io.weir.scheduler.core.iteration;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.SchedulerFixture;
import io.weir.scheduler.core.job.JobBudget;
import io.weir.scheduler.core.state.Change;
import io.weir.schemas.Charge;
import io.weir.schemas.Decision;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.Notification;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.RequestKind;
import io.weir.schemas.Severity;
import java.time.Instant;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The steps of an iteration and their order. */
@NullUnmarked
class IterationTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    private List<String> notices() {
        return weir.lastNotifications().stream().map(Notification::getText).toList();
    }

    private NodeStatus node(String id) {
        return weir.outputs.stream()
                .map(output -> output.value())
                .filter(NodeStatus.class::isInstance)
                .map(NodeStatus.class::cast)
                .filter(node -> node.getNodeId().equals(id))
                .reduce((before, after) -> after)
                .orElseThrow();
    }

    @Test
    void shouldNeverGoBackInTime() {
        weir.nodes(1, 1).iterate(100);

        weir.iterate(50);

        assertThat(weir.lastResult.now()).isEqualTo(at(100));
        assertThat(weir.lastResult.number()).isEqualTo(2);
    }

    @Test
    void shouldDateNodesThatCameBeforeTheClockWasKnown() {
        weir.nodes(1, 1).iterate(100);
        assertThat(node("n1").getStateSince()).isEqualTo(at(100));

        weir.iterate(200);

        assertThat(node("n1").getStateSince()).isEqualTo(at(100));
    }

    @Test
    void shouldPutAPolicyInForceBeforeItDecides() {
        weir.nodes(1, 1).adopt("r", 1, HOUR, 0, "n1").submit("j", 1, HOUR).iterate(0);
        assertThat(weir.publishedReservations).containsKey("j");

        weir.policy("RESERVATIONPOLICY NEVER").iterate(1);

        assertThat(weir.publishedReservations).isEmpty();
        assertThat(weir.lastResult.policyVersion()).isEqualTo("v1");
    }

    @Test
    void shouldTellWhatIsWrongWithAPolicyAndCountWhatHasNoEffectYet() {
        weir.policy("NONSENSE 1\nDEFERTIME soon\nPREEMPTPOLICY SUSPEND").iterate(0);

        assertThat(weir.lastNotifications())
                .filteredOn(notice -> notice.getEvent().equals("configproblem"))
                .extracting(Notification::getSeverity)
                .containsExactlyInAnyOrder(Severity.WARNING, Severity.ERROR);
        assertThat(weir.lastNotifications())
                .filteredOn(notice -> notice.getSeverity() == Severity.ERROR)
                .as("a setting whose value cannot be read")
                .allMatch(notice -> notice.getText().contains("DEFERTIME"));
        assertThat(notices()).endsWith("policy version v1 in force; settings without effect yet: 1");
    }

    @Test
    void shouldStartNothingOnTheEndOfAMomentThatCameFreeBefore() {
        weir.nodes(1, 1).submit("a", 1, 100).submit("b", 1, 100).iterate(0);

        weir.end("a", 50).iterate(50);

        assertThat(weir.started()).containsExactly("b");
        assertThat(weir.domain().getCapacityFreed()).isFalse();
    }

    @Test
    void shouldKeepInMindThatCapacityCameFreeWhileNothingIsScheduled() {
        weir.nodes(1, 1).submit("a", 1, 100).iterate(0);
        weir.request("c", RequestKind.CONTROL_SCHEDULER, "-", List.of(new NameValue("action", "pause")));

        weir.end("a", 50).iterate(50);

        assertThat(weir.domain().getCapacityFreed()).isTrue();
    }

    @Test
    void shouldForgetAFinishedJobWhenItsTimeIsOver() {
        weir.policy("JOBCPURGETIME 0:05:00").nodes(1, 1).submit("j", 1, 100).iterate(0);
        weir.end("j", 50).iterate(349);
        assertThat(weir.knows("j")).isTrue();

        weir.iterate(350);

        assertThat(weir.knows("j")).isFalse();
    }

    @Test
    void shouldForgetARemovedNode() {
        weir.nodes(2, 1).iterate(0);

        weir.node("n2", 1, NodeState.REMOVED).iterate(1);

        assertThat(weir.snapshot()).noneMatch(change -> change.id().equals("n2"));
        assertThat(weir.snapshot()).anyMatch(change -> change.id().equals("n1"));
    }

    @Test
    void shouldKeepRoomForWideJobsFromTheFirstThatComesFreeOn() {
        weir.policy("BFCHUNKDURATION 0:05:00\nBFCHUNKSIZE 2").nodes(2, 1);
        weir.submit("a", 1, 10 * HOUR).submit("b", 1, 10 * HOUR).iterate(0).iterate(400);

        weir.end("a", 500).iterate(500);
        assertThat(chunkEnd()).isEqualTo(at(800));
        weir.end("b", 600).iterate(600);
        assertThat(chunkEnd())
                .as("what comes free meanwhile does not prolong it")
                .isEqualTo(at(800));

        weir.submit("c", 1, HOUR).iterate(800).end("c", 900).iterate(900);
        assertThat(chunkEnd()).as("what comes free later begins another").isEqualTo(at(1200));

        weir.policy("BFCHUNKDURATION 0:05:00").iterate(901);
        assertThat(weir.domain().getChunkEnd()).isNull();
    }

    private Instant chunkEnd() {
        return Instant.ofEpochSecond(weir.domain().getChunkEnd());
    }

    @Test
    void shouldDecideAnewInEveryIterationInModeMonitor() {
        weir.policy("SCHEDCFG[x] MODE=MONITOR").nodes(1, 1).submit("a", 1, HOUR).submit("b", 1, HOUR);
        weir.iterate(0);
        assertThat(weir.lastDecisions()).extracting(Decision::getKind).contains(DecisionKind.RESERVE);
        assertThat(weir.reservedStart("b")).isEqualTo(HOUR);

        weir.iterate(100);

        assertThat(weir.reservedStart("b")).as("a would start now, not then").isEqualTo(100 + HOUR);
    }

    @Test
    void shouldBeginToKeepRoomAnewAtTheInstantAtWhichItIsKeptNoLonger() {
        weir.policy("BFCHUNKDURATION 0:05:00\nBFCHUNKSIZE 2").nodes(2, 1);
        weir.submit("a", 1, 10 * HOUR).submit("b", 1, 10 * HOUR).iterate(0);
        weir.end("a", 500).iterate(500);
        assertThat(chunkEnd()).isEqualTo(at(800));

        weir.end("b", 800).iterate(800);

        assertThat(chunkEnd()).isEqualTo(at(1100));
    }

    @Test
    void shouldKeepNoRoomForWideJobsWithoutATimeOrASize() {
        weir.policy("BFCHUNKSIZE 2").nodes(2, 1).submit("a", 1, HOUR).iterate(0);
        weir.end("a", 500).iterate(500);
        assertThat(weir.domain().getChunkEnd()).isNull();

        weir.policy("BFCHUNKDURATION 0:05:00").submit("b", 1, HOUR).iterate(600);
        weir.end("b", 700).iterate(700);
        assertThat(weir.domain().getChunkEnd()).isNull();
    }

    @Test
    void shouldDecideNothingWhileTheClusterIsSuspended() {
        weir.nodes(1, 1).iterate(0);
        weir.fact(setAside(QuarantineKind.CLUSTER, SchedulerFixture.CLUSTER));

        weir.node("n1", 4, NodeState.IDLE).submit("j", 1, HOUR).iterate(10);

        assertThat(weir.started()).isEmpty();
        assertThat(weir.lastResult.number()).isEqualTo(2);
        assertThat(weir.lastResult.nextWake()).isNull();
        assertThat(node("n1").getProcs())
                .as("what is reported is published nevertheless")
                .isEqualTo(4);
    }

    @Test
    void shouldWakeToGoOnWithASuspendedClusterWhenThatIsPlanned() {
        weir.nodes(1, 1).submit("j", 1, HOUR).iterateSilently(0);
        weir.fact(setAside(QuarantineKind.CLUSTER, SchedulerFixture.CLUSTER));
        weir.request(
                        "c",
                        RequestKind.CONTROL_SCHEDULER,
                        "-",
                        List.of(new NameValue("action", "resume"), new NameValue("at", "+0:05:00")))
                .submit("k", 1, HOUR)
                .end("j", 5)
                .iterate(10);
        assertThat(weir.lastResult.nextWake()).isEqualTo(at(310));
        assertThat(quarantined()).containsExactly(QuarantineKind.CLUSTER);
        weir.iterate(309);
        assertThat(weir.started()).isEmpty();

        weir.iterate(310);

        assertThat(weir.started()).containsExactly("k");
        assertThat(quarantined()).isEmpty();
    }

    @Test
    void shouldGiveReservationsAndTriggersThatWereSetAsideAnotherChanceUnderANewPolicy() {
        weir.nodes(1, 1).iterate(0);
        weir.fact(setAside(QuarantineKind.STANDING_RESERVATION, "sr"));
        weir.fact(setAside(QuarantineKind.TRIGGER, "t"));
        weir.fact(setAside(QuarantineKind.NODE, "n1"));
        weir.iterate(10);
        assertThat(quarantined()).hasSize(3);

        weir.policy("RESERVATIONPOLICY NEVER").iterate(20);

        assertThat(quarantined()).as("a node waits for another build").containsExactly(QuarantineKind.NODE);
    }

    @Test
    void shouldRankJobsByTheHourBeforeItStartsThem() {
        weir.policy("QUEUETIMEWEIGHT 0\nXFACTORWEIGHT 1\nUSERWEIGHT 1\nUSERCFG[vip] PRIORITY=5")
                .nodes(1, 1)
                .adopt("running", 1, 10 * HOUR, 0, "n1");
        weir.submit("short", 1, 60)
                .submit("vip", 1, 100 * HOUR, job -> job.setUser("vip"))
                .iterate(0);

        weir.end("running", HOUR).iterate(HOUR);

        assertThat(weir.started()).as("an hour is long for a minute's job").containsExactly("short");
    }

    @Test
    void shouldGiveWaitingJobsTheQualityOfServiceOfANewPolicy() {
        weir.nodes(1, 1).submit("j", 2, HOUR).iterate(0);
        assertThat(weir.job("j").getEffectiveQos()).isNull();

        weir.policy("QOSCFG[high] PRIORITY=1\nUSERCFG[ann] QLIST=high QDEF=high")
                .iterate(10);

        assertThat(weir.publishedJobs.get("j").getEffectiveQos()).isEqualTo("high");
    }

    @Test
    void shouldWarnOfALabelThatIsTheNameOfAUser() {
        weir.nodes(1, 1).submit("j", 1, HOUR);

        weir.policy("NODECATCREDLIST ann=Idle").iterate(0);

        assertThat(weir.lastNotifications())
                .filteredOn(notice -> notice.getEvent().equals("configproblem"))
                .extracting(Notification::getSeverity, Notification::getText)
                .contains(Tuple.tuple(
                        Severity.WARNING,
                        "NODECATCREDLIST: label ann is the name of a user who has jobs; node time is charged to it all"
                                + " the same"));
    }

    @Test
    void shouldKeepNarrowJobsOutOfTheRoomForWideOnes() {
        weir.policy("BFCHUNKDURATION 0:05:00\nBFCHUNKSIZE 3\nRESERVATIONDEPTH 0")
                .nodes(4, 1);
        weir.adopt("a", 1, 10 * HOUR, 0, "n1").adopt("b", 1, 10 * HOUR, 0, "n2").iterate(0);
        weir.submit("top", 4, HOUR).iterate(400);

        weir.end("b", 1000).submit("narrow", 1, HOUR).iterate(1000);
        assertThat(weir.started()).isEmpty();
        weir.iterate(1300);

        assertThat(weir.started()).containsExactly("narrow");
    }

    @Test
    void shouldChargeWhatAJobUsedWhenItEndsAndMeanwhileWhereThatIsConfigured() {
        weir.policy("AMCFG[am] SERVER=https://am.example.org/ FLUSHINTERVAL=HOUR")
                .nodes(1, 1)
                .submit("j", 1, 10 * HOUR, job -> job.setAccount("mars"))
                .iterate(0);

        weir.iterate(2 * HOUR);
        assertThat(weir.lastCharges()).extracting(Charge::getInterim).containsOnly(true);
        weir.end("j", 2 * HOUR + 60).iterate(2 * HOUR + 60);

        assertThat(weir.lastCharges()).extracting(Charge::getInterim).containsExactly(false);
    }

    @Test
    void shouldForgetTheOldestFinishedJobWhenThereAreTooMany() {
        SchedulerFixture few = new SchedulerFixture(new JobBudget(40, 1_000_000, 30, 2, 1_000_000)).nodes(1, 4);
        few.submit("a", 1, 100).submit("b", 1, 100).submit("c", 1, 100).iterate(0);

        few.end("b", 10).end("a", 20).end("c", 30).iterate(30);

        assertThat(few.knows("b")).isFalse();
        assertThat(few.knows("a")).isTrue();
        assertThat(few.knows("c")).isTrue();
    }

    private static Quarantine setAside(QuarantineKind kind, String id) {
        return new Quarantine(SchedulerFixture.CLUSTER, kind, id, "cause", "text", at(0), "build", false);
    }

    private List<QuarantineKind> quarantined() {
        return weir.snapshot().stream()
                .map(Change::value)
                .filter(Quarantine.class::isInstance)
                .map(value -> ((Quarantine) value).getKind())
                .toList();
    }
}

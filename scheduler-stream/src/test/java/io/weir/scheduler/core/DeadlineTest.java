package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.Decision;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.Explanation;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.ReservationType;
import org.junit.jupiter.api.Test;

/** Jobs that have to be over in time, on one node of four processors that job R has for the first hour. */
class DeadlineTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    @Test
    void shouldReserveInTimeWhateverTheDepth() {
        busy("RESERVATIONDEPTH 1").submit("first", 4, HOUR).submit("second", 4, HOUR);
        due("due", 4, HOUR, "+4:00:00");

        weir.iterate(0);

        assertThat(weir.publishedReservations.keySet()).containsExactly("due", "first");
        assertThat(weir.publishedReservations.get("first").getType()).isEqualTo(ReservationType.PRIORITY);
        assertThat(weir.publishedReservations.get("due").getType()).isEqualTo(ReservationType.DEADLINE);
        assertThat(weir.reservedStart("due")).isEqualTo(2 * HOUR);
        assertThat(weir.job("due").getDeadline()).isEqualTo(at(4 * HOUR));
        assertThat(weir.job("due").getMessages()).isEmpty();
        assertThat(weir.lastDecisions())
                .filteredOn(decision -> decision.getKind() == DecisionKind.RESERVE)
                .filteredOn(decision -> "due".equals(decision.getJobId()))
                .extracting(Decision::getReason)
                .containsExactly("cannot start now, in time for its deadline");
    }

    @Test
    void shouldTakeNoPlaceOfItsGroup() {
        busy("RESERVATIONDEPTH 1");
        due("due", 4, HOUR, "+4:00:00");
        weir.submit("first", 4, HOUR).submit("second", 4, HOUR);

        weir.iterate(0);

        assertThat(weir.publishedReservations.keySet()).containsExactly("due", "first");
    }

    @Test
    void shouldWaitLikeAnyOtherAndSayWhyWhenItEndsTooLate() {
        busy("RESERVATIONDEPTH 1").submit("first", 4, HOUR);
        due("due", 4, HOUR, "+2:30:00");

        weir.iterate(0);

        assertThat(weir.publishedReservations.keySet()).containsExactly("first");
        assertThat(weir.job("due").getMessages())
                .containsExactly("deadline cannot be met: it has to be over by " + at(9000) + ", can start at "
                        + at(7200) + " at the earliest and would end at " + at(10_800));
    }

    @Test
    void shouldHaveAPlaceOfItsGroupWhenItEndsTooLate() {
        busy("RESERVATIONDEPTH 2").submit("first", 4, HOUR);
        due("due", 4, HOUR, "+2:30:00");
        weir.submit("third", 4, HOUR);

        weir.iterate(0);

        assertThat(weir.publishedReservations.keySet()).containsExactly("due", "first");
        assertThat(weir.publishedReservations.get("due").getType()).isEqualTo(ReservationType.PRIORITY);
    }

    @Test
    void shouldTakeTheMessageBackWhenTheDeadlineCanBeMetAfterAll() {
        busy("RESERVATIONDEPTH 1").submit("first", 4, HOUR);
        due("due", 4, HOUR, "+2:30:00");
        weir.iterate(0);

        weir.end("R", 600).iterate(600);

        assertThat(weir.started()).containsExactly("first");
        assertThat(weir.publishedReservations.get("due").getType()).isEqualTo(ReservationType.DEADLINE);
        assertThat(weir.reservedStart("due")).isEqualTo(600 + HOUR);
        assertThat(weir.job("due").getMessages()).isEmpty();
    }

    @Test
    void shouldSayAtOnceThatADeadlineIsTooEarly() {
        busy("BACKFILLPOLICY NONE").submit("first", 4, HOUR);
        due("due", 1, HOUR, "+30:00");

        weir.iterate(0);

        assertThat(weir.job("due").getMessages()).singleElement().asString().startsWith("deadline cannot be met");
    }

    @Test
    void shouldKeepItsReservationFromJobsThatComeAheadOfIt() {
        busy("RESERVATIONDEPTH 1\nQUEUETIMEWEIGHT 0\nUSERCFG[vip] PRIORITY=1000");
        due("due", 4, HOUR, "+2:00:00");
        weir.iterate(0);
        weir.submit("vip", 4, HOUR, job -> job.setUser("vip"));

        weir.iterate(60);

        assertThat(weir.reservedStart("due")).isEqualTo(HOUR);
        assertThat(weir.reservedStart("vip")).isEqualTo(2 * HOUR);
    }

    @Test
    void shouldNotSlideAheadOfAJobItStoodBehind() {
        busy("RESERVATIONDEPTH 1").submit("first", 4, HOUR);
        due("due", 4, 600, "+4:00:00");
        weir.node("n2", 2, NodeState.IDLE).adopt("S", 2, 2 * HOUR, 0, "n2");
        weir.iterate(0);
        assertThat(weir.reservedStart("due")).isEqualTo(2 * HOUR);

        weir.end("S", 60).iterate(60);

        assertThat(weir.reservedStart("first")).isEqualTo(HOUR);
        assertThat(weir.reservedStart("due")).isEqualTo(2 * HOUR);
    }

    @Test
    void shouldKeepBackfillFromWhatItReserves() {
        weir.policy("RESERVATIONPOLICY NEVER").nodes(1, 4).adopt("R", 3, HOUR, 0, "n1");
        due("due", 4, HOUR, "+2:00:00");
        weir.submit("long", 1, 2 * HOUR).submit("short", 1, HOUR);

        weir.iterate(0);

        assertThat(weir.reservedStart("due")).isEqualTo(HOUR);
        assertThat(weir.started()).containsExactly("short");
    }

    @Test
    void shouldFindRoomBehindEveryJobOfAFullMachine() {
        busy("RESERVATIONDEPTH 0\nBACKFILLDEPTH 2");
        for (int i = 0; i < 20; i++) {
            weir.submit("j" + i, 4, HOUR);
        }
        due("zdue", 4, HOUR, "+2:00:00");

        weir.iterate(0);

        assertThat(weir.publishedReservations.keySet()).containsExactly("zdue");
        assertThat(weir.reservedStart("zdue")).isEqualTo(HOUR);
    }

    @Test
    void shouldStartOnTimeOnceReserved() {
        busy("BACKFILLPOLICY BESTFIT").submit("first", 4, HOUR);
        due("due", 4, HOUR, "+3:00:00");
        weir.iterate(0);
        weir.end("R", HOUR).iterate(HOUR);
        weir.end("first", 2 * HOUR);
        weir.submit("wide", 4, HOUR, job -> job.setSubmitTime(at(HOUR)));

        weir.iterate(2 * HOUR);

        assertThat(weir.started()).containsExactly("due");
        assertThat(weir.publishedReservations).doesNotContainKey("due");
    }

    @Test
    void shouldStartOnTimeAheadOfOthersEvenIfItMayNotBeBackfilled() {
        busy("QOSCFG[strict] QFLAGS=NOBF\nUSERCFG[ann] QDEF=strict QLIST=strict");
        weir.node("n2", 4, NodeState.IDLE).adopt("S", 4, 3 * HOUR, 0, "n2");
        weir.submit("first", 8, HOUR, job -> job.setUser("bob"));
        due("due", 4, HOUR, "+3:00:00");
        weir.iterate(0);
        assertThat(weir.reservedStart("due")).isEqualTo(HOUR);

        weir.end("R", HOUR).iterate(HOUR);

        assertThat(weir.started()).containsExactly("due");
    }

    @Test
    void shouldGiveUpItsReservationWhileItIsHeld() {
        busy("");
        due("due", 4, HOUR, "+4:00:00");
        weir.submit("first", 4, HOUR).iterate(0);

        weir.request("q", RequestKind.HOLD_JOB, "due").iterate(10);

        assertThat(weir.publishedReservations.keySet()).containsExactly("first");
        assertThat(weir.reservedStart("first")).isEqualTo(HOUR);
    }

    @Test
    void shouldReserveNothingInStrictOrder() {
        busy("BACKFILLPOLICY NONE").submit("first", 4, HOUR);
        due("due", 4, HOUR, "+4:00:00");

        weir.iterate(0);

        assertThat(weir.publishedReservations).isEmpty();
        assertThat(weir.job("due").getState()).isEqualTo(JobState.IDLE);
    }

    @Test
    void shouldExplainTheDeadline() {
        busy("RESERVATIONDEPTH 1").submit("first", 4, HOUR);
        due("due", 4, HOUR, "+4:00:00");
        due("late", 4, HOUR, "+3:30:00");

        weir.iterate(0);

        assertThat(weir.publishedExplanations.get("due"))
                .extracting(Explanation::getMessage)
                .asString()
                .endsWith("expected to start at " + at(7200) + ", in time for its deadline " + at(14_400));
        assertThat(weir.publishedExplanations.get("late"))
                .extracting(Explanation::getMessage)
                .asString()
                .endsWith("; nothing is reserved for its deadline " + at(12_600));
    }

    @Test
    void shouldReadATimeOfDayAsTheNextAfterSubmission() {
        busy("");
        due("due", 4, HOUR, "20:00");

        weir.iterate(0);

        assertThat(weir.job("due").getDeadline()).isEqualTo("1970-01-12T20:00:00Z");
    }

    @Test
    void shouldPublishNothingNewWhenTheSameIsReportedAgain() {
        busy("");
        due("due", 4, HOUR, "+4:00:00");
        weir.iterate(0);
        long version = weir.job("due").getChangedIn();

        weir.report("due", JobState.IDLE, 0).iterate(10);

        assertThat(weir.job("due").getChangedIn()).isEqualTo(version);
    }

    @Test
    void shouldSayThatADeadlineCannotBeRead() {
        busy("");
        due("due", 4, HOUR, "tomorrow");

        weir.iterate(0);

        assertThat(weir.job("due").getDeadline()).isNull();
        assertThat(weir.job("due").getMessages()).singleElement().asString().startsWith("deadline: 'tomorrow'");
    }

    @Test
    void shouldReserveForAHundredDeadlinesOfOneUser() {
        busy("RESERVATIONDEPTH 1").submit("first", 4, HOUR);
        for (int i = 100; i < 300; i++) {
            due("due" + i, 4, 60, "+100:00:00");
        }

        weir.iterate(0);

        assertThat(weir.publishedReservations.values())
                .filteredOn(reservation -> reservation.getType() == ReservationType.DEADLINE)
                .hasSize(100);
        assertThat(weir.publishedReservations).hasSize(101).containsKeys("first", "due199");
        assertThat(weir.job("due200").getMessages()).isEmpty();

        weir.end("R", 60).iterate(60);

        assertThat(weir.started()).containsExactly("first");
        assertThat(weir.publishedReservations)
                .as("those reserved for keep their places")
                .hasSizeBetween(100, 101)
                .containsKeys("due100", "due199");
    }

    private SchedulerFixture busy(String policy) {
        return weir.policy(policy).nodes(1, 4).adopt("R", 4, HOUR, 0, "n1");
    }

    private void due(String id, int tasks, long walltime, String deadline) {
        weir.submit(id, tasks, walltime, job -> job.setExtension("deadline=" + deadline));
    }
}

package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.Notification;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of the nodes of a job whose start is refused. */
class StartRetryExamplesTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    /** RT1: five minutes to try again; refused every 30 s, then it starts on the same nodes after three minutes. */
    @Test
    @Feature("RSV-17")
    void RT1() {
        refusedOnce("RESERVATIONRETRYTIME 5:00");
        List<?> nodes = weir.publishedReservations.get("J").getPlacements();
        for (long time = 30; time <= 180; time += 30) {
            weir.iterateSilently(time);
            assertThat(weir.started()).as("at %d", time).containsExactly("J");
            weir.answer("J", time < 180 ? CommandOutcome.REFUSED : CommandOutcome.DONE, time);
        }
        weir.iterate(181);

        assertThat(weir.job("J").getStartTime()).isEqualTo(SchedulerFixture.at(180));
        assertThat(weir.job("J").getPlacements()).isEqualTo(nodes);
        assertThat(weir.publishedReservations).doesNotContainKey("J");
    }

    /** RT2: without that another job takes the nodes for six hours, and the first one's reservation is after these. */
    @Test
    @Feature("RSV-16")
    void RT2() {
        refusedOnce("");
        assertThat(weir.started()).containsExactly("other");

        weir.iterate(60);

        assertThat(weir.reservedStart("J")).isGreaterThanOrEqualTo(6 * HOUR);
    }

    @Test
    @Feature("RSV-17")
    void shouldGiveTheNodesUpWhenTheTimeIsOver() {
        refusedOnce("RESERVATIONRETRYTIME 0:50");
        weir.iterateSilently(30);
        weir.answer("J", CommandOutcome.REFUSED, 30);
        weir.iterateSilently(31);
        assertThat(weir.started()).isEmpty();

        weir.iterateSilently(50);

        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).contains("rsvretryexpired");
    }

    /** Once the time is over it is as without it: the job waits for JOBRETRYTIME, and others may take its nodes. */
    @Test
    @Feature("RSV-17")
    void shouldLetOthersHaveTheNodesWhenTheTimeIsOver() {
        refusedOnce("RESERVATIONRETRYTIME 30\nDEFERSTARTCOUNT 5");

        weir.iterateSilently(30);

        assertThat(weir.started()).containsExactly("other");
        assertThat(weir.job("J").getNotBefore()).isEqualTo(SchedulerFixture.at(90));
        weir.iterateSilently(90);
        assertThat(weir.reservedStart("J")).isGreaterThanOrEqualTo(6 * HOUR);
    }

    @Test
    @Feature("RSV-17")
    void shouldDeferAJobWhoseStartFailsTooOftenWhenTheTimeIsOver() {
        refusedOnce("RESERVATIONRETRYTIME 30\nDEFERSTARTCOUNT 0\nDEFERTIME 1:00:00");

        weir.iterateSilently(30);

        assertThat(weir.job("J").getDeferrals()).isEqualTo(1);
        assertThat(weir.job("J").getNotBefore()).isEqualTo(SchedulerFixture.at(30 + HOUR));
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).contains("jobdefer");
    }

    /** What is held for a retry is the job's own once it runs, and counts once. */
    @Test
    @Feature("RSV-17")
    void shouldHoldTheNodesOfARetryThatSucceedsOnceOnly() {
        weir.policy("RESERVATIONRETRYTIME 5:00").nodes(2, 3).adopt("R", 3, 1000, 0, "n1");
        weir.submit("J", 1, HOUR).iterateSilently(0);
        weir.answer("J", CommandOutcome.REFUSED, 0);
        weir.submit("wide", 5, HOUR).iterateSilently(1);

        weir.iterate(30);

        assertThat(weir.started()).containsExactly("J");
        assertThat(weir.reservedStart("wide")).isEqualTo(1000);
    }

    /** A job on both nodes is refused by its resource manager while another waits for them. */
    private void refusedOnce(String policy) {
        weir.policy(policy).nodes(2, 1).submit("J", 2, HOUR).submit("other", 2, 6 * HOUR);
        weir.iterateSilently(0);
        assertThat(weir.started()).containsExactly("J");
        weir.answer("J", CommandOutcome.REFUSED, 0);
        weir.iterate(0);
    }
}

package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import org.junit.jupiter.api.Test;

/** Which jobs have priority reservations, by the worked examples. A job is named after its priority. */
class PriorityReservationExamplesTest {
    private static final long HOUR = 3600;
    private static final String PRIORITIES = "RESERVATIONDEPTH 3\nQUEUETIMEWEIGHT 0\nUSERWEIGHT 1\n";

    private final SchedulerFixture weir = new SchedulerFixture();
    private long now;

    /** HP1: of 8, 10, 12 and 20 the best three are reserved, 8 is not, in later iterations neither. */
    @Test
    @Feature({"RSV-5", "RSV-6"})
    void HP1() {
        highest();

        assertThat(weir.publishedReservations.keySet()).containsExactly("j10", "j12", "j20");
        next();
        assertThat(weir.publishedReservations.keySet()).containsExactly("j10", "j12", "j20");
    }

    /** HP2: 25 arrives after HP1 and gets a reservation; none is taken away. */
    @Test
    @Feature({"RSV-5", "RSV-6"})
    void HP2() {
        highest();
        submit(25);
        next();

        assertThat(weir.publishedReservations.keySet()).containsExactly("j10", "j12", "j20", "j25");
    }

    /** HP3: 21 to 24 arrive after HP1; the best three of all get one, 21 does not, those of HP1 are kept. */
    @Test
    @Feature({"RSV-5", "RSV-6"})
    void HP3() {
        hp3();

        assertThat(weir.publishedReservations.keySet()).containsExactly("j10", "j12", "j20", "j22", "j23", "j24");
    }

    /** HP4: 24 starts after HP3; 21 is then among the best three. */
    @Test
    @Feature("RSV-5")
    void HP4() {
        hp3();
        weir.end("R", now + 1);
        now += 1;
        weir.iterate(now);

        assertThat(weir.publishedReservations.keySet()).contains("j21");
        assertThat(weir.publishedReservations.keySet()).doesNotContain("j8");
    }

    /** CH1: under CURRENTHIGHEST 25 takes the place of 10. */
    @Test
    @Feature("RSV-7")
    void CH1() {
        start("RESERVATIONPOLICY CURRENTHIGHEST\n" + PRIORITIES);
        submit(25);
        next();

        assertThat(weir.publishedReservations.keySet()).containsExactly("j12", "j20", "j25");
    }

    /** CH2: under CURRENTHIGHEST only 24, 23 and 22 are reserved. */
    @Test
    @Feature("RSV-7")
    void CH2() {
        start("RESERVATIONPOLICY CURRENTHIGHEST\n" + PRIORITIES);
        for (int priority = 21; priority <= 24; priority++) {
            submit(priority);
        }
        next();

        assertThat(weir.publishedReservations.keySet()).containsExactly("j22", "j23", "j24");
    }

    @Test
    @Feature("RSV-9")
    void shouldReserveForOneJobByDefault() {
        weir.nodes(1, 1).adopt("R", 1, HOUR, 0, "n1");
        weir.submit("first", 1, HOUR).submit("second", 1, HOUR);

        weir.iterate(0);

        assertThat(weir.publishedReservations.keySet()).containsExactly("first");
    }

    @Test
    @Feature("RSV-2")
    void shouldStartAWideJobOnTimeUnderAStreamOfSmallOnes() {
        weir.nodes(4, 1);
        for (int i = 1; i <= 3; i++) {
            weir.adopt("R" + i, 1, HOUR, 0, "n" + i);
        }
        weir.submit("wide", 4, HOUR);
        for (int minute = 0; minute <= 60; minute++) {
            weir.submit("small" + minute, 1, 1, 30 * 60, minute * 60L);
            now = minute * 60L;
            for (int i = 0; i < minute; i++) {
                if (weir.knows("small" + i)
                        && weir.job("small" + i).getState() == io.weir.schemas.JobState.RUNNING
                        && weir.job("small" + i).getStartTime().getEpochSecond() + 30 * 60
                                <= SchedulerFixture.T0 + now) {
                    weir.end("small" + i, now);
                }
            }
            if (minute == 60) {
                weir.end("R1", HOUR).end("R2", HOUR).end("R3", HOUR);
            }
            weir.iterate(now);
        }

        assertThat(weir.started()).contains("wide");
    }

    private void highest() {
        start("RESERVATIONPOLICY HIGHEST\n" + PRIORITIES);
    }

    private void hp3() {
        highest();
        for (int priority = 21; priority <= 24; priority++) {
            submit(priority);
        }
        next();
    }

    /** One processor, taken for long, and jobs of priority 8, 10, 12 and 20. */
    private void start(String policy) {
        StringBuilder text = new StringBuilder(policy);
        for (int priority = 8; priority <= 25; priority++) {
            text.append("USERCFG[u")
                    .append(priority)
                    .append("] PRIORITY=")
                    .append(priority)
                    .append('\n');
        }
        weir.policy(text.toString()).nodes(1, 1).adopt("R", 1, 100 * HOUR, 0, "n1");
        submit(8);
        submit(10);
        submit(12);
        submit(20);
        next();
    }

    private void submit(int priority) {
        weir.submit(
                "j" + priority, 1, HOUR, job -> job.setUser("u" + priority).setSubmitTime(SchedulerFixture.at(now)));
    }

    private void next() {
        now += 10;
        weir.iterate(now);
    }
}

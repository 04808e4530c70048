package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However many reservations a policy asks for, a pass that cannot be divided makes a limited number of them. */
class UndividedPassTest {
    private static final int WIDE = 20;

    private final SchedulerFixture weir = new SchedulerFixture().limitingReservations(8, 5);

    @ParameterizedTest
    @ValueSource(strings = {"RESERVATIONPOLICY HIGHEST", "BACKFILLPOLICY BESTFIT"})
    void shouldReserveForTheFirstAlone(String policy) {
        site(policy);

        weir.iterate(1);

        assertThat(weir.publishedReservations).hasSize(8);
        assertThat(weir.started()).as("what fits beside them").containsExactly("small");
        weir.iterate(2);
        assertThat(weir.publishedReservations).hasSize(8);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReserveForFewerWhileOthersMayBePreempted(boolean restored) {
        if (restored) {
            weir.rebuildingAlways();
        }
        site("QOSCFG[low] PRIORITY=1000 QFLAGS=PREEMPTEE\nQOSCFG[high] PRIORITY=1 QFLAGS=PREEMPTOR\nQOSWEIGHT 1");
        submit("late", 2, 100, "high");

        weir.iterate(1);

        assertThat(weir.publishedReservations).hasSize(5);
        assertThat(weir.started()).containsExactly("small");
    }

    /** What those behind had from before stays, as nothing was found out about them. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveTheReservationsOfThoseBehind(boolean restored) {
        if (restored) {
            weir.rebuildingAlways();
        }
        site("");
        weir.iterate(1);
        assertThat(weir.publishedReservations).hasSize(WIDE);
        long last = weir.reservedStart("w" + (10 + WIDE - 1));
        weir.submit("due", 2, 100, job -> job.setExtension("x=deadline:+9:00:00:00"));

        weir.iterate(2);

        assertThat(weir.publishedReservations).hasSizeGreaterThanOrEqualTo(WIDE);
        assertThat(weir.reservedStart("w" + (10 + WIDE - 1))).isEqualTo(last);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RESERVATIONPOLICY HIGHEST", "BACKFILLPOLICY BESTFIT"})
    void shouldReserveForAllWhereTheSiteWantsIt(String policy) {
        site(policy + "\nRESERVATIONSLICE 0");

        weir.iterate(1);

        assertThat(weir.publishedReservations).hasSize(WIDE);
    }

    /** One of two processors is busy, many jobs want both, and the last of the queue fits beside the first of them. */
    private void site(String policy) {
        weir.hello(SchedulerFixture.EPOCH);
        weir.policy("RESERVATIONDEPTH INFINITY\n" + policy).nodes(2, 1);
        submit("running", 1, 3600, "low");
        weir.iterate(0);
        for (int i = 10; i < 10 + WIDE; i++) {
            submit("w" + i, 2, 100, "normal");
        }
        submit("small", 1, 60, "normal");
    }

    private void submit(String id, int tasks, long walltime, String qos) {
        weir.submit(id, tasks, walltime, job -> job.setQos(qos));
    }
}

package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.plan.Slot;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.reservation.Reservation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of reservations of an earlier pass, at instant 0. */
class RetainedReservationsTest {
    private final TestCluster cluster = new TestCluster().nodes(2, 1).running("r", 1, "n1", 0, 100);

    private PassFixture keep(boolean freed, String... policy) {
        PassFixture fixture = new PassFixture(cluster, policy);
        new RetainedReservations(cluster.jobs, cluster.reservations, fixture.slots).keep(begun(fixture, freed));
        return fixture;
    }

    private static PlanningPass begun(PassFixture fixture, boolean freed) {
        return fixture.begin(
                new FirstFitBackfill(),
                new PlanningPass.Moment(
                        0,
                        null,
                        freed,
                        Long.MIN_VALUE,
                        Integer.MAX_VALUE,
                        Integer.MAX_VALUE,
                        fixture.starts,
                        fixture.rooms,
                        fixture.actions),
                false);
    }

    private Job reserved(String id, int procs, long seconds, long start) {
        Job job = cluster.waiting(id, procs, seconds);
        cluster.reservations.put(Reservation.of(job, start, List.of(), 1));
        return job;
    }

    @Test
    void shouldTakeAReservationOverAsItIsUnderHighest() {
        Job job = reserved("job", 2, 50, 200);

        PassFixture fixture = keep(false, "RESERVATIONPOLICY HIGHEST");

        assertThat(fixture.slots.of(job)).isEqualTo(Slot.counted(200, 50, 2));
        assertThat(fixture.actions.steps).isEmpty();
    }

    @Test
    void shouldMoveAReservationToItsEarliestSlotWhenCapacityCameFree() {
        Job job = reserved("job", 2, 50, 200);

        PassFixture fixture = keep(true, "RESERVATIONPOLICY HIGHEST");

        assertThat(fixture.slots.of(job)).isEqualTo(Slot.counted(100, 50, 2));
        assertThat(fixture.actions.steps).containsExactly("reserve job 100");
    }

    @Test
    void shouldLetReservationsSlideInTheOrderOfTheQueue() {
        reserved("first", 2, 50, 400);
        reserved("second", 2, 50, 300);

        assertThat(keep(true, "RESERVATIONPOLICY HIGHEST").actions.steps)
                .containsExactly("reserve first 100", "reserve second 150");
    }

    @Test
    void shouldPlaceAllAnewWhenMoreIsReservedThanThereIs() {
        reserved("first", 2, 50, 110);
        reserved("second", 2, 50, 120);

        assertThat(keep(false, "RESERVATIONPOLICY HIGHEST").actions.steps)
                .containsExactly("reserve first 100", "reserve second 150");
    }

    @Test
    void shouldPlaceAReservationAnewWhoseStartHasPassed() {
        reserved("job", 2, 50, -10);

        assertThat(keep(false, "RESERVATIONPOLICY HIGHEST").actions.steps).containsExactly("reserve job 100");
    }

    @Test
    void shouldTakeNothingOverUnderCurrentHighest() {
        Job job = reserved("job", 2, 50, 200);

        PassFixture fixture = keep(false, "RESERVATIONPOLICY CURRENTHIGHEST");

        assertThat(fixture.slots.of(job)).isNull();
        assertThat(fixture.slots.isEmpty()).isTrue();
    }

    @Test
    void shouldHoldTheNodesOfARefusedStartForTheRetryTimeOfItsGroup() {
        Job job = reserved("job", 1, 50, 0);
        cluster.jobs.put(job.edit().refusedSince(-20).done());

        PassFixture held = holdForRetries("RESERVATIONRETRYTIME 30");
        assertThat(held.slots.retried(job)).isEqualTo(Slot.counted(0, 50, 1));
        assertThat(held.plan.exhausted()).isTrue();

        PassFixture expired = holdForRetries("RESERVATIONRETRYTIME 20");
        assertThat(expired.slots.retried(job)).isNull();
        assertThat(expired.actions.steps).containsExactly("expired job");
    }

    private PassFixture holdForRetries(String policy) {
        PassFixture fixture = new PassFixture(cluster, policy);
        RetainedReservations retained = new RetainedReservations(cluster.jobs, cluster.reservations, fixture.slots);
        assertThat(retained.retrying()).isTrue();
        retained.holdForRetries(fixture.plan, fixture.policy, 0, fixture.actions);
        return fixture;
    }

    @Test
    void shouldTakeAReservationOverThatBeginsNow() {
        Job job = reserved("job", 1, 50, 0);

        PassFixture fixture = keep(false, "RESERVATIONPOLICY HIGHEST");

        assertThat(fixture.slots.of(job)).isEqualTo(Slot.counted(0, 50, 1));
        assertThat(fixture.actions.steps).isEmpty();
        assertThat(fixture.plan.exhausted()).isTrue();
    }

    @Test
    void shouldSlideIntoTimeThatTheReservationItselfHolds() {
        reserved("job", 2, 50, 120);

        assertThat(keep(true, "RESERVATIONPOLICY HIGHEST").actions.steps).containsExactly("reserve job 100");
    }

    @Test
    void shouldTakeNoReservationOverOfAJobThatIsNotEligibleYet() {
        Job now = reserved("now", 2, 50, 200);
        cluster.jobs.put(now.edit().notBefore(0).done());
        Job later = reserved("later", 2, 50, 300);
        cluster.jobs.put(later.edit().notBefore(1).done());

        PassFixture fixture = keep(false, "RESERVATIONPOLICY HIGHEST");

        assertThat(fixture.slots.of(now)).isNotNull();
        assertThat(fixture.slots.of(later)).isNull();
    }

    @Test
    void shouldKeepTheNodesOfARefusedStartWhenAllOthersArePlacedAnew() {
        Job refused = reserved("refused", 1, 50, 0);
        cluster.jobs.put(refused.edit().refusedSince(0).done());
        reserved("passed", 1, 50, -10);
        PassFixture fixture = new PassFixture(cluster, "RESERVATIONPOLICY HIGHEST", "RESERVATIONRETRYTIME 30");
        RetainedReservations retained = new RetainedReservations(cluster.jobs, cluster.reservations, fixture.slots);

        retained.holdForRetries(fixture.plan, fixture.policy, 0, fixture.actions);
        retained.keep(begun(fixture, false));

        assertThat(fixture.actions.steps).containsExactly("reserve passed 50");
    }

    @Test
    void shouldNotMoveAReservationAheadThatIsKeptForItsDeadlineAlone() {
        Job first = cluster.due("first", 2, 50, 400);
        cluster.reservations.put(Reservation.of(first, 110, List.of(), 1));
        Job second = cluster.due("second", 2, 50, 400);
        cluster.reservations.put(Reservation.of(second, 120, List.of(), 1));

        assertThat(keep(false).actions.steps).containsExactly("reserve first 110", "reserve second 160");
    }

    @Test
    void shouldGiveUpAReservationKeptForADeadlineThatCanNoLongerBeMet() {
        Job first = cluster.due("first", 2, 50, 200);
        cluster.reservations.put(Reservation.of(first, 110, List.of(), 1));
        Job second = cluster.due("second", 2, 50, 200);
        cluster.reservations.put(Reservation.of(second, 120, List.of(), 1));

        PassFixture fixture = keep(false);

        assertThat(fixture.actions.steps).containsExactly("reserve first 110");
        assertThat(fixture.slots.of(second)).isNull();
    }

    @Test
    void shouldNameTheJobsItKeepsAndThoseItPlacesAnew() {
        reserved("first", 2, 50, 110);
        reserved("second", 2, 50, 120);

        assertThat(keep(false, "RESERVATIONPOLICY HIGHEST").actions.considered)
                .containsExactly("first", "second", "first", "second");
    }

    @Test
    void shouldHaveNothingToTryAgainWhereNoStartWasRefused() {
        reserved("job", 1, 50, 0);
        PassFixture fixture = new PassFixture(cluster);

        assertThat(new RetainedReservations(cluster.jobs, cluster.reservations, fixture.slots).retrying())
                .isFalse();
    }

    @Test
    void shouldLetAJobThatMayNotOvertakeSlideBehindThoseAheadOfIt() {
        reserved("wide", 2, 50, 200);
        Job strict = reserved("strict", 1, 50, 300);
        cluster.jobs.put(strict.edit().effectiveQos("last").done());

        assertThat(keep(true, "RESERVATIONPOLICY HIGHEST", "QOSCFG[last] QFLAGS=NOBF").actions.steps)
                .containsExactly("reserve wide 100", "reserve strict 150");
    }

    @Test
    void shouldPlaceAJobThatMayNotOvertakeBehindThoseThatArePutOff() {
        reserved("passed", 2, 50, -10);
        Job strict = reserved("strict", 1, 40, 60);
        cluster.jobs.put(strict.edit().effectiveQos("last").done());

        assertThat(keep(false, "RESERVATIONPOLICY HIGHEST", "QOSCFG[last] QFLAGS=NOBF").actions.steps)
                .containsExactly("reserve passed 100", "reserve strict 150");
    }

    @Test
    void shouldNotPutOffADueJobThatMayNotOvertake() {
        reserved("wide", 2, 50, 200);
        Job strict = cluster.due("strict", 1, 50, 120);
        cluster.reservations.put(Reservation.of(strict, 60, List.of(), 1));
        cluster.jobs.put(strict.edit().effectiveQos("last").done());

        PassFixture fixture = keep(true, "RESERVATIONPOLICY HIGHEST", "QOSCFG[last] QFLAGS=NOBF");

        assertThat(fixture.slots.of(strict)).isEqualTo(Slot.counted(60, 50, 1));
    }
}

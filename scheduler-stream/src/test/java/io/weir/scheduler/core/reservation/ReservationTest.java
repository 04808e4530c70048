package io.weir.scheduler.core.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.TestJob;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.ReservationType;
import io.weir.schemas.TaskPlacement;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReservationTest {
    private static final List<TaskPlacement> PLACEMENTS = List.of(new TaskPlacement("n1", 0, 4));

    private final Reservation reservation =
            Reservation.of(TestJob.waiting("j", report -> report.setTasks(4)), 1_000, PLACEMENTS, 7);

    @Test
    void shouldSetAsideWhatTheJobAsksForForAsLongAsItMayRun() {
        assertThat(reservation)
                .isEqualTo(new Reservation("j", "j", ReservationType.PRIORITY, 4, 1_000, 1_100, PLACEMENTS, 7));
    }

    @Test
    void shouldBeThereForTheDeadlineOfAJobThatWillBeOverInTime() {
        Job due = TestJob.waiting("j", report -> report.setExtension("deadline=+500"));

        assertThat(Reservation.of(due, 400, List.of(), 1).type()).isEqualTo(ReservationType.DEADLINE);
        assertThat(Reservation.of(due, 401, List.of(), 1).type()).isEqualTo(ReservationType.PRIORITY);
    }

    @Test
    void shouldComeBackFromItsRecordAsItWas() {
        ReservationStatus record = reservation.toRecord("c");

        assertThat(Reservation.from(record)).isEqualTo(reservation);
        assertThat(record.getCluster()).isEqualTo("c");
        assertThat(record.getJobId()).isEqualTo("j");
        assertThat(AdministrativeReservation.describes(record)).isFalse();
    }

    @Test
    void shouldReserveTheSameAsAVersionThatDiffersInItsIterationAlone() {
        assertThat(reservation.sameAs(with(ReservationType.PRIORITY, 4, 1_000, 1_100, PLACEMENTS)))
                .isTrue();
        assertThat(reservation.sameAs(with(ReservationType.DEADLINE, 4, 1_000, 1_100, PLACEMENTS)))
                .isFalse();
        assertThat(reservation.sameAs(with(ReservationType.PRIORITY, 3, 1_000, 1_100, PLACEMENTS)))
                .isFalse();
        assertThat(reservation.sameAs(with(ReservationType.PRIORITY, 4, 1_001, 1_100, PLACEMENTS)))
                .isFalse();
        assertThat(reservation.sameAs(with(ReservationType.PRIORITY, 4, 1_000, 1_101, PLACEMENTS)))
                .isFalse();
        assertThat(reservation.sameAs(with(ReservationType.PRIORITY, 4, 1_000, 1_100, List.of())))
                .isFalse();
    }

    private static Reservation with(
            ReservationType type, int procs, long start, long end, List<TaskPlacement> placements) {
        return new Reservation("j", "j", type, procs, start, end, placements, 99);
    }
}

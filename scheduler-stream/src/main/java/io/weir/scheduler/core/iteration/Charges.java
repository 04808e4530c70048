package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.charge.ChargeLedger;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.control.UsageMeter;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.Charge;

/** Charges what lasts when its time has come, and publishes the charges that were made since the last iteration. */
final class Charges {
    /** Jobs and reservations that one iteration charges while they last; others wait for the next. */
    private static final int MOST_DUE = 2_000;

    /** Charges that one iteration publishes. */
    private static final int MOST_PUBLISHED = 5_000;

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    Charges(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    void flush() {
        for (ChargeLedger.Due due : state.charges.takeDue(now, MOST_DUE)) {
            Job job = due.job() == null ? null : state.jobs.get(due.job());
            AdministrativeReservation reservation =
                    due.reservation() == null ? null : state.administrativeReservations.get(due.reservation());
            if (job != null) {
                state.charges.flush(job, now);
            }
            if (reservation != null) {
                AdministrativeReservation counted =
                        new UsageMeter(state.nodes, state.jobs, state.access).upTo(reservation, now);
                state.charges.flush(counted);
                AdministrativeReservation charged = counted.charged(state.charges.charged(counted));
                if (!charged.equals(reservation)) {
                    state.emit(charged);
                }
            }
        }
    }

    void publish() {
        for (Charge charge : state.charges.takeWaiting(MOST_PUBLISHED)) {
            outputs.charge(charge);
        }
    }
}

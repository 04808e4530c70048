package io.weir.scheduler.core.request;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.request.form.RequestObjects;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.ClusterState;
import org.jspecify.annotations.Nullable;

/** What the state knows of the objects that requests are about. */
final class StateObjects implements RequestObjects {
    private final ClusterState state;

    StateObjects(ClusterState state) {
        this.state = state;
    }

    @Override
    public @Nullable JobFacts job(String id) {
        Job job = state.jobs.get(id);
        return job == null
                ? null
                : new JobFacts(
                        job.request().credentials().user(),
                        job.active(),
                        job.request().walltimeSeconds());
    }

    @Override
    public @Nullable String reservationOwner(String id) {
        AdministrativeReservation reservation = state.administrativeReservations.get(id);
        return reservation == null ? null : reservation.terms().owner();
    }
}

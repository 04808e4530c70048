package io.weir.scheduler.core;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.request.RequestObjects;
import io.weir.scheduler.core.reservation.SiteReservation;
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
                        job.request().labels().user(),
                        job.active(),
                        job.request().walltimeSeconds());
    }

    @Override
    public @Nullable String reservationOwner(String id) {
        SiteReservation reservation = state.siteReservations.get(id);
        return reservation == null ? null : reservation.terms().owner();
    }
}

package io.weir.scheduler.query.image;

import io.weir.scheduler.core.request.form.RequestObjects;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.ReservationStatus;
import org.jspecify.annotations.Nullable;

/**
 * What an image shows of the objects that requests about one cluster are about.
 *
 * @param image the clusters
 * @param cluster the one concerned
 */
public record ImageObjects(ClusterImage image, String cluster) implements RequestObjects {
    @Override
    public @Nullable JobFacts job(String id) {
        JobStatus job = ClusterImage.find(cluster, id, image.jobs());
        if (job == null) {
            return null;
        }
        JobState state = job.getState();
        boolean active = state == JobState.STARTING || state == JobState.RUNNING || state == JobState.SUSPENDED;
        return new JobFacts(job.getUser(), active, job.getWalltimeSeconds());
    }

    @Override
    public @Nullable String reservationOwner(String id) {
        ReservationStatus reservation = ClusterImage.find(cluster, id, image.reservations());
        return reservation == null ? null : reservation.getOwner();
    }
}

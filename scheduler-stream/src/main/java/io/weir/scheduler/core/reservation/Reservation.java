package io.weir.scheduler.core.reservation;

import io.weir.scheduler.core.job.Job;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.ReservationType;
import io.weir.schemas.TaskPlacement;
import java.time.Instant;
import java.util.List;

/**
 * A reservation of a waiting job: resources set aside for it over [start, end).
 *
 * @param id unique in the cluster: that of the job, unless another reservation has it
 * @param jobId the job it is for
 * @param type PRIORITY, or DEADLINE when it is there because the job has to be over in time
 * @param procs processors
 * @param start first second, epoch seconds
 * @param end end, exclusive, epoch seconds
 * @param placements tasks on each node; empty where processors are only counted and nodes named at the start
 * @param changedIn iteration that publishes this version
 */
public record Reservation(
        String id,
        String jobId,
        ReservationType type,
        int procs,
        long start,
        long end,
        List<TaskPlacement> placements,
        long changedIn) {
    public Reservation {
        placements = List.copyOf(placements);
    }

    /** Returns what is set aside for {@code job}, kept for its deadline where it is in time for that. */
    public static Reservation of(Job job, long start, List<TaskPlacement> placements, long changedIn) {
        return of(job, start, placements, true, changedIn);
    }

    /**
     * Returns what is set aside for {@code job} from {@code start} on, under the id of the job.
     *
     * @param forDeadline whether it is kept for the sake of the job's deadline, if it is in time for that
     */
    public static Reservation of(
            Job job, long start, List<TaskPlacement> placements, boolean forDeadline, long changedIn) {
        return new Reservation(
                job.id(),
                job.id(),
                forDeadline && job.inTime(start) ? ReservationType.DEADLINE : ReservationType.PRIORITY,
                job.request().procs(),
                start,
                start + job.request().walltimeSeconds(),
                placements,
                changedIn);
    }

    /** Restores a reservation from its stored version. */
    public static Reservation from(ReservationStatus status) {
        String job = status.getJobId();
        return new Reservation(
                status.getReservationId(),
                job == null ? status.getReservationId() : job,
                status.getType(),
                status.getProcs(),
                status.getStart().getEpochSecond(),
                status.getEnd().getEpochSecond(),
                status.getPlacements(),
                status.getChangedIn());
    }

    /** Returns this reservation as the record that stores and topics hold. */
    public ReservationStatus toRecord(String cluster) {
        return ReservationStatus.newBuilder()
                .setCluster(cluster)
                .setReservationId(id)
                .setType(type)
                .setJobId(jobId)
                .setProcs(procs)
                .setStart(Instant.ofEpochSecond(start))
                .setEnd(Instant.ofEpochSecond(end))
                .setAllocation(List.of())
                .setLabel(null)
                .setOwner(null)
                .setGroup(null)
                .setSubtype(null)
                .setAcl(List.of())
                .setHostExpression(null)
                .setTaskCount(null)
                .setTask(null)
                .setFeatures(List.of())
                .setPartition(null)
                .setFlags(List.of())
                .setPriority(0)
                .setProfile(null)
                .setStanding(null)
                .setComment(null)
                .setVariables(List.of())
                .setAccountable(List.of())
                .setReservedProcSeconds(0)
                .setUsedProcSeconds(0)
                .setPlacements(placements)
                .setAccountedTo(null)
                .setCreatedAt(null)
                .setChangedIn(changedIn)
                .build();
    }

    /** Returns it under another id. */
    public Reservation named(String name) {
        return new Reservation(name, jobId, type, procs, start, end, placements, changedIn);
    }

    /** Returns it as a version that {@code iteration} publishes. */
    public Reservation changedIn(long iteration) {
        return new Reservation(id, jobId, type, procs, start, end, placements, iteration);
    }

    /** Returns whether it reserves the same as {@code other}. */
    public boolean sameAs(Reservation other) {
        return type == other.type
                && procs == other.procs
                && start == other.start
                && end == other.end
                && placements.equals(other.placements);
    }
}

package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.HostList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why Slurm did not begin a job that was released.
 *
 * @param kind what follows from it
 * @param reason in Slurm's words
 * @param nodes nodes it is about; empty for none in particular
 */
public record StartObstacle(Kind kind, String reason, List<String> nodes) {
    /** Slurm's accounting does not know the job yet, and until it does nothing of the job can be changed. */
    public static final StartObstacle UNREGISTERED =
            new StartObstacle(Kind.PASSING, "slurmdbd has not registered the job", List.of());

    private static final Pattern UNAVAILABLE = Pattern.compile("UnavailableNodes:(\\S+)");

    /** Another job that was released is ahead of it and does not start, or has to wait for the backfill scheduler. */
    private static final String PRIORITY = "Priority";

    /** Something else has what it was to get of these nodes. */
    private static final String RESOURCES = "Resources";

    /** Words of a cause that ends when something else does. */
    private static final Set<String> PASSING = Set.of(
            "Licenses",
            "PartitionDown",
            "PartitionInactive",
            "Reservation",
            "Dependency",
            "BeginTime",
            "JobArrayTaskLimit",
            "InactiveLimit",
            "FrontEndDown",
            "BurstBufferResources",
            "BurstBufferStageIn",
            "PowerNotAvail",
            "PowerReserved",
            "SchedDefer",
            // What is left of its last run.
            "Cleaning");

    /** Limits of an association or a QOS. */
    private static final Pattern LIMIT = Pattern.compile("(?:Assoc|QOS).*|Max.*PerAccount");

    /** Those of them on a single job, which do not pass while the job asks for what it asks. */
    private static final Pattern LIMIT_OF_ONE_JOB =
            Pattern.compile(".*(?:PerJob|PerNode|MaxWall|TimeLimit|NotAllowed).*|QOSMin.*");

    /** What a job's partition, account or QOS does not admit. */
    private static final Set<String> NOT_ADMITTED = Set.of(
            "PartitionNodeLimit",
            "PartitionTimeLimit",
            "AccountNotAllowed",
            "QOSNotAllowed",
            "InvalidAccount",
            "InvalidQOS",
            "ReservationDeleted");

    /** Those of them on what has been used over time, which no job's end lowers. */
    private static final Pattern LIMIT_OF_USAGE = Pattern.compile(".*(?:Minutes|Wall|UsageThreshold).*");

    /** What follows. */
    public enum Kind {
        /** It ends by itself, and then the job goes on. */
        PASSING,
        /** These nodes do not suit; others may. */
        NODES,
        /** It is about what the job asks for, wherever it is tried. */
        REQUEST,
        /** Nobody knows, or it never ends: the scheduler's rules for refused starts decide. */
        OTHER
    }

    /** Judges a reason; {@code tried} are the nodes of the start. */
    public static StartObstacle of(String reason, List<String> tried) {
        String words = reason.replace('_', ' ').strip();
        String first = words.split("[ ,]", 2)[0];
        if (first.startsWith("ReqNodeNotAvail") || words.contains("DOWN, DRAINED")) {
            Matcher named = UNAVAILABLE.matcher(reason);
            List<String> nodes = named.find() ? HostList.expand(named.group(1)) : tried;
            return new StartObstacle(Kind.NODES, reason, nodes);
        }
        if (first.equals("BadConstraints") && tried.size() == 1) {
            return new StartObstacle(Kind.NODES, reason, tried);
        }
        if (first.equals(RESOURCES) && tried.size() == 1) {
            return new StartObstacle(Kind.NODES, reason, tried);
        }
        if (first.equals(RESOURCES) || first.equals(PRIORITY)) {
            return new StartObstacle(Kind.PASSING, reason, tried);
        }
        boolean limit = LIMIT.matcher(first).matches();
        if (NOT_ADMITTED.contains(first)
                || (limit && LIMIT_OF_ONE_JOB.matcher(first).matches())) {
            return new StartObstacle(Kind.REQUEST, reason, List.of());
        }
        if (PASSING.contains(first) || limit) {
            return new StartObstacle(Kind.PASSING, reason, List.of());
        }
        return new StartObstacle(Kind.OTHER, reason, List.of());
    }

    /** Says whether it is over when a job leaves one of the nodes. */
    boolean isRoom() {
        return reason.startsWith(RESOURCES) || reason.startsWith(PRIORITY);
    }

    /** Says whether it is over when another job that counts for the same limit ends. */
    boolean isLimitOfJobs() {
        return kind == Kind.PASSING
                && LIMIT.matcher(reason).lookingAt()
                && !LIMIT_OF_USAGE.matcher(reason).lookingAt();
    }

    /** Says whether waiting any longer for Slurm's pass is of no use. */
    public boolean isCertain() {
        return kind == Kind.PASSING
                && !reason.startsWith("Reservation")
                && !reason.startsWith("BeginTime")
                && !isRoom();
    }
}

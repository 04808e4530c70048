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

    /** A job of scrontab's has come to wait before job_submit.lua refused them. Nobody but Slurm starts it. */
    public static final StartObstacle OF_SCRONTAB =
            new StartObstacle(Kind.PASSING, "Slurm alone starts jobs of scrontab", List.of());

    private static final Pattern UNAVAILABLE = Pattern.compile("UnavailableNodes:(\\S+)");

    /** Another job that was released is ahead of it and does not start, or has to wait for the backfill scheduler. */
    private static final String PRIORITY = "Priority";

    /** Something else has what it was to get of these nodes. */
    private static final String RESOURCES = "Resources";

    /** Slurm has not looked at the job, or only its backfill scheduler has, which gives no reasons. */
    private static final String UNSAID = "None";

    /** Another job that was released is ahead of it and waits for a node; the node itself is up. */
    private static final Pattern KEPT_FOR_ANOTHER =
            Pattern.compile("ReqNodeNotAvail\\b.*[Rr]eserved[ _]for[ _]other[ _]job.*");

    private static final String INVALID_ACCOUNT = "InvalidAccount";
    private static final String INVALID_QOS = "InvalidQOS";

    /** The association of the job's user and account was deleted. */
    public static final StartObstacle NO_ASSOCIATION = new StartObstacle(Kind.PASSING, INVALID_ACCOUNT, List.of());

    /** The job's QOS was deleted. */
    public static final StartObstacle NO_QOS = new StartObstacle(Kind.PASSING, INVALID_QOS, List.of());

    private static final String RESERVATION_DELETED = "ReservationDeleted";

    /** Words of a cause that ends when something else does. */
    private static final Set<String> PASSING = Set.of(
            "Licenses",
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

    /** What a job's partition, account or QOS does not admit while neither they nor the job are changed. */
    private static final Set<String> NOT_ADMITTED = Set.of(
            "PartitionDown",
            "PartitionInactive",
            "PartitionConfig",
            "PartitionNodeLimit",
            "PartitionTimeLimit",
            "MaxMemPerLimit",
            "AccountNotAllowed",
            "QOSNotAllowed",
            INVALID_ACCOUNT,
            INVALID_QOS);

    /** Limits of an association or a QOS. */
    private static final Pattern LIMIT = Pattern.compile("(?:Assoc|QOS).*|Max.*PerAccount");

    /** Those of them on a single job, whatever others do. */
    private static final Pattern LIMIT_OF_ONE_JOB =
            Pattern.compile(".*(?:PerJob|PerNode|MaxWall|TimeLimit|NotAllowed).*|QOSMin.*");

    /** Those of them on the nodes of a single job. */
    private static final Pattern LIMIT_OF_NODES = Pattern.compile("(?:Assoc|QOS)MaxNodePerJobLimit.*");

    /** Those of them on what running jobs may still use by their time limits: it falls as they run, and with the end of each. */
    private static final Pattern LIMIT_OF_TIME_LEFT = Pattern.compile(".*RunMin(?:ute)?s.*");

    /** Those of them on what has been used over time, which no job's end lowers. */
    private static final Pattern LIMIT_OF_USAGE = Pattern.compile(".*(?:(?<!Run)Minutes|Wall|UsageThreshold).*");

    /** What follows. */
    public enum Kind {
        /** It ends by itself, or when an administrator allows more, and then the job goes on. */
        PASSING,
        /** These nodes do not suit; others may. */
        NODES,
        /** It is about what the job asks for, wherever it is tried. */
        REQUEST,
        /** Nobody knows, or it never ends: the scheduler's rules for refused starts decide. */
        OTHER
    }

    /** Returns what keeps a job back whose nodes Slurm keeps for another that was released before. */
    public static StartObstacle behindAnother(List<String> tried) {
        return new StartObstacle(Kind.PASSING, PRIORITY + ": another job waits for the same nodes", tried);
    }

    /** Judges a reason; {@code tried} are the nodes of the start. */
    public static StartObstacle of(String reason, List<String> tried) {
        String words = reason.replace('_', ' ').strip();
        String first = words.split("[ ,]", 2)[0];
        if (isKeptForAnother(reason)) {
            return new StartObstacle(Kind.PASSING, reason, tried);
        }
        if (isUnavailable(words)) {
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
        if (first.equals(RESOURCES) || first.equals(PRIORITY) || first.equals(UNSAID)) {
            return new StartObstacle(Kind.PASSING, reason, tried);
        }
        boolean limit = LIMIT.matcher(first).matches();
        if (first.equals(RESERVATION_DELETED)) {
            return new StartObstacle(Kind.REQUEST, reason, List.of());
        }
        if (LIMIT_OF_NODES.matcher(first).matches()) {
            return new StartObstacle(Kind.PASSING, reason, tried);
        }
        if (PASSING.contains(first) || NOT_ADMITTED.contains(first) || limit) {
            return new StartObstacle(Kind.PASSING, reason, List.of());
        }
        return new StartObstacle(Kind.OTHER, reason, List.of());
    }

    /** Says whether it is over when a job leaves one of the nodes. */
    public boolean isRoom() {
        return reason.startsWith(RESOURCES) || reason.startsWith(PRIORITY) || isKeptForAnother(reason);
    }

    /** Says whether Slurm has said nothing yet of what keeps the job back. */
    public boolean isUnsaid() {
        return reason.equals(UNSAID);
    }

    /** Says whether there may be room for the job when another leaves one of the nodes. */
    boolean mayEndWithRoom() {
        return isRoom() || isUnsaid();
    }

    /** Says whether it is over when the nodes are up again. */
    boolean isUnavailability() {
        return kind == Kind.NODES && isUnavailable(reason) && !isKeptForAnother(reason);
    }

    private static boolean isUnavailable(String reason) {
        return reason.startsWith("ReqNodeNotAvail") || reason.replace('_', ' ').contains("DOWN, DRAINED");
    }

    private static boolean isKeptForAnother(String reason) {
        return KEPT_FOR_ANOTHER.matcher(reason.strip()).matches();
    }

    /** Says whether it is over when another job that counts for the same limit ends. */
    boolean isLimitOfJobs() {
        return kind == Kind.PASSING
                && LIMIT.matcher(reason).lookingAt()
                && !isOfJobAlone()
                && !LIMIT_OF_USAGE.matcher(reason).lookingAt();
    }

    /** Says whether it may be over at any time while other jobs run. */
    boolean isLimitOfTimeLeft() {
        return isLimitOfJobs() && LIMIT_OF_TIME_LEFT.matcher(reason).lookingAt();
    }

    /** Says whether the job may have fewer nodes than were tried, and not as many. */
    boolean isLimitOfNodes() {
        return kind == Kind.PASSING && LIMIT_OF_NODES.matcher(reason).matches();
    }

    /** Says whether it is over when an administrator changes the partition, the account or the QOS. */
    boolean isAllowance() {
        return kind == Kind.PASSING && (isNotAdmitted() || LIMIT.matcher(reason).lookingAt());
    }

    /** Says whether it lasts until an administrator changes something or the job asks for something else. */
    boolean isOfJobAlone() {
        return isNotAdmitted()
                || (LIMIT.matcher(reason).lookingAt()
                        && LIMIT_OF_ONE_JOB.matcher(reason).lookingAt());
    }

    private boolean isNotAdmitted() {
        return NOT_ADMITTED.contains(reason.split("[ ,]", 2)[0]);
    }

    /** Says whether waiting any longer for Slurm's pass is of no use. */
    public boolean isCertain() {
        return kind == Kind.PASSING
                && !reason.startsWith("Reservation")
                && !reason.startsWith("BeginTime")
                && !mayEndWithRoom();
    }
}

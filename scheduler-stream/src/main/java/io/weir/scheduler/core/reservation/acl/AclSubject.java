package io.weir.scheduler.core.reservation.acl;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The traits of whoever asks for access, most often a job.
 *
 * @param user user; null for none
 * @param group group; null for none
 * @param account account; null for none
 * @param jobClass class; null for none
 * @param qos quality of service; null for none
 * @param jobId id of the job; null when no job asks
 * @param reservations names of reservations and of their groups that it carries
 * @param attributes attributes of the job
 * @param durationSeconds wallclock limit, seconds
 * @param procs processors
 */
public record AclSubject(
        @Nullable String user,
        @Nullable String group,
        @Nullable String account,
        @Nullable String jobClass,
        @Nullable String qos,
        @Nullable String jobId,
        List<String> reservations,
        List<String> attributes,
        long durationSeconds,
        long procs) {
    public AclSubject {
        reservations = List.copyOf(reservations);
        attributes = List.copyOf(attributes);
    }

    /** Returns whether it has {@code name} as its {@code type}; only for types that are not numeric. */
    boolean has(AclType type, String name) {
        return switch (type) {
            case RSV -> reservations.contains(name);
            case JATTR -> containsIgnoringCase(attributes, name);
            case USER, GROUP, ACCT, CLASS, QOS, JOB -> name.equals(credential(type));
            case DURATION, PROC, PS -> false;
        };
    }

    /** Returns whether it has any {@code type} at all. */
    boolean hasAny(AclType type) {
        return switch (type) {
            case RSV -> !reservations.isEmpty();
            case JATTR -> !attributes.isEmpty();
            case USER, GROUP, ACCT, CLASS, QOS, JOB -> credential(type) != null;
            case DURATION, PROC, PS -> true;
        };
    }

    /** Returns the amount a numeric {@code type} looks at. */
    long amount(AclType type) {
        return switch (type) {
            case DURATION -> durationSeconds;
            case PROC -> procs;
            case PS -> procs > 0 && durationSeconds > Long.MAX_VALUE / procs ? Long.MAX_VALUE : procs * durationSeconds;
            case USER, GROUP, ACCT, CLASS, QOS, JOB, RSV, JATTR -> 0;
        };
    }

    /** Returns its only name of a {@code type}; null for none, or where it may have several. */
    @Nullable
    String credential(AclType type) {
        return switch (type) {
            case USER -> user;
            case GROUP -> group;
            case ACCT -> account;
            case CLASS -> jobClass;
            case QOS -> qos;
            case JOB -> jobId;
            case RSV, JATTR, DURATION, PROC, PS -> null;
        };
    }

    private static boolean containsIgnoringCase(List<String> names, String name) {
        return names.stream().anyMatch(name::equalsIgnoreCase);
    }
}

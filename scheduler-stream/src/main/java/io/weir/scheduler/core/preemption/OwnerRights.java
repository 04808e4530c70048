package io.weir.scheduler.core.preemption;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationFlag;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What owners of reservations with the flag OWNERPREEMPT may do: their jobs preempt all others that use the reservation, of
 * whatever priority, while it is in force. Owned by the core's thread.
 */
public final class OwnerRights {
    private final ReservationAccess access;

    /** Who owns reservations with the flag, by reservation; such as {@code USER:ann}. */
    private SortedMap<String, String> owners = new TreeMap<>();

    /** All of these. */
    private NavigableSet<String> named = new TreeSet<>();

    /** The version of the reservations that {@link #owners} is about. */
    private long known = -1;

    /** Reads owners off the reservations behind {@code access}. */
    public OwnerRights(ReservationAccess access) {
        this.access = access;
    }

    /** Follows what became of reservations; returns whether other jobs than before may be those of an owner. */
    public boolean follow() {
        if (known == access.version()) {
            return false;
        }
        known = access.version();
        SortedMap<String, String> now = new TreeMap<>();
        for (AdministrativeReservation reservation : access.reservations()) {
            String owner = owner(reservation.terms().owner());
            if (owner != null && reservation.terms().has(ReservationFlag.OWNERPREEMPT)) {
                now.put(reservation.id(), owner);
            }
        }
        owners = now;
        NavigableSet<String> before = named;
        named = new TreeSet<>(now.values());
        return !before.equals(named);
    }

    /** Returns {@code owner} as {@link #isOf} knows it; null for none. */
    private static @Nullable String owner(@Nullable String owner) {
        int colon = owner == null ? -1 : owner.indexOf(':');
        if (owner == null || colon < 0) {
            return null;
        }
        String type = owner.substring(0, colon).toUpperCase(Locale.ROOT);
        return (type.equals("ACCOUNT") ? "ACCT" : type) + owner.substring(colon);
    }

    /** Returns whether there are such reservations. */
    public boolean any() {
        return !owners.isEmpty();
    }

    /** Returns whether {@code job} is one of the owner of such a reservation, be that in force or not. */
    public boolean owns(Job job) {
        return any() && isOf(job, named::contains);
    }

    /** Returns whether an owner's job may preempt {@code job}, which runs, at {@code now}. */
    public boolean exposes(Job job, long now) {
        return any() && isExposed(job, now, owner -> true);
    }

    /** Returns whether {@code preemptor} is a job of the owner of a reservation that {@code job}, another's, uses at {@code now}. */
    public boolean mayPreempt(Job preemptor, Job job, long now) {
        return owns(preemptor) && isExposed(job, now, owner -> isOf(preemptor, owner::equals));
    }

    /** Returns whether {@code job} uses a reservation of another, whom {@code asked} is true of. */
    private boolean isExposed(Job job, long now, Predicate<String> asked) {
        for (NodeShare share : job.shares()) {
            for (AdministrativeReservation reservation : access.on(share.nodeId())) {
                String owner = owners.get(reservation.id());
                if (owner != null
                        && asked.test(owner)
                        && reservation.overlaps(now, now + 1)
                        && access.mayUse(job, reservation)
                        && !isOf(job, owner::equals)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns whether {@code job} is one of an owner whom {@code asked} is true of. */
    private static boolean isOf(Job job, Predicate<String> asked) {
        JobCredentials credentials = job.request().credentials();
        return isOf("USER:", credentials.user(), asked)
                || isOf("GROUP:", credentials.group(), asked)
                || isOf("ACCT:", credentials.account(), asked)
                || isOf("CLASS:", credentials.jobClass(), asked)
                || isOf("QOS:", job.qos(), asked);
    }

    private static boolean isOf(String type, @Nullable String name, Predicate<String> asked) {
        return name != null && asked.test(type + name);
    }
}

package io.weir.scheduler.core.preemption;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationFlag;
import io.weir.scheduler.core.reservation.acl.AccessControlList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What owners of reservations with the flag OWNERPREEMPT may do: their jobs preempt all others that use the reservation, of
 * whatever priority, while it is in force. Owned by the core's thread.
 */
public final class OwnerRights {
    private final ReservationAccess access;

    /** Who owns reservations with the flag, by reservation. */
    private SortedMap<String, AccessControlList> owners = new TreeMap<>();

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
        Set<AccessControlList> before = new LinkedHashSet<>(owners.values());
        SortedMap<String, AccessControlList> now = new TreeMap<>();
        for (AdministrativeReservation reservation : access.reservations()) {
            AccessControlList owner = owner(reservation.terms().owner());
            if (owner != null && reservation.terms().has(ReservationFlag.OWNERPREEMPT)) {
                now.put(reservation.id(), owner);
            }
        }
        owners = now;
        return !before.equals(new LinkedHashSet<>(now.values()));
    }

    /** Returns the list that lets in the jobs of {@code owner}, such as {@code USER:ann}, and no others; null for none. */
    private static @Nullable AccessControlList owner(@Nullable String owner) {
        int colon = owner == null ? -1 : owner.indexOf(':');
        if (owner == null || colon < 0) {
            return null;
        }
        AccessControlList.Reading reading =
                AccessControlList.read(owner.substring(0, colon) + "==" + owner.substring(colon + 1));
        return reading.problems().isEmpty() ? reading.list() : null;
    }

    /** Returns whether there are such reservations. */
    public boolean any() {
        return !owners.isEmpty();
    }

    /** Returns whether {@code job} is one of the owner of such a reservation, be that in force or not. */
    public boolean owns(Job job) {
        return any() && new LinkedHashSet<>(owners.values()).stream().anyMatch(owner -> isOf(job, owner));
    }

    /** Returns whether an owner's job may preempt {@code job}, which runs, at {@code now}. */
    public boolean exposes(Job job, long now) {
        return any() && inUse(job).stream().anyMatch(reservation -> isExposed(job, reservation, now));
    }

    /** Returns whether {@code preemptor} is a job of the owner of a reservation that {@code job}, another's, uses at {@code now}. */
    public boolean mayPreempt(Job preemptor, Job job, long now) {
        if (!any()) {
            return false;
        }
        for (AdministrativeReservation reservation : inUse(job)) {
            AccessControlList owner = owners.get(reservation.id());
            if (owner != null && isOf(preemptor, owner) && isExposed(job, reservation, now)) {
                return true;
            }
        }
        return false;
    }

    private Collection<AdministrativeReservation> inUse(Job job) {
        return access.on(job.shares());
    }

    private boolean isExposed(Job job, AdministrativeReservation reservation, long now) {
        AccessControlList owner = owners.get(reservation.id());
        return owner != null
                && reservation.overlaps(now, now + 1)
                && access.mayUse(job, reservation)
                && !isOf(job, owner);
    }

    private boolean isOf(Job job, AccessControlList owner) {
        return owner.decide(access.subject(job)).allowed();
    }
}

package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.standing.InstancePeriod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The instances of one standing reservation, found by the slot they were made for. */
final class InstanceIndex {
    private final List<AdministrativeReservation> byId;
    private final List<AdministrativeReservation> byStart;

    /** Seconds of the longest: none that begins so long before a slot reaches into it. */
    private final long longest;

    /** Makes the index of instances that are sorted by id. */
    InstanceIndex(List<AdministrativeReservation> byId) {
        this.byId = byId;
        byStart = new ArrayList<>(byId);
        byStart.sort(Comparator.comparingLong(AdministrativeReservation::requestedStart));
        longest = byId.stream()
                .mapToLong(instance -> instance.requestedEnd() - instance.requestedStart())
                .max()
                .orElse(0);
    }

    /** Returns the first instance by id; null when there is none. */
    @Nullable
    AdministrativeReservation first() {
        return byId.isEmpty() ? null : byId.get(0);
    }

    /** Returns the first instance by id that was asked for in {@code slot} or a part of it; null when there is none. */
    @Nullable
    AdministrativeReservation in(InstancePeriod slot) {
        AdministrativeReservation first = null;
        for (int i = after(slot.start() - longest); i < byStart.size(); i++) {
            AdministrativeReservation instance = byStart.get(i);
            if (instance.requestedStart() >= slot.end()) {
                break;
            }
            if (slot.start() < instance.requestedEnd()
                    && (first == null || instance.id().compareTo(first.id()) < 0)) {
                first = instance;
            }
        }
        return first;
    }

    /** Returns the place of the first instance that starts after {@code instant}. */
    private int after(long instant) {
        int low = 0;
        int high = byStart.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (byStart.get(middle).requestedStart() <= instant) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}

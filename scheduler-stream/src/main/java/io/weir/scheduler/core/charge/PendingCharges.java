package io.weir.scheduler.core.charge;

import io.weir.schemas.Charge;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Charges that were made and not yet published, by id. Owned by the core's thread. */
final class PendingCharges {
    private final SortedMap<String, Charge> charges = new TreeMap<>();
    private final SortedSet<String> changed = new TreeSet<>();

    boolean isEmpty() {
        return charges.isEmpty();
    }

    void add(Charge charge) {
        charges.put(charge.getChargeId(), charge);
        changed.add(charge.getChargeId());
    }

    /** Returns the first charges by id, up to {@code most}; they are pending no longer. */
    List<Charge> take(int most) {
        if (charges.isEmpty()) {
            return List.of();
        }
        List<Charge> taken = new ArrayList<>();
        while (!charges.isEmpty() && taken.size() < most) {
            String id = charges.firstKey();
            Charge charge = charges.remove(id);
            changed.add(id);
            taken.add(charge);
        }
        return taken;
    }

    /** Returns the ids, sorted. */
    List<String> ids() {
        return List.copyOf(charges.keySet());
    }

    /** Returns a charge; null when it was published. */
    @Nullable
    Charge get(String id) {
        return charges.get(id);
    }

    /** Takes over a stored charge. */
    void restore(Charge charge) {
        charges.put(charge.getChargeId(), charge);
    }

    /** Returns the ids of charges that were added or taken since the last call, sorted. */
    SortedSet<String> drain() {
        if (changed.isEmpty()) {
            return Collections.emptySortedSet();
        }
        SortedSet<String> ids = new TreeSet<>(changed);
        changed.clear();
        return ids;
    }
}

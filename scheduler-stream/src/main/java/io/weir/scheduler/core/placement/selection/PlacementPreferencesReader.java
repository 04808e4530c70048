package io.weir.scheduler.core.placement.selection;

import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.extension.JobExtension;
import io.weir.scheduler.core.placement.PlacementPreferences;
import io.weir.scheduler.core.placement.priority.Preference;
import java.util.LinkedHashMap;
import java.util.Map;

/** Gathers what jobs say about the choice of their nodes; remembers the preferences it has read. Owned by the core's thread. */
final class PlacementPreferencesReader {
    /** Texts kept; beyond that all are forgotten. */
    private static final int KEPT = 10_000;

    private final Map<String, Preference.Reading> known = new LinkedHashMap<>();

    PlacementPreferences of(JobRequest request) {
        JobExtension.Place place = request.extension().place();
        String text = request.options().preference();
        if (text == null) {
            return place.allocation() == null && place.distribution() == null
                    ? PlacementPreferences.NONE
                    : new PlacementPreferences(place.allocation(), place.distribution(), null);
        }
        if (known.size() >= KEPT) {
            known.clear();
        }
        Preference.Reading reading = known.computeIfAbsent(text, Preference::read);
        return new PlacementPreferences(place.allocation(), place.distribution(), reading.preference());
    }
}

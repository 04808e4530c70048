package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.placement.priority.Preference;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what jobs say about the choice of their nodes; remembers what it has read. Owned by the core's thread. */
final class WishReader {
    /** Texts kept; beyond that all are forgotten. */
    private static final int KEPT = 10_000;

    private final Map<String, JobWishes> known = new LinkedHashMap<>();

    JobWishes of(JobRequest request) {
        String preference = request.options().preference();
        String extension = request.options().extension();
        if (preference == null && extension == null) {
            return JobWishes.NONE;
        }
        if (known.size() >= KEPT) {
            known.clear();
        }
        return known.computeIfAbsent(preference + "\n" + extension, text -> read(preference));
    }

    private static JobWishes read(@Nullable String preference) {
        return new JobWishes(
                null,
                null,
                preference == null ? null : Preference.read(preference).preference());
    }
}

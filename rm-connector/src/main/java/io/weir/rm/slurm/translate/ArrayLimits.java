package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.ArrayPart;
import io.weir.rm.slurm.client.SlurmJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When to look whether somebody changed how many tasks of an array may run at a time ({@code ArrayTaskThrottle}), which the queue's
 * listing does not tell: of arrays with waiting tasks every few seconds, a few of them at each look. One thread.
 */
final class ArrayLimits {
    private static final Duration HOLDS = Duration.ofSeconds(5);

    /** Where any number may run, the limit is that of the tasks which start meanwhile, too. */
    private static final Duration NO_LIMIT_HOLDS = Duration.ofSeconds(30);

    private static final int AT_A_LOOK = 4;

    /** When the limit of an array was looked at last. */
    private final Map<Long, Instant> looked = new HashMap<>();

    /** Returns by array the record to look at: one of a task where there is one, for by the number of an array Slurm tells all. */
    Map<Long, String> due(Iterable<KnownJob> jobs, Instant now) {
        Map<Long, Integer> waiting = new LinkedHashMap<>();
        Map<Long, String> records = new HashMap<>();
        for (KnownJob known : jobs) {
            SlurmJob job = known.job();
            @Nullable ArrayPart array = job.array();
            if (array == null || job.hasEnded()) {
                continue;
            }
            if (job.isPending()) {
                waiting.putIfAbsent(array.array(), array.most());
            }
            if (job.id() != array.array()) {
                records.put(array.array(), Long.toString(job.id()));
            }
        }
        looked.keySet().retainAll(waiting.keySet());
        waiting.keySet().forEach(array -> looked.putIfAbsent(array, now));
        List<Long> due = waiting.entrySet().stream()
                .filter(array -> isOver(looked.getOrDefault(array.getKey(), now), array.getValue(), now))
                .map(Map.Entry::getKey)
                .sorted(Comparator.comparing((Long array) -> looked.getOrDefault(array, now))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(AT_A_LOOK)
                .toList();
        Map<Long, String> found = new LinkedHashMap<>();
        due.forEach(array -> {
            looked.put(array, now);
            found.put(array, records.getOrDefault(array, Long.toString(array)));
        });
        return found;
    }

    private static boolean isOver(Instant looked, int most, Instant now) {
        return now.isBefore(looked)
                || !looked.plus(most == 0 ? NO_LIMIT_HOLDS : HOLDS).isAfter(now);
    }
}

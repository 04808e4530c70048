package io.weir.scheduler.query.view;

import io.weir.schemas.NameValue;
import io.weir.schemas.RequestResult;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Waiting jobs in the order of their priority, as the scheduler ranked them a moment ago.
 *
 * @param places place in the queue by job, from 0
 * @param priorities priority by job
 */
public record PriorityRanking(Map<String, Integer> places, Map<String, Long> priorities) {
    /** Nobody was asked. */
    public static final PriorityRanking NONE = new PriorityRanking(Map.of(), Map.of());

    /** Reads the answer to {@code SHOW_PRIORITY}: a line with each job's id, followed by one with its priority. */
    static PriorityRanking of(RequestResult answer) {
        Map<String, Integer> places = new HashMap<>();
        Map<String, Long> priorities = new HashMap<>();
        String job = "";
        for (NameValue line : answer.getDetails()) {
            if (line.getName().equals("job")) {
                job = line.getValue();
                places.put(job, places.size());
            } else if (line.getName().equals("priority") && line.getValue().matches("-?\\d{1,18}")) {
                priorities.put(job, Long.valueOf(line.getValue()));
            }
        }
        return new PriorityRanking(places, priorities);
    }

    /** Returns a job's place; jobs that were not ranked come last. */
    int place(String job) {
        return places.getOrDefault(job, Integer.MAX_VALUE);
    }

    Optional<Long> priority(String job) {
        return Optional.ofNullable(priorities.get(job));
    }

    /** Says whether a configuration has anything that ranks jobs; without, they rank by the minutes they have waited. */
    public static boolean isConfigured(String policyText) {
        String text = policyText.toUpperCase(Locale.ROOT);
        return text.contains("WEIGHT") || text.contains("PRIORITY");
    }
}

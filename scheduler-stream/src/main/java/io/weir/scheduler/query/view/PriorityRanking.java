package io.weir.scheduler.query.view;

import io.weir.scheduler.query.image.ClusterImage;
import io.weir.scheduler.query.image.JobStanding;
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
 * @param waiting jobs in the queue; more than were ranked where it is very long
 */
public record PriorityRanking(Map<String, Integer> places, Map<String, Long> priorities, int waiting) {
    /** Nobody was asked. */
    public static final PriorityRanking NONE = new PriorityRanking(Map.of(), Map.of(), 0);

    /** The scheduler was asked and gave no ranking. */
    static final PriorityRanking UNKNOWN = new PriorityRanking(Map.of(), Map.of(), Integer.MAX_VALUE);

    /**
     * Reads the brief answer to {@code SHOW_PRIORITY}: how many jobs wait, and groups of a priority and the jobs that have
     * it, in the order of the queue.
     */
    static PriorityRanking of(RequestResult answer) {
        Map<String, Integer> places = new HashMap<>();
        Map<String, Long> priorities = new HashMap<>();
        int waiting = 0;
        for (NameValue line : answer.getDetails()) {
            if (line.getName().equals("waiting") && line.getValue().matches("\\d{1,9}")) {
                waiting = Integer.parseInt(line.getValue());
            } else if (line.getName().equals("ranks")) {
                for (String group : line.getValue().split("  ", -1)) {
                    String[] words = group.split(" ", -1);
                    boolean read = words[0].matches("-?\\d{1,18}");
                    for (int i = 1; i < words.length; i++) {
                        places.put(words[i], places.size());
                        if (read) {
                            priorities.put(words[i], Long.valueOf(words[0]));
                        }
                    }
                }
            }
        }
        return new PriorityRanking(places, priorities, waiting);
    }

    /** Says whether the queue is longer than the ranking. */
    boolean isCut() {
        return waiting > places.size();
    }

    /** Returns a job's place; jobs that were not ranked come last. */
    int place(String job) {
        return places.getOrDefault(job, Integer.MAX_VALUE);
    }

    Optional<Long> priority(String job) {
        return Optional.ofNullable(priorities.get(job));
    }

    /**
     * Says whether anything ranks the jobs of {@code cluster} but the minutes they have waited: its configuration, or the owner
     * of a job.
     */
    public static boolean isRanked(ClusterImage image, String cluster) {
        String text = image.policyText(cluster).toUpperCase(Locale.ROOT);
        return text.contains("WEIGHT")
                || text.contains("PRIORITY")
                || image.jobsOf(cluster).stream()
                        .anyMatch(job -> job.getUserPriority() != 0 && JobStanding.isWaiting(job));
    }
}

package io.weir.command.slurm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The priorities of the jobs that waited for Slurm, kept while the cluster is Weir's, because a hold takes them away. Tasks of
 * an array have that of their array. Immutable.
 */
final class QueuePriorities {
    /** By number of the job or array. */
    private final Map<String, Long> priorities = new LinkedHashMap<>();

    /** Reads what {@link #text} wrote; what is no such line is passed over. */
    QueuePriorities(String text) {
        text.lines().map(line -> line.split(" ", -1)).forEach(words -> {
            if (words.length == 2 && words[0].matches("\\d{1,18}") && words[1].matches("\\d{1,18}")) {
                priorities.put(words[0], Long.parseLong(words[1]));
            }
        });
    }

    private QueuePriorities(Map<String, Long> priorities) {
        this.priorities.putAll(priorities);
    }

    /** Returns these priorities and those of {@code waiting}; what was kept before stays. */
    QueuePriorities with(List<Slurm.Job> waiting) {
        QueuePriorities all = new QueuePriorities(priorities);
        waiting.forEach(job -> all.priorities.putIfAbsent(number(job.id()), job.priority()));
        return all;
    }

    boolean isEmpty() {
        return priorities.isEmpty();
    }

    /** Returns a line for each job. */
    String text() {
        return priorities.entrySet().stream()
                .map(job -> job.getKey() + " " + job.getValue() + "\n")
                .collect(Collectors.joining());
    }

    /** Returns the priority that a job, or a task, had; empty for one that came later. */
    OptionalLong of(String job) {
        Long priority = priorities.get(number(job));
        return priority == null ? OptionalLong.empty() : OptionalLong.of(priority);
    }

    /** Returns the jobs, the highest priority first, and those that came later behind, in the order of submission. */
    List<Slurm.Job> ordered(List<Slurm.Job> jobs) {
        List<Slurm.Job> ordered = new ArrayList<>(jobs);
        ordered.sort(Comparator.comparingLong((Slurm.Job job) -> -of(job.id()).orElse(Long.MIN_VALUE + 1))
                .thenComparingLong(job -> Long.parseLong(number(job.id()))));
        return ordered;
    }

    /** Returns the number of a job, or of the array that it is of; of a first component that of its heterogeneous job. */
    private static String number(String job) {
        return job.replaceFirst("[_+].*", "");
    }
}

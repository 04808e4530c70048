package io.weir.command.slurm;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a partition means for the order of jobs and nodes.
 *
 * @param tier PriorityTier
 * @param factor PriorityJobFactor
 * @param preemptMode PreemptMode
 * @param grace GraceTime, for how many seconds its jobs go on running when they are preempted
 * @param leastLoaded whether Slurm takes the least loaded nodes first (LLN)
 */
record RankedPartition(String name, long tier, long factor, String preemptMode, long grace, boolean leastLoaded) {
    /** Reads what {@code scontrol --oneliner show partition} says. */
    static List<RankedPartition> parse(String text) {
        return text.lines()
                .filter(line -> line.startsWith("PartitionName="))
                .map(RankedPartition::of)
                .toList();
    }

    private static RankedPartition of(String line) {
        Map<String, String> words = Stream.of(line.split("\\s+", -1))
                .map(word -> word.split("=", 2))
                .filter(parts -> parts.length == 2)
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1], (first, second) -> first));
        return new RankedPartition(
                words.getOrDefault("PartitionName", ""),
                number(words.get("PriorityTier"), 1),
                number(words.get("PriorityJobFactor"), 1),
                words.getOrDefault("PreemptMode", "OFF"),
                number(words.get("GraceTime"), 0),
                words.getOrDefault("LLN", "NO").toUpperCase(Locale.ROOT).equals("YES"));
    }

    private static long number(@Nullable String text, long otherwise) {
        return text != null && text.matches("\\d{1,9}") ? Long.parseLong(text) : otherwise;
    }
}

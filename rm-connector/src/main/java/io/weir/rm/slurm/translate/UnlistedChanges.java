package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.SlurmCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Changes of waiting jobs that the listing of the queue does not show, such as of the GPUs of a whole job. They are looked for from
 * time to time; where squeue does not answer, what it told last stands. Nothing of it outlives the process; losing it has each waiting job fetched once more. One thread.
 */
final class UnlistedChanges {
    private static final Duration LOOKS_APART = Duration.ofSeconds(15);

    private Map<String, String> terms = Map.of();
    private Instant last = Instant.MIN;

    /** Returns the numbers of the records of which something else is told than before, or for the first time. */
    Set<String> look(SlurmCommands commands, Instant now) {
        if (!now.isBefore(last) && now.isBefore(last.plus(LOOKS_APART))) {
            return Set.of();
        }
        last = now;
        Map<String, String> told = commands.unlisted();
        if (told.isEmpty()) {
            return Set.of();
        }
        Map<String, String> before = terms;
        terms = told;
        return told.entrySet().stream()
                .filter(record -> !record.getValue().equals(before.get(record.getKey())))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}

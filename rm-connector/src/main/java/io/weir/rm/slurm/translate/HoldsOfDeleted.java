package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slurm holds jobs whose association or QOS is deleted like an administrator, and never lets them go. They are held for Weir or
 * by their users as before, and an administrator's hold that comes later is one. Stateless.
 */
final class HoldsOfDeleted {
    private static final Logger log = LoggerFactory.getLogger(HoldsOfDeleted.class);

    private HoldsOfDeleted() {}

    /**
     * Takes such holds back.
     *
     * @param fetched jobs as they are now, by id; those taken back are replaced
     * @param before the job of an id as it was seen last; null for none
     * @param obstacles is told why they do not start
     */
    static void takeBack(
            SlurmCommands commands,
            Map<String, SlurmJob> fetched,
            Function<String, @Nullable SlurmJob> before,
            StartObstacles obstacles,
            Instant now) {
        Map<String, StartObstacle> held = new LinkedHashMap<>();
        fetched.forEach((id, job) -> {
            @Nullable SlurmJob known = before.apply(id);
            @Nullable StartObstacle deleted = known == null ? null : SlurmJobTranslation.deleted(known, job);
            if (deleted != null) {
                held.put(id, deleted);
            }
        });
        if (held.isEmpty()) {
            return;
        }
        try {
            commands.holdAsUser(held.keySet());
        } catch (SlurmRefusal e) {
            log.warn("jobs={} stay held like by an administrator: {}", held.keySet(), e.getMessage());
            return;
        }
        held.forEach((id, deleted) -> {
            log.info("job={} was held by Slurm: {}", id, deleted.reason());
            fetched.computeIfPresent(id, (same, job) -> {
                obstacles.met(job, deleted, now);
                return job.held(SlurmJobTranslation.HELD_AS_USER);
            });
        });
    }
}

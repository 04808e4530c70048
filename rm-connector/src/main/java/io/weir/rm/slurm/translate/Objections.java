package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes on a job that Weir does not start why it does not, where its user sees it. While Slurm schedules, jobs are not
 * held, and nothing is written on them. One thread.
 */
final class Objections {
    private static final Logger log = LoggerFactory.getLogger(Objections.class);

    /** Jobs that were told, or could not be. */
    private final Set<String> told = new HashSet<>();

    /** Tells {@code job} why it does not start, unless that was done, or it does. */
    void tell(SlurmCommands commands, SlurmJob job) {
        String id = job.key();
        @Nullable String why = job.demands().objection();
        if (why == null
                || job.array() != null
                || !job.isPending()
                || !job.isHeld()
                || job.note().others().contains(why)
                || !told.add(id)) {
            return;
        }
        String others = job.note().others();
        AdminNote note = new AdminNote(
                (others.isEmpty() ? "" : others + " ") + why, job.note().marks());
        try {
            commands.updateInSession(job.alone(), List.of("AdminComment=" + note.text()));
        } catch (SlurmRefusal e) {
            log.warn("job={} could not be told why it does not start: {}", id, e.getMessage());
        }
    }

    /** Forgets the jobs that are not in the queue any more. */
    void retain(Set<String> jobs) {
        told.retainAll(jobs);
    }
}

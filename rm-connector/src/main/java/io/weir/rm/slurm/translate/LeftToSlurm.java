package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that are held for Weir alone, can never start any more, and are Slurm's to end. It ends such a job when a scheduling pass
 * comes to it, and passes over what is held: so it is released. What is known of it may have changed meanwhile: the job is fetched
 * before. One thread.
 */
final class LeftToSlurm {
    private static final Logger log = LoggerFactory.getLogger(LeftToSlurm.class);

    private final BiPredicate<SlurmJob, Instant> over;
    private final String why;
    private final Set<String> released = new HashSet<>();

    /**
     * Knows of none yet.
     *
     * @param over whether Slurm is to end a job that waits
     * @param why what is wrong with such a job, in a few words
     */
    LeftToSlurm(BiPredicate<SlurmJob, Instant> over, String why) {
        this.over = over;
        this.why = why;
    }

    /** Returns the jobs to fetch, for they seem to be such. */
    Set<String> due(Map<String, KnownJob> jobs, Instant now) {
        Set<String> due = new HashSet<>();
        jobs.forEach((id, known) -> {
            if (isOver(known.job(), now)) {
                due.add(id);
            }
        });
        released.retainAll(due);
        due.removeAll(released);
        return due;
    }

    /** Looks at jobs that were fetched just now. */
    void look(SlurmCommands commands, Map<String, SlurmJob> fetched, Instant now) {
        Map<String, SlurmJob> due = new HashMap<>();
        fetched.forEach((id, job) -> {
            if (isOver(job, now) && released.add(id)) {
                due.put(id, job);
            }
        });
        for (List<SlurmJob> record : DeadDependencies.records(due.values())) {
            // A heterogeneous job is ended as a whole, which goes by the name of its first component.
            SlurmJob first = record.get(0);
            String name = first.component() == null ? DeadDependencies.nameOf(record) : first.key();
            try {
                commands.release(name);
                log.info("job={} {}, and is left to Slurm", name, why);
            } catch (SlurmRefusal e) {
                log.warn("job={} {}, and waits: {}", name, why, e.getMessage());
            }
        }
    }

    private boolean isOver(SlurmJob job, Instant now) {
        return job.isPending()
                && job.isHeld()
                && (job.component() == null || job.component().offset() == 0)
                && over.test(job, now);
    }
}

package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import java.time.Duration;
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
 * Jobs that wait for Weir and can be over by their deadline ({@code sbatch --deadline}) no longer. Slurm ends such a job when a
 * scheduling pass comes to it, and passes over what is held: so it is released, and cannot start any more. The queue's listing does
 * not tell a deadline, which may have been put off: the job is fetched before. One thread.
 */
final class Deadlines {
    private static final Logger log = LoggerFactory.getLogger(Deadlines.class);

    /** Slurm counts whole seconds, by a clock that may be a little behind: until it is certain, it might start the job. */
    private static final Duration CERTAIN = Duration.ofSeconds(2);

    private final BiPredicate<SlurmJob, Instant> waits;
    private final Set<String> released = new HashSet<>();

    /**
     * Knows of none yet.
     *
     * @param waits whether nothing but Weir's decision keeps a job from starting
     */
    Deadlines(BiPredicate<SlurmJob, Instant> waits) {
        this.waits = waits;
    }

    /** Returns the jobs to fetch, for their deadline seems to be missed. */
    Set<String> due(Map<String, KnownJob> jobs, Instant now) {
        Set<String> missed = new HashSet<>();
        jobs.forEach((id, known) -> {
            if (isMissed(known.job(), now)) {
                missed.add(id);
            }
        });
        released.retainAll(missed);
        missed.removeAll(released);
        return missed;
    }

    /** Looks at jobs that were fetched just now. */
    void look(SlurmCommands commands, Map<String, SlurmJob> fetched, Instant now) {
        Map<String, SlurmJob> missed = new HashMap<>();
        fetched.forEach((id, job) -> {
            if (isMissed(job, now) && released.add(id)) {
                missed.put(id, job);
            }
        });
        for (List<SlurmJob> record : DeadDependencies.records(missed.values())) {
            // A heterogeneous job is ended as a whole, which goes by the name of its first component.
            SlurmJob first = record.get(0);
            String name = first.component() == null ? DeadDependencies.nameOf(record) : first.key();
            try {
                commands.release(name);
                log.info("job={} can be over by its deadline no longer, and is left to Slurm", name);
            } catch (SlurmRefusal e) {
                log.warn("job={} misses its deadline, and waits: {}", name, e.getMessage());
            }
        }
    }

    private boolean isMissed(SlurmJob job, Instant now) {
        Instant latest = job.latestStart();
        return latest != null
                && latest.plus(CERTAIN).isBefore(now)
                && job.isPending()
                && job.isHeld()
                && (job.component() == null || job.component().offset() == 0)
                && waits.test(job, now);
    }
}

package io.weir.rm.slurm.control;

import io.weir.rm.slurm.client.JobChange;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps Slurm from restarting jobs by itself. Slurm restarts a job that it requeued when its credentials have expired, and
 * then on the nodes it is told: long enough to see the job wait and to hold it then. A job that runs is left alone, for a hold
 * has the accounting forget when the job became eligible, and {@code sacct -S} leaves it out. One thread.
 */
public final class RestartHold {
    private static final Logger log = LoggerFactory.getLogger(RestartHold.class);

    /** For so many seconds Slurm does not start by itself a job that is about to be held. */
    private static final int PUT_OFF_SECONDS = 60;

    private final SlurmRest rest;
    private final @Nullable SlurmCommands commands;

    public RestartHold(SlurmRest rest, @Nullable SlurmCommands commands) {
        this.rest = rest;
        this.commands = commands;
    }

    /**
     * Holds running jobs where nothing else can be done, which is without commands: then Weir's note cannot be put back on a job
     * that was requeued. One that ended meanwhile is none of them.
     */
    public void keepRunning(Collection<String> running) {
        if (commands == null) {
            keep(running);
        }
    }

    /** Holds jobs that were requeued; one that ended meanwhile is none of them. */
    public void keep(Collection<String> requeued) {
        if (requeued.isEmpty()) {
            return;
        }
        try {
            hold(requeued);
        } catch (SlurmRefusal e) {
            if (requeued.size() > 1) {
                requeued.forEach(job -> keep(List.of(job)));
            } else if (!e.error().isFinished() && !e.error().isUnknownJob()) {
                log.warn(
                        "job={} could not be held against restarts: {}",
                        requeued.iterator().next(),
                        e.getMessage());
            }
        }
    }

    /**
     * Holds a job that was released and has not been seen to run.
     *
     * @throws SlurmRefusal if it runs by now; it is left alone then
     */
    public void takeBack(String job) throws SlurmRefusal {
        if (commands != null) {
            // Slurm changes the begin time of waiting jobs alone, and does not start the job before it is held.
            commands.updateInSession(job, List.of("StartTime=now+" + PUT_OFF_SECONDS));
        }
        hold(List.of(job));
    }

    /** Holds jobs as their user would. */
    public void hold(Collection<String> jobs) throws SlurmRefusal {
        if (commands != null) {
            commands.holdAsUser(jobs);
            return;
        }
        for (String job : jobs) {
            rest.update(job, new JobChange(null, true, null, null, null));
        }
    }
}

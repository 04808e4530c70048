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

/** Holds jobs. A hold does not disturb a running job, but keeps Slurm from restarting it by itself. One thread. */
public final class RestartHold {
    private static final Logger log = LoggerFactory.getLogger(RestartHold.class);

    private final SlurmRest rest;
    private final @Nullable SlurmCommands commands;

    public RestartHold(SlurmRest rest, @Nullable SlurmCommands commands) {
        this.rest = rest;
        this.commands = commands;
    }

    /** Holds running jobs; one that ended meanwhile is none of them. */
    public void keep(Collection<String> running) {
        if (running.isEmpty()) {
            return;
        }
        try {
            hold(running);
        } catch (SlurmRefusal e) {
            if (running.size() > 1) {
                running.forEach(job -> keep(List.of(job)));
            } else if (!e.error().isFinished() && !e.error().isUnknownJob()) {
                log.warn(
                        "job={} runs but could not be held against restarts: {}",
                        running.iterator().next(),
                        e.getMessage());
            }
        }
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

package io.weir.rm.slurm.control;

import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.schemas.CommandKind;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of a job at its time limit is Slurm's own doing, so that its accounting says TIMEOUT and the job gets the signals it
 * asked for. Slurm looks for such jobs twice a minute.
 */
final class TimeLimit {
    private static final String WALLCLOCK = "WALLCLOCK";

    /** A job that Slurm has not ended so long after its limit is cancelled. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private TimeLimit() {}

    /** Returns whether Slurm will end the job of a cancel by itself, having told it that the limit is reached if need be. */
    static boolean endsBySlurm(RmCommand command, SlurmJob job, @Nullable SlurmCommands commands, Instant now)
            throws SlurmRefusal {
        @Nullable String reason = command.getReason();
        @Nullable Instant started = job.started();
        if (command.getKind() != CommandKind.CANCEL_JOB
                || reason == null
                || !reason.startsWith(WALLCLOCK)
                || commands == null
                || started == null
                || !job.isRunning()) {
            return false;
        }
        Instant end = started.plusSeconds(job.limitMinutes() * 60);
        if (now.isBefore(end)) {
            long elapsed = Math.max(1, Duration.between(started, now).toMinutes());
            if (elapsed < job.limitMinutes()) {
                commands.update(job.key(), List.of("TimeLimit=" + elapsed));
            }
            return true;
        }
        return now.isBefore(end.plus(PATIENCE));
    }
}

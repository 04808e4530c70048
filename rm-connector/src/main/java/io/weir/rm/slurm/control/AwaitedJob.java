package io.weir.rm.slurm.control;

import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Execution;
import io.weir.rm.spi.Ongoing;
import io.weir.rm.spi.RmAnswer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A command that waits until its job is as wanted, or until its time is up, and then draws its conclusion. It looks less
 * often the longer it takes. One thread.
 */
final class AwaitedJob implements Ongoing {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(800);

    private final SlurmRest rest;
    private final String job;
    private final Predicate<SlurmJob> wanted;
    private final Conclusion conclusion;
    private final LongSupplier nanos;
    private final long deadline;
    private Duration pause = FIRST_PAUSE;

    /** What follows when the wait is over; the job is empty when Slurm does not know it any more. */
    @FunctionalInterface
    interface Conclusion {
        CommandCheck draw(Optional<SlurmJob> job) throws SlurmRefusal;
    }

    AwaitedJob(
            SlurmRest rest,
            String job,
            Predicate<SlurmJob> wanted,
            Duration limit,
            LongSupplier nanos,
            Conclusion conclusion) {
        this.rest = rest;
        this.job = job;
        this.wanted = wanted;
        this.conclusion = conclusion;
        this.nanos = nanos;
        this.deadline = nanos.getAsLong() + limit.toNanos();
    }

    /** Looks for the first time; a conclusion that can be drawn at once is the answer. */
    Execution begin() {
        @Nullable RmAnswer answer = look().answer();
        return answer == null ? this : answer;
    }

    @Override
    public Duration pause() {
        return pause;
    }

    @Override
    public CommandCheck look() {
        Optional<SlurmJob> seen = rest.job(job);
        if (seen.isPresent() && !wanted.test(seen.get()) && nanos.getAsLong() - deadline < 0) {
            Duration longer = pause.multipliedBy(2);
            pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
            return CommandCheck.ongoing(this);
        }
        try {
            return conclusion.draw(seen);
        } catch (SlurmRefusal e) {
            return CommandCheck.answered(RmAnswer.refused(String.valueOf(e.getMessage())));
        }
    }
}

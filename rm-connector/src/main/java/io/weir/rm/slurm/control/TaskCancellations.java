package io.weir.rm.slurm.control;

import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Ongoing;
import io.weir.rm.spi.RmAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Cancels tasks of job arrays: all that are asked for at about the same time by one call, and one listing of the queue shows what
 * became of them, for a task that has just got a record of its own can only be read with its whole array. One thread.
 */
final class TaskCancellations {
    /** Whoever cancels an array cancels many tasks. */
    private static final Duration GATHER = Duration.ofMillis(50);

    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    private final SlurmCommands commands;
    private final Duration endTimeout;
    private final Supplier<Instant> now;
    private final LongSupplier nanos;

    /** Those that Slurm was not told of yet, and those that it was, by task. */
    private final Map<String, Cancellation> asked = new LinkedHashMap<>();

    private final Map<String, Cancellation> told = new LinkedHashMap<>();

    TaskCancellations(SlurmCommands commands, Duration endTimeout, Supplier<Instant> now, LongSupplier nanos) {
        this.commands = commands;
        this.endTimeout = endTimeout;
        this.now = now;
        this.nanos = nanos;
    }

    /** Cancels a task before long. */
    Ongoing cancel(String task) {
        Cancellation cancellation = new Cancellation(nanos.getAsLong() + endTimeout.toNanos());
        asked.put(task, cancellation);
        return cancellation;
    }

    /** Where scancel does not answer, those asked for stay so: to be told twice changes nothing. */
    private void look() {
        String errors = "";
        if (!asked.isEmpty()) {
            errors = commands.cancel(List.copyOf(asked.keySet()));
            told.putAll(asked);
            asked.clear();
        }
        Map<String, QueueLine> lines = commands.queue();
        String said = errors;
        told.forEach((task, cancellation) -> cancellation.see(answer(task, lines.get(task), cancellation, said)));
        told.values().removeIf(cancellation -> cancellation.answer != null);
    }

    private void forget(Cancellation cancellation) {
        asked.values().remove(cancellation);
        told.values().remove(cancellation);
    }

    private @Nullable RmAnswer answer(String task, @Nullable QueueLine line, Cancellation cancellation, String errors) {
        if (line == null || SlurmJob.isEnd(line.state())) {
            return RmAnswer.done(line == null || line.ended() == null ? now.get() : line.ended());
        }
        boolean waits = line.state().equals("PENDING");
        Optional<String> error = errors.lines()
                .filter(words -> waits && words.contains(" " + task + ":"))
                .findFirst();
        if (error.isPresent()) {
            return RmAnswer.refused(error.get());
        }
        if (nanos.getAsLong() - cancellation.deadline < 0) {
            return null;
        }
        return waits ? RmAnswer.refused("Slurm has not cancelled it") : RmAnswer.done(now.get());
    }

    private final class Cancellation implements Ongoing {
        private final long deadline;
        private Duration pause = GATHER;
        private boolean lookedAt;
        private @Nullable RmAnswer answer;

        private Cancellation(long deadline) {
            this.deadline = deadline;
        }

        private void see(@Nullable RmAnswer known) {
            lookedAt = true;
            answer = known;
            pause = LOOK_EVERY;
        }

        @Override
        public Duration pause() {
            return pause;
        }

        @Override
        public CommandCheck look() {
            if (!lookedAt) {
                try {
                    TaskCancellations.this.look();
                } catch (RuntimeException e) {
                    // What became of its task is asked from here on, and it is begun anew if need be.
                    forget(this);
                    throw e;
                }
            }
            lookedAt = false;
            return answer == null ? CommandCheck.ongoing(this) : CommandCheck.answered(answer);
        }
    }
}

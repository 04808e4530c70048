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

    private void look() {
        String errors = "";
        if (!asked.isEmpty()) {
            told.putAll(asked);
            asked.clear();
            errors = tell(List.copyOf(told.keySet()));
        }
        Map<String, QueueLine> lines = commands.queue();
        String said = errors;
        told.forEach((task, cancellation) -> cancellation.see(answer(task, lines.get(task), cancellation, said)));
        told.values().removeIf(cancellation -> cancellation.answer != null);
    }

    /** Without an answer nobody knows: each command is then judged by its task. */
    private String tell(List<String> tasks) {
        boolean answered = false;
        try {
            String errors = commands.cancel(tasks);
            answered = true;
            return errors;
        } finally {
            if (!answered) {
                told.clear();
            }
        }
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
                TaskCancellations.this.look();
            }
            lookedAt = false;
            return answer == null ? CommandCheck.ongoing(this) : CommandCheck.answered(answer);
        }
    }
}

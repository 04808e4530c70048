package io.weir.scheduler.core.state;

import io.weir.scheduler.core.job.Job;
import io.weir.schemas.NameValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether jobs are scheduled, who stopped that and until when, and the messages operators left for everybody. Facts are
 * taken in and requests answered in any state. Immutable; part of the stored state, so that it outlives a restart.
 *
 * @param state whether jobs are scheduled
 * @param since when that began, epoch seconds; {@link Job#NONE} for from the start
 * @param by who asked for it; null for nobody
 * @param resumeAt when it ends by itself, epoch seconds; {@link Job#NONE} for never
 * @param stopAfter iteration after which scheduling stops; 0 for none
 * @param messages for everybody, the oldest first
 */
public record SchedulerStatus(
        State state, long since, @Nullable String by, long resumeAt, long stopAfter, List<String> messages) {
    /** Jobs are scheduled. */
    static final SchedulerStatus RUNNING = new SchedulerStatus(State.RUNNING, Job.NONE, null, Job.NONE, 0, List.of());

    private static final String STATE = "state";
    private static final String SINCE = "since";
    private static final String BY = "by";
    private static final String RESUME_AT = "resumeAt";
    private static final String STOP_AFTER = "stopAfter";
    private static final String MESSAGE = "message";

    public SchedulerStatus {
        messages = List.copyOf(messages);
    }

    /** Whether jobs are scheduled. */
    public enum State {
        RUNNING,
        PAUSED,
        STOPPED,
        /** The scheduler fails on this cluster: nothing is done but to answer requests about the scheduler itself. */
        SUSPENDED
    }

    /** Reads a stored standing; nothing stands for {@link #RUNNING}. */
    static SchedulerStatus from(List<NameValue> records) {
        SchedulerStatus standing = RUNNING;
        for (NameValue record : records) {
            String value = record.getValue();
            standing = switch (record.getName()) {
                case STATE -> standing.in(State.valueOf(value), standing.since, standing.by);
                case SINCE -> standing.in(standing.state, seconds(value), standing.by);
                case BY -> standing.in(standing.state, standing.since, value);
                case RESUME_AT -> standing.until(seconds(value));
                case STOP_AFTER -> standing.stopAfter(Long.parseLong(value));
                case MESSAGE -> standing.with(value);
                default -> throw new IllegalStateException("a scheduler's standing has no " + record.getName());
            };
        }
        return standing;
    }

    /** Returns it as it is stored and published; {@link #RUNNING} is nothing. */
    List<NameValue> toRecords() {
        if (state == State.RUNNING && by == null && resumeAt == Job.NONE && stopAfter <= 0 && messages.isEmpty()) {
            return List.of();
        }
        List<NameValue> records = new ArrayList<>();
        if (state != State.RUNNING) {
            records.add(new NameValue(STATE, state.name()));
            records.add(new NameValue(SINCE, Instant.ofEpochSecond(since).toString()));
        }
        String principal = by;
        if (principal != null) {
            records.add(new NameValue(BY, principal));
        }
        if (resumeAt != Job.NONE) {
            records.add(new NameValue(RESUME_AT, Instant.ofEpochSecond(resumeAt).toString()));
        }
        if (stopAfter > 0) {
            records.add(new NameValue(STOP_AFTER, Long.toString(stopAfter)));
        }
        messages.forEach(message -> records.add(new NameValue(MESSAGE, message)));
        return List.copyOf(records);
    }

    public boolean schedules() {
        return state == State.RUNNING;
    }

    /** Scheduling goes on. */
    public SchedulerStatus resumed() {
        return new SchedulerStatus(State.RUNNING, Job.NONE, null, Job.NONE, 0, messages);
    }

    /** Paused or stopped by somebody until somebody says otherwise. */
    public SchedulerStatus halted(State as, long now, @Nullable String principal) {
        return new SchedulerStatus(as, now, principal, Job.NONE, 0, messages);
    }

    /** Goes on by itself at {@code instant}. */
    public SchedulerStatus until(long instant) {
        return new SchedulerStatus(state, since, by, instant, stopAfter, messages);
    }

    /** Scheduling stops after iteration {@code number}. */
    public SchedulerStatus stopAfter(long number) {
        return new SchedulerStatus(state, since, by, resumeAt, number, messages);
    }

    /** Adds a message. */
    public SchedulerStatus with(String message) {
        List<String> more = new ArrayList<>(messages);
        more.add(message);
        return new SchedulerStatus(state, since, by, resumeAt, stopAfter, more);
    }

    /** Takes a message away, the first being 0. */
    public SchedulerStatus without(int message) {
        List<String> fewer = new ArrayList<>(messages);
        fewer.remove(message);
        return new SchedulerStatus(state, since, by, resumeAt, stopAfter, fewer);
    }

    private SchedulerStatus in(State as, long from, @Nullable String principal) {
        return new SchedulerStatus(as, from, principal, resumeAt, stopAfter, messages);
    }

    private static long seconds(String instant) {
        return Instant.parse(instant).getEpochSecond();
    }
}

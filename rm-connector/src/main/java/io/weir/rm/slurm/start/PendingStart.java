package io.weir.rm.slurm.start;

import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Ongoing;
import io.weir.rm.spi.RmAnswer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job that was released and waits for Slurm to run it. One look looks at all of them. One thread. */
final class PendingStart implements Ongoing {
    private final PendingStarts all;
    private final String commandId;
    private final List<StartedPart> parts;
    private final long since;
    private boolean lookedAt;
    private @Nullable RmAnswer answer;

    /** Creates a start that was released at {@code since}, in monotonic nanoseconds. */
    PendingStart(PendingStarts all, String commandId, List<StartedPart> parts, long since) {
        this.all = all;
        this.commandId = commandId;
        this.parts = List.copyOf(parts);
        this.since = since;
    }

    String commandId() {
        return commandId;
    }

    /** Returns what starts, all at one instant: the job, or the components of a heterogeneous one, the first one first. */
    List<StartedPart> parts() {
        return parts;
    }

    /** Returns the name of the whole job. */
    String job() {
        return parts.get(0).job();
    }

    long since() {
        return since;
    }

    /** Somebody looked at all; {@code known} is the answer if that showed one. */
    void seen(@Nullable RmAnswer known) {
        lookedAt = true;
        answer = known;
    }

    @Override
    public Duration pause() {
        return all.pause();
    }

    @Override
    public CommandCheck look() {
        if (!lookedAt) {
            all.look();
        }
        lookedAt = false;
        return answer == null ? CommandCheck.ongoing(this) : CommandCheck.answered(answer);
    }
}

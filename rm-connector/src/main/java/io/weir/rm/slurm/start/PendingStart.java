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
    private final String job;
    private final List<String> nodes;
    private final long since;
    private boolean lookedAt;
    private @Nullable RmAnswer answer;

    /** Creates a start that was released at {@code since}, in monotonic nanoseconds. */
    PendingStart(PendingStarts all, String commandId, String job, List<String> nodes, long since) {
        this.all = all;
        this.commandId = commandId;
        this.job = job;
        this.nodes = List.copyOf(nodes);
        this.since = since;
    }

    String commandId() {
        return commandId;
    }

    String job() {
        return job;
    }

    /** Returns the nodes it was to start on. */
    List<String> nodes() {
        return nodes;
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

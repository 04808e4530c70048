package io.weir.rm.spi;

import io.weir.schemas.CommandOutcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The resource manager's final word on a command.
 *
 * @param outcome DONE or REFUSED
 * @param effectTime when it took effect, by the resource manager's clock; null when it was refused
 * @param message the resource manager's words; null when it had none
 * @param passing whether a start was refused for something that ends by itself or only concerns its nodes
 * @param aboutJob whether a start was refused because of the job, so that its nodes are above suspicion
 */
public record RmAnswer(
        CommandOutcome outcome,
        @Nullable Instant effectTime,
        @Nullable String message,
        boolean passing,
        boolean aboutJob)
        implements Execution {
    /** Creates an answer that says no more. */
    public RmAnswer(CommandOutcome outcome, @Nullable Instant effectTime, @Nullable String message) {
        this(outcome, effectTime, message, false, false);
    }

    public RmAnswer {
        if (outcome != CommandOutcome.DONE && outcome != CommandOutcome.REFUSED) {
            throw new IllegalArgumentException(
                    "a resource manager answers DONE or REFUSED, not " + outcome + ": EXPIRED is the runner's word");
        }
    }

    /** The command is in effect since {@code effectTime}. */
    public static RmAnswer done(Instant effectTime) {
        return new RmAnswer(CommandOutcome.DONE, effectTime, null);
    }

    /** The start was refused for now; the job itself is as good as any. */
    public static RmAnswer refusedForNow(String message) {
        return new RmAnswer(CommandOutcome.REFUSED, null, message, true, false);
    }

    /** The start was refused because of the job, or of what was done to it meanwhile. */
    public static RmAnswer refusedForJob(String message) {
        return new RmAnswer(CommandOutcome.REFUSED, null, message, false, true);
    }

    /** The resource manager said no and nothing changed. */
    public static RmAnswer refused(String message) {
        return new RmAnswer(CommandOutcome.REFUSED, null, message);
    }
}

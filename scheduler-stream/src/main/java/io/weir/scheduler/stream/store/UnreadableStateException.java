package io.weir.scheduler.stream.store;

import org.apache.kafka.streams.errors.StreamsException;
import org.jspecify.annotations.Nullable;

/** The stores hold what this build cannot read, and never will: only an operator can say what is to become of it. */
public final class UnreadableStateException extends StreamsException {
    private static final long serialVersionUID = 1L;

    /** Says what lies where; what to do about it is always the same. */
    public UnreadableStateException(String message, @Nullable Throwable cause) {
        super(
                message
                        + "; another build wrote it. Run that build, or begin anew beside it, under another topics.prefix"
                        + " and application.id (with the launcher: another --data directory); see Upgrading in the"
                        + " README of scheduler-stream",
                cause);
    }
}

package io.weir.scheduler.stream.store;

import org.apache.kafka.streams.errors.StreamsException;
import org.jspecify.annotations.Nullable;

/**
 * The stores hold what this build cannot read, and never will: another build or another program wrote it. Only an operator can
 * say what is to become of it.
 */
public final class UnreadableStateException extends StreamsException {
    private static final long serialVersionUID = 1L;

    private static final String OF_ANOTHER_BUILD =
            "; another build wrote it. Run that build, or begin anew beside it, under another topics.prefix"
                    + " and application.id (with the launcher: another --data directory); see Upgrading in the"
                    + " README of scheduler-stream";

    /** Says what another build left where; what to do about it is always the same. */
    public UnreadableStateException(String message, @Nullable Throwable cause) {
        this(message, OF_ANOTHER_BUILD, cause);
    }

    private UnreadableStateException(String message, String remedy, @Nullable Throwable cause) {
        super(message + remedy, cause);
    }

    /** Returns one for what no build writes: somebody has overwritten what lay under {@code key}. */
    static UnreadableStateException overwritten(String key) {
        return new UnreadableStateException(
                "The stores hold under '" + key + "' what no build writes",
                "; another program, or somebody by hand, has overwritten it on the topic that keeps the state. Put the"
                        + " former value back, as the page on trouble of scheduler-stream describes, or begin anew",
                null);
    }
}

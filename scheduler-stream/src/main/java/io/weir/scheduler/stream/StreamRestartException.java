package io.weir.scheduler.stream;

import org.apache.kafka.streams.errors.StreamsException;
import org.jspecify.annotations.Nullable;

/**
 * The stream has to be closed and started again: only that is sure to abort the open transaction and to read on from the
 * committed positions. Nothing is lost and nothing is done twice.
 */
public final class StreamRestartException extends StreamsException {
    private static final long serialVersionUID = 1L;

    /** Says what happened. */
    public StreamRestartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

package io.weir.notifier.spi;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An attempt that failed where a later one may succeed: the receiver was away, busy or out of room. */
public final class RetriableDeliveryException extends DeliveryException {

    private static final long serialVersionUID = 1L;

    private final @Nullable Duration retryAfter;
    private final boolean mayHaveArrived;

    public RetriableDeliveryException(String message) {
        super(message);
        this.retryAfter = null;
        this.mayHaveArrived = false;
    }

    public RetriableDeliveryException(String message, Throwable cause) {
        super(message, cause);
        this.retryAfter = null;
        this.mayHaveArrived = false;
    }

    /** A failure after which the receiver asked to be left alone for {@code retryAfter}. */
    public RetriableDeliveryException(String message, Duration retryAfter) {
        super(message);
        this.retryAfter = retryAfter;
        this.mayHaveArrived = false;
    }

    private RetriableDeliveryException(String message, Throwable cause, boolean mayHaveArrived) {
        super(message, cause);
        this.retryAfter = null;
        this.mayHaveArrived = mayHaveArrived;
    }

    /** A failure in the middle: the receiver may have taken the delivery without our hearing of it. */
    public static RetriableDeliveryException inDoubt(String message, Throwable cause) {
        return new RetriableDeliveryException(message, cause, true);
    }

    /** Whether the receiver may have taken the delivery all the same. */
    public boolean mayHaveArrived() {
        return mayHaveArrived;
    }

    /** How long the receiver asked to be left alone; empty when it did not say. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}

package io.weir.notifier.spi;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An attempt that failed where a later one may succeed: the receiver was away, busy or out of room. */
public final class RetriableDeliveryException extends DeliveryException {

    private static final long serialVersionUID = 1L;

    private final @Nullable Duration retryAfter;
    private final boolean mayHaveArrived;
    private final boolean othersGoOn;

    public RetriableDeliveryException(String message) {
        super(message);
        this.retryAfter = null;
        this.mayHaveArrived = false;
        this.othersGoOn = false;
    }

    public RetriableDeliveryException(String message, Throwable cause) {
        this(message, cause, false, false);
    }

    /** A failure after which the receiver asked to be left alone for {@code retryAfter}. */
    public RetriableDeliveryException(String message, Duration retryAfter) {
        super(message);
        this.retryAfter = retryAfter;
        this.mayHaveArrived = false;
        this.othersGoOn = false;
    }

    private RetriableDeliveryException(String message, Throwable cause, boolean mayHaveArrived, boolean othersGoOn) {
        super(message, cause);
        this.retryAfter = null;
        this.mayHaveArrived = mayHaveArrived;
        this.othersGoOn = othersGoOn;
    }

    /** A failure in the middle: the receiver may have taken the delivery without our hearing of it. */
    public static RetriableDeliveryException inDoubt(String message, Throwable cause) {
        return new RetriableDeliveryException(message, cause, true, false);
    }

    /**
     * A failure of this delivery alone: the receiver works, and puts off those for whom it is. Deliveries behind it need not wait
     * for it. It has certainly not arrived where a later attempt will send it.
     */
    public static RetriableDeliveryException putOff(String message, Throwable cause) {
        return new RetriableDeliveryException(message, cause, false, true);
    }

    /** Whether other deliveries may go out before this one is tried again. */
    public boolean othersGoOn() {
        return othersGoOn;
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

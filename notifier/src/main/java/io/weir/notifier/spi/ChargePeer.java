package io.weir.notifier.spi;

import io.weir.schemas.Charge;

/**
 * An open way to somebody who keeps accounts. It makes one attempt per call and keeps no queue. Called by one thread. The
 * same charge, by its id, may come again: it is booked once, here or by the receiver, who is given the id.
 */
public interface ChargePeer extends AutoCloseable {

    /**
     * Makes one attempt to hand over {@code charge} and returns what the receiver said.
     *
     * @throws RetriableDeliveryException when the same charge may be taken later
     * @throws DeliveryException when it never will
     * @throws InterruptedException when the thread was interrupted: the outcome is unknown
     */
    Receipt book(Charge charge) throws DeliveryException, InterruptedException;

    /**
     * Makes an attempt as {@link #book} does, where an earlier one may have reached the receiver, or be under way still, as after
     * a kill.
     *
     * @throws RetriableDeliveryException when the same charge may be taken later
     * @throws DeliveryException when it never will
     * @throws InterruptedException when the thread was interrupted: the outcome is unknown
     */
    default Receipt bookAgain(Charge charge) throws DeliveryException, InterruptedException {
        return book(charge);
    }

    /** Whether what an attempt begins may outlive this process: its beginning is recorded then, so that another knows of it. */
    default boolean needsMark() {
        return false;
    }

    /** Lets go of what the peer holds. May be called twice. */
    @Override
    void close();
}

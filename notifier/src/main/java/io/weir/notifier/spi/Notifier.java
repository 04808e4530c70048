package io.weir.notifier.spi;

/**
 * An open channel. It makes one attempt per call and keeps no queue; order, retries and dead letters are the runner's.
 * The package says which thread calls, how long a call may take, and what a repeated id means.
 */
public interface Notifier extends AutoCloseable {

    /**
     * Makes one attempt to deliver {@code delivery} and returns what the receiver said.
     *
     * @throws RetriableDeliveryException when the same delivery may succeed later
     * @throws DeliveryException when it never will
     * @throws InterruptedException when the thread was interrupted: the outcome is unknown
     */
    Receipt deliver(Delivery delivery) throws DeliveryException, InterruptedException;

    /** Lets go of what the channel holds. May be called twice. */
    @Override
    void close();
}

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

    /**
     * Whether a delivery handed over again takes effect once: because the channel looks, or because the receiver is given
     * the key by which it can tell. Where it is false the runner records the beginning of each attempt, so that a delivery
     * which a crash may have repeated is marked as such.
     */
    default boolean recognisesRepetitions() {
        return true;
    }

    /** Lets go of what the channel holds. May be called twice. */
    @Override
    void close();
}

package io.weir.notifier.spi;

/** Carries out the actions of one type; used and closed by one thread, like a {@link Notifier}. */
public interface Actor extends AutoCloseable {

    /**
     * Carries {@code action} out and comes back within four minutes. What the settings do not allow is refused.
     *
     * @throws RetriableDeliveryException when it has certainly had no effect, or may be repeated, and may succeed later
     * @throws InterruptedException when the thread was interrupted: the outcome is unknown
     */
    ActionResult carryOut(Action action) throws RetriableDeliveryException, InterruptedException;

    /** Whether an action that may have been carried out before a crash is carried out again, marked as such. */
    boolean repeatable();

    @Override
    void close();
}

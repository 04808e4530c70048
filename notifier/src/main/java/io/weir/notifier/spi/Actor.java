package io.weir.notifier.spi;

/** Carries out the actions of one type; used and closed by one thread, like a {@link Notifier}, but for {@link #stop}. */
public interface Actor extends AutoCloseable {

    /**
     * Carries {@code action} out and comes back within four minutes, unless it is {@link #lengthy}. What the settings do not allow is refused.
     *
     * @throws RetriableDeliveryException when it has certainly had no effect, or may be repeated, and may succeed later
     * @throws InterruptedException when the thread was interrupted: the outcome is unknown
     */
    ActionResult carryOut(Action action) throws RetriableDeliveryException, InterruptedException;

    /**
     * Ends the action {@code id}: what is under way comes back as failed, what is not begun is not begun any more. Called by
     * other threads, at any time, for actions of other types, too; where an action is short, nothing has to be done.
     */
    default void stop(String id) {
        // What is done in a moment is left to its end.
    }

    /**
     * Ends what a notifier that was killed left running of {@code action}, as far as it can be found on this machine; called
     * before the action is answered as uncertain.
     */
    default void endRemains(Action action) {
        // What is done in a moment leaves nothing.
    }

    /**
     * Whether an action may take longer than four minutes: it is carried out on a thread of its own then, and interrupted when
     * the notifier stops. That of one firing may still be under way when that of the next begins, where its partition was
     * taken away meanwhile.
     */
    default boolean lengthy() {
        return false;
    }

    /** Whether an action that may have been carried out before a crash is carried out again, marked as such. */
    boolean repeatable();

    @Override
    void close();
}

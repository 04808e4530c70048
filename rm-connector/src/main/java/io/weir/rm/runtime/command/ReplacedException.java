package io.weir.rm.runtime.command;

/** Another connector of the same id has opened a later epoch: whatever is still in the queue is its business. */
public final class ReplacedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Says that {@code epoch} is over. */
    public ReplacedException(long epoch) {
        super("Epoch " + epoch + " is over: another connector of the same id has opened a later one");
    }
}

package io.weir.rm.runtime.command;

/** Whether this connector is still the one that its resource manager obeys. */
@FunctionalInterface
public interface Ownership {

    /**
     * Asks the log; called right before a command is carried out, or several of them in a row. A connector that was paused learns
     * here that another has taken its place meanwhile, before it does what that one may have done already.
     *
     * @throws ReplacedException when another connector of this id has opened a later epoch
     */
    void confirm();
}

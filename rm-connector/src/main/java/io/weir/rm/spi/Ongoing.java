package io.weir.rm.spi;

import java.time.Duration;

/**
 * A command that was begun and waits for the resource manager. The runner looks at it again when its pause is over and
 * does other things meanwhile; commands about the same job or object wait until it is answered. It comes to an end by
 * itself: after a time limit of its own at the latest, a look gives something else than ONGOING. It may be dropped at any
 * time, when the process dies or loses the log; then {@link ResourceManager#lookup} is asked about the command.
 */
public non-sealed interface Ongoing extends Execution {

    /** Returns how long to wait before the next look; above zero. */
    Duration pause();

    /**
     * Says whether the resource manager was told anything of it. Of commands of which it was not, which wait for others or until
     * it is time, any number may wait. Always the same of one object.
     */
    default boolean isUnderWay() {
        return true;
    }

    /**
     * Looks again, does what is due, and returns at once what is true of the command now. NOT_DONE means that it may be
     * executed.
     *
     * @throws RetriableRmException if the resource manager cannot be asked; the command has to be looked up
     * @throws RmException if the command failed for good
     */
    CommandCheck look();
}

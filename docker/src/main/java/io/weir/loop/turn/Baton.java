package io.weir.loop.turn;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What one thread waits for and another gives: the turn, and with it all that was written before. The waiting thread does
 * not spin: other lives want its processor, and with spinning a handover was measured to take three times as long.
 */
final class Baton {
    private volatile boolean given;
    private volatile @Nullable Thread waiting;

    /** Hands it over; called by one thread at a time. */
    void give() {
        given = true;
        Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Waits for it and takes it. */
    void await() {
        waiting = Thread.currentThread();
        while (!given) {
            LockSupport.park(this);
        }
        waiting = null;
        given = false;
    }
}

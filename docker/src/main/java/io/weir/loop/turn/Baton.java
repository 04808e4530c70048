package io.weir.loop.turn;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** What one thread waits for and another gives: the turn, and with it all that was written before. */
final class Baton {
    private static final int SPINS = 200;

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
        for (int i = 0; i < SPINS && !given; i++) {
            Thread.onSpinWait();
        }
        if (!given) {
            waiting = Thread.currentThread();
            while (!given) {
                LockSupport.park(this);
            }
            waiting = null;
        }
        given = false;
    }
}

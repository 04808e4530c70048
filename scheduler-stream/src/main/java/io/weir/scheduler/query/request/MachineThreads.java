package io.weir.scheduler.query.request;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Threads and time of this machine. */
public final class MachineThreads implements RequestClientThreads {
    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void pause(Duration duration) {
        LockSupport.parkNanos(duration.toNanos());
    }

    @Override
    public void start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public <T> T await(CompletableFuture<T> awaited, Duration patience)
            throws InterruptedException, ExecutionException, TimeoutException {
        return awaited.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    }
}

package io.weir.scheduler;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Something done on a thread of its own while the caller does something else. Closing interrupts it, if it is not done. */
final class SideTask implements AutoCloseable {
    private final FutureTask<?> task;

    private SideTask(FutureTask<?> task) {
        this.task = task;
    }

    /** Starts {@code work} on a thread called {@code name}. */
    static SideTask start(String name, Work work) {
        FutureTask<?> task = new FutureTask<>(() -> {
            work.run();
            return true;
        });
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return new SideTask(task);
    }

    /**
     * Waits until it is done.
     *
     * @throws Exception as the work did
     */
    void join() throws Exception {
        try {
            task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        task.cancel(true);
    }

    /** What is to be done. */
    interface Work {
        void run() throws Exception;
    }
}

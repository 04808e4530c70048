package io.weir.command.launcher;

import io.weir.command.terminal.ExitCode;
import io.weir.standalone.Standalone;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Turns SIGTERM and Ctrl-C into an orderly stop: the JVM stays until the launcher has closed, within bounds, and exits
 * with 0 if all went well. */
public final class StopOnSignal {
    private static final long PATIENCE_SECONDS = 60;

    private StopOnSignal() {}

    /** Closes {@code standalone} when the process is told to end; closing it twice does no harm. */
    public static void install(Standalone standalone) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(standalone), "stop-on-signal"));
    }

    private static void close(Standalone standalone) {
        CountDownLatch closed = new CountDownLatch(1);
        AtomicBoolean before = new AtomicBoolean();
        Thread closing = new Thread(
                () -> {
                    before.set(standalone.isClosed());
                    standalone.close();
                    closed.countDown();
                },
                "stop-standalone");
        closing.setDaemon(true);
        closing.start();
        try {
            boolean inTime = closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (!inTime) {
                System.err.println("weir: not stopped within " + PATIENCE_SECONDS + " s; leaving");
            }
            if (inTime && before.get()) {
                // The command had come to its end by itself: its own exit code stands.
                return;
            }
            // The JVM is on its way out with the signal's code; an orderly stop is to show as one.
            Runtime.getRuntime().halt(inTime && standalone.isHealthy() ? ExitCode.FINE : ExitCode.FAILED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

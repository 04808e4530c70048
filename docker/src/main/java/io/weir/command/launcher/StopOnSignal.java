package io.weir.command.launcher;

import io.weir.command.terminal.ExitCode;
import io.weir.standalone.Standalone;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Turns SIGTERM and Ctrl-C into an orderly stop: the JVM stays until the launcher has closed, within bounds, and exits
 * with 0 if all went well and that was all there was to do. */
public final class StopOnSignal {
    private static final long PATIENCE_SECONDS = 60;

    private StopOnSignal() {}

    /** Closes {@code standalone} when the process is told to end; closing it twice does no harm. */
    public static void install(Standalone standalone) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(standalone, ""), "stop-on-signal"));
    }

    /**
     * Closes what has something to come to the end of, when the process is told to end before: {@code unfinished} says what is
     * missing then, and the exit code is that of the signal.
     *
     * @param started what is closed; nothing while it starts, when the process ends at once
     */
    public static void install(Supplier<@Nullable Standalone> started, String unfinished) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            @Nullable Standalone standalone = started.get();
                            if (standalone == null) {
                                System.err.println("weir: " + unfinished);
                            } else {
                                close(standalone, unfinished);
                            }
                        },
                        "stop-on-signal"));
    }

    private static void close(Standalone standalone, String unfinished) {
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
            if (inTime && !unfinished.isEmpty()) {
                System.err.println("weir: " + unfinished);
                return;
            }
            // The JVM is on its way out with the signal's code; an orderly stop is to show as one.
            Runtime.getRuntime().halt(inTime && standalone.isHealthy() ? ExitCode.FINE : ExitCode.FAILED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

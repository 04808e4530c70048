package io.weir.scheduler.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One line that says how far a command has come: only on a terminal, only after two seconds, and gone at the end. One
 * thread.
 */
final class ProgressLine implements AutoCloseable {
    private static final Duration SILENCE = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter err;
    private final boolean terminal = isTerminal();
    private long next = System.nanoTime() + SILENCE.toNanos();
    private boolean shown;

    ProgressLine(PrintWriter err) {
        this.err = err;
    }

    /** Shows what {@code text} makes, unless something was shown just now. */
    void show(Supplier<String> text) {
        if (!terminal || System.nanoTime() < next) {
            return;
        }
        next = System.nanoTime() + PAUSE.toNanos();
        shown = true;
        err.print(CLEAR + text.get());
        err.flush();
    }

    /** Before Java 22 a console is a terminal; since then it says so itself, by a method this release cannot name. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        @Nullable Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    @Override
    public void close() {
        if (shown) {
            shown = false;
            err.print(CLEAR);
            err.flush();
        }
    }
}

package io.weir.standalone.drill;

import io.weir.standalone.Component;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** One component of Weir as a JVM of its own, started with this JVM's class path. */
final class ComponentProcess {
    /** A drill that is told to stop leaves nothing running that nobody would look for. */
    private static final OwnedProcesses OWNED = new OwnedProcesses();

    private final Component component;
    private final Process process;

    private ComponentProcess(Component component, Process process) {
        this.component = component;
        this.process = process;
    }

    /**
     * Starts {@code component}.
     *
     * @param heapMb largest heap
     * @param arguments of {@code weir standalone}
     * @param output file its output is added to
     */
    static ComponentProcess start(Component component, int heapMb, List<String> arguments, Path output) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + heapMb + "m");
        command.add("-XX:+ExitOnOutOfMemoryError");
        // A process that lives for seconds is up sooner without the second compiler.
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add("io.weir.command.Main");
        command.add("standalone");
        command.add("--only");
        command.add(component.name().toLowerCase(Locale.ROOT));
        command.addAll(arguments);
        try {
            File file = output.toFile();
            Process process = OWNED.start(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(file)));
            return new ComponentProcess(component, process);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + component, e);
        }
    }

    Component component() {
        return component;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int exitCode() {
        return process.exitValue();
    }

    /** Kills it as {@code kill -9} does, and waits until it is gone. */
    void kill() {
        process.destroyForcibly();
        await(30);
    }

    /** Asks it to stop in order; kills it when it takes too long. */
    void stop() {
        process.destroy();
        if (!await(30)) {
            kill();
        }
    }

    private boolean await(long seconds) {
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
            return false;
        }
    }
}

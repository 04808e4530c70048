package io.weir.notifier.exec;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs programs without a shell, with an environment that holds nothing of the notifier's own, each as the leader of a
 * session ({@code setsid}), so that all it started can be killed with it, and under a watchdog ({@code timeout}) that
 * ends it when the notifier is killed meanwhile. Stateless.
 */
final class ProgramRunner {

    private static final List<Path> SETSID = List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));
    private static final List<Path> TIMEOUT = List.of(Path.of("/usr/bin/timeout"), Path.of("/bin/timeout"));
    private static final Map<String, String> ENVIRONMENT =
            Map.of("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG", "C.UTF-8");

    /** How long the output may stay open after the program has ended: something it left behind holds it. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** How much later than the notifier itself the watchdog kills a program: it is for those whose notifier is gone. */
    private static final Duration WATCHDOG_LATER = Duration.ofSeconds(5);

    private final Path directory;
    private final List<String> groupLeader;
    private final List<String> watchdog;

    ProgramRunner(Path directory) {
        this.directory = directory;
        this.groupLeader = firstOf(SETSID);
        this.watchdog = firstOf(TIMEOUT);
    }

    private static List<String> firstOf(List<Path> places) {
        return places.stream()
                .filter(Files::isExecutable)
                .limit(1)
                .map(Path::toString)
                .toList();
    }

    /**
     * Runs {@code call} to its end, or kills it.
     *
     * @throws IOException when it could not be started
     */
    ProgramEnd run(ProgramCall call) throws IOException, InterruptedException {
        return run(call, kill -> {});
    }

    /**
     * Runs {@code call} to its end, or kills it.
     *
     * @param begun is told how to kill it, from any thread
     * @throws IOException when it could not be started
     */
    ProgramEnd run(ProgramCall call, Consumer<Runnable> begun) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(groupLeader);
        if (!watchdog.isEmpty()) {
            command.addAll(watchdog);
            command.addAll(List.of(
                    "-s",
                    "KILL",
                    Long.toString(call.timeout().plus(WATCHDOG_LATER).toSeconds())));
        }
        command.addAll(call.before());
        command.add(call.program().toString());
        command.addAll(call.arguments());
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().clear();
        builder.environment().putAll(ENVIRONMENT);
        builder.environment().putAll(call.environment());
        Process process = builder.start();
        Capture output = Capture.of(process.getInputStream(), call.outputBytes(), "exec-output");
        Capture errors = Capture.of(process.getErrorStream(), call.outputBytes(), "exec-errors");
        feed(process, call.input());
        begun.accept(() -> ProcessTree.kill(process.toHandle(), call.before()));
        try {
            boolean ended = process.waitFor(call.timeout().toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                ProcessTree.kill(process.toHandle(), call.before());
                process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
                return new ProgramEnd(137, output.text(1), errors.text(1), true);
            }
            return new ProgramEnd(
                    process.exitValue(), output.text(GRACE.toMillis()), errors.text(GRACE.toMillis()), false);
        } catch (InterruptedException e) {
            ProcessTree.kill(process.toHandle(), call.before());
            throw e;
        }
    }

    /** On a thread of its own: a program that reads nothing must not hold the channel. */
    private static void feed(Process process, String input) {
        Thread feeder = new Thread(
                () -> {
                    try (OutputStream in = process.getOutputStream()) {
                        in.write(input.getBytes(StandardCharsets.UTF_8));
                    } catch (IOException e) {
                        // It reads no more, which is its own business.
                    }
                },
                "exec-input");
        feeder.setDaemon(true);
        feeder.start();
    }
}

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

    /** How long a program that was killed may take to end, and one that has ended to have its output written by others. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** How much later than the notifier itself the watchdog kills a program: it is for those whose notifier is gone. */
    private static final Duration WATCHDOG_LATER = Duration.ofSeconds(5);

    /** Between looks at the output. The kernel holds 64 KiB of it meanwhile, after which the program waits. */
    private static final long SHORTEST_PAUSE_MS = 1;

    private static final long LONGEST_PAUSE_MS = 64;

    private static final long REST_PAUSE_MS = 20;

    private static final int KILLED = 137;

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
        Capture output = new Capture(process.getInputStream(), call.outputBytes());
        Capture errors = new Capture(process.getErrorStream(), call.outputBytes());
        feed(process, call.input());
        begun.accept(() -> ProcessTree.kill(process.toHandle(), call.before()));
        try {
            return end(process, call, output, errors);
        } catch (InterruptedException e) {
            ProcessTree.kill(process.toHandle(), call.before());
            throw e;
        }
    }

    /**
     * The JDK closes the streams at the end of the process, for which it locks them: what the program left behind, such as a
     * {@code tee}, could then write no more.
     */
    private static ProgramEnd end(Process process, ProgramCall call, Capture output, Capture errors)
            throws InterruptedException {
        synchronized (process.getInputStream()) {
            synchronized (process.getErrorStream()) {
                boolean ended = awaitEnd(process, call.timeout(), output, errors);
                if (ended) {
                    awaitRest(process, output, errors);
                } else {
                    ProcessTree.kill(process.toHandle(), call.before());
                    process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
                    take(output, errors);
                }
                return new ProgramEnd(ended ? process.exitValue() : KILLED, output.text(), errors.text(), !ended);
            }
        }
    }

    /** Takes what comes until nothing runs any more that the program started in its session, but not for long. */
    private static void awaitRest(Process process, Capture output, Capture errors) throws InterruptedException {
        long begin = System.nanoTime();
        boolean alive = true;
        while (alive && System.nanoTime() - begin < GRACE.toNanos()) {
            alive = Session.isAlive(process.pid());
            take(output, errors);
            if (alive) {
                Thread.sleep(REST_PAUSE_MS);
            }
        }
    }

    private static boolean take(Capture output, Capture errors) {
        boolean said = output.take();
        return errors.take() || said;
    }

    /** Waits for the end of {@code process}, {@code timeout} at the longest, and takes meanwhile what it writes. */
    private static boolean awaitEnd(Process process, Duration timeout, Capture output, Capture errors)
            throws InterruptedException {
        long begin = System.nanoTime();
        long pause = SHORTEST_PAUSE_MS;
        while (true) {
            long left = timeout.toMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            if (process.waitFor(Math.max(0, Math.min(left, pause)), TimeUnit.MILLISECONDS)) {
                return true;
            }
            if (left <= 0) {
                return false;
            }
            boolean written = take(output, errors);
            pause = written ? SHORTEST_PAUSE_MS : Math.min(2 * pause, LONGEST_PAUSE_MS);
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

package io.weir.rm.nativerm.call;

import io.weir.rm.spi.StartFailure;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Runs programs. Each is the leader of a process group of its own where {@code setsid} exists, so that all it started can
 * be killed with it, those included whose parent is gone. The variables of the connector's own configuration
 * ({@code WEIR_...}), which may hold secrets, are not handed down.
 */
final class ProcessCall {
    private static final List<Path> SETSID = List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));
    private static final String OWN_PREFIX = "WEIR_";
    private static final int STDERR_KEPT = 4_096;
    private static final int WORDS_KEPT = 500;

    /** How long the output may stay open after a program has ended: something it left behind holds it. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** How often, and after how long each time, it is looked whether something still holds the output. */
    private static final int LOOKS = 10;

    private static final long LOOK_NANOS = 20_000_000;

    /** The exit code by which programs ask to be tried again later, EX_TEMPFAIL. */
    private static final int TEMPORARY_FAILURE = 75;

    /** A program that a signal ended has an exit code of 128 and the signal's number. */
    private static final int LAST_SIGNAL = 64;

    private final Path directory;
    private final Map<String, String> environment;
    private final List<String> groupLeader;

    ProcessCall(Path directory, Map<String, String> environment) {
        this.directory = directory;
        this.environment = Map.copyOf(environment);
        this.groupLeader = SETSID.stream()
                .filter(Files::isExecutable)
                .limit(1)
                .map(Path::toString)
                .toList();
    }

    Reply call(Endpoint.Exec exec, CallRequest request, CallLimits limits) throws NoReplyException {
        long deadline = System.nanoTime() + limits.timeout().toNanos();
        Process process = start(exec, request);
        Capture output = Capture.of(process.getInputStream(), limits.maxBytes(), "native-call-out");
        Capture errors = Capture.of(process.getErrorStream(), STDERR_KEPT, "native-call-err");
        boolean ended = false;
        try {
            CompletableFuture.anyOf(process.onExit(), output.overflow())
                    .get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            ended = true;
            long patience = Math.min(GRACE.toNanos(), deadline - System.nanoTime());
            if (!output.overflow().isDone()) {
                CompletableFuture.anyOf(output.end(), output.overflow()).get(patience, TimeUnit.NANOSECONDS);
                CompletableFuture.anyOf(errors.end()).get(patience, TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException e) {
            if (!ended) {
                kill(process);
                throw NoReplyException.midway(
                        exec + " did not end within " + limits.timeout() + " and was killed" + said(errors.text()));
            }
            if (request.query()) {
                throw heldOpen(exec, process);
            }
        } catch (InterruptedException e) {
            kill(process);
            Thread.currentThread().interrupt();
            throw NoReplyException.midway(exec + " was interrupted", e);
        } catch (ExecutionException e) {
            kill(process);
            throw NoReplyException.midway(exec + " failed: " + e.getCause(), e);
        }
        if (output.overflow().isDone()) {
            kill(process);
            throw NoReplyException.midway(
                    exec + " wrote more than " + limits.maxBytes() + " bytes and was killed" + said(errors.text()));
        }
        if (request.query() && !groupLeader.isEmpty() && keepsHolding(new ProcessGroup(process.pid()))) {
            throw heldOpen(exec, process);
        }
        return reply(exec, process.exitValue(), output.text(), errors.text());
    }

    /** What a shell has just started in the background holds its output until it redirects its own: it gets a moment. */
    private static boolean keepsHolding(ProcessGroup group) {
        for (int i = 0; i < LOOKS; i++) {
            if (!group.holdsOutput()) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return group.holdsOutput();
    }

    private NoReplyException heldOpen(Endpoint.Exec exec, Process process) {
        kill(process);
        return NoReplyException.midway(exec + " ended, but something it started holds its output open: it was killed");
    }

    private static Reply reply(Endpoint.Exec exec, int code, String output, String errors) throws NoReplyException {
        if (code == 0) {
            return new Reply(true, output, "");
        }
        String words = errors.isBlank() ? output : errors;
        String failure = exec + " ended with exit code " + code + said(words);
        if (isSignal(code) || code == TEMPORARY_FAILURE) {
            throw NoReplyException.midway(failure);
        }
        return new Reply(false, output, failure);
    }

    private static boolean isSignal(int code) {
        return code > 128 && code <= 128 + LAST_SIGNAL;
    }

    private Process start(Endpoint.Exec exec, CallRequest request) throws NoReplyException {
        Path program = Path.of(exec.command().get(0));
        if (!Files.isRegularFile(program) || !Files.isExecutable(program)) {
            throw NoReplyException.neverBegan(program + " is not a program that may be executed");
        }
        List<String> command = new ArrayList<>(groupLeader);
        command.addAll(exec.command());
        command.addAll(request.arguments());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.environment().keySet().removeIf(name -> name.startsWith(OWN_PREFIX));
        builder.environment().putAll(environment);
        builder.environment().putAll(request.context());
        try {
            return builder.start();
        } catch (IOException e) {
            throw notStarted(exec, request, e);
        }
    }

    private static NoReplyException notStarted(Endpoint.Exec exec, CallRequest request, IOException e) {
        StartFailure failure = StartFailure.of(e);
        String message = exec + " cannot be started: " + e.getMessage();
        if (failure.isTooLong()) {
            int longest = Stream.concat(request.arguments().stream(), request.context().values().stream())
                    .mapToInt(String::length)
                    .max()
                    .orElse(0);
            return NoReplyException.tooLong(
                    exec + " cannot be given " + longest + " characters in one argument or variable, which is more than"
                            + " this operating system hands to a program; an http address takes them",
                    e);
        }
        return failure.isUnusable() ? NoReplyException.neverBegan(message, e) : NoReplyException.midway(message, e);
    }

    private void kill(Process process) {
        List<ProcessHandle> tree = process.descendants().toList();
        if (!groupLeader.isEmpty()) {
            killGroup(process.pid());
        }
        process.destroyForcibly();
        tree.forEach(ProcessHandle::destroyForcibly);
        try {
            process.getInputStream().close();
            process.getErrorStream().close();
        } catch (IOException e) {
            // It is being thrown away.
        }
    }

    /** Kills every process of a group; the JDK has no call for it. */
    private static void killGroup(long group) {
        try {
            Process kill = new ProcessBuilder("kill", "-KILL", "--", "-" + group)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!kill.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                kill.destroyForcibly();
            }
        } catch (IOException e) {
            // Without a kill program the descendants known to the JDK are all that can be reached.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String said(String words) {
        String shown = words.strip().replaceAll("\\s*\\R\\s*", " | ");
        if (shown.isEmpty()) {
            return "";
        }
        return ": " + (shown.length() > WORDS_KEPT ? shown.substring(0, WORDS_KEPT) + "..." : shown);
    }
}

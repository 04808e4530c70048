package io.weir.notifier.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assumptions;

/** A server from a Debian package, running in the foreground as a child of the test. */
public final class DebianServer implements AutoCloseable {

    private final Process process;
    private final Path log;

    private DebianServer(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Skips the test, with what to do, when {@code program} is not installed. */
    public static void requireInstalled(String program) {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of(program)),
                program + " is not installed; run .ci/install-receivers to test with it");
    }

    /** Starts {@code command}, whose output goes to {@code log}. */
    public static DebianServer start(Path log, List<String> command) {
        try {
            return new DebianServer(
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                            .start(),
                    log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs {@code command} to its end and returns what it said; fails when it failed. */
    public static String run(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(List.of(command) + ": " + said);
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns a port that is free now, for TCP and UDP. */
    public static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for {@code condition}; says what the server said when it does not come. */
    public void awaitThat(BooleanSupplier condition) {
        await().atMost(40, SECONDS)
                .pollInterval(Duration.ofMillis(100))
                .failFast("the server has ended", () -> !process.isAlive())
                .untilAsserted(() -> {
                    if (!condition.getAsBoolean()) {
                        throw new AssertionError("not yet; the server says: " + said());
                    }
                });
    }

    /** What it wrote to its output. */
    public String said() {
        try {
            return Files.readString(log, java.nio.charset.StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

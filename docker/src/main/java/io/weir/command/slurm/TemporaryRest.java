package io.weir.command.slurm;

import io.weir.rm.slurm.client.NodeChange;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.slurm.client.UnixSocketTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A slurmrestd for a moment, on a socket that nobody else can reach: what scontrol cannot change needs one, and by now the
 * cluster's own may be gone.
 */
final class TemporaryRest implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long LOOK_EVERY_MILLIS = 50;

    private final Path directory;
    private final Path socket;
    private final Process process;

    private TemporaryRest(Path directory, Path socket, Process process) {
        this.directory = directory;
        this.socket = socket;
        this.process = process;
    }

    /**
     * Starts one for the cluster of that slurm.conf.
     *
     * @throws IllegalStateException if there is none, or it does not begin to listen
     */
    static TemporaryRest start(Path conf) {
        try {
            Path directory = Files.createTempDirectory("weir-slurm");
            Path socket = directory.resolve("rest.sock");
            ProcessBuilder builder = new ProcessBuilder("slurmrestd", "-a", "rest_auth/local", "unix:" + socket)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log").toFile());
            // It would not run as root, who alone reaches this socket.
            builder.environment()
                    .putAll(Map.of("SLURM_CONF", conf.toString(), "SLURMRESTD_SECURITY", "disable_user_check"));
            TemporaryRest rest = new TemporaryRest(directory, socket, builder.start());
            rest.awaitSocket();
            return rest;
        } catch (IOException e) {
            throw new IllegalStateException("cannot run slurmrestd: " + e.getMessage(), e);
        }
    }

    private void awaitSocket() throws IOException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!Files.exists(socket)) {
            boolean ended = waitFor(LOOK_EVERY_MILLIS);
            if (ended || System.nanoTime() - deadline > 0) {
                String said = Files.readString(directory.resolve("log")).strip();
                close();
                throw new IllegalStateException("slurmrestd did not begin to listen: " + said);
            }
        }
    }

    private boolean waitFor(long millis) {
        try {
            return process.waitFor(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while slurmrestd started", e);
        }
    }

    /**
     * Changes which nodes a job asks for.
     *
     * @throws IllegalStateException if Slurm refuses
     */
    void update(String job, NodeChange change) {
        try (SlurmRest rest = new SlurmRest(new UnixSocketTransport(socket), null, LIMIT)) {
            rest.update(job, change);
        } catch (SlurmRefusal e) {
            throw new IllegalStateException("the nodes of job " + job + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            for (String name : new String[] {"rest.sock", "log"}) {
                Files.deleteIfExists(directory.resolve(name));
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

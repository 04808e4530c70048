package io.weir.command.slurm;

import io.weir.rm.slurm.client.NodeChange;
import io.weir.rm.slurm.client.RestVersion;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.slurm.client.UnixSocketTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A slurmrestd for a moment, on a socket that nobody else can reach: what scontrol cannot change needs one, and by now the
 * cluster's own may be gone.
 */
final class TemporaryRest implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long LOOK_EVERY_MILLIS = 50;
    private static final Pattern PLUGIN = Pattern.compile("openapi/(v[\\d.]+)");

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
            // Without a choice it loads what needs slurmdbd, too.
            ProcessBuilder builder = program(
                            conf, "-a", "rest_auth/local", "-s", "openapi/" + newestVersion(conf), "unix:" + socket)
                    .redirectOutput(directory.resolve("log").toFile());
            TemporaryRest rest = new TemporaryRest(directory, socket, builder.start());
            rest.awaitSocket();
            return rest;
        } catch (IOException e) {
            throw new IllegalStateException("cannot run slurmrestd: " + e.getMessage(), e);
        }
    }

    private static ProcessBuilder program(Path conf, String... arguments) {
        List<String> words = new ArrayList<>(List.of("slurmrestd"));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        // It would not run as root, who alone reaches this socket.
        builder.environment()
                .putAll(Map.of("SLURM_CONF", conf.toString(), "SLURMRESTD_SECURITY", "disable_user_check"));
        return builder;
    }

    private static RestVersion newestVersion(Path conf) throws IOException {
        Process process = program(conf, "-s", "list").start();
        process.getOutputStream().close();
        String listed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return PLUGIN.matcher(listed)
                .results()
                .flatMap(plugin -> RestVersion.parse(plugin.group(1)).stream())
                .max(Comparator.naturalOrder())
                .orElseThrow(() -> new IllegalStateException("slurmrestd offers none of the versions "
                        + RestVersion.OLDEST + " to " + RestVersion.NEWEST + ": " + listed.strip()));
    }

    private void awaitSocket() throws IOException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!isListening()) {
            boolean ended = waitFor(LOOK_EVERY_MILLIS);
            if (ended || System.nanoTime() - deadline > 0) {
                String said = Files.readString(directory.resolve("log")).strip();
                close();
                throw new IllegalStateException("slurmrestd did not begin to listen: " + said);
            }
        }
    }

    /** The socket is there a moment before anybody listens to it. */
    private boolean isListening() {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return channel.isConnected();
        } catch (IOException e) {
            return false;
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

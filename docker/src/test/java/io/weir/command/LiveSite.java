package io.weir.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.command.terminal.ExitCode;
import io.weir.standalone.Component;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.DemoCluster;
import io.weir.standalone.Standalone;
import io.weir.standalone.StandaloneConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import picocli.CommandLine;

/** A crowded cluster with everything that schedules it, and an operator who types commands. */
final class LiveSite implements AutoCloseable {
    /** Token of somebody who is nobody in particular. */
    static final String USER_TOKEN = "0123456789abcdef0123";

    final DataDirectory directory;
    final Standalone standalone;
    private final Path root;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    LiveSite(Path root, DemoCluster cluster) throws IOException {
        this.root = root;
        directory = new DataDirectory(root);
        cluster.writeScript(directory);
        StandaloneConfig config = new StandaloneConfig(directory, 0, 0, Map.of(), cluster.settings(directory));
        standalone = Standalone.start(config, EnumSet.complementOf(EnumSet.of(Component.MONITORING)));
        Files.writeString(directory.tokens(), "nobody " + USER_TOKEN + " user\n", StandardOpenOption.APPEND);
        Files.writeString(root.resolve("token"), USER_TOKEN + "\n");
    }

    /** Runs a command as the site's administrator and expects it to succeed; returns what it printed. */
    String text(String... args) {
        assertThat(run(args)).as(() -> String.join(" ", args) + ": " + err).isEqualTo(ExitCode.FINE);
        return out.toString();
    }

    /** Runs a command as the site's administrator and expects JSON. */
    JsonNode json(String... args) throws IOException {
        List<String> words = new ArrayList<>(List.of(args));
        words.add("--format=json");
        return new ObjectMapper().readTree(text(words.toArray(String[]::new)));
    }

    /** Runs a command as the site's administrator; returns its exit code. */
    int run(String... args) {
        return run(List.of("--data", root.toString()), args);
    }

    /** Runs a command as nobody in particular; returns its exit code. */
    int runAsUser(String... args) throws IOException {
        return run(
                List.of("--server", url(), "--token-file", root.resolve("token").toString()), args);
    }

    /** Runs a command of somebody whom nobody knows; returns its exit code. */
    int runAsStranger(String... args) throws IOException {
        return run(List.of("--server", url()), args);
    }

    /** Runs a command that says itself where the site is; returns its exit code. */
    int runBare(String... args) {
        return run(List.of(), args);
    }

    /** Returns what the last command printed. */
    String out() {
        return out.toString();
    }

    /** Returns what the last command complained about. */
    String err() {
        return err.toString();
    }

    /** Returns a job that waits; on a busy machine it may have run and ended by the time that it is looked at. */
    String someWaitingJob() {
        return someJob("eligible", 8);
    }

    /** Returns a job that waits and goes on waiting, because it was held first. */
    String someHeldJob() {
        return Awaitility.await("a job that was held in time")
                .atMost(Duration.ofMinutes(2))
                .until(this::someWaitingJob, job -> run("mjobctl", "-h", job) == ExitCode.FINE && waits(job));
    }

    /** Returns whether a job had not started before it was held: one that runs can be held, too. */
    private boolean waits(String job) {
        return run("checkjob", job) == ExitCode.FINE && !out().contains("StartTime:");
    }

    /** Returns a job of a section of showq that has more than {@code least}. */
    String someJob(String section, int least) {
        return Awaitility.await("a job that is " + section)
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(300))
                .until(
                        () -> {
                            List<String> found =
                                    json("showq").path(0).path(section).findValuesAsText("jobId");
                            return found.size() > least ? found.get(found.size() / 2) : "";
                        },
                        job -> !job.isEmpty());
    }

    @Override
    public void close() {
        standalone.close();
    }

    private String url() throws IOException {
        return Files.readString(directory.api()).strip().replace("api.url=", "");
    }

    private int run(List<String> site, String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> words = new ArrayList<>(List.of(args));
        words.addAll(site);
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(words.toArray(String[]::new));
    }
}

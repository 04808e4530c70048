package io.weir.command.nonstop;

import static org.awaitility.Awaitility.await;

import io.weir.nonstop.client.ClientTls;
import io.weir.nonstop.client.FailureServiceException;
import io.weir.nonstop.client.NonstopClient;
import io.weir.nonstop.client.ServiceAddress;
import io.weir.rm.runtime.RunnerListener;
import io.weir.scheduler.cli.PolicyFile;
import io.weir.standalone.Component;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.PolicyPublisher;
import io.weir.standalone.Standalone;
import io.weir.standalone.StandaloneConfig;
import io.weir.standalone.broker.FreePorts;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;

/** Broker, scheduler and connector with the failure service switched on, and jobs' scripts that call {@code smd}. */
@NullUnmarked
public final class NonstopSite implements AutoCloseable {
    public static final String CLUSTER = "site";
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Path root;
    private final Standalone standalone;

    /** Certificates that vouch for the service; empty when it is served in clear text. */
    private final Optional<Path> authorities;

    private final StringWriter err = new StringWriter();
    private List<String> lines = List.of();

    /**
     * Starts it.
     *
     * @param root an empty directory
     * @param settings of the connector and of the service; with a certificate in {@code api.tls.certificate.file} clients
     *     speak TLS
     * @param policy configuration of the site; FAILURESERVICE is added
     * @param conf lines of nonstop.conf; ControlAddr and Port are added
     */
    public NonstopSite(Path root, Map<String, String> settings, String policy, String... conf) throws IOException {
        this.root = root;
        authorities =
                Optional.ofNullable(settings.get("api.tls.certificate.file")).map(Path::of);
        Files.writeString(
                root.resolve("nonstop.conf"),
                "ControlAddr=127.0.0.1\nPort=" + FreePorts.any(1)[0] + "\n" + String.join("\n", conf) + "\n");
        Files.writeString(root.resolve("weir.cfg"), policy + "\nFAILURESERVICE nonstop\n");
        String text = PolicyFile.read(root.resolve("weir.cfg"));
        Map<String, String> all = new HashMap<>(settings);
        all.put("cluster", CLUSTER);
        all.put("clusters", CLUSTER);
        all.put("nonstop.host", "127.0.0.1");
        DataDirectory directory = new DataDirectory(root.resolve("data"));
        standalone = Standalone.start(
                new StandaloneConfig(directory, 0, 0, Map.of(), all),
                EnumSet.of(Component.BROKER, Component.SCHEDULER, Component.CONNECTOR),
                RunnerListener.NONE,
                connection -> new PolicyPublisher(connection, new TopicNames(TopicNames.DEFAULT_PREFIX))
                        .publish(CLUSTER, text, "weir.cfg"));
    }

    /** Gives {@code user} a token; returns the file that has it. */
    public Path admit(String user) throws IOException {
        String token = (user + "0123456789abcdef0123456789").substring(0, 24);
        Files.writeString(
                new DataDirectory(root.resolve("data")).tokens(),
                user + " " + token + " user\n",
                StandardOpenOption.APPEND);
        return Files.writeString(root.resolve("token." + user), token + "\n");
    }

    public Standalone standalone() {
        return standalone;
    }

    /** Where nonstop.conf is. */
    public Path conf() {
        return root.resolve("nonstop.conf");
    }

    /** Where smd puts the environment of jobs. */
    public Path environments() {
        return root;
    }

    /** Returns a client in the name of {@code user}, once the service answers. */
    public NonstopClient client(String user) throws IOException {
        Path file = root.resolve("token." + user);
        String token = Files.readString(Files.exists(file) ? file : admit(user)).strip();
        ServiceAddress address = ServiceAddress.read(conf());
        NonstopClient client = authorities.isPresent()
                ? new NonstopClient(
                        address, Optional.of(token), new ClientTls(authorities, Optional.empty(), Optional.empty()))
                : new NonstopClient(address, Optional.of(token));
        await("the failure service")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    try {
                        return client.configuration().containsKey("ControlAddr");
                    } catch (FailureServiceException e) {
                        return false;
                    }
                });
        return client;
    }

    /** Runs {@code smd} as the script of a job of {@code user}; returns its exit code. */
    public int smd(String user, String job, Map<String, String> more, String... arguments) throws IOException {
        Map<String, String> environment = new TreeMap<>(Map.of(
                "SLURM_JOB_ID", job,
                "SMD_ENV_DIR", root.toString(),
                "WEIR_NONSTOP_CONF", conf().toString(),
                "WEIR_TOKEN_FILE", root.resolve("token." + user).toString()));
        authorities.ifPresent(file -> environment.put("WEIR_NONSTOP_CA", file.toString()));
        environment.putAll(more);
        StringWriter out = new StringWriter();
        err.getBuffer().setLength(0);
        int exit = SmdMain.commandLine(new SmdCommand(environment))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        lines = out.toString().lines().toList();
        return exit;
    }

    /** Returns what the last smd printed. */
    public List<String> lines() {
        return lines;
    }

    /** Returns what the last smd complained about. */
    public String err() {
        return err.toString();
    }

    @Override
    public void close() {
        standalone.close();
    }
}

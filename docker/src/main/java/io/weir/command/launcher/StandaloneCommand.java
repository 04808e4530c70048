package io.weir.command.launcher;

import io.weir.command.client.DefaultDirectory;
import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.ExitCode;
import io.weir.command.terminal.GivenSettings;
import io.weir.command.terminal.Terminal;
import io.weir.rm.runtime.RunnerListener;
import io.weir.scheduler.cli.PolicyFile;
import io.weir.standalone.Component;
import io.weir.standalone.Connection;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.DemoCluster;
import io.weir.standalone.Endpoints;
import io.weir.standalone.PolicyPublisher;
import io.weir.standalone.Standalone;
import io.weir.standalone.StandaloneConfig;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir standalone}: all components in one JVM, or some of them. */
@Command(
        name = "standalone",
        mixinStandardHelpOptions = true,
        description = {
            "Runs broker, schema registry, scheduler, connector and notifier in this process, until Ctrl-C.",
            "",
            "All data is kept under --data. Started again on the same directory, after a stop or a kill, Weir",
            "continues where it was. With --only, components run as separate processes on the same directory;",
            "one of them must be the broker. Services take their settings from --settings and --set; without",
            "either, the connector simulates a small cluster, as in weir demo."
        })
public final class StandaloneCommand implements Callable<Integer> {
    private static final int BROKER_PORT = 9092;
    private static final int REGISTRY_PORT = 8081;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--data", paramLabel = "DIR", description = "Data directory (default: ~/.weir/demo).")
    private @Nullable Path data;

    @Option(
            names = "--only",
            paramLabel = "PART",
            split = ",",
            description =
                    "Run only these: broker, scheduler, reduction, connector, notifier, monitoring (default: all).")
    private @Nullable Set<Component> only;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "" + BROKER_PORT,
            description = "Port of the broker on 127.0.0.1, 0 for any (default: ${DEFAULT-VALUE}).")
    private int port = BROKER_PORT;

    @Option(
            names = "--registry-port",
            paramLabel = "PORT",
            defaultValue = "" + REGISTRY_PORT,
            description = "Port of the registry on 127.0.0.1, 0 for any (default: ${DEFAULT-VALUE}).")
    private int registryPort = REGISTRY_PORT;

    @Option(names = "--settings", paramLabel = "FILE", description = "Settings of the services, a properties file.")
    private @Nullable Path settings;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "One setting; takes precedence over --settings.")
    private Map<String, String> set = new LinkedHashMap<>();

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "A site configuration to publish for the connector's cluster before anything is scheduled, "
                    + "unless it is in force; it needs the broker among the components. Later ones: weir policy.")
    private @Nullable Path policy;

    @Override
    public Integer call() throws IOException, InterruptedException {
        DataDirectory directory = new DataDirectory(data == null ? DefaultDirectory.demo() : data);
        directory.prepare();
        StandaloneConfig config = new StandaloneConfig(directory, port, registryPort, Map.of(), chosen(directory));
        Set<Component> components = only == null ? config.components() : EnumSet.copyOf(only);
        String log = LogFiles.open(directory.logs(), logName(components));
        Consumer<Connection> publishPolicy = publisher(config, components);
        Terminal terminal = Terminal.ofProcess();
        long began = System.nanoTime();
        terminal.status("Starting " + names(components) + " …");
        try (Standalone standalone = Standalone.start(config, components, RunnerListener.NONE, publishPolicy)) {
            StopOnSignal.install(standalone);
            terminal.clear();
            Endpoints used = config.used(standalone.endpoints());
            spec.commandLine()
                    .getOut()
                    .printf(
                            Locale.ROOT,
                            "Running %s on %s after %.1f s. Broker %s, registry %s, logins in %s, log %s%n",
                            names(components),
                            directory.root(),
                            (System.nanoTime() - began) / 1e9,
                            used.bootstrapServers(),
                            used.registryUrl(),
                            directory.clients(),
                            log);
            spec.commandLine().getOut().flush();
            standalone.awaitStopRequest();
            return standalone.isHealthy() ? ExitCode.FINE : ExitCode.FAILED;
        }
    }

    private Consumer<Connection> publisher(StandaloneConfig config, Set<Component> components) throws IOException {
        Path file = policy;
        if (file == null) {
            return connection -> {};
        }
        String cluster = config.chosen().get("cluster");
        if (cluster == null || !components.contains(Component.BROKER)) {
            throw new BadInputException("--policy needs the setting 'cluster', and the broker among the components");
        }
        TopicNames names = new TopicNames(config.chosen().getOrDefault("topics.prefix", TopicNames.DEFAULT_PREFIX));
        String text = PolicyFile.read(file);
        return connection -> new PolicyPublisher(connection, names)
                .publish(cluster, text, file.toAbsolutePath().toString());
    }

    /** Settings of the user, or those of a cluster to play with when there are none. */
    private Map<String, String> chosen(DataDirectory directory) throws IOException {
        Path file = settings;
        if (file == null && set.isEmpty()) {
            DemoCluster.DEFAULT.writeScript(directory);
            return DemoCluster.DEFAULT.settings(directory);
        }
        Map<String, String> chosen = new TreeMap<>();
        if (file != null) {
            chosen.putAll(GivenSettings.read("--settings", file));
        }
        chosen.putAll(set);
        return chosen;
    }

    private String logName(Set<Component> components) {
        return only == null || components.size() == Component.values().length
                ? "weir"
                : names(components).replace(", ", "-");
    }

    private static String names(Set<Component> components) {
        return components.stream()
                .map(component -> component.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }
}

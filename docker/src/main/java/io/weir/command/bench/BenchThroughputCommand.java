package io.weir.command.bench;

import io.weir.command.launcher.LogFiles;
import io.weir.command.terminal.ExitCode;
import io.weir.command.terminal.Terminal;
import io.weir.standalone.Component;
import io.weir.standalone.Connection;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.PolicyPublisher;
import io.weir.standalone.Standalone;
import io.weir.standalone.StandaloneConfig;
import io.weir.standalone.access.Account;
import io.weir.standalone.bench.Backlog;
import io.weir.standalone.bench.BareStream;
import io.weir.standalone.bench.BenchSite;
import io.weir.standalone.bench.Drain;
import io.weir.standalone.bench.GroupProgress;
import io.weir.standalone.bench.LatencyBench;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir bench throughput}: how fast facts that wait are taken in, beside a stream that decides nothing. */
@Command(
        name = "throughput",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how fast a scheduler takes in facts that were written before it starts, exactly once.",
            "",
            "The broker is in this process. Each job was submitted, started and ended by the resource manager",
            "meanwhile. At the end a stream that only stores and forwards takes in the same records: the price",
            "of Kafka Streams here."
        },
        footer = {"", "Example: weir bench throughput --jobs 50000 --rounds 3"})
final class BenchThroughputCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(30);
    private static final String APPLICATION = "weir-bench-scheduler";

    @Option(
            names = "--jobs",
            paramLabel = "J",
            defaultValue = "30000",
            description = "Jobs of a round; every job is three facts (default: ${DEFAULT-VALUE}).")
    private int jobs;

    @Option(
            names = "--rounds",
            paramLabel = "R",
            defaultValue = "3",
            description = "How often the scheduler is started on a new backlog; the first one warms up"
                    + " (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "500",
            description = "Nodes, of four processors each (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (jobs < 1 || rounds < 1 || nodes < 1) {
            throw new ParameterException(spec.commandLine(), "--jobs, --rounds and --nodes are at least 1");
        }
        DataDirectory directory = new DataDirectory(Files.createTempDirectory("weir-bench-"));
        directory.prepare();
        LogFiles.open(directory.logs(), "bench");
        StandaloneConfig config = new StandaloneConfig(
                directory,
                0,
                0,
                Map.of(),
                Map.of("clusters", LatencyBench.CLUSTER, "clock", "wall", "application.id", APPLICATION));
        Terminal terminal = Terminal.ofProcess();
        terminal.status("Starting a broker …");
        try (Standalone broker = Standalone.start(config, EnumSet.of(Component.BROKER))) {
            Connection connection = broker.connection(Account.ADMIN);
            new PolicyPublisher(connection, new TopicNames(TopicNames.DEFAULT_PREFIX))
                    .publish(LatencyBench.CLUSTER, "SCHEDCFG[" + LatencyBench.CLUSTER + "] MODE=MONITOR", "bench");
            String topic = new TopicNames(TopicNames.DEFAULT_PREFIX).full(Topics.RM_JOBS);
            long written = 0;
            try (Backlog backlog = new Backlog(connection, new BenchSite(nodes, 0, 0))) {
                for (int round = 1; round <= rounds; round++) {
                    terminal.status("Round " + round + ": writing, then taking in the facts of " + jobs + " jobs …");
                    long before = written;
                    written = backlog.write(jobs);
                    Drain drain = drainByScheduler(config, connection, topic, before, written);
                    terminal.clear();
                    print("scheduler, round " + round, drain);
                }
            }
            terminal.status("Taking in the same by a stream that decides nothing …");
            Drain bare = drainByBareStream(connection, topic, written, directory.root());
            terminal.clear();
            print("bare stream", bare);
        }
        return ExitCode.FINE;
    }

    private static Drain drainByScheduler(
            StandaloneConfig config, Connection connection, String topic, long from, long to) {
        try (GroupProgress progress = new GroupProgress(connection, APPLICATION, topic);
                Standalone scheduler = Standalone.start(config, EnumSet.of(Component.SCHEDULER))) {
            Drain drain = progress.drain(from, to, PATIENCE);
            scheduler.requestStop();
            return drain;
        }
    }

    private static Drain drainByBareStream(Connection connection, String topic, long to, Path directory) {
        try (GroupProgress progress = new GroupProgress(connection, BareStream.GROUP, topic);
                BareStream stream = BareStream.start(connection, topic, directory.resolve("bare"))) {
            return stream.drain(progress, to, PATIENCE);
        }
    }

    private void print(String who, Drain drain) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "%s: %d facts in %.1f s, %.0f facts/s; %s%n",
                who,
                drain.records(),
                drain.use().seconds(),
                drain.perSecond(),
                drain.use().text(drain.records()));
        out.flush();
    }
}

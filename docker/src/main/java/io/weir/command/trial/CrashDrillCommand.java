package io.weir.command.trial;

import io.weir.command.terminal.ExitCode;
import io.weir.scheduler.cli.TraceOptions;
import io.weir.standalone.Component;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.TraceRun;
import io.weir.standalone.drill.CrashDrill;
import io.weir.standalone.drill.DrillPlan;
import io.weir.standalone.drill.DrillReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir crash-drill}: kills processes during a run and checks that nobody can tell. */
@Command(
        name = "crash-drill",
        mixinStandardHelpOptions = true,
        description = {
            "Kills the processes of a running trace with SIGKILL at random moments, and checks the outcome.",
            "",
            "The drill passes if every job starts at the same second as in weir simulate, if the record of the",
            "simulated resource manager shows no command carried out twice and no job lost, and if replay",
            "--verify is clean."
        })
public final class CrashDrillCommand implements Callable<Integer> {
    private static final Set<Component> KILLABLE =
            EnumSet.of(Component.BROKER, Component.SCHEDULER, Component.CONNECTOR);

    @Mixin
    private TraceOptions options = new TraceOptions();

    @Option(
            names = "--kill",
            paramLabel = "PART=TIMES",
            split = ",",
            description = "Number of kills per component (default: scheduler=10,connector=10).")
    private Map<Component, Integer> kills = new EnumMap<>(Component.class);

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of the order and times of the kills (default: random, printed).")
    private @Nullable Long seed;

    @Option(names = "--data", paramLabel = "DIR", description = "An empty directory (default: a new one).")
    private @Nullable Path data;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        check();
        TraceRun run = TraceRuns.chosen(options, spec);
        DataDirectory directory =
                new DataDirectory(data == null ? Files.createTempDirectory("weir-crash-drill-") : data);
        if (kills.isEmpty()) {
            kills.put(Component.SCHEDULER, 10);
            kills.put(Component.CONNECTOR, 10);
        }
        long chosen = seed == null ? new Random().nextInt(1_000_000) : seed;
        DrillPlan plan = new DrillPlan(run, directory, kills, chosen);
        out.println("seed " + chosen + ", kills " + kills + ", directory " + directory.root());
        out.flush();
        DrillReport report = new CrashDrill(plan, event -> {
                    out.println(event);
                    out.flush();
                })
                .run();
        out.printf(Locale.ROOT, "%d jobs ran, kills %s, %.0f s%n", report.jobs(), report.kills(), report.seconds());
        report.problems().forEach(problem -> out.println("PROBLEM " + problem));
        out.println(report.isClean() ? "clean: nobody could tell" : "NOT clean; seed " + chosen);
        out.flush();
        return report.isClean() ? ExitCode.FINE : ExitCode.FAILED;
    }

    /** @throws ParameterException if an option has a value that a drill can make nothing of */
    private void check() throws IOException {
        kills.forEach((part, times) -> {
            if (!KILLABLE.contains(part)) {
                throw usage("--kill " + part.name().toLowerCase(Locale.ROOT)
                        + ": a drill runs broker, scheduler and connector");
            }
            if (times < 0) {
                throw usage(
                        "--kill " + part.name().toLowerCase(Locale.ROOT) + "=" + times + ": it cannot be less than 0");
            }
        });
        if (options.out() != null || options.json() != null) {
            throw usage("--out and --json: a drill writes neither; use weir run-trace");
        }
        if (data != null && Files.exists(data) && !isEmptyDirectory(data)) {
            throw usage("--data " + data + ": a drill needs a new or an empty directory");
        }
    }

    private static boolean isEmptyDirectory(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(path)) {
            return entries.findAny().isEmpty();
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}

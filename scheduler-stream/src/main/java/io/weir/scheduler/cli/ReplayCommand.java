package io.weir.scheduler.cli;

import io.weir.scheduler.audit.AuditRange;
import io.weir.scheduler.audit.AuditReplayer;
import io.weir.scheduler.audit.AuditReport;
import io.weir.scheduler.audit.AuditReport.Beginning;
import io.weir.scheduler.audit.AuditReport.ClusterReport;
import io.weir.scheduler.audit.snapshot.SnapshotSink;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir replay --verify}: derives everything again from the journal and compares. */
@Command(
        name = "replay",
        description = "Derive every iteration again from the journal and compare it with the records on the topics.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Compares, byte for byte: the journal's chain of digests, every iteration, every output on its",
            "topic, and the facts as far as they are still retained. Nothing is written but what --snapshot",
            "says. Inputs after the last iteration are counted as unverified.",
            "",
            "Example: weir replay --verify --data ./run",
            "",
            "Where the journal's first records have expired, the audit begins at the oldest snapshot that the",
            "rest continues. Without one, decisions cannot be derived again: then only the journal's digests,",
            "from the first record on, and the retained facts are compared. So let audits with --snapshot run",
            "now and then.",
            "",
            "Exit codes: 0 nothing differs, 1 something differs or cannot be read, 2 bad usage or input,",
            "3 nothing differs, but the journal's beginning has expired."
        })
public final class ReplayCommand implements Callable<Integer> {
    /** Exit code for a journal whose beginning has expired. */
    static final int CUT_SHORT = 3;

    @Mixin
    private final TopicsOptions topics = new TopicsOptions();

    @Option(names = "--verify", required = true, description = "Compare with what is recorded.")
    private boolean verify;

    @Option(
            names = "--from-iteration",
            paramLabel = "N",
            defaultValue = "1",
            description = "Compare from iteration N on; earlier ones are replayed without comparison.")
    private long fromIteration;

    @Option(
            names = "--from-snapshot",
            description =
                    "Begin at the newest snapshot, or the newest before the iteration of --from-iteration; up to there, "
                            + "only the journal's digests are compared.")
    private boolean fromSnapshot;

    @Option(
            names = "--snapshot",
            description =
                    "Where nothing differs, write the state to the topic snapshots: audits may begin there when the "
                            + "journal's first records have expired. Needs the rights of weir-audit, and a registry.")
    private boolean snapshot;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final BrokerAccess.OfDirectory directories;
    private final BrokerAccess.OfDirectory writable;

    /**
     * Creates the command.
     *
     * @param directories opens what {@code --data} names, to read
     * @param writable opens it to write snapshots, too
     */
    public ReplayCommand(BrokerAccess.OfDirectory directories, BrokerAccess.OfDirectory writable) {
        this.directories = directories;
        this.writable = writable;
    }

    @Override
    public Integer call() {
        if (!verify) {
            throw new ParameterException(spec.commandLine(), "replay only verifies so far: give --verify");
        }
        if (fromIteration < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--from-iteration " + fromIteration + ": iterations are counted from 1");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (TopicsOptions.Topics open = topics.open(snapshot ? writable : directories)) {
            List<String> written = new ArrayList<>();
            AuditReport report = audit(open, written);
            nothingCompared(report, fromIteration).ifPresent(problem -> {
                throw new ParameterException(spec.commandLine(), problem);
            });
            int code = print(report, fromIteration, out);
            written.forEach(out::println);
            out.flush();
            return code;
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private AuditReport audit(TopicsOptions.Topics open, List<String> written) {
        try (ProgressLine progress = new ProgressLine(spec.commandLine().getErr())) {
            AuditPace pace = new AuditPace(System::nanoTime);
            return new AuditReplayer(
                            open.log(),
                            open.names(),
                            open.decoder(),
                            new AuditRange(fromIteration, fromSnapshot),
                            sink(open, written),
                            (cluster, number, share) -> {
                                pace.iteration();
                                progress.show(() -> pace.text(cluster, number, share));
                            })
                    .verify();
        }
    }

    private Optional<SnapshotSink> sink(TopicsOptions.Topics open, List<String> written) {
        if (!snapshot) {
            return Optional.empty();
        }
        return Optional.of(new SnapshotProducer(
                open.client(),
                open.codec()
                        .orElseThrow(() -> new ParameterException(
                                spec.commandLine(), "--snapshot writes by the schemas of a registry: give --registry")),
                open.names(),
                state -> written.add("cluster " + state.journal().getCluster() + ": snapshot behind iteration "
                        + state.iteration() + ", " + state.entities().size() + " entities")));
    }

    /** Says that no journal reaches as far as {@code from}; empty where something was compared, or differs before. */
    static Optional<String> nothingCompared(AuditReport report, long from) {
        long last = report.clusters().stream()
                .mapToLong(ClusterReport::iterations)
                .max()
                .orElse(from);
        return last < from && report.isClean()
                ? Optional.of(
                        "--from-iteration " + from + ": there is nothing to compare; the last iteration is " + last)
                : Optional.empty();
    }

    static int print(AuditReport report, long from, PrintWriter out) {
        for (ClusterReport cluster : report.clusters()) {
            if (cluster.beginning().isPresent()) {
                printCutShort(cluster, cluster.beginning().get(), out);
                continue;
            }
            Beginning start = cluster.start().orElse(Beginning.FIRST);
            out.printf(
                    "cluster %s: %s%d iterations, %d inputs, %d outputs and %d facts compared, %d unverified: %s%n",
                    cluster.cluster(),
                    cluster.start().isPresent()
                            ? "from the snapshot behind iteration " + start.iteration() + " on, "
                            : "",
                    cluster.iterations() - start.iteration(),
                    cluster.inputs() - start.sequence(),
                    cluster.outputs(),
                    cluster.facts(),
                    cluster.unverified(),
                    cluster.divergence().isPresent()
                            ? "DIFFERS"
                            : cluster.iterations() < Math.max(from, start.iteration() + 1)
                                    ? "nothing to compare"
                                    : "identical");
        }
        report.corrupt().forEach(place -> out.println("CORRUPT " + place));
        report.firstDivergence().ifPresent(out::println);
        if (report.clusters().isEmpty()) {
            out.println("the journal is empty: there is nothing to verify");
        }
        out.flush();
        if (!report.isClean()) {
            return 1;
        }
        return report.isWhole() ? 0 : CUT_SHORT;
    }

    private static void printCutShort(ClusterReport cluster, Beginning beginning, PrintWriter out) {
        out.printf(
                "cluster %s: %s; up to iteration %d, the digests of %d inputs and %d facts compared, %d unverified: %s%n",
                cluster.cluster(),
                beginsAt(beginning.iteration()),
                cluster.iterations(),
                cluster.inputs() - beginning.sequence(),
                cluster.facts(),
                cluster.unverified(),
                cluster.divergence().isPresent() ? "DIFFERS" : "the digests follow, decisions were not derived again");
    }

    /** Says that a journal begins at iteration {@code first}, or has none. */
    static String beginsAt(long first) {
        return (first == 0
                        ? "the journal begins behind its last iteration"
                        : "the journal begins at iteration " + first)
                + ", earlier records have expired";
    }
}

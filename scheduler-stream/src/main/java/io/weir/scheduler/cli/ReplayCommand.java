package io.weir.scheduler.cli;

import io.weir.scheduler.audit.AuditReplayer;
import io.weir.scheduler.audit.AuditReport;
import io.weir.scheduler.audit.AuditReport.Beginning;
import io.weir.scheduler.audit.AuditReport.ClusterReport;
import java.io.IOException;
import java.io.PrintWriter;
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
            "topic, and the facts as far as they are still retained. Nothing is written. Inputs after the",
            "last iteration are counted as unverified.",
            "",
            "Example: weir replay --verify --data ./run",
            "",
            "Where the journal's first records have expired, decisions cannot be derived again. Then only the",
            "journal's digests, from the first record on, and the retained facts are compared.",
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

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final BrokerAccess.OfDirectory directories;

    /** Creates the command; {@code directories} opens what {@code --data} names. */
    public ReplayCommand(BrokerAccess.OfDirectory directories) {
        this.directories = directories;
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
        try (TopicsOptions.Topics open = topics.open(directories)) {
            AuditReport report = audit(open);
            nothingCompared(report, fromIteration).ifPresent(problem -> {
                throw new ParameterException(spec.commandLine(), problem);
            });
            return print(report, fromIteration, out);
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private AuditReport audit(TopicsOptions.Topics open) {
        try (ProgressLine progress = new ProgressLine(spec.commandLine().getErr())) {
            AuditPace pace = new AuditPace(System::nanoTime);
            return new AuditReplayer(
                            open.log(), open.names(), open.decoder(), fromIteration, (cluster, number, share) -> {
                                pace.iteration();
                                progress.show(() -> pace.text(cluster, number, share));
                            })
                    .verify();
        }
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
            out.printf(
                    "cluster %s: %d iterations, %d inputs, %d outputs and %d facts compared, %d unverified: %s%n",
                    cluster.cluster(),
                    cluster.iterations(),
                    cluster.inputs(),
                    cluster.outputs(),
                    cluster.facts(),
                    cluster.unverified(),
                    cluster.divergence().isPresent()
                            ? "DIFFERS"
                            : cluster.iterations() < from ? "nothing to compare" : "identical");
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

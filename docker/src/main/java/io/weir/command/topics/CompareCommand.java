package io.weir.command.topics;

import io.weir.command.client.TopicsAccess;
import io.weir.command.format.TextTable;
import io.weir.command.format.TimeText;
import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.ExitCode;
import io.weir.command.topics.StartComparison.Row;
import io.weir.command.topics.StartComparison.Verdict;
import io.weir.schemas.Decision;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeReport;
import io.weir.standalone.TopicContents;
import io.weir.topics.Topics;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir compare}: starts as decided beside starts as they happened. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the starts Weir decided beside those the resource manager reports, job by job.",
            "",
            "Equal: on other nodes of the same size, features, classes and generic resources; not counted as",
            "different. With SCHEDCFG[x] MODE=MONITOR nothing is carried out: this is what Weir would have",
            "done. Times are UTC."
        })
public final class CompareCommand implements Callable<Integer> {
    private static final String NOTHING = "-";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private TopicsAccess topics = new TopicsAccess();

    @Option(names = "--cluster", paramLabel = "NAME", required = true, description = "The cluster.")
    private String cluster = "";

    @Override
    public Integer call() {
        StartComparison comparison;
        try (TopicsAccess.Opened access = topics.open()) {
            TopicContents contents = new TopicContents(access.connection(), topics.names());
            List<Decision> decisions = contents.read(Topics.DECISIONS);
            List<JobReport> jobs = contents.read(Topics.RM_JOBS);
            List<NodeReport> nodes = contents.read(Topics.RM_NODES);
            requireKnown(cluster, decisions, jobs, nodes);
            comparison = StartComparison.of(cluster, decisions, jobs, nodes);
        }
        print(spec.commandLine().getOut(), comparison);
        return ExitCode.FINE;
    }

    /** @throws BadInputException if nothing is said of {@code cluster} */
    static void requireKnown(String cluster, List<Decision> decisions, List<JobReport> jobs, List<NodeReport> nodes) {
        SortedSet<String> known = new TreeSet<>();
        decisions.forEach(decision -> known.add(decision.getCluster()));
        jobs.forEach(job -> known.add(job.getCluster()));
        nodes.forEach(node -> known.add(node.getCluster()));
        if (!known.contains(cluster)) {
            throw new BadInputException("There is no cluster '" + cluster + "'; there are " + known);
        }
    }

    static void print(PrintWriter out, StartComparison comparison) {
        List<List<String>> rows =
                comparison.rows().stream().map(CompareCommand::cells).toList();
        new TextTable("JOB", "DECIDED", "ON", "COMMANDED", "STARTED", "ON", "VERDICT")
                .rows(rows)
                .print(out);
        out.printf(
                Locale.ROOT,
                "%d jobs: %d as decided (%d of them on equal nodes), %d elsewhere, %d on unknown nodes, %d decided and not started, %d started and not decided%n",
                rows.size(),
                comparison.count(Verdict.SAME) + comparison.count(Verdict.EQUAL),
                comparison.count(Verdict.EQUAL),
                comparison.count(Verdict.ELSEWHERE),
                comparison.count(Verdict.NODES_UNKNOWN),
                comparison.count(Verdict.NOT_STARTED),
                comparison.count(Verdict.NOT_DECIDED));
        waits(out, comparison);
        out.flush();
    }

    /** The jobs that were decided and started are compared: of others only one of the two is known. */
    private static void waits(PrintWriter out, StartComparison comparison) {
        List<Row> both = comparison.rows().stream()
                .filter(row ->
                        row.decidedWait().isPresent() && row.startedWait().isPresent())
                .toList();
        if (both.isEmpty()) {
            return;
        }
        out.printf(Locale.ROOT, "%nWaits of the %d jobs that were decided and started, in seconds:%n", both.size());
        new TextTable("WAIT", ">MEAN", ">MEDIAN", ">P95", ">LONGEST")
                .rows(List.of(waits("decided", both, Row::decidedWait), waits("started", both, Row::startedWait)))
                .print(out);
    }

    private static List<String> waits(String name, List<Row> rows, Function<Row, OptionalLong> wait) {
        WaitSummary summary = WaitSummary.of(
                rows.stream().map(row -> wait.apply(row).orElseThrow()).toList());
        return List.of(
                name,
                String.format(Locale.ROOT, "%.1f", summary.mean()),
                Long.toString(summary.median()),
                Long.toString(summary.p95()),
                Long.toString(summary.longest()));
    }

    private static List<String> cells(Row row) {
        return List.of(
                row.job(),
                time(row.decidedAt()),
                nodes(row.decidedNodes()),
                row.decidedAt() == null ? NOTHING : row.executed() ? "yes" : "no",
                time(row.startedAt()),
                nodes(row.startedNodes()),
                row.verdict().words());
    }

    private static String time(@Nullable Instant instant) {
        return instant == null ? NOTHING : TimeText.time(instant);
    }

    private static String nodes(SortedSet<String> nodes) {
        return nodes.isEmpty() ? NOTHING : String.join(",", nodes);
    }
}

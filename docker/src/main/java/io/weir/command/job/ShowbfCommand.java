package io.weir.command.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.client.ClusterClient;
import io.weir.command.client.ClusterCommand;
import io.weir.command.client.JobQuery;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestAnswer;
import io.weir.command.client.Views;
import io.weir.command.format.FieldText;
import io.weir.command.format.TextTable;
import io.weir.command.format.TimeText;
import io.weir.command.terminal.ExitCode;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir showbf}: what a job could have at once. */
@Command(
        name = "showbf",
        description = {
            "Shows windows of resources that a job could use now without delaying anyone.",
            "",
            "Windows depend on credentials: one may be open to some users and closed to others."
        })
public final class ShowbfCommand extends ClusterCommand {
    @Option(names = "-d", paramLabel = "DURATION", description = "Only windows of at least this duration.")
    private @Nullable String duration;

    @Option(names = "-n", paramLabel = "NODES", description = "Only windows of at least this many nodes.")
    private @Nullable Integer nodes;

    @Option(names = "-r", paramLabel = "PROCS", description = "Only windows of at least this many processors.")
    private @Nullable Integer procs;

    @Option(names = "-p", paramLabel = "PARTITION", description = "Only this partition.")
    private @Nullable String partition;

    @Option(names = "-m", paramLabel = "MB", description = "Only nodes with at least this much memory.")
    private @Nullable String memory;

    @Option(names = "-u", paramLabel = "USER", description = "For this user.")
    private @Nullable String user;

    @Option(names = "-g", paramLabel = "GROUP", description = "For this group.")
    private @Nullable String group;

    @Option(names = "-a", paramLabel = "ACCOUNT", description = "For this account.")
    private @Nullable String account;

    @Option(names = "-q", paramLabel = "QOS", description = "For this quality of service.")
    private @Nullable String qos;

    @Option(names = "-c", paramLabel = "CLASS", description = "For this class.")
    private @Nullable String jobClass;

    @Option(names = "-f", paramLabel = "FEATURES", description = "Only nodes with these features.")
    private @Nullable String features;

    @Option(
            names = "-v",
            description = "Also show how much is idle: some of it may be unavailable to these" + " credentials.")
    private boolean[] verbose = {};

    @Override
    protected void check() {
        if (duration != null && TimeArgument.duration(duration) == TimeArgument.INVALID) {
            throw usage("-d " + duration + " is no duration; give [[[DD:]HH:]MM:]SS of up to a century, or INFINITY");
        }
        if ((nodes != null && nodes < 1) || (procs != null && procs < 1)) {
            throw usage((nodes != null && nodes < 1 ? "-n " + nodes : "-r " + procs) + " is too few; give 1 or more");
        }
        if (memory != null && !memory.matches("[0-9]{1,12}")) {
            throw usage("-m " + memory + " is no amount of memory; give a number of MB");
        }
    }

    @Override
    protected int run(ClusterClient client) throws IOException {
        String cluster = options().cluster(client);
        new Views(client, cluster).requirePartition(partition);
        JsonNode answer = client.ask(
                cluster,
                OperatorRequest.about(RequestKind.SHOW_BACKFILL, "-")
                        .withOptional("duration", duration)
                        .withOptional("nodes", nodes == null ? null : nodes.toString())
                        .withOptional("procs", procs == null ? null : procs.toString())
                        .withOptional("partition", partition)
                        .withOptional("memory", memory)
                        .withOptional("user", user)
                        .withOptional("group", group)
                        .withOptional("account", account)
                        .withOptional("qos", qos)
                        .withOptional("class", jobClass)
                        .withOptional("features", features));
        boolean accepted = RequestAnswer.accepted(answer);
        if (options().structured()) {
            print(answer);
        } else if (accepted) {
            if (verbose.length > 0) {
                idle(new Views(client, cluster).jobs("queue", JobQuery.COUNTS));
            }
            table(RequestAnswer.rows(answer.path("details"), "window"));
        }
        if (!accepted) {
            err().println("ERROR:  " + RequestAnswer.message(answer));
        }
        return accepted ? ExitCode.FINE : ExitCode.FAILED;
    }

    private void idle(JsonNode queue) {
        long procs = queue.path("procs").asLong();
        out().printf(
                        "%d of %d processors are idle%n%n",
                        procs - queue.path("procsInUse").asLong(), procs);
    }

    private void table(List<Map<String, String>> windows) {
        if (windows.isEmpty()) {
            out().println("no procs available");
            return;
        }
        TextTable table =
                new TextTable("Partition", ">Tasks", ">Nodes", ">StartOffset", ">Duration", "StartDate").underlined();
        for (Map<String, String> window : windows) {
            table.row(
                    window.getOrDefault("partition", "ALL"),
                    window.getOrDefault("tasks", FieldText.NOTHING),
                    window.getOrDefault("nodes", FieldText.NOTHING),
                    seconds(window.getOrDefault("offsetSeconds", "0")),
                    seconds(window.getOrDefault("durationSeconds", "INFINITY")),
                    window.containsKey("start")
                            ? TimeText.time(Instant.parse(window.get("start")))
                            : FieldText.NOTHING);
        }
        table.print(out());
    }

    private static String seconds(String text) {
        return text.matches("-?\\d+") ? TimeText.span(Duration.ofSeconds(Long.parseLong(text))) : text;
    }
}

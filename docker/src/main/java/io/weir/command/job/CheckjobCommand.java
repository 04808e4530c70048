package io.weir.command.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.ClientException;
import io.weir.command.client.ClusterClient;
import io.weir.command.client.ClusterCommand;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestAnswer;
import io.weir.command.format.FieldText;
import io.weir.command.terminal.ExitCode;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir checkjob}: one job, and why it waits. */
@Command(
        name = "checkjob",
        description = {
            "Shows one job: its request, its resources and, while it waits, why and until when.",
            "",
            "The scheduler gives the reason when asked. If none is running, the reason published last is shown.",
            "Policies are shown with the level they come from: job, class, partition, site or default."
        })
public final class CheckjobCommand extends ClusterCommand {
    private static final Set<String> LEVELS = Set.of("HARD", "SOFT", "OFF");

    @Parameters(paramLabel = "JOB", description = "Job id.")
    private String id = "";

    @Option(names = "-v", description = "Show for each node why the job cannot use it.")
    private boolean[] verbose = {};

    @Option(names = "-n", paramLabel = "NODE", description = "Show this for one node only.")
    private @Nullable String node;

    @Option(names = "-r", paramLabel = "RSV", description = "Show this for the nodes of this reservation.")
    private @Nullable String reservation;

    @Option(names = "-q", paramLabel = "QOS", description = "Explain as if the job had this quality of service.")
    private @Nullable String qos;

    @Option(
            names = "-l",
            paramLabel = "LEVEL",
            description =
                    "With -v, -n or -r: HARD, SOFT or OFF; with OFF limits and access policies of nodes do not count.")
    private @Nullable String level;

    @Option(names = "-A", description = "Print attribute=value; pairs on one line.")
    private boolean pairs;

    @Option(
            names = "--flags",
            paramLabel = "FLAGS",
            description = "future: which nodes could ever run it, whatever their state and load.")
    private @Nullable String flags;

    @Override
    protected void check() {
        if (level != null && !LEVELS.contains(level.toUpperCase(Locale.ROOT))) {
            throw usage("-l " + level + " is no level; give HARD, SOFT or OFF");
        }
        if (flags != null && !flags.equalsIgnoreCase("future")) {
            throw usage("--flags " + flags + " is not known; there is future");
        }
    }

    @Override
    protected int run(ClusterClient client) throws IOException {
        String cluster = options().cluster(client);
        ObjectNode job = one(client, cluster, "jobs", id, "job").deepCopy();
        if (!"COMPLETED".equals(job.path("section").asText())) {
            ask(client, cluster, job);
        }
        if (options().structured()) {
            print(job);
        } else if (pairs) {
            out().println(pairs(job));
        } else {
            new JobText(out(), job).print();
        }
        return ExitCode.FINE;
    }

    /**
     * Asks the scheduler why the job waits and which policies hold for it. Without one, what was published has to do,
     * unless it is something that only the scheduler knows.
     */
    private void ask(ClusterClient client, String cluster, ObjectNode job) {
        boolean special = node != null || reservation != null || qos != null || flags != null || verbose.length > 0;
        OperatorRequest request = OperatorRequest.about(RequestKind.EXPLAIN_JOB, id)
                .withOptional("verbose", verbose.length > 0 || flags != null ? "true" : null)
                .withOptional("node", node)
                .withOptional("reservation", reservation)
                .withOptional("qos", qos)
                .withOptional("policylevel", level == null ? null : level.toUpperCase(Locale.ROOT))
                .withOptional("future", flags == null ? null : "true");
        try {
            JsonNode answer = client.ask(cluster, request);
            if (RequestAnswer.accepted(answer)) {
                job.set("details", answer.path("details"));
                job.set("detailsMessage", answer.path("message"));
            } else if (special) {
                throw new ClientException(ExitCode.FAILED, "job '" + id + "': " + RequestAnswer.message(answer));
            }
        } catch (ClientException e) {
            if (special && e.exitCode() == ExitCode.FAILED) {
                throw e;
            }
            if (special || e.exitCode() != ExitCode.UNREACHABLE) {
                err().println("weir: what was published has to do: " + e.getMessage());
            }
        }
    }

    private static String pairs(JsonNode job) {
        StringBuilder line = new StringBuilder();
        job.properties().forEach(field -> {
            JsonNode value = field.getValue();
            String text = value.isContainerNode() ? FieldText.list(job, field.getKey()) : value.asText();
            if (!value.isNull() && !text.isEmpty() && !text.equals(FieldText.NOTHING)) {
                line.append(field.getKey()).append('=').append(text).append(';');
            }
        });
        return line.toString();
    }
}

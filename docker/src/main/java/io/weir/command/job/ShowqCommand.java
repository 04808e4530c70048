package io.weir.command.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.ClientException;
import io.weir.command.client.ClusterClient;
import io.weir.command.client.ClusterCommand;
import io.weir.command.client.ClusterOptions;
import io.weir.command.client.JobQuery;
import io.weir.command.client.Views;
import io.weir.command.job.QueueText.Section;
import io.weir.command.terminal.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir showq}: the queue. */
@Command(
        name = "showq",
        description = {
            "Shows the queue: active jobs by earliest completion, eligible jobs in queue order, blocked jobs.",
            "",
            "Only committed decisions of the scheduler are shown. Times are UTC, by the clock of the",
            "cluster's scheduler. Without a running scheduler, the state topics are read as they are. The",
            "numbers of processors and nodes, in use and in total, are those of nodes that are up. The order",
            "of eligible jobs is that of the latest iteration. After an id: + backfilled, - PREEMPTEE by a flag",
            "of its own, * both; with -i, * has a reservation."
        })
public final class ShowqCommand extends ClusterCommand {
    private static final Map<String, String> FIELDS = Map.of(
            "user", "user",
            "group", "group",
            "acct", "account",
            "account", "account",
            "class", "jobClass",
            "qos", "qos");

    @Option(names = "-r", description = "Active jobs only, with more columns.")
    private boolean active;

    @Option(names = "-i", description = "Eligible jobs only, with priority and more columns.")
    private boolean eligible;

    @Option(names = "-b", description = "Blocked jobs only.")
    private boolean blocked;

    @Option(names = "-c", description = "Jobs that have ended, the latest first.")
    private boolean completed;

    @Option(names = "-p", paramLabel = "PARTITION", description = "Only jobs of this partition.")
    private @Nullable String partition;

    @Option(names = "-R", paramLabel = "RSV", description = "Only jobs of this reservation.")
    private @Nullable String reservation;

    @Option(
            names = "-w",
            paramLabel = "WHO",
            split = ",",
            description =
                    "Only jobs of user=, group=, acct=, class= or qos=NAME, of all of them where there are several,"
                            + " as in user=anna,qos=high.")
    private List<String> who = List.of();

    @Option(names = "-v", description = "Show more about each job: name, account, what it waits for.")
    private boolean[] verbose = {};

    @Override
    protected void check() {
        for (String constraint : who) {
            String[] parts = constraint.split("=", 2);
            if (parts.length != 2 || !FIELDS.containsKey(parts[0].toLowerCase(Locale.ROOT))) {
                throw usage("-w " + constraint + " is not understood; give user=, group=, acct=, class= or qos=NAME");
            }
        }
    }

    @Override
    protected String xmlItem() {
        return "queue";
    }

    @Override
    protected int run(ClusterClient client) throws IOException {
        List<String> clusters =
                options().cluster().isPresent() ? List.of(options().cluster(client)) : client.clusters();
        if (clusters.isEmpty() && !options().structured()) {
            out().println(ClusterOptions.NOTHING);
        }
        List<JsonNode> queues = new ArrayList<>();
        for (String cluster : clusters) {
            Views views = new Views(client, cluster);
            JsonNode queue = views.jobs("queue", query());
            require(views);
            if (queue instanceof ObjectNode object) {
                for (Section section : Section.values()) {
                    String name = section.name().toLowerCase(Locale.ROOT);
                    object.set(name, chosen(queue.path(name)));
                }
            }
            queues.add(queue);
        }
        if (options().structured()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode().addAll(queues);
            print(array);
            return ExitCode.FINE;
        }
        Set<Section> sections = sections();
        for (JsonNode queue : queues) {
            QueueText text = new QueueText(out(), queue, verbose.length > 0);
            if (sections.isEmpty()) {
                text.print();
            } else {
                text.print(sections);
            }
        }
        return ExitCode.FINE;
    }

    /** Asks for no more than is printed: a queue may be long. */
    private JobQuery query() {
        JobQuery query = JobQuery.ALL.where(who);
        if (options().structured()) {
            return query;
        }
        Set<Section> sections = sections();
        return query.where(
                        "section",
                        (sections.isEmpty() ? QueueText.USUALLY : sections)
                                .stream()
                                        .map(section -> section.name().toLowerCase(Locale.ROOT))
                                        .toList())
                .fields(QueueText.fields(verbose.length > 0));
    }

    /** Fails when what is asked for is not there. */
    private void require(Views views) {
        views.requirePartition(partition);
        String id = reservation;
        if (id != null
                && views.some(
                                "reservations",
                                known -> id.equals(known.path("reservationId").asText()))
                        .isEmpty()) {
            throw new ClientException(ExitCode.FAILED, "cannot locate reservation '" + id + "' on " + views.cluster());
        }
    }

    private Set<Section> sections() {
        Set<Section> chosen = EnumSet.noneOf(Section.class);
        Map.of(
                        Section.ACTIVE,
                        active,
                        Section.ELIGIBLE,
                        eligible,
                        Section.BLOCKED,
                        blocked,
                        Section.COMPLETED,
                        completed)
                .forEach((section, wanted) -> {
                    if (wanted) {
                        chosen.add(section);
                    }
                });
        return chosen;
    }

    private ArrayNode chosen(JsonNode jobs) {
        ArrayNode kept = JsonNodeFactory.instance.arrayNode();
        for (JsonNode job : jobs) {
            if (isChosen(job)) {
                kept.add(job);
            }
        }
        return kept;
    }

    private boolean isChosen(JsonNode job) {
        if (partition != null && !partition.equals(job.path("partition").asText(partition))) {
            return false;
        }
        if (reservation != null && !reservation.equals(job.path("reservation").asText())) {
            return false;
        }
        return who.stream()
                .map(constraint -> constraint.split("=", 2))
                .allMatch(parts -> parts[1].equals(job.path(FIELDS.getOrDefault(parts[0].toLowerCase(Locale.ROOT), ""))
                        .asText()));
    }
}

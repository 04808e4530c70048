package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.ExitCode;
import io.weir.command.TextTable;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir mdiag}: diagnoses. */
@Command(
        name = "mdiag",
        description = {
            "Shows what the scheduler knows and what looks wrong with it.",
            "",
            "  weir mdiag -r        reservations, with access and use",
            "  weir mdiag -p        priority of the eligible jobs, by component",
            "  weir mdiag -n -v     nodes, with everything that is known of them",
            "  weir mdiag -j 17     a job, and what looks wrong with it",
            "  weir mdiag -b        blocked jobs, and why",
            "  weir mdiag -R        resource managers"
        })
public final class MdiagCommand extends SiteCommand {
    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private What what = new What();

    @Option(names = "-v", description = "Say more.")
    private boolean verbose;

    @Option(
            names = "-t",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "PARTITION",
            description = "With -n, -p or -r: only this partition. Alone: partitions, their nodes and configuration.")
    private @Nullable String partition;

    @Option(names = "-A", paramLabel = "ACCOUNT", description = "With -n: only nodes that run jobs of this account.")
    private @Nullable String account;

    @Option(names = "-w", paramLabel = "type=TYPE", description = "With -r: job, priority, user, standing.")
    private @Nullable String type;

    @Parameters(arity = "0..1", paramLabel = "ID", description = "Only this one; with -C, a file.")
    private @Nullable String id;

    /** What to diagnose; one of these. */
    static final class What {
        @Option(names = "-r", description = "Reservations.")
        private boolean reservations;

        @Option(names = "-p", description = "Priorities.")
        private boolean priority;

        @Option(names = "-n", description = "Nodes.")
        private boolean nodes;

        @Option(names = "-j", description = "Jobs.")
        private boolean jobs;

        @Option(names = "-b", description = "Blocked jobs.")
        private boolean blocked;

        @Option(names = "-s", description = "Standing reservations: how they are configured and what there is of them.")
        private boolean standing;

        @Option(names = "-q", description = "Qualities of service: configuration and use.")
        private boolean qos;

        @Option(names = "-c", description = "Classes: configuration and use.")
        private boolean classes;

        @Option(names = "-u", description = "Users: configuration and use.")
        private boolean users;

        @Option(names = "-g", description = "Groups: configuration and use.")
        private boolean groups;

        @Option(names = "-a", description = "Accounts: configuration and use.")
        private boolean accounts;

        @Option(names = "-R", description = "Resource managers: state, last poll, what they report.")
        private boolean connectors;

        @Option(names = "-G", description = "Generic metrics of the nodes.")
        private boolean metrics;

        @Option(names = "-C", description = "The configuration in force, or a file: what is wrong with it.")
        private boolean configuration;

        @Option(names = "-S", description = "The scheduler: clock, iteration, configuration in force.")
        private boolean scheduler;

        /** Says whether none was chosen. */
        boolean isEmpty() {
            return !(reservations
                    || priority
                    || nodes
                    || jobs
                    || blocked
                    || standing
                    || qos
                    || classes
                    || users
                    || groups
                    || accounts
                    || configuration
                    || scheduler
                    || connectors
                    || metrics);
        }
    }

    @Override
    void check() {
        if (type != null && !type.toLowerCase(Locale.ROOT).startsWith("type=")) {
            throw usage("-w " + type + " is not understood; give type=TYPE");
        }
        if (what.isEmpty() && partition == null) {
            throw usage("Say what to diagnose, such as -r, -p, -n or -j");
        }
        if (partition != null && partition.isEmpty() && !what.isEmpty()) {
            throw usage("-t needs the name of a partition here");
        }
        if (account != null && !what.nodes) {
            throw usage("-A goes with -n");
        }
    }

    /** With a file there is nobody to ask. */
    @Override
    OptionalInt alone() {
        return what.configuration && id != null ? OptionalInt.of(checked(id)) : OptionalInt.empty();
    }

    @Override
    String xmlItem() {
        return what.nodes ? "node" : what.reservations ? "rsv" : "";
    }

    @Override
    int run(Site site) throws IOException {
        String cluster = options().cluster(site);
        if (what.isEmpty()) {
            return partitions(site, cluster);
        } else if (what.connectors) {
            return connectors(site, cluster);
        } else if (what.metrics) {
            return metrics(site, cluster);
        } else if (what.priority) {
            return priority(site, cluster);
        } else if (what.reservations) {
            return reservations(site, cluster);
        } else if (what.nodes) {
            return nodes(site, cluster);
        } else if (what.jobs) {
            return jobs(site, cluster, false);
        } else if (what.blocked) {
            return jobs(site, cluster, true);
        } else if (what.standing) {
            return standing(site, cluster);
        } else if (what.scheduler) {
            return scheduler(site, cluster);
        } else if (what.configuration) {
            return configuration(all(site, cluster, "policy").path("text").asText());
        }
        return credentials(site, cluster);
    }

    private int priority(Site site, String cluster) throws IOException {
        JsonNode answer = site.ask(
                cluster,
                Wish.about(RequestKind.SHOW_PRIORITY, id == null ? "ALL" : id).withOptional("partition", partition));
        if (options().structured()) {
            print(answer);
        } else if (Answers.accepted(answer)) {
            PriorityText.print(answer, out());
        }
        if (!Answers.accepted(answer)) {
            err().println("ERROR:  no priorities: " + Answers.message(answer));
            return ExitCode.FAILED;
        }
        return ExitCode.FINE;
    }

    private int reservations(Site site, String cluster) throws IOException {
        String wanted = type == null ? "" : type.substring("type=".length()).toUpperCase(Locale.ROOT);
        List<JsonNode> chosen = new ArrayList<>();
        for (JsonNode reservation : all(site, cluster, "reservations")) {
            String kind = reservation.path("type").asText();
            String category = reservation.path("category").asText().toUpperCase(Locale.ROOT);
            boolean typed = wanted.isEmpty() || kind.startsWith(wanted) || category.equals(wanted);
            boolean placed = partition == null
                    || Shown.text(reservation, "partition").equals(partition)
                    || !Shown.has(reservation, "partition");
            if (typed && placed && isChosen(reservation, "reservationId")) {
                chosen.add(reservation);
            }
        }
        if (options().structured()) {
            print(array(chosen));
            return ExitCode.FINE;
        }
        out().printf("Diagnosing Reservations%n");
        ReservationText.heading(out());
        long active =
                chosen.stream().filter(item -> item.path("active").asBoolean()).count();
        chosen.forEach(reservation -> ReservationText.print(reservation, out()));
        out().printf("%nTotal Reservations: %d  Active: %d%n", chosen.size(), active);
        return found(chosen, "reservation");
    }

    private int nodes(Site site, String cluster) throws IOException {
        List<JsonNode> chosen = new ArrayList<>();
        for (JsonNode node : all(site, cluster, "nodes")) {
            if (isChosen(node, "nodeId")
                    && (partition == null
                            || partition.equals(node.path("partition").asText()))
                    && (account == null
                            || node.path("jobs").findValuesAsText("account").contains(account))) {
                chosen.add(node);
            }
        }
        if (options().structured()) {
            print(array(chosen));
        } else {
            NodeTable.print(chosen, verbose, out());
        }
        return found(chosen, "node");
    }

    private int jobs(Site site, String cluster, boolean blockedOnly) throws IOException {
        List<JsonNode> chosen = new ArrayList<>();
        for (JsonNode job : all(site, cluster, "jobs")) {
            String section = job.path("section").asText();
            boolean wanted = blockedOnly ? section.equals("BLOCKED") : id != null || !section.equals("COMPLETED");
            if (wanted && isChosen(job, "jobId")) {
                chosen.add(job);
            }
        }
        if (options().structured()) {
            print(array(chosen));
            return found(chosen, "job");
        }
        String format = "%-18s %-10s %6s %12s %-10s %-10s %-10s %-10s %-10s %s%n";
        out().printf(
                        format,
                        "JobID",
                        "State",
                        "Procs",
                        "WCLimit",
                        "User",
                        "Group",
                        "Account",
                        "QOS",
                        "Class",
                        "Features");
        for (JsonNode job : chosen) {
            JsonNode first = job.path("requirements").path(0);
            out().printf(
                            format,
                            Shown.text(job, "jobId"),
                            Shown.word(job, "state"),
                            Shown.text(job, "procs"),
                            Shown.span(job, "walltimeSeconds"),
                            Shown.text(job, "user"),
                            Shown.text(job, "group"),
                            Shown.text(job, "account"),
                            Shown.text(job, "qos"),
                            Shown.text(job, "jobClass"),
                            Shown.list(first, "features"));
            JobSanity.warnings(job).forEach(warning -> out().println("  WARNING:  " + warning));
            if (blockedOnly || verbose) {
                out().println("  " + JobSanity.state(job));
            }
        }
        out().printf("%nTotal Jobs: %d%n", chosen.size());
        return found(chosen, "job");
    }

    private int standing(Site site, String cluster) throws IOException {
        List<JsonNode> chosen = new ArrayList<>();
        for (JsonNode reservation : all(site, cluster, "reservations")) {
            if (Shown.has(reservation, "standing") && isChosen(reservation, "standing")) {
                chosen.add(reservation);
            }
        }
        if (options().structured()) {
            print(array(chosen));
            return ExitCode.FINE;
        }
        List<String> lines =
                PolicyLines.of(all(site, cluster, "policy").path("text").asText(), "SRCFG");
        out().printf("Diagnosing Standing Reservations%n");
        lines.forEach(line -> out().println("  " + line));
        ReservationText.heading(out());
        chosen.forEach(reservation -> ReservationText.print(reservation, out()));
        return ExitCode.FINE;
    }

    private int credentials(Site site, String cluster) throws IOException {
        Credential kind = what.qos
                ? Credential.QOS
                : what.classes
                        ? Credential.CLASS
                        : what.users ? Credential.USER : what.groups ? Credential.GROUP : Credential.ACCOUNT;
        JsonNode uses = kind.uses(all(site, cluster, "jobs"), id);
        List<String> lines =
                PolicyLines.of(all(site, cluster, "policy").path("text").asText(), kind.parameter());
        if (options().structured()) {
            ObjectNode both = JsonNodeFactory.instance.objectNode();
            both.set("use", uses);
            ArrayNode configuration = both.putArray("configuration");
            lines.forEach(configuration::add);
            print(both);
            return ExitCode.FINE;
        }
        String format = "%-16s %8s %12s %8s %10s%n";
        out().printf(format, kind.title(), "Running", "ProcsInUse", "Waiting", "Completed");
        uses.properties()
                .forEach(use -> out().printf(
                                format,
                                use.getKey(),
                                use.getValue().path("running").asText(),
                                use.getValue().path("procsInUse").asText(),
                                use.getValue().path("waiting").asText(),
                                use.getValue().path("completed").asText()));
        out().printf("%nConfiguration:%n");
        lines.forEach(line -> out().println("  " + line));
        if (lines.isEmpty()) {
            out().println("  none");
        }
        return ExitCode.FINE;
    }

    private int connectors(Site site, String cluster) throws IOException {
        List<JsonNode> chosen = new ArrayList<>();
        for (JsonNode connector : all(site, cluster, "connectors")) {
            if (isChosen(connector, "connector")) {
                chosen.add(connector);
            }
        }
        if (options().structured()) {
            print(array(chosen));
            return ExitCode.FINE;
        }
        for (JsonNode connector : chosen) {
            out().printf(
                            "RM[%s]  Type: %s %s  State: %s%n",
                            Shown.text(connector, "connector"),
                            Shown.text(connector, "rmType"),
                            Shown.has(connector, "rmVersion") ? Shown.text(connector, "rmVersion") : "",
                            connector.path("silent").asBoolean() ? "Silent" : "Active");
            out().printf(
                            "  Last poll: %s (%s ago), number %s of epoch %s%n",
                            Shown.time(connector, "rmTime"),
                            Shown.span(connector, "silentSeconds"),
                            Shown.text(connector, "number"),
                            Shown.text(connector, "epoch"));
            out().printf(
                            "  Reports: %s nodes, %s jobs; records of this epoch: %s%n",
                            Shown.text(connector, "nodes"),
                            Shown.text(connector, "jobs"),
                            Shown.list(connector, "counts"));
            out().printf(
                            "  Commands: %s issued, %s finished%n",
                            Shown.text(connector, "issuedCommand"), Shown.text(connector, "lastCommand"));
        }
        out().printf("%nTotal RMs: %d%n", chosen.size());
        return found(chosen, "resource manager");
    }

    private int metrics(Site site, String cluster) throws IOException {
        List<JsonNode> chosen = new ArrayList<>();
        for (JsonNode node : all(site, cluster, "nodes")) {
            if (isChosen(node, "nodeId") && !node.path("metrics").isEmpty()) {
                chosen.add(node);
            }
        }
        if (options().structured()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            chosen.forEach(node -> array.addObject()
                    .put("nodeId", node.path("nodeId").asText())
                    .set("metrics", node.path("metrics")));
            print(array);
            return ExitCode.FINE;
        }
        List<List<String>> rows = new ArrayList<>();
        chosen.forEach(node -> node.path("metrics")
                .properties()
                .forEach(metric -> rows.add(List.of(
                        Shown.text(node, "nodeId"),
                        metric.getKey(),
                        metric.getValue().asText()))));
        new TextTable("Node", "GMetric", "Current").print(rows, out());
        out().printf("%nTotal Metrics: %d%n", rows.size());
        return found(chosen, "node with metrics");
    }

    private int partitions(Site site, String cluster) throws IOException {
        SortedMap<String, long[]> sums = new TreeMap<>();
        for (JsonNode node : all(site, cluster, "nodes")) {
            String name = Shown.text(node, "partition");
            if (partition == null || partition.isEmpty() || partition.equals(name)) {
                long[] sum = sums.computeIfAbsent(name, key -> new long[4]);
                sum[0]++;
                sum[1] += node.path("state").asText().equals("DOWN") ? 0 : 1;
                sum[2] += node.path("procs").asLong();
                sum[3] += node.path("freeProcs").asLong();
            }
        }
        if (sums.isEmpty()) {
            throw new SiteException(
                    ExitCode.FAILED,
                    partition == null || partition.isEmpty()
                            ? "no nodes are known of " + cluster
                            : "cannot locate partition '" + partition + "'");
        }
        List<String> lines =
                PolicyLines.of(all(site, cluster, "policy").path("text").asText(), "PARCFG");
        if (options().structured()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            sums.forEach((name, sum) -> array.addObject()
                    .put("partition", name)
                    .put("nodes", sum[0])
                    .put("nodesUp", sum[1])
                    .put("procs", sum[2])
                    .put("freeProcs", sum[3]));
            print(array);
            return ExitCode.FINE;
        }
        List<List<String>> rows = new ArrayList<>();
        sums.forEach((name, sum) -> rows.add(List.of(name, sum[0] + "", sum[1] + "", sum[2] + "", sum[3] + "")));
        new TextTable("Partition", "Nodes", "Up", "Procs", "Free").print(rows, out());
        out().printf("%nConfiguration:%n");
        lines.forEach(line -> out().println("  " + line));
        if (lines.isEmpty()) {
            out().println("  none");
        }
        return ExitCode.FINE;
    }

    private int scheduler(Site site, String cluster) throws IOException {
        JsonNode queue = all(site, cluster, "queue");
        JsonNode policy = all(site, cluster, "policy");
        if (options().structured()) {
            print(policy);
            return ExitCode.FINE;
        }
        out().printf("Weir schedules %s, at %s%n", cluster, Shown.time(queue, "now"));
        out().printf(
                        "Jobs: %d active, %d eligible, %d blocked, %d completed%n",
                        queue.path("active").size(),
                        queue.path("eligible").size(),
                        queue.path("blocked").size(),
                        queue.path("completed").size());
        out().printf(
                        "Configuration: %s%n",
                        Shown.has(policy, "version")
                                ? Shown.text(policy, "version") + " (from " + Shown.text(policy, "source")
                                        + ", published " + Shown.time(policy, "time") + " by "
                                        + Shown.text(policy, "principal") + ")"
                                : "built-in defaults; weir policy publishes one");
        for (JsonNode added : policy.path("runtimeSettings")) {
            out().printf(
                            "  changed at run time: %s%s%n",
                            Shown.text(added, "setting"),
                            added.path("persistent").asBoolean() ? " (persistent)" : "");
        }
        if (verbose) {
            out().println(policy.path("text").asText());
        }
        return ExitCode.FINE;
    }

    private int configuration(String text) throws IOException {
        Path file = Files.createTempFile("weir", ".cfg");
        try {
            Files.writeString(file, text);
            return checked(file.toString());
        } finally {
            Files.delete(file);
        }
    }

    private int checked(String file) {
        return options().structured()
                ? delegate("config", "check", "--problems", "--format", "json", file)
                : delegate("config", "check", "--problems", file);
    }

    private boolean isChosen(JsonNode item, String field) {
        return id == null || id.equals(item.path(field).asText());
    }

    private int found(List<JsonNode> chosen, String kind) {
        if (id != null && chosen.isEmpty()) {
            throw new SiteException(ExitCode.FAILED, "cannot locate " + kind + " '" + id + "'");
        }
        return ExitCode.FINE;
    }

    private static ArrayNode array(List<JsonNode> items) {
        return JsonNodeFactory.instance.arrayNode().addAll(items);
    }
}

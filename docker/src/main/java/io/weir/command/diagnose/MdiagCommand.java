package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.ClientException;
import io.weir.command.client.ClusterClient;
import io.weir.command.client.ClusterCommand;
import io.weir.command.client.OperatorRequest;
import io.weir.command.client.RequestAnswer;
import io.weir.command.client.Views;
import io.weir.command.format.TriggerListing;
import io.weir.command.terminal.ExitCode;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir mdiag}: diagnoses. */
@Command(
        name = "mdiag",
        description = {
            "Shows the state of the scheduler's objects and possible problems.",
            "",
            "  weir mdiag -r        reservations, with access and use; -v also their triggers",
            "  weir mdiag -p        priority of the eligible jobs, by component",
            "  weir mdiag -n -v     nodes, with all details",
            "  weir mdiag -j 17     a job and its possible problems",
            "  weir mdiag -b        blocked jobs, and why",
            "  weir mdiag -T n1     triggers of a node, with their latest results",
            "  weir mdiag -R        resource managers"
        })
public final class MdiagCommand extends ClusterCommand {
    private static final List<String> TYPES =
            List.of("JOB", "PRIORITY", "DEADLINE", "USER", "ADMINISTRATIVE", "STANDING", "SYSTEM");

    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private What what = new What();

    @Option(names = "-v", description = "Show more details.")
    private boolean[] verbose = {};

    @Option(
            names = "-t",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "PARTITION",
            description = "With -n, -p or -r: only this partition. Alone: partitions, their nodes and configuration;"
                    + " with -v each node with its processors, allocated/idle/other/total.")
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

        @Option(names = "-s", description = "Standing reservations: configuration and present instances.")
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

        @Option(names = "-G", description = "Generic metrics and events of the nodes.")
        private boolean metrics;

        @Option(names = "-C", description = "Problems of the configuration in force, or of a file.")
        private boolean configuration;

        @Option(names = "-T", description = "Triggers: state and results; all, or those of an object.")
        private boolean triggers;

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
                    || metrics
                    || triggers);
        }

        DiagnosedCredential credential() {
            return qos
                    ? DiagnosedCredential.QOS
                    : classes
                            ? DiagnosedCredential.CLASS
                            : users
                                    ? DiagnosedCredential.USER
                                    : groups ? DiagnosedCredential.GROUP : DiagnosedCredential.ACCOUNT;
        }
    }

    @Override
    protected void check() {
        if (type != null && !type.toLowerCase(Locale.ROOT).startsWith("type=")) {
            throw usage("-w " + type + " is not understood; give type=TYPE");
        }
        if (type != null && !TYPES.contains(wantedType())) {
            throw usage("-w " + type + " is no type of reservation; there are "
                    + String.join(", ", TYPES).toLowerCase(Locale.ROOT));
        }
        if (type != null && !what.reservations) {
            throw usage("-w goes with -r");
        }
        if (partition != null && !what.isEmpty() && !(what.nodes || what.priority || what.reservations)) {
            throw usage("-t goes with -n, -p or -r, or stands alone");
        }
        if (what.scheduler && id != null) {
            throw usage("'" + id + "' is one word too many; there is one scheduler");
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
    protected OptionalInt alone() throws IOException {
        if (!what.configuration || id == null) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(problems(ConfigurationDiagnosis.of(Path.of(id))));
        } catch (IOException e) {
            throw new ClientException(ExitCode.BAD_INPUT, String.valueOf(e.getMessage()));
        }
    }

    @Override
    protected String xmlItem() {
        return what.nodes ? "node" : what.reservations ? "rsv" : what.triggers ? "trigger" : "";
    }

    @Override
    protected int run(ClusterClient client) throws IOException {
        String cluster = options().cluster(client);
        if (what.priority) {
            new Views(client, cluster).requirePartition(partition);
            return priority(client, cluster);
        } else if (what.configuration) {
            return problems(new ConfigurationDiagnosis().read(new Views(client, cluster)));
        }
        if (what.triggers) {
            return showTriggers(client, cluster, id == null ? "ALL" : id);
        }
        DiagnosisReport diagnosis = diagnosis();
        Views views = new Views(client, cluster);
        if (!what.isEmpty()) {
            views.requirePartition(partition);
        }
        JsonNode read = diagnosis.read(views);
        if (read.isArray() && read.isEmpty() && id != null) {
            if (options().structured()) {
                print(read);
            }
            throw new ClientException(
                    ExitCode.FAILED, "cannot locate " + diagnosis.what() + " '" + id + "' on " + cluster);
        }
        if (what.reservations && verbose.length > 0) {
            triggers(client, cluster, read);
        }
        if (what.metrics) {
            rules(client, cluster, read);
        }
        if (options().structured()) {
            print(read);
        } else {
            diagnosis.print(read, out());
        }
        return ExitCode.FINE;
    }

    /** Adds to each reservation its triggers; without an answer from the scheduler they are left out. */
    private void triggers(ClusterClient client, String cluster, JsonNode reservations) {
        try {
            JsonNode answer = client.ask(cluster, OperatorRequest.about(RequestKind.SHOW_TRIGGERS, "ALL"));
            for (JsonNode trigger : TriggerListing.triggers(answer.path("details"))) {
                for (JsonNode reservation : reservations) {
                    if (reservation instanceof ObjectNode object
                            && trigger.path("object")
                                    .asText()
                                    .equals("rsv:"
                                            + object.path("reservationId").asText())) {
                        object.withArray("triggers").add(trigger);
                    }
                }
            }
        } catch (ClientException e) {
            err().println("weir: triggers are left out: " + e.getMessage());
        }
    }

    /** Adds where the events stand that the configuration acts on; without an answer from the scheduler they are left out. */
    private void rules(ClusterClient client, String cluster, JsonNode read) {
        try {
            JsonNode answer =
                    client.ask(cluster, OperatorRequest.about(RequestKind.SHOW_EVENTS, id == null ? "ALL" : id));
            if (read instanceof ObjectNode object) {
                object.set("rules", EventRuleListing.events(answer.path("details")));
            }
        } catch (ClientException e) {
            err().println("weir: counters and rearm times are left out: " + e.getMessage());
        }
    }

    private String wantedType() {
        return type == null ? "" : type.substring("type=".length()).toUpperCase(Locale.ROOT);
    }

    private DiagnosisReport diagnosis() {
        if (what.isEmpty()) {
            return new PartitionDiagnosis(
                    partition == null || partition.isEmpty() ? id : partition, verbose.length > 0);
        } else if (what.connectors) {
            return new RmDiagnosis(id);
        } else if (what.metrics) {
            return new MetricDiagnosis(id);
        } else if (what.reservations) {
            return new ReservationDiagnosis(id, wantedType(), partition);
        } else if (what.nodes) {
            return new NodeDiagnosis(id, partition, account, verbose.length > 0);
        } else if (what.jobs || what.blocked) {
            return new JobDiagnosis(
                    id, what.blocked, verbose.length > 0, options().structured());
        } else if (what.standing) {
            return new StandingReservationDiagnosis(id);
        } else if (what.scheduler) {
            return new SchedulerDiagnosis(verbose.length > 0);
        }
        return new CredentialDiagnosis(what.credential(), id);
    }

    private int priority(ClusterClient client, String cluster) throws IOException {
        JsonNode answer = client.ask(
                cluster,
                OperatorRequest.about(RequestKind.SHOW_PRIORITY, id == null ? "ALL" : id)
                        .withOptional("partition", partition));
        if (options().structured()) {
            print(answer);
        } else if (RequestAnswer.accepted(answer)) {
            PriorityText.print(answer, out());
        }
        if (!RequestAnswer.accepted(answer)) {
            err().println("ERROR:  no priorities: " + RequestAnswer.message(answer));
            return ExitCode.FAILED;
        }
        return ExitCode.FINE;
    }

    /** Says what is wrong with a configuration; the exit code is 1 when something is, and cannot apply. */
    private int problems(JsonNode read) throws IOException {
        if (options().structured()) {
            print(read);
        } else {
            new ConfigurationDiagnosis().print(read, out());
        }
        out().flush();
        return ConfigurationDiagnosis.hasErrors(read) ? ExitCode.FAILED : ExitCode.FINE;
    }
}

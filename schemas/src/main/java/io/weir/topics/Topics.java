package io.weir.topics;

import io.weir.schemas.CategoryInterval;
import io.weir.schemas.Charge;
import io.weir.schemas.CommandResult;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.Decision;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.Explanation;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.Iteration;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeMetric;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.NonstopEvent;
import io.weir.schemas.Notification;
import io.weir.schemas.PluginAnswer;
import io.weir.schemas.PluginQuestion;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Request;
import io.weir.schemas.RequestResult;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.RmCommand;
import io.weir.schemas.SnapshotChunk;
import io.weir.schemas.TriggerFiring;
import io.weir.topics.Topic.Cleanup;
import io.weir.topics.Topic.Role;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/**
 * The catalogue: every topic of Weir, one record type each but for the journal. A topic that is not here does not exist;
 * adding, renaming or re-keying one is a change of the contract (a golden file in the tests holds it).
 */
public final class Topics {

    public static final Topic<NodeReport> RM_NODES = keptFor(
            days(7),
            "rm.nodes",
            NodeReport.class,
            "cluster/nodeId",
            Role.FACT,
            "Nodes as their resource manager sees them.");

    public static final Topic<JobReport> RM_JOBS = keptFor(
            days(7),
            "rm.jobs",
            JobReport.class,
            "cluster/jobId",
            Role.FACT,
            "Jobs as their resource manager sees them.");

    public static final Topic<Heartbeat> RM_HEARTBEATS = keptFor(
            days(7),
            "rm.heartbeats",
            Heartbeat.class,
            "cluster/connector",
            Role.FACT,
            "Starts of connectors and completed polls, with counts of what they published.");

    public static final Topic<NodeMetric> MONITORING_METRICS = keptFor(
            days(1),
            "monitoring.metrics",
            NodeMetric.class,
            "cluster/nodeId",
            Role.MEASUREMENT,
            "Measured values of nodes, before any reduction.");

    public static final Topic<GenericEvent> MONITORING_EVENTS = keptFor(
            days(7),
            "monitoring.events",
            GenericEvent.class,
            "cluster/objectId",
            Role.FACT,
            "Occurrences that monitoring wants the scheduler to know of.");

    public static final Topic<Request> REQUESTS = keptFor(
            days(30),
            "requests",
            Request.class,
            "cluster/requestId",
            Role.REQUEST,
            "Authenticated wishes of operators and applications.");

    public static final Topic<RequestResult> REQUEST_RESULTS = keptFor(
            days(30),
            "request-results",
            RequestResult.class,
            "cluster/requestId",
            Role.HISTORY,
            "The answer to every request.");

    public static final Topic<PolicyVersion> POLICY = keptForEver(
            "policy",
            PolicyVersion.class,
            "cluster/version",
            Role.REQUEST,
            "Versions of the site configuration, whole.");

    public static final Topic<RmCommand> COMMANDS = keptFor(
            days(30),
            "commands",
            RmCommand.class,
            "cluster/jobId or cluster/connector",
            Role.COMMAND,
            "Orders to resource managers.");

    public static final Topic<CommandResult> RESULTS = keptFor(
            days(30),
            "results",
            CommandResult.class,
            "cluster/jobId or cluster/connector",
            Role.FACT,
            "What became of each command.");

    /** Inputs are copied onto it as received, key, schema and all; only iterations are records of its own type. */
    public static final Topic<Iteration> JOURNAL = keptFor(
            days(365),
            "journal",
            Iteration.class,
            "cluster, or that of the input",
            Role.JOURNAL,
            "Every iteration, and before it, in the order applied, every input as it was received, with the key and the"
                    + " record type of its own topic: what replay reads. The only topic with several record types.");

    public static final Topic<SnapshotChunk> SNAPSHOTS = keptFor(
            days(365),
            "snapshots",
            SnapshotChunk.class,
            "cluster/number/chunk",
            Role.JOURNAL,
            "States that an audit has verified, in parts: where the journal's first records have expired, another begins at"
                    + " one of them.");

    public static final Topic<Decision> DECISIONS = keptFor(
            days(90),
            "decisions",
            Decision.class,
            "cluster/jobId",
            Role.HISTORY,
            "What the scheduler decided about jobs and reservations, with reasons.");

    public static final Topic<Explanation> EXPLANATIONS =
            compacted("explanations", Explanation.class, "cluster/jobId", "Why each waiting job waits.");

    public static final Topic<NodeStatus> NODES =
            compacted("nodes", NodeStatus.class, "cluster/nodeId", "Nodes as the scheduler knows them.");

    public static final Topic<JobStatus> JOBS =
            compacted("jobs", JobStatus.class, "cluster/jobId", "Jobs as the scheduler knows them.");

    public static final Topic<ReservationStatus> RESERVATIONS =
            compacted("reservations", ReservationStatus.class, "cluster/reservationId", "Reservations in force.");

    public static final Topic<Notification> NOTIFICATIONS = keptFor(
            days(30),
            "notifications",
            Notification.class,
            "cluster/notificationId",
            Role.COMMAND,
            "Messages for people, to be delivered.");

    public static final Topic<TriggerFiring> TRIGGER_FIRINGS = keptFor(
            days(30),
            "trigger-firings",
            TriggerFiring.class,
            "cluster/triggerId",
            Role.COMMAND,
            "Triggers whose action is to be carried out.");

    public static final Topic<DeliveryResult> DELIVERY_RESULTS = keptFor(
            days(30),
            "delivery-results",
            DeliveryResult.class,
            "cluster/deliveryId",
            Role.FACT,
            "What became of notifications and trigger firings.");

    public static final Topic<PluginQuestion> PLUGIN_QUESTIONS = keptFor(
            days(30),
            "plugin-questions",
            PluginQuestion.class,
            "cluster/jobId",
            Role.COMMAND,
            "Jobs for which a site's allocation plug-in is to choose nodes.");

    public static final Topic<PluginAnswer> PLUGIN_ANSWERS = keptFor(
            days(30),
            "plugin-answers",
            PluginAnswer.class,
            "cluster/jobId",
            Role.FACT,
            "What allocation plug-ins answered.");

    public static final Topic<CategoryInterval> NODE_CATEGORIES = keptFor(
            days(365),
            "node-categories",
            CategoryInterval.class,
            "cluster/nodeId",
            Role.HISTORY,
            "Finished stretches of time that nodes spent in one category, such as Active or HardwareFailure.");

    public static final Topic<Charge> CHARGES =
            keptForEver("charges", Charge.class, "cluster/chargeId", Role.COMMAND, "Resources to be charged.");

    public static final Topic<NonstopEvent> NONSTOP_EVENTS = keptFor(
            days(90),
            "nonstop-events",
            NonstopEvent.class,
            "cluster/jobId",
            Role.HISTORY,
            "Failed and failing nodes of running jobs, and what was done about them.");

    public static final Topic<DeadLetter> DEAD_LETTERS = keptFor(
            days(90),
            "dead-letters",
            DeadLetter.class,
            "cluster, or empty",
            Role.DEAD_LETTER,
            "Inputs that could not be used, with origin and cause; and marks of those sent again.");

    private static final List<Topic<?>> ALL = List.of(
            RM_NODES,
            RM_JOBS,
            RM_HEARTBEATS,
            MONITORING_METRICS,
            MONITORING_EVENTS,
            REQUESTS,
            REQUEST_RESULTS,
            POLICY,
            COMMANDS,
            RESULTS,
            JOURNAL,
            SNAPSHOTS,
            DECISIONS,
            EXPLANATIONS,
            NODES,
            JOBS,
            RESERVATIONS,
            NOTIFICATIONS,
            TRIGGER_FIRINGS,
            DELIVERY_RESULTS,
            PLUGIN_QUESTIONS,
            PLUGIN_ANSWERS,
            NODE_CATEGORIES,
            CHARGES,
            NONSTOP_EVENTS,
            DEAD_LETTERS);

    private Topics() {}

    /** Returns every topic, in the order in which the catalogue presents them. */
    public static List<Topic<?>> all() {
        return ALL;
    }

    /** Returns the topics that the scheduler reads, in catalogue order. */
    public static List<Topic<?>> schedulerInputs() {
        return ALL.stream().filter(topic -> topic.role().isSchedulerInput()).toList();
    }

    /** Returns the topic called {@code name}, without prefix. */
    public static Optional<Topic<?>> byName(String name) {
        return ALL.stream().filter(topic -> topic.name().equals(name)).findFirst();
    }

    private static <T extends SpecificRecord> Topic<T> keptFor(
            Duration retention, String name, Class<T> type, String key, Role role, String description) {
        return new Topic<>(name, type, key, role, Cleanup.DELETE, Optional.of(retention), description);
    }

    private static <T extends SpecificRecord> Topic<T> keptForEver(
            String name, Class<T> type, String key, Role role, String description) {
        return new Topic<>(name, type, key, role, Cleanup.DELETE, Optional.empty(), description);
    }

    private static <T extends SpecificRecord> Topic<T> compacted(
            String name, Class<T> type, String key, String description) {
        return new Topic<>(name, type, key, Role.STATE, Cleanup.COMPACT, Optional.empty(), description);
    }

    private static Duration days(long days) {
        return Duration.ofDays(days);
    }
}

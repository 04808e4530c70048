package io.weir.schemas.bound;

import io.weir.schemas.CommandResult;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.JobReport;
import io.weir.schemas.Measurement;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeMetric;
import io.weir.schemas.NodeReport;
import io.weir.schemas.PluginAnswer;
import io.weir.schemas.PluginChoice;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Quarantine;
import io.weir.schemas.Request;
import io.weir.schemas.TaskRequirement;
import io.weir.schemas.TopicCount;
import io.weir.schemas.bound.Bound.Decimal;
import io.weir.schemas.bound.Bound.Items;
import io.weir.schemas.bound.Bound.Moment;
import io.weir.schemas.bound.Bound.Name;
import io.weir.schemas.bound.Bound.Prose;
import io.weir.schemas.bound.Bound.Text;
import io.weir.schemas.bound.Bound.Whole;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of every field of every fact. Names and numbers out of bounds make a record unusable; a text that informs is
 * cut, so that nobody's words keep a node or a job out of the scheduler's sight.
 */
public final class FactBounds {
    private static final long ANY_LONG = Long.MAX_VALUE;

    private static final Bound NAME = new Name(1, Limit.NAME_LENGTH);
    private static final Bound ID = new Name(1, Limit.NAME_LENGTH);
    private static final Bound LABEL = new Prose(Limit.NAME_LENGTH, false);
    private static final Bound NOTE = new Prose(Limit.NOTE_LENGTH, true);
    private static final Bound TIME = new Moment();
    private static final Bound PROCS = new Whole(1, Limit.PROCS, "processors");
    private static final Bound TASKS = new Whole(1, Limit.PROCS, "tasks");
    private static final Bound MEGABYTES = new Whole(0, Limit.AMOUNT, "MB");
    private static final Bound NUMBER = new Whole(0, ANY_LONG, "");
    private static final Bound COUNTED = new Whole(0, Limit.COUNTED, "");
    private static final Bound MEASURED = new Decimal(-Limit.MEASURED, Limit.MEASURED, "");

    private static final Bound METRICS =
            new Items(Limit.METRICS, fields(Measurement.getClassSchema(), Map.of("name", NAME, "value", MEASURED)));

    private static final Bound NAMED_COUNT =
            fields(NameCount.getClassSchema(), Map.of("name", NAME, "count", new Whole(0, Limit.AMOUNT, "")));
    private static final Bound COUNTS = new Items(Limit.WORDS, NAMED_COUNT);
    private static final Bound WORDS = new Items(Limit.WORDS, NAME);
    private static final Bound NODE_SHARE =
            fields(NodeAllocation.getClassSchema(), Map.of("nodeId", ID, "procs", PROCS));

    private static final Bound REQUIREMENT = fields(
            TaskRequirement.getClassSchema(),
            Map.ofEntries(
                    Map.entry("tasks", TASKS),
                    Map.entry("procsPerTask", PROCS),
                    Map.entry("memoryMb", MEGABYTES),
                    Map.entry("swapMb", MEGABYTES),
                    Map.entry("diskMb", MEGABYTES),
                    Map.entry("gres", COUNTS),
                    Map.entry("features", WORDS),
                    Map.entry("arch", LABEL),
                    Map.entry("os", LABEL),
                    Map.entry("network", LABEL),
                    Map.entry("nodeConditions", WORDS),
                    Map.entry("nodes", new Whole(1, Limit.PROCS, "nodes")),
                    Map.entry("tasksPerNode", TASKS),
                    Map.entry("leastNodes", new Whole(0, Limit.PROCS, "nodes")),
                    Map.entry("mostNodes", new Whole(0, Limit.PROCS, "nodes")),
                    Map.entry("mostTasksPerNode", new Whole(0, Limit.PROCS, "tasks")),
                    Map.entry("classes", WORDS),
                    Map.entry("hosts", new Items(Limit.NODES, NAME)),
                    Map.entry("excludedHosts", new Items(Limit.NODES, NAME)),
                    Map.entry("requiredHosts", new Items(Limit.NODES, NAME)),
                    Map.entry("nodeProcs", new Whole(0, Limit.PROCS, "processors")),
                    Map.entry("nodeMemoryMb", MEGABYTES),
                    Map.entry("nodeGres", COUNTS)));

    private static final Fields NODE_REPORT = fields(
                    NodeReport.getClassSchema(),
                    Map.ofEntries(
                            Map.entry("cluster", NAME),
                            Map.entry("nodeId", ID),
                            Map.entry("index", new Whole(0, Limit.NODE_INDEX, "")),
                            Map.entry("procs", new Whole(0, Limit.PROCS, "processors")),
                            Map.entry("memoryMb", MEGABYTES),
                            Map.entry("load", new Decimal(0, Limit.LOAD, "")),
                            Map.entry("features", WORDS),
                            Map.entry("partition", NAME),
                            Map.entry("reason", NOTE),
                            Map.entry("updateTime", TIME),
                            Map.entry("asOfCommand", NUMBER),
                            Map.entry("swapMb", MEGABYTES),
                            Map.entry("diskMb", MEGABYTES),
                            Map.entry("availableProcs", new Whole(0, Limit.PROCS, "processors")),
                            Map.entry("availableMemoryMb", MEGABYTES),
                            Map.entry("availableSwapMb", MEGABYTES),
                            Map.entry("availableDiskMb", MEGABYTES),
                            Map.entry("classes", COUNTS),
                            Map.entry("gres", COUNTS),
                            Map.entry("networks", WORDS),
                            Map.entry("arch", LABEL),
                            Map.entry("os", LABEL),
                            Map.entry("speed", new Decimal(0.01, Limit.SPEED, "")),
                            Map.entry("procSpeedMhz", new Whole(0, Limit.MEGAHERTZ, "MHz")),
                            Map.entry("rack", LABEL),
                            Map.entry("slot", LABEL),
                            Map.entry("maxTasks", new Whole(0, Limit.PROCS, "tasks")),
                            Map.entry("procUnit", new Whole(1, Limit.PROCS, "processors")),
                            Map.entry("chargeRate", new Decimal(0, Limit.CHARGE_RATE, "")),
                            Map.entry("metrics", METRICS),
                            Map.entry(
                                    "variables",
                                    new Items(
                                            Limit.VARIABLES,
                                            fields(NameValue.getClassSchema(), Map.of("name", NAME, "value", NOTE)))),
                            Map.entry("messages", new Items(Limit.MESSAGES, NOTE)),
                            Map.entry("category", LABEL)))
            .mostText(Limit.RECORD_TEXT, null);

    private static final Fields JOB_REPORT = fields(
                    JobReport.getClassSchema(),
                    Map.ofEntries(
                            Map.entry("cluster", NAME),
                            Map.entry("jobId", ID),
                            Map.entry("queueSequence", NUMBER),
                            Map.entry("name", LABEL),
                            Map.entry("user", LABEL),
                            Map.entry("group", LABEL),
                            Map.entry("account", LABEL),
                            Map.entry("jobClass", LABEL),
                            Map.entry("qos", LABEL),
                            Map.entry("tasks", TASKS),
                            Map.entry("procsPerTask", PROCS),
                            Map.entry("walltimeSeconds", new Whole(1, Limit.SECONDS, "s")),
                            Map.entry("problems", new Items(Limit.MESSAGES, NOTE)),
                            Map.entry("submitTime", TIME),
                            Map.entry("startTime", TIME),
                            Map.entry("endTime", TIME),
                            Map.entry("allocation", new Items(Limit.NODES, NODE_SHARE)),
                            Map.entry("exitCode", new Whole(Integer.MIN_VALUE, Integer.MAX_VALUE, "")),
                            Map.entry("reason", NOTE),
                            Map.entry("asOfCommand", NUMBER),
                            Map.entry("requirements", new Items(Limit.REQUIREMENTS, REQUIREMENT)),
                            Map.entry("partitions", WORDS),
                            Map.entry("hosts", new Items(Limit.NODES, NAME)),
                            Map.entry("excludedHosts", new Items(Limit.NODES, NAME)),
                            Map.entry("otherClasses", WORDS),
                            Map.entry("nodeAccess", LABEL),
                            Map.entry("application", LABEL),
                            Map.entry("extension", new Prose(Limit.EXTENSION_LENGTH, true)),
                            Map.entry("preference", NOTE),
                            Map.entry("reservation", LABEL),
                            Map.entry("flags", WORDS),
                            Map.entry("startAfter", TIME),
                            Map.entry("cpuLimitSeconds", new Whole(0, Limit.PROC_SECONDS, "s")),
                            Map.entry("usedCpuSeconds", new Whole(0, Limit.PROC_SECONDS, "s")),
                            Map.entry("usedMemoryMb", MEGABYTES),
                            Map.entry("scriptNode", NAME),
                            Map.entry("userPriority", new Whole(Integer.MIN_VALUE, Integer.MAX_VALUE, ""))))
            .mostText(Limit.RECORD_TEXT, "allocation");

    private static final Fields HEARTBEAT = fields(
            Heartbeat.getClassSchema(),
            Map.ofEntries(
                    Map.entry("cluster", NAME),
                    Map.entry("connector", ID),
                    Map.entry("number", COUNTED),
                    Map.entry("rmTime", TIME),
                    Map.entry("lastCommand", NUMBER),
                    Map.entry(
                            "counts",
                            new Items(
                                    Limit.WORDS,
                                    fields(TopicCount.getClassSchema(), Map.of("topic", NAME, "count", COUNTED)))),
                    Map.entry("rmType", LABEL),
                    Map.entry("rmVersion", LABEL),
                    Map.entry("failures", NUMBER),
                    Map.entry("malformed", NUMBER),
                    Map.entry("pollSeconds", COUNTED)));

    private static final Fields COMMAND_RESULT = fields(
            CommandResult.getClassSchema(),
            Map.of(
                    "cluster", NAME,
                    "connector", ID,
                    "number", new Whole(1, ANY_LONG, ""),
                    "commandId", new Name(1, Limit.COMMAND_ID_LENGTH),
                    "jobId", ID,
                    "effectTime", TIME,
                    "message", NOTE));

    private static final Fields GENERIC_EVENT = fields(
            GenericEvent.getClassSchema(),
            Map.of(
                    "cluster", NAME,
                    "name", NAME,
                    "objectType", NAME,
                    "objectId", new Name(0, Limit.NAME_LENGTH),
                    "message", NOTE,
                    "time", TIME,
                    "source", LABEL,
                    "measurements", METRICS));

    private static final Fields NODE_METRIC = fields(
            NodeMetric.getClassSchema(),
            Map.of("cluster", NAME, "nodeId", ID, "metric", NAME, "value", MEASURED, "time", TIME));

    private static final Fields REQUEST = fields(
                    Request.getClassSchema(),
                    Map.of(
                            "cluster", NAME,
                            "requestId", ID,
                            "principal", new Name(0, Limit.NAME_LENGTH),
                            "objectId", ID,
                            "comment", NOTE,
                            "time", TIME,
                            "level", new Whole(1, 5, ""),
                            "arguments",
                                    new Items(
                                            Limit.ARGUMENTS,
                                            fields(
                                                    NameValue.getClassSchema(),
                                                    Map.of(
                                                            "name",
                                                            NAME,
                                                            "value",
                                                            new Text(Limit.ARGUMENT_LENGTH, false))))))
            .mostText(Limit.RECORD_TEXT, null);

    private static final Fields POLICY_VERSION = fields(
            PolicyVersion.getClassSchema(),
            Map.of(
                    "cluster", NAME,
                    "version", ID,
                    "text", new Text(Limit.POLICY_LENGTH, true),
                    "source", LABEL,
                    "principal", LABEL,
                    "time", TIME));

    private static final Fields PLUGIN_ANSWER = fields(
            PluginAnswer.getClassSchema(),
            Map.of(
                    "cluster", NAME,
                    "questionId", new Name(1, Limit.COMMAND_ID_LENGTH),
                    "jobId", ID,
                    "time", TIME,
                    "failure", NOTE,
                    "choices",
                            new Items(
                                    Limit.NODES,
                                    fields(
                                            PluginChoice.getClassSchema(),
                                            Map.of("nodeId", ID, "mostTasks", new Whole(0, Limit.PROCS, "tasks"))))));

    private static final Fields DELIVERY_RESULT = fields(
            DeliveryResult.getClassSchema(),
            Map.ofEntries(
                    Map.entry("cluster", NAME),
                    Map.entry("deliveryId", new Name(1, Limit.COMMAND_ID_LENGTH)),
                    Map.entry("channel", LABEL),
                    Map.entry("attempts", new Whole(0, Limit.ATTEMPTS, "attempts")),
                    Map.entry("message", NOTE),
                    Map.entry("time", TIME),
                    Map.entry("kind", NAME),
                    Map.entry("triggerId", ID),
                    Map.entry("code", new Whole(Integer.MIN_VALUE, Integer.MAX_VALUE, "")),
                    Map.entry("output", NOTE),
                    Map.entry("errors", NOTE),
                    Map.entry(
                            "variables",
                            new Items(
                                    Limit.WANTED_VARIABLES,
                                    fields(NameValue.getClassSchema(), Map.of("name", NAME, "value", NOTE))))));

    private static final Fields QUARANTINE = fields(
            Quarantine.getClassSchema(),
            Map.of(
                    "cluster", NAME,
                    "id", new Name(0, 2 * Limit.NAME_LENGTH),
                    "cause", LABEL,
                    "message", NOTE,
                    "time", TIME,
                    "build", LABEL));

    private FactBounds() {}

    /** Returns the bounds of all facts, in the order in which they are documented. */
    public static List<Fields> all() {
        return List.of(
                NODE_REPORT,
                JOB_REPORT,
                HEARTBEAT,
                COMMAND_RESULT,
                GENERIC_EVENT,
                NODE_METRIC,
                REQUEST,
                POLICY_VERSION,
                PLUGIN_ANSWER,
                DELIVERY_RESULT,
                QUARANTINE);
    }

    /** Returns what is wrong with a request; null when nothing is. */
    public static @Nullable Breach check(Request request) {
        return REQUEST.check(request);
    }

    /** Returns what makes a request one that cannot even be answered; null when nothing does. */
    public static @Nullable Breach identity(Request request) {
        return REQUEST.check(request, Set.of("cluster", "requestId", "time"));
    }

    /** Returns the bounds of records such as {@code record}; null when it is no fact. */
    public static @Nullable Fields of(SpecificRecord record) {
        if (record instanceof NodeReport) {
            return NODE_REPORT;
        } else if (record instanceof JobReport) {
            return JOB_REPORT;
        } else if (record instanceof Heartbeat) {
            return HEARTBEAT;
        } else if (record instanceof CommandResult) {
            return COMMAND_RESULT;
        } else if (record instanceof GenericEvent) {
            return GENERIC_EVENT;
        } else if (record instanceof NodeMetric) {
            return NODE_METRIC;
        } else if (record instanceof Request) {
            return REQUEST;
        } else if (record instanceof PolicyVersion) {
            return POLICY_VERSION;
        } else if (record instanceof PluginAnswer) {
            return PLUGIN_ANSWER;
        } else if (record instanceof DeliveryResult) {
            return DELIVERY_RESULT;
        } else if (record instanceof Quarantine) {
            return QUARANTINE;
        }
        return null;
    }

    private static Fields fields(Schema schema, Map<String, Bound> bounds) {
        return Fields.of(schema, bounds);
    }
}

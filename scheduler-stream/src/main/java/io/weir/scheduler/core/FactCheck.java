package io.weir.scheduler.core;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.Measurement;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeMetric;
import io.weir.schemas.NodeReport;
import io.weir.schemas.PluginAnswer;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TaskRequirement;
import io.weir.schemas.TopicCount;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Tells facts that make sense from facts that do not, before they reach the state. */
final class FactCheck {
    /** Cause of a record about another cluster. */
    static final String MISROUTED = "MISROUTED";

    /** Cause of a number or an instant no machine can have. */
    static final String OUT_OF_RANGE = "OUT_OF_RANGE";

    /** Cause of a job on nodes nobody reported. */
    static final String UNKNOWN_NODE = "UNKNOWN_NODE";

    /** Cause of a record that lacks or contradicts itself. */
    static final String INVALID = "INVALID";

    private static final int MOST_PROCS = 10_000_000;

    /** Most of a counted resource, or megabytes of a task; so many tasks as there may be do not overflow. */
    private static final long MOST_AMOUNT = 100_000_000_000L;

    private static final int LONGEST_ID = 256;
    private static final long LONGEST_WALLTIME_SECONDS = 100L * 366 * 86_400;
    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.ofEpochSecond(4_102_444_800L);

    private final String cluster;
    private final NodeTable nodes;

    FactCheck(String cluster, NodeTable nodes) {
        this.cluster = cluster;
        this.nodes = nodes;
    }

    /** Says what is wrong with {@code fact}; empty when nothing is. */
    Optional<Rejection> check(Fact fact) {
        Finding finding = new Finding();
        SpecificRecord record = fact.record();
        if (record instanceof NodeReport report) {
            node(report, finding);
        } else if (record instanceof JobReport report) {
            job(report, finding);
        } else if (record instanceof Heartbeat heartbeat) {
            heartbeat(heartbeat, fact, finding);
        } else if (record instanceof CommandResult result) {
            result(result, finding);
        } else if (record instanceof GenericEvent event) {
            finding.cluster(event.getCluster());
            finding.id("name", event.getName());
            finding.instant("time", event.getTime());
        } else if (record instanceof NodeMetric metric) {
            finding.cluster(metric.getCluster());
            finding.id("nodeId", metric.getNodeId());
            finding.instant("time", metric.getTime());
            finding.finite("value", metric.getValue());
        } else if (record instanceof Request request) {
            finding.cluster(request.getCluster());
            finding.id("requestId", request.getRequestId());
            finding.id("objectId", request.getObjectId());
            finding.instant("time", request.getTime());
            finding.known("kind", request.getKind() != RequestKind.UNKNOWN);
        } else if (record instanceof PolicyVersion policy) {
            finding.cluster(policy.getCluster());
            finding.id("version", policy.getVersion());
            finding.instant("time", policy.getTime());
        } else if (record instanceof PluginAnswer answer) {
            finding.cluster(answer.getCluster());
            finding.id("questionId", answer.getQuestionId());
            finding.id("jobId", answer.getJobId());
            finding.instant("time", answer.getTime());
        } else if (record instanceof Quarantine quarantine) {
            finding.cluster(quarantine.getCluster());
            finding.known("kind", quarantine.getKind() != QuarantineKind.UNKNOWN);
            finding.instant("time", quarantine.getTime());
        } else {
            finding.reject(INVALID, "record " + record.getSchema().getFullName() + " is no scheduler input");
        }
        return finding.result();
    }

    private void node(NodeReport report, Finding finding) {
        finding.cluster(report.getCluster());
        finding.id("nodeId", report.getNodeId());
        finding.range("procs", report.getProcs(), 1, MOST_PROCS);
        finding.range("memoryMb", report.getMemoryMb(), 0, Long.MAX_VALUE);
        Integer index = report.getIndex();
        if (index != null) {
            finding.range("index", index, 0, Integer.MAX_VALUE);
        }
        Double load = report.getLoad();
        if (load != null) {
            finding.finite("load", load);
        }
        finding.range("swapMb", report.getSwapMb(), 0, Long.MAX_VALUE);
        finding.range("diskMb", report.getDiskMb(), 0, Long.MAX_VALUE);
        finding.counts("gres", report.getGres());
        finding.counts("classes", report.getClasses());
        finding.optionalFinite("speed", report.getSpeed());
        finding.optionalFinite("chargeRate", report.getChargeRate());
        for (Measurement metric : report.getMetrics()) {
            finding.finite("metric " + metric.getName(), metric.getValue());
        }
        finding.optionalInstant("updateTime", report.getUpdateTime());
        finding.range("asOfCommand", report.getAsOfCommand(), 0, Long.MAX_VALUE);
    }

    private void job(JobReport report, Finding finding) {
        finding.cluster(report.getCluster());
        finding.id("jobId", report.getJobId());
        finding.known("state", report.getState() != JobState.UNKNOWN && report.getState() != JobState.STARTING);
        finding.range("queueSequence", report.getQueueSequence(), 0, Long.MAX_VALUE);
        finding.range("tasks", report.getTasks(), 1, MOST_PROCS);
        finding.range("procsPerTask", report.getProcsPerTask(), 1, MOST_PROCS);
        finding.range("tasks x procsPerTask", (long) report.getTasks() * report.getProcsPerTask(), 1, MOST_PROCS);
        for (TaskRequirement requirement : report.getRequirements()) {
            requirement(requirement, finding);
        }
        Long walltime = report.getWalltimeSeconds();
        if (walltime != null) {
            finding.range("walltimeSeconds", walltime, 1, LONGEST_WALLTIME_SECONDS);
        }
        finding.instant("submitTime", report.getSubmitTime());
        finding.optionalInstant("startTime", report.getStartTime());
        finding.optionalInstant("endTime", report.getEndTime());
        finding.range("asOfCommand", report.getAsOfCommand(), 0, Long.MAX_VALUE);
        if (report.getState() == JobState.RUNNING || report.getState() == JobState.SUSPENDED) {
            allocation(report, finding);
        }
    }

    private static void requirement(TaskRequirement requirement, Finding finding) {
        int tasks = requirement.getTasks();
        int procs = requirement.getProcsPerTask();
        finding.range("requirement tasks", tasks, 1, MOST_PROCS);
        finding.range("requirement procsPerTask", procs, 1, MOST_PROCS);
        finding.range("requirement tasks x procsPerTask", (long) tasks * procs, 1, MOST_PROCS);
        finding.range("requirement memoryMb", requirement.getMemoryMb(), 0, MOST_AMOUNT);
        finding.range("requirement swapMb", requirement.getSwapMb(), 0, MOST_AMOUNT);
        finding.range("requirement diskMb", requirement.getDiskMb(), 0, MOST_AMOUNT);
        finding.counts("requirement gres", requirement.getGres());
        Integer nodes = requirement.getNodes();
        if (nodes != null) {
            finding.range("requirement nodes", nodes, 1, MOST_PROCS);
        }
        Integer tasksPerNode = requirement.getTasksPerNode();
        if (tasksPerNode != null) {
            finding.range("requirement tasksPerNode", tasksPerNode, 1, MOST_PROCS);
        }
    }

    private void allocation(JobReport report, Finding finding) {
        if (report.getAllocation().isEmpty()) {
            finding.reject(INVALID, "a " + report.getState() + " job needs an allocation, found none");
        }
        Set<String> seen = new TreeSet<>();
        for (NodeAllocation share : report.getAllocation()) {
            if (!seen.add(share.getNodeId())) {
                finding.reject(INVALID, "allocation names node " + share.getNodeId() + " twice");
            }
            EffectiveNode node = nodes.effective(share.getNodeId());
            if (node == null) {
                finding.reject(
                        UNKNOWN_NODE,
                        "allocation names node " + share.getNodeId()
                                + ", which no connector has reported; report the node before the job");
            } else {
                finding.range(
                        "allocation procs on " + share.getNodeId(),
                        share.getProcs(),
                        1,
                        Math.max(node.node().procs(), node.configured().procs()));
            }
        }
    }

    private static void heartbeat(Heartbeat heartbeat, Fact fact, Finding finding) {
        finding.cluster(heartbeat.getCluster());
        finding.id("connector", heartbeat.getConnector());
        finding.known("kind", heartbeat.getKind() != HeartbeatKind.UNKNOWN);
        if (fact.connector() == null || !fact.connector().equals(heartbeat.getConnector())) {
            finding.reject(
                    INVALID,
                    "heartbeat of connector " + heartbeat.getConnector() + " came in the name of " + fact.connector());
        }
        finding.range(
                "number", heartbeat.getNumber(), heartbeat.getKind() == HeartbeatKind.HELLO ? 0 : 1, Long.MAX_VALUE);
        finding.instant("rmTime", heartbeat.getRmTime());
        finding.range("lastCommand", heartbeat.getLastCommand(), 0, Long.MAX_VALUE);
        for (TopicCount count : heartbeat.getCounts()) {
            finding.range("count of " + count.getTopic(), count.getCount(), 0, Long.MAX_VALUE);
        }
    }

    private static void result(CommandResult result, Finding finding) {
        finding.cluster(result.getCluster());
        finding.id("connector", result.getConnector());
        finding.range("number", result.getNumber(), 1, Long.MAX_VALUE);
        finding.known("outcome", result.getOutcome() != CommandOutcome.UNKNOWN);
        finding.optionalInstant("effectTime", result.getEffectTime());
    }

    /** The first thing found wrong. */
    private final class Finding {
        private @Nullable Rejection first;

        void reject(String cause, String message) {
            if (first == null) {
                first = new Rejection(cause, message);
            }
        }

        void cluster(String found) {
            if (!cluster.equals(found)) {
                reject(MISROUTED, "cluster is '" + found + "', this is '" + cluster + "'; correct key and record");
            }
        }

        void id(String field, String value) {
            if (value.isEmpty() || value.length() > LONGEST_ID) {
                reject(
                        OUT_OF_RANGE,
                        field + " has " + value.length() + " characters; 1 to " + LONGEST_ID + " are allowed");
            } else if (value.chars().anyMatch(Character::isISOControl)) {
                reject(INVALID, field + " contains a control character");
            }
        }

        void range(String field, long value, long least, long most) {
            if (value < least || value > most) {
                reject(OUT_OF_RANGE, field + " is " + value + "; " + least + " to " + most + " are allowed");
            }
        }

        void finite(String field, double value) {
            if (!Double.isFinite(value) || (field.equals("load") && value < 0)) {
                reject(OUT_OF_RANGE, field + " is " + value + "; a finite number is needed");
            }
        }

        void optionalFinite(String field, @Nullable Double value) {
            if (value != null) {
                finite(field, value);
            }
        }

        void counts(String field, List<NameCount> counts) {
            for (NameCount count : counts) {
                range(field + " " + count.getName(), count.getCount(), 0, MOST_AMOUNT);
            }
        }

        void instant(String field, Instant value) {
            if (value.isBefore(EARLIEST) || value.isAfter(LATEST)) {
                reject(OUT_OF_RANGE, field + " is " + value + "; 1970 to 2100 are allowed");
            }
        }

        void optionalInstant(String field, @Nullable Instant value) {
            if (value != null) {
                instant(field, value);
            }
        }

        void known(String field, boolean known) {
            if (!known) {
                reject(INVALID, field + " is not one a scheduler input can have");
            }
        }

        Optional<Rejection> result() {
            return Optional.ofNullable(first);
        }
    }
}

package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.ConnectorState;
import io.weir.scheduler.core.state.PendingRequests;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TaskRequirement;
import io.weir.schemas.bound.Breach;
import io.weir.schemas.bound.FactBounds;
import io.weir.schemas.bound.Fields;
import io.weir.schemas.bound.Limit;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Tells facts that make sense from facts that do not, before they reach the state. */
public final class FactCheck {
    /** Cause of a record about another cluster. */
    static final String MISROUTED = "MISROUTED";

    /** Cause of a number or an instant no machine can have. */
    static final String OUT_OF_RANGE = "OUT_OF_RANGE";

    /** Cause of a job on nodes nobody reported. */
    static final String UNKNOWN_NODE = "UNKNOWN_NODE";

    /** Cause of a record that lacks or contradicts itself. */
    static final String INVALID = "INVALID";

    /** Cause of a fact that would have to wait with too many others. */
    static final String BUSY = "BUSY";

    private final String cluster;
    private final NodeTable nodes;
    private final SortedMap<String, ConnectorState> connectors;
    private final PendingRequests requests;

    public FactCheck(ClusterState state) {
        this.cluster = state.cluster;
        this.nodes = state.nodes;
        this.connectors = state.domain.connectors;
        this.requests = state.domain.requests;
    }

    /** Says what is wrong with {@code fact}; empty when nothing is. */
    public Optional<Rejection> check(Fact fact) {
        Finding finding = new Finding();
        SpecificRecord record = fact.record();
        Fields bounds = FactBounds.of(record);
        if (bounds == null) {
            finding.reject(INVALID, "record " + record.getSchema().getFullName() + " is no scheduler input");
            return finding.result();
        }
        finding.cluster(
                (String) record.get(record.getSchema().getField("cluster").pos()));
        if (record instanceof Request request) {
            request(request, finding);
            return finding.result();
        }
        finding.breach(bounds.check(record));
        if (finding.result().isPresent()) {
            return finding.result();
        }
        if (record instanceof NodeReport report) {
            node(report, finding);
        } else if (record instanceof JobReport report) {
            job(report, finding);
        } else if (record instanceof Heartbeat heartbeat) {
            heartbeat(heartbeat, fact, finding);
        } else if (record instanceof CommandResult result) {
            finding.known("outcome", result.getOutcome() != CommandOutcome.UNKNOWN);
        } else if (record instanceof Quarantine quarantine) {
            finding.known("kind", quarantine.getKind() != QuarantineKind.UNKNOWN);
        }
        return finding.result();
    }

    /** A request that makes sense but for its words is answered; only one that cannot be answered is refused here. */
    private void request(Request request, Finding finding) {
        finding.breach(FactBounds.identity(request));
        finding.known("kind", request.getKind() != RequestKind.UNKNOWN);
        if (requests.isFull()) {
            finding.reject(
                    BUSY,
                    "requestId " + request.getRequestId() + ": " + PendingRequests.MOST
                            + " requests wait for the next iteration; ask again later");
        }
    }

    /** All nodes together have to fit into one record: a job or a reservation may take them all. */
    private void node(NodeReport report, Finding finding) {
        boolean reserved = report.getNodeId().equals(SitePolicy.DEFAULT_OBJECT);
        if (reserved && report.getState() != NodeState.REMOVED) {
            finding.reject(
                    INVALID,
                    "node " + report.getNodeId() + ": the name is reserved, as NODECFG[" + SitePolicy.DEFAULT_OBJECT
                            + "] holds for every node; give the node another name");
        }
        if (report.getProcs() == 0 && !report.getNodeId().equals(EffectiveNode.GLOBAL)) {
            finding.reject(
                    OUT_OF_RANGE,
                    "node " + report.getNodeId() + ": procs is 0; only the pseudo-node " + EffectiveNode.GLOBAL
                            + " may be without processors");
        }
        long names =
                nodes.get(report.getNodeId()) != null ? 0 : nodes.nameBytes() + NodeTable.nameBytes(report.getNodeId());
        if (names > Limit.NODE_NAMES) {
            finding.reject(
                    OUT_OF_RANGE,
                    "node " + report.getNodeId() + ": with it the names of the " + (nodes.size() + 1) + " nodes take "
                            + names + " bytes; at most " + Limit.NODE_NAMES
                            + " are allowed, so give nodes shorter names or divide the cluster");
        }
    }

    private void job(JobReport report, Finding finding) {
        finding.known("state", report.getState() != JobState.UNKNOWN && report.getState() != JobState.STARTING);
        finding.procs("tasks x procsPerTask", (long) report.getTasks() * report.getProcsPerTask());
        long all = 0;
        for (TaskRequirement requirement : report.getRequirements()) {
            long procs = (long) requirement.getTasks() * requirement.getProcsPerTask();
            finding.procs("requirements: tasks x procsPerTask", procs);
            all += procs;
        }
        finding.procs("requirements: processors of all together", all);
        long tasks = 0;
        long largest = 0;
        for (TaskRequirement requirement : report.getRequirements()) {
            tasks += requirement.getTasks();
            largest = Math.max(largest, requirement.getTasks());
        }
        if (tasks - largest > Limit.FURTHER_TASKS) {
            finding.reject(
                    OUT_OF_RANGE,
                    "requirements but the largest have " + (tasks - largest) + " tasks; at most " + Limit.FURTHER_TASKS
                            + " are allowed");
        }
        if (report.getState() == JobState.RUNNING || report.getState() == JobState.SUSPENDED) {
            allocation(report, finding);
        } else {
            demands(report, finding);
        }
    }

    private static void demands(JobReport report, Finding finding) {
        long demands = 0;
        for (TaskRequirement requirement : report.getRequirements()) {
            demands += requirement.getNodeConditions().size()
                    + requirement.getGres().size()
                    + requirement.getNodeGres().size();
            for (String feature : requirement.getFeatures()) {
                demands += 1 + feature.chars().filter(c -> c == '|').count();
            }
        }
        if (demands > Limit.DEMANDS) {
            finding.reject(
                    OUT_OF_RANGE,
                    "requirements have " + demands + " features with their alternatives, conditions and generic"
                            + " resources together; at most " + Limit.DEMANDS + " are allowed for a job that waits");
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
            if (nodes.get(share.getNodeId()) == null) {
                finding.reject(
                        UNKNOWN_NODE,
                        "allocation names node " + share.getNodeId()
                                + ", which no connector has reported; report the node before the job");
            }
        }
    }

    private void heartbeat(Heartbeat heartbeat, Fact fact, Finding finding) {
        finding.known("kind", heartbeat.getKind() != HeartbeatKind.UNKNOWN);
        if (fact.connector() == null || !fact.connector().equals(heartbeat.getConnector())) {
            finding.reject(
                    INVALID,
                    "heartbeat of connector " + heartbeat.getConnector() + " came in the name of " + fact.connector());
        }
        if (heartbeat.getKind() == HeartbeatKind.HEARTBEAT && heartbeat.getNumber() < 1) {
            finding.reject(OUT_OF_RANGE, "number is " + heartbeat.getNumber() + "; a heartbeat's is 1 or more");
        }
        if (!connectors.containsKey(heartbeat.getConnector()) && connectors.size() >= Limit.CONNECTORS) {
            finding.reject(
                    OUT_OF_RANGE,
                    "connector " + heartbeat.getConnector() + " is one more than the " + Limit.CONNECTORS
                            + " a cluster may have; give a connector the same id at every start");
        }
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

        void breach(@Nullable Breach breach) {
            if (breach != null) {
                reject(breach.outOfRange() ? OUT_OF_RANGE : INVALID, breach.message());
            }
        }

        void procs(String field, long value) {
            if (value > Limit.PROCS) {
                reject(OUT_OF_RANGE, field + " is " + value + "; 1 to " + Limit.PROCS + " are allowed");
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

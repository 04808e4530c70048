package io.weir.scheduler.core.node;

import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A node as its resource manager reports it; immutable. What the site's configuration makes of it is {@link
 * EffectiveNode}; what jobs hold of it is counted by the table.
 *
 * @param id unique in the cluster
 * @param connector connector that reports it; null for a foreign producer
 * @param index place in the order of nodes, kept until the resource manager reports another
 * @param state state reported by the resource manager
 * @param failing works, but is suspected of failing
 * @param attributes what else is reported, with the annotations of operators on it
 * @param annotations what operators attached and monitoring measures
 * @param eventHistory what was seen of its metrics, and what happened on it
 * @param reason text given for the state
 * @param stateSince when the state was entered, epoch seconds
 * @param reportedEpoch connector epoch of the last report
 * @param changedIn iteration that publishes this version
 */
public record Node(
        String id,
        @Nullable String connector,
        int index,
        NodeState state,
        boolean failing,
        NodeAttributes attributes,
        NodeAnnotations annotations,
        NodeEventHistory eventHistory,
        @Nullable String reason,
        long stateSince,
        long reportedEpoch,
        long changedIn) {
    /** Partition of a node that names none. */
    public static final String DEFAULT_PARTITION = "DEFAULT";

    private static final long MILLIS_PER_SECOND = 1_000;

    /** Name of the event that lasts as long as a node is down. */
    public static final String DOWN_EVENT = "nodedown";

    /** Name of the event by which it is known that a node failed without being down; active until that is dealt with. */
    public static final String FAILURE_EVENT = "nodefailure";

    /** Name of the event of a node that failed under a job which was ended for it; active until the node is rid of that job. */
    public static final String CLEANUP_EVENT = "nodecleanup";

    /** Source of the messages of a node whose connector is not known. */
    private static final String RESOURCE_MANAGER = "resource manager";

    /** Source of messages of which it is not known which operator attached them. */
    private static final String OPERATOR = "operator";

    /** Begins a text that reports ill health of a node whatever its state. */
    private static final String ERROR = "ERROR";

    /** Begins the reason of a node that is down because nothing was heard of it. */
    public static final String NOT_REPORTING = "node not reporting";

    /** Begins the reason of a node that is down because nothing is heard of its resource manager. */
    public static final String UNREACHABLE = NOT_REPORTING + " to the scheduler";

    /** Restores a node from its stored version. */
    public static Node from(NodeStatus status) {
        return new Node(
                status.getNodeId(),
                status.getConnector(),
                status.getIndex(),
                status.getState(),
                status.getFailing(),
                NodeAttributes.from(status),
                NodeAnnotations.from(status.getMarks(), status.getMeasured()),
                NodeEventHistory.from(
                        status.getMetricSummaries(),
                        status.getEvents(),
                        status.getMessages(),
                        status.getMessageTallies()),
                status.getReason(),
                status.getStateSince().getEpochSecond(),
                status.getReportedEpoch(),
                status.getChangedIn());
    }

    /**
     * Makes the next version of a node from a report.
     *
     * @param known the version in force; null for a new node
     * @param index index of a new node whose report gives none; a known one keeps its own then
     */
    public static Node reported(
            NodeReport report, @Nullable String connector, long epoch, @Nullable Node known, int index, long now) {
        Integer reportedIndex = report.getIndex();
        NodeAttributes reported = NodeAttributes.from(report);
        NodeAnnotations annotations = known == null
                ? NodeAnnotations.NONE
                : known.annotations.notMeasuring(reported.metrics().keySet());
        NodeAttributes attributes = annotations.on(reported);
        NodeEventHistory eventHistory = known == null
                ? NodeEventHistory.NONE.measured(new TreeMap<>(), attributes.metrics(), now)
                : known.eventHistory.measured(known.attributes.metrics(), attributes.metrics(), now);
        return new Node(
                report.getNodeId(),
                connector,
                reportedIndex != null ? reportedIndex : known != null ? known.index : index,
                report.getState(),
                report.getFailing(),
                attributes,
                annotations,
                eventHistory.saying(attributes.messages(), connector == null ? RESOURCE_MANAGER : connector, now),
                report.getReason(),
                known != null && known.state == report.getState() ? known.stateSince : now,
                epoch,
                known == null ? 0 : known.changedIn);
    }

    /** Returns this node, published by {@code iteration}. */
    public Node changedIn(long iteration) {
        return new Node(
                id,
                connector,
                index,
                state,
                failing,
                attributes,
                annotations,
                eventHistory,
                reason,
                stateSince,
                reportedEpoch,
                iteration);
    }

    /** Returns this node as no longer known to its resource manager. */
    public Node removed(String why, long now, long iteration) {
        return new Node(
                id,
                connector,
                index,
                NodeState.REMOVED,
                failing,
                attributes,
                annotations,
                eventHistory,
                why,
                now,
                reportedEpoch,
                iteration);
    }

    /** Returns this node as one that takes no jobs, whatever its resource manager says. */
    public Node setAside(String why) {
        return new Node(
                id,
                connector,
                index,
                NodeState.DOWN,
                failing,
                attributes,
                annotations,
                eventHistory,
                why,
                stateSince,
                reportedEpoch,
                changedIn);
    }

    /** Returns this node as one of which nothing has been heard for too long. */
    public Node silent(String why, long now) {
        return new Node(
                id,
                connector,
                index,
                NodeState.DOWN,
                failing,
                attributes,
                annotations,
                eventHistory,
                why,
                now,
                reportedEpoch,
                changedIn);
    }

    /** Returns whether it is down only because nothing is heard of its resource manager: it may well run its jobs. */
    public boolean isUnheardOf() {
        return state == NodeState.DOWN && reason != null && reason.startsWith(UNREACHABLE);
    }

    /** Returns this node with other annotations as of {@code now}. */
    public Node marked(NodeAnnotations other, long now) {
        NodeAttributes marked = other.on(annotations.off(attributes));
        return new Node(
                id,
                connector,
                index,
                state,
                failing,
                marked,
                other,
                eventHistory
                        .measured(attributes.metrics(), marked.metrics(), now)
                        .saying(marked.messages(), OPERATOR, now),
                reason,
                stateSince,
                reportedEpoch,
                changedIn);
    }

    /**
     * Returns this node as monitoring measures it, in place of what it told before. Metrics that the resource manager
     * reports are left out.
     */
    public Node measured(SortedMap<String, Double> metrics, long now) {
        SortedMap<String, Double> own = new TreeMap<>(metrics);
        attributes.metrics().forEach((name, value) -> {
            if (!annotations.tells(name, value)) {
                own.remove(name);
            }
        });
        return own.equals(annotations.measured()) ? this : marked(annotations.measured(own), now);
    }

    /** Returns from when on the first of its messages is gone, epoch seconds; {@link NodeMessage#NEVER} if all stay. */
    public long nextExpiry() {
        return eventHistory.nextExpiry();
    }

    /** Returns this node without the messages that are gone at {@code now}; this if there are none. */
    public Node withoutExpired(long now) {
        List<String> gone = eventHistory.expired(now);
        if (gone.isEmpty()) {
            return this;
        }
        NodeAnnotations left = annotations;
        for (String text : gone) {
            left = left.withoutMessage(text);
        }
        return saying(attributes.without(gone), left, now);
    }

    /**
     * Returns this node without the warnings about its category that {@code known} does not have. They follow from what else
     * is reported: a report that is no news but for them repeats one whose warnings have expired.
     */
    public Node warnedAs(Node known) {
        List<String> expired = attributes.messages().stream()
                .filter(text -> ReportedCategory.isWarning(text)
                        && !known.attributes.messages().contains(text))
                .toList();
        return expired.isEmpty() ? this : saying(attributes.without(expired), annotations, stateSince);
    }

    private Node saying(NodeAttributes said, NodeAnnotations attached, long now) {
        return new Node(
                id,
                connector,
                index,
                state,
                failing,
                said,
                attached,
                eventHistory.saying(said.messages(), OPERATOR, now),
                reason,
                stateSince,
                reportedEpoch,
                changedIn);
    }

    /** Returns this node with another event history. */
    public Node with(NodeEventHistory other) {
        return new Node(
                id,
                connector,
                index,
                state,
                failing,
                attributes,
                annotations,
                other,
                reason,
                stateSince,
                reportedEpoch,
                changedIn);
    }

    /** Returns this node after an event on it at {@code when}, epoch seconds. */
    public Node happened(String event, @Nullable String text, long when) {
        return happenedAtMillis(event, text, when * MILLIS_PER_SECOND);
    }

    /** Returns this node after an event on it at {@code millis}, epoch milliseconds. */
    public Node happenedAtMillis(String event, @Nullable String text, long millis) {
        return with(eventHistory.happened(event, text, millis));
    }

    /** Returns this node after what an event reported is no longer so. */
    public Node over(String event) {
        return with(eventHistory.over(event));
    }

    /** Returns this node with the statistics of its metrics begun anew. */
    public Node measuredAnew(long now) {
        return with(eventHistory.measuredAnew(attributes.metrics(), now));
    }

    /** Returns this node with its warnings said at {@code instant}. */
    public Node warnedAt(long instant) {
        return with(eventHistory.warnedAt(instant));
    }

    /** Returns this node as being in its state, and measured, since {@code instant}. */
    public Node since(long instant) {
        return new Node(
                id,
                connector,
                index,
                state,
                failing,
                attributes,
                annotations,
                eventHistory.measuredAnew(attributes.metrics(), instant),
                reason,
                instant,
                reportedEpoch,
                changedIn);
    }

    /** Returns this node as the record that stores and topics hold. */
    public NodeStatus toRecord(String cluster) {
        return attributes
                .into(NodeStatus.newBuilder()
                        .setCluster(cluster)
                        .setNodeId(id)
                        .setConnector(connector)
                        .setIndex(index)
                        .setState(state)
                        .setFailing(failing)
                        .setMarks(annotations.toRecords())
                        .setMeasured(annotations.measurements())
                        .setMetricSummaries(eventHistory.metricRecords())
                        .setEvents(eventHistory.eventRecords())
                        .setMessageTallies(eventHistory.messageRecords(attributes.messages()))
                        .setReason(reason)
                        .setStateSince(Instant.ofEpochSecond(stateSince))
                        .setReportedEpoch(reportedEpoch)
                        .setChangedIn(changedIn))
                .build();
    }

    /** Returns the processors the resource manager configures. */
    public int procs() {
        return attributes.configured().procs();
    }

    /** Returns whether it works, but is expected to fail: by its resource manager, or by who drained it. */
    public boolean isFailing() {
        return failing || annotations.failing() != null;
    }

    /** Returns why it is expected to fail; null where that is not said. */
    public @Nullable String failingReason() {
        return annotations.failing() != null ? annotations.failing() : reason;
    }

    /** Returns whether {@code text} reports ill health of a node whatever its state. */
    public static boolean isError(String text) {
        return text.startsWith(ERROR);
    }

    /** Returns whether {@code event} is told by the core of what it sees a node do. */
    public static boolean isStateEvent(String event) {
        return event.equals(DOWN_EVENT) || event.equals(FAILURE_EVENT) || event.equals(CLEANUP_EVENT);
    }

    /** Returns what its resource manager says of its ill health; null when it says nothing, or it is down. */
    public @Nullable String error() {
        if (state == NodeState.DOWN || state == NodeState.REMOVED) {
            return null;
        }
        if (reason != null && isError(reason)) {
            return reason;
        }
        for (String message : attributes.messages()) {
            if (isError(message)) {
                return message;
            }
        }
        return null;
    }

    /** Returns whether it is back and may still have to do with a job that was ended because it failed. */
    public boolean isCleaning() {
        if (eventHistory.events().isEmpty() || state == NodeState.DOWN || state == NodeState.REMOVED) {
            return false;
        }
        NodeEvent cleanup = eventHistory.events().get(CLEANUP_EVENT);
        return cleanup != null && cleanup.active();
    }

    /** Returns whether its state is that of a node in service, whatever else keeps jobs from it. */
    public boolean isUp() {
        return switch (state) {
            case IDLE, RUNNING, BUSY -> true;
            case UNKNOWN, DRAINING, DRAINED, DOWN, REMOVED -> false;
        };
    }

    /** Returns whether a job may be planned on it. */
    public boolean plannable() {
        return isUp() && !isFailing() && !isCleaning();
    }

    /** Returns whether a job may start on it now, resources permitting. */
    public boolean accepting() {
        return plannable() && state != NodeState.BUSY;
    }

    /** Returns whether {@code other} says the same, the bookkeeping of reports apart. */
    public boolean sameAs(Node other) {
        return equals(new Node(
                other.id,
                other.connector,
                other.index,
                other.state,
                other.failing,
                other.attributes,
                other.annotations,
                other.eventHistory,
                other.reason,
                other.stateSince,
                reportedEpoch,
                changedIn));
    }
}

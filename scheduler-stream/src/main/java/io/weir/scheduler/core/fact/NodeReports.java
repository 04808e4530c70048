package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.job.Impossibility;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeEvent;
import io.weir.scheduler.core.node.ReportedCategory;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Severity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What reports of nodes do to the state, and what is told of a node that goes down, comes back or is ill. */
final class NodeReports {
    private final ClusterState state;

    NodeReports(ClusterState state) {
        this.state = state;
    }

    void apply(NodeReport report, Fact fact) {
        state.work.on(QuarantineKind.NODE, report.getNodeId());
        DomainState domain = state.domain;
        Node known = state.nodes.get(report.getNodeId());
        Instant updated = report.getUpdateTime();
        long at = domain.now() == 0 && updated != null ? updated.getEpochSecond() : domain.now();
        Node next = Node.reported(report, fact.connector(), fact.epoch(), known, domain.nextNodeIndex, at);
        Quarantine aside = state.quarantine.get(QuarantineKind.NODE, next.id());
        if (aside != null && next.state() != NodeState.REMOVED) {
            next = next.setAside(QuarantineControl.why(aside));
        }
        if (next.state() == NodeState.REMOVED) {
            if (known != null) {
                state.emit(next);
            }
            return;
        }
        if (known != null && known.sameAs(next.warnedAs(known))) {
            if (known.reportedEpoch() != next.reportedEpoch()) {
                state.store(next.warnedAs(known));
            }
            return;
        }
        domain.nextNodeIndex = Math.max(domain.nextNodeIndex, next.index() + 1);
        warn(known, next);
        Node seen = known == null ? next : noticed(known, next, at);
        String failure = failure(known, next, at);
        state.emit(failure == null ? seen : seen.happened(Node.FAILURE_EVENT, failure, at));
        reconsider(NodeGains.between(known, next));
    }

    /** Has jobs considered again that were put off because nothing could ever hold them, which this node may be able to by now. */
    private void reconsider(NodeGains gains) {
        if (!gains.isEmpty()) {
            state.jobs.impossibleAt(state.domain.now()).stream()
                    .filter(gains::concern)
                    .forEach(
                            job -> state.emit(Impossibility.withdrawn(job.edit().reconsidered())));
        }
    }

    /** Says once what is wrong with the categories that the resource manager gives a node. */
    private void warn(@Nullable Node known, Node next) {
        for (String message : next.attributes().messages()) {
            boolean said = known != null && known.attributes().messages().contains(message);
            if (ReportedCategory.isWarning(message) && !said) {
                state.domain.notice(
                        Severity.WARNING, "nodecategory", "node", next.id(), "node " + next.id() + ": " + message);
            }
        }
    }

    /**
     * Returns how a node that is not down failed: ill health is reported anew, or it was down for a moment; null for not. One of which
     * nothing was heard, for its resource manager was silent, did not fail.
     */
    private @Nullable String failure(@Nullable Node known, Node next, long at) {
        String error = next.error();
        if (error != null) {
            return known != null && error.equals(known.error()) ? null : error;
        }
        if (known == null || known.state() != NodeState.DOWN || known.isUnheardOf() || !next.isUp()) {
            return null;
        }
        boolean flapped = at - known.stateSince()
                <= state.domain.policy.failures().passing().flapSeconds();
        return flapped ? "down since " + Instant.ofEpochSecond(known.stateSince()) + " and up again" : null;
    }

    /** Tells of a node that went down or came back; returns it with that in its event history. */
    private Node noticed(Node known, Node next, long at) {
        boolean wasDown = known.state() == NodeState.DOWN;
        boolean isDown = next.state() == NodeState.DOWN;
        if (wasDown == isDown) {
            return next;
        }
        String text = "node " + next.id() + ": " + known.state() + " to " + next.state()
                + (next.reason() == null ? "" : ": " + next.reason());
        state.domain.notice(
                isDown ? Severity.WARNING : Severity.INFO,
                isDown ? Node.DOWN_EVENT : "nodeup",
                "node",
                next.id(),
                text);
        return isDown ? next.happened(Node.DOWN_EVENT, next.reason(), at) : back(next, at);
    }

    /** From now on a node counts as cleaning up that has to. */
    private static Node back(Node node, long at) {
        NodeEvent cleanup = node.eventHistory().events().get(Node.CLEANUP_EVENT);
        Node up = node.over(Node.DOWN_EVENT);
        return cleanup != null && cleanup.active() ? up.happened(Node.CLEANUP_EVENT, cleanup.text(), at) : up;
    }
}

package io.weir.scheduler.core.request;

import io.weir.scheduler.core.category.ActiveClaims;
import io.weir.scheduler.core.category.CategoryFinding;
import io.weir.scheduler.core.category.CategoryTrack;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.ReportedCategory;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.placement.history.NodeUsageHistory;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.NameValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Requests that ask about nodes and change nothing. */
final class NodeQuestions {
    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    NodeQuestions(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    /**
     * Answers with what is known of a node and not published with it: how it spent its time since it is watched, how often
     * it failed, and its load as placement sees it, raised by what was started since it was measured. Returns what that
     * cost, in looks at nodes.
     */
    long answer(AuthorisedRequest request) {
        String id = request.objectId();
        int position = state.nodes.position(id);
        if (position < 0) {
            outputs.refused(request, "no node " + id);
            return 1;
        }
        List<NameValue> details = new ArrayList<>();
        details.add(new NameValue("node", id));
        NodeUsageHistory.Times times = state.history.times(id, now);
        if (times != null) {
            details.add(new NameValue("totalSeconds", Long.toString(times.total())));
            details.add(new NameValue("upSeconds", Long.toString(times.up())));
            details.add(new NameValue("busySeconds", Long.toString(times.busy())));
            details.add(new NameValue("failures", Long.toString(times.failures())));
            if (times.failures() > 0) {
                long between = Math.round(state.history.secondsBetweenFailures(id, now));
                details.add(new NameValue("secondsBetweenFailures", Long.toString(between)));
            }
        }
        EffectiveNode node = state.nodes.at(position);
        if (!node.node().plannable()) {
            details.add(new NameValue("plannedFrom", plannedFrom(node)));
        }
        category(id, position, details);
        for (String message : state.nodes.at(position).node().attributes().messages()) {
            if (ReportedCategory.isWarning(message)) {
                details.add(new NameValue("warning", message));
            }
        }
        if (state.nodes.at(position).node().attributes().usage().load() != null) {
            double load = state.placement.availability().load(position);
            details.add(new NameValue("assumedLoad", Double.toString(load)));
        }
        outputs.answered(request, "node " + id, details);
        return 1;
    }

    /** From when on jobs are planned on a node that takes none now; empty for never. */
    private String plannedFrom(EffectiveNode node) {
        if (!node.isAwaited()) {
            return "";
        }
        long from = node.isKept() ? node.keptUntil() : now + node.awaitedSeconds();
        return Instant.ofEpochSecond(from).toString();
    }

    /** Tells the category a node is in and, where its history is kept, since when and how long it was in which. */
    private void category(String id, int position, List<NameValue> details) {
        CategoryTrack track = state.categories.track(id);
        CategoryFinding finding = track != null
                ? track.finding()
                : state.categorizer()
                        .of(
                                state.nodes.at(position).node(),
                                state.nodes.jobsAt(position) > 0,
                                ActiveClaims.at(now, id, state.administrativeReservations, state.reservations));
        details.add(new NameValue("category", finding.category().label()));
        details.add(new NameValue("categorySource", finding.source().name()));
        details.add(new NameValue("categoryCause", finding.cause()));
        String rule = finding.rule();
        if (rule != null) {
            details.add(new NameValue("categoryRule", rule));
        }
        if (track != null) {
            details.add(new NameValue(
                    "categorySince", Instant.ofEpochSecond(track.entered()).toString()));
            details.add(new NameValue(
                    "trackedSince", Instant.ofEpochSecond(track.trackedSince()).toString()));
            track.seconds(now)
                    .forEach((category, seconds) -> details.add(new NameValue(
                            "spent",
                            "category=" + category.label() + " seconds=" + seconds + " entries="
                                    + track.entries(category))));
        }
    }
}

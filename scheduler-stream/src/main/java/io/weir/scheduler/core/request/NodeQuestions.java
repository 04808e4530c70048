package io.weir.scheduler.core.request;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.placement.NodeUsageHistory;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.NameValue;
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
        if (state.nodes.at(position).node().attributes().usage().load() != null) {
            double load = state.placement.availability().load(position);
            details.add(new NameValue("assumedLoad", Double.toString(load)));
        }
        outputs.answered(request, "node " + id, details);
        return 1;
    }
}

package io.weir.scheduler.query.view;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What does not go together in what is known of a node: its state, its load, and the jobs that hold it. For people. */
final class NodeWarnings {
    /** A load above the configured processors by more than this is worth a word. */
    private static final double SLACK = 1;

    private NodeWarnings() {}

    /**
     * Returns what looks wrong with {@code node}.
     *
     * @param effective the node as configured
     * @param jobs how many jobs hold it
     * @param dedicated processors they hold
     */
    static List<String> of(NodeStatus node, EffectiveNode effective, int jobs, int dedicated) {
        List<String> warnings = new ArrayList<>();
        NodeState state = node.getState();
        int procs = effective.configured().procs();
        Double measured = node.getLoad();
        double load = measured == null ? 0 : measured;
        if (jobs == 0 && load >= 1 && state == NodeState.IDLE) {
            warnings.add("node is idle but has a load of " + shown(load));
        } else if (load > procs + SLACK) {
            warnings.add("node has a load of " + shown(load) + " on " + procs + " processors");
        }
        if (effective.maxLoad() > 0 && load >= effective.maxLoad()) {
            warnings.add("node has a load of " + shown(load) + ", its MAXLOAD is " + shown(effective.maxLoad()));
        }
        boolean away = state == NodeState.DOWN || state == NodeState.DRAINED || state == NodeState.REMOVED;
        if (away && jobs > 0) {
            warnings.add("node is " + state.name().toLowerCase(Locale.ROOT) + " but has " + count(jobs));
        }
        if (!node.getPoweredOn() && !node.getSwitchedOnForJobs() && jobs > 0) {
            warnings.add("node is switched off but has " + count(jobs));
        }
        if (jobs == 0 && (state == NodeState.RUNNING || state == NodeState.BUSY)) {
            warnings.add("node is " + state.name().toLowerCase(Locale.ROOT) + " but has no job that Weir knows of");
        }
        if (state == NodeState.UNKNOWN) {
            warnings.add("the resource manager does not say in what state the node is");
        }
        if (dedicated > procs) {
            warnings.add("node has " + dedicated + " dedicated processors and " + procs + " configured ones");
        }
        return warnings;
    }

    private static String count(int jobs) {
        return jobs == 1 ? "1 job" : jobs + " jobs";
    }

    private static String shown(double load) {
        return String.format(Locale.ROOT, "%.2f", load);
    }
}

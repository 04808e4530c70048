package io.weir.rm.nativerm;

import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Keeps nodes that a poll does not list, for nothing says that they are gone: for a while as of unknown state,
 * so that jobs on them go on and nothing starts there, then as down, until a poll lists them again or takes them away, or for
 * a week: names that come and go do not add up. One thread.
 */
final class NodeSightings {
    private static final Duration LONGEST = Duration.ofDays(7);

    private final Duration patience;
    private final Map<String, Sighting> known = new HashMap<>();

    private record Sighting(NodeReport report, Instant at) {}

    /**
     * Begins without any.
     *
     * @param patience how long a node may go unlisted before it is down; zero forgets it with the first poll without it
     */
    NodeSightings(Duration patience) {
        this.patience = patience;
    }

    /** A poll says that a node was taken away. */
    void takenAway(String nodeId) {
        known.remove(nodeId);
    }

    /** Returns the nodes that a poll at {@code now} lists, and behind them those that it does not, by their names. */
    List<NodeReport> complete(List<NodeReport> listed, Instant now) {
        if (patience.isZero()) {
            return listed;
        }
        TreeSet<String> missing = new TreeSet<>(known.keySet());
        for (NodeReport report : listed) {
            known.put(report.getNodeId(), new Sighting(report, now));
            missing.remove(report.getNodeId());
        }
        if (missing.isEmpty()) {
            return listed;
        }
        List<NodeReport> all = new ArrayList<>(listed);
        for (String id : missing) {
            // Not later than now: the clock may have been wrong.
            Sighting last = known.computeIfPresent(
                    id, (same, seen) -> seen.at().isAfter(now) ? new Sighting(seen.report(), now) : seen);
            if (last != null && !last.at().plus(LONGEST).isAfter(now)) {
                known.remove(id);
            } else if (last != null) {
                all.add(isSilent(last, now) ? down(last) : unknown(last));
            }
        }
        return all;
    }

    private boolean isSilent(Sighting last, Instant now) {
        return !last.at().plus(patience).isAfter(now);
    }

    /** One that was out of service stays so: that is known to keep jobs away, too. */
    private static NodeReport unknown(Sighting last) {
        return switch (last.report().getState()) {
            case DOWN, DRAINING, DRAINED, REMOVED -> last.report();
            case UNKNOWN, IDLE, RUNNING, BUSY ->
                NodeReport.newBuilder(last.report())
                        .setState(NodeState.UNKNOWN)
                        .setReason("not listed, last at " + last.at())
                        .build();
        };
    }

    private static NodeReport down(Sighting last) {
        return NodeReport.newBuilder(last.report())
                .setState(NodeState.DOWN)
                .setReason("node not reporting, last listed at " + last.at())
                .build();
    }
}

package io.weir.scheduler.core.request;

import io.weir.scheduler.core.category.CategoryLedger;
import io.weir.scheduler.core.category.CategorySums;
import io.weir.scheduler.core.category.CategoryTrack;
import io.weir.scheduler.core.category.LabelCollisions;
import io.weir.scheduler.core.category.Reliability;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.placement.history.NodeUsageHistory;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.NameValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers how nodes spent their time: all of them together by category, what labels were charged, and node by node. Each
 * is a row of {@code key=value}; times are in seconds.
 */
final class NodeStatisticsQuestions {
    /** Asks for all nodes. */
    private static final String ALL = "ALL";

    /** Nodes that one answer tells of. */
    private static final int MOST_NODES = 1_000;

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    NodeStatisticsQuestions(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    /** Answers, and returns what that cost, in looks at nodes. */
    long answer(AuthorisedRequest request) {
        CategoryLedger ledger = state.categories;
        String wanted = request.objectId();
        List<NameValue> rows = new ArrayList<>();
        if (!wanted.equalsIgnoreCase(ALL)) {
            CategoryTrack track = ledger.track(wanted);
            if (track == null) {
                outputs.refused(
                        request,
                        state.nodes.position(wanted) < 0
                                ? "no node " + wanted
                                : "the history of node " + wanted + " is not kept; set NODECFG[" + wanted
                                        + "] ENABLEPROFILING=TRUE");
                return 1;
            }
            rows.add(node(wanted, track));
            outputs.answered(request, "node " + wanted, rows);
            return 1;
        }
        List<String> ids = ledger.ids();
        cluster(ledger, ids, rows);
        for (CategorySums.Line line : ledger.sums().lines(now)) {
            rows.add(category(line));
        }
        ledger.credits(now)
                .forEach((label, amount) -> rows.add(new NameValue(
                        "credit",
                        "label=" + label + " nodeSeconds=" + amount.nodeSeconds() + " procSeconds="
                                + amount.procSeconds())));
        LabelCollisions.warnings(state.domain.policy.categories(), state.jobs.all())
                .forEach(warning -> rows.add(new NameValue("line", "WARNING: " + warning)));
        for (String id : ids.subList(0, Math.min(MOST_NODES, ids.size()))) {
            CategoryTrack track = ledger.track(id);
            if (track != null) {
                rows.add(node(id, track));
            }
        }
        if (ids.size() > MOST_NODES) {
            rows.add(new NameValue("line", "… and " + (ids.size() - MOST_NODES) + " more nodes; name one to see it"));
        }
        outputs.answered(
                request,
                ids.isEmpty()
                        ? "no node's history is kept; set NODECFG[DEFAULT] ENABLEPROFILING=TRUE"
                        : ids.size() + " nodes",
                rows);
        return Math.max(1, ids.size());
    }

    private void cluster(CategoryLedger ledger, List<String> ids, List<NameValue> rows) {
        CategorySums sums = ledger.sums();
        if (sums.since() > 0) {
            long busy = 0;
            long watched = 0;
            for (String id : ids) {
                NodeUsageHistory.Times times = state.history.times(id, now);
                busy += times == null ? 0 : times.busy();
                watched += times == null ? 0 : times.total();
            }
            rows.add(new NameValue(
                    "cluster",
                    "nodes=" + ledger.size() + " since=" + Instant.ofEpochSecond(sums.since()) + " intervalStart="
                            + Instant.ofEpochSecond(sums.intervalStart()) + " lastIntervalSeconds=" + sums.lastSeconds()
                            + " " + described(sums.reliability(now)) + busy(busy, watched)));
        }
    }

    private static String busy(long busySeconds, long watchedSeconds) {
        return " busySeconds=" + busySeconds + " watchedSeconds=" + watchedSeconds;
    }

    private static NameValue category(CategorySums.Line line) {
        return new NameValue(
                "category",
                "category=" + line.category().label() + " class="
                        + line.category().categoryClass().name() + " nodes=" + line.nodes() + " entries="
                        + line.entries() + " nodeSeconds=" + line.all().nodeSeconds() + " procSeconds="
                        + line.all().procSeconds() + " intervalNodeSeconds="
                        + line.interval().nodeSeconds() + " intervalProcSeconds="
                        + line.interval().procSeconds() + " lastIntervalNodeSeconds="
                        + line.lastInterval().nodeSeconds() + " lastIntervalProcSeconds="
                        + line.lastInterval().procSeconds());
    }

    private NameValue node(String id, CategoryTrack track) {
        NodeUsageHistory.Times times = state.history.times(id, now);
        return new NameValue(
                "node " + id,
                "category=" + track.finding().category().label() + " since="
                        + Instant.ofEpochSecond(track.entered()) + " trackedSince="
                        + Instant.ofEpochSecond(track.trackedSince()) + " " + described(track.reliability(now))
                        + (times == null ? "" : busy(times.busy(), times.total())));
    }

    private static String described(Reliability reliability) {
        return "totalSeconds=" + reliability.total() + " upSeconds=" + reliability.up() + " failedSeconds="
                + reliability.failed() + " maintenanceSeconds=" + reliability.maintained() + " failures="
                + reliability.failures() + " secondsBetweenFailures=" + reliability.secondsBetweenFailures()
                + " secondsToRepair=" + reliability.secondsToRepair();
    }
}

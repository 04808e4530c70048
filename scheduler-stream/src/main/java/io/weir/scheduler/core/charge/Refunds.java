package io.weir.scheduler.core.charge;

import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.job.FailedNodes;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.schemas.Charge;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeState;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gives back what was charged for runs of jobs that a failed node ended: when such a run ends, or when one of its nodes turns
 * out to be down soon after. Owned by the core's thread.
 */
final class Refunds {
    /** Why a run is over that the system ended. */
    static final String SYSTEM = "SYSTEM";

    private final NodeTable nodes;
    private final ChargedRuns runs;

    /** Runs that failed a moment ago, by the nodes they had: one that turns out to be down ended them. */
    private final SuspectNodes suspects;

    private final PendingCharges pending;
    private ChargeTerms terms;
    private Predicate<String> aside = id -> false;

    Refunds(NodeTable nodes, ChargedRuns runs, SuspectNodes suspects, PendingCharges pending, ChargeTerms terms) {
        this.nodes = nodes;
        this.runs = runs;
        this.suspects = suspects;
        this.pending = pending;
        this.terms = terms;
    }

    /** Asks {@code quarantined} which nodes only look down because the scheduler set them aside. */
    void settingAside(Predicate<String> quarantined) {
        aside = quarantined;
    }

    /** Goes by {@code next} from now on. */
    void configure(ChargeTerms next) {
        terms = next;
    }

    /** Returns whether a node that failed ended a run of {@code job}, now {@code after}, as far as that is known already. */
    boolean endedBySystem(Job job, Job after) {
        if (confirmed(job.failedNodes()) || confirmed(after.failedNodes())) {
            return true;
        }
        return after.state() == JobState.FAILED
                && (NodeFailReason.in(after.reason())
                        || job.shares().stream().anyMatch(share -> isDown(nodes.get(share.nodeId()))));
    }

    private static boolean confirmed(FailedNodes failed) {
        return failed.list().stream().anyMatch(FailedNode::confirmed);
    }

    private boolean isDown(@Nullable Node node) {
        return node != null && node.state() == NodeState.DOWN && !node.isUnheardOf() && !aside.test(node.id());
    }

    /**
     * A run was charged to its end, which is not that of a completed job: its charges are given back, or may be soon.
     *
     * @param job the version that held nodes
     * @param after the version in force
     * @param bySystem whether a node that failed ended it, as far as that is known
     */
    void ended(ChargedRun run, Job job, Job after, boolean bySystem) {
        if (!terms.settings().refunds()) {
            return;
        }
        if (bySystem && run.amount > 0) {
            refund(run, job, job.shares().stream().map(NodeShare::nodeId));
        } else {
            suspects.add(run, suspected(job, after), SuspectNodes.POLLS);
        }
    }

    /** Returns the nodes of which one may have ended a run without having been reported down yet. */
    private static List<String> suspected(Job job, Job after) {
        SortedSet<String> ids = new TreeSet<>();
        job.failedNodes().list().forEach(node -> ids.add(node.nodeId()));
        after.failedNodes().list().forEach(node -> ids.add(node.nodeId()));
        if (after.state() == JobState.FAILED) {
            job.shares().forEach(share -> ids.add(share.nodeId()));
        }
        return List.copyOf(ids);
    }

    /** A node has another version: where it is down now, it ended the runs that failed a moment ago and had it. */
    void node(@Nullable Node before, Node after, Function<String, @Nullable Job> jobs) {
        if (suspects.isEmpty() || !isDown(after) || isDown(before)) {
            return;
        }
        for (String key : suspects.of(after.id())) {
            ChargedRun run = runs.known(key);
            List<String> had = run.suspects;
            suspects.clear(run);
            Job job = jobs.apply(run.objectId);
            if (terms.settings().refunds() && run.amount > 0 && job != null) {
                refund(run, job, had.stream());
            }
            runs.settled(run);
        }
    }

    /**
     * The resource manager {@code connector} was asked for everything: nodes that are up still after a poll that began when the
     * end of a run was known did not end it.
     */
    void polled(String connector, Function<String, @Nullable Job> jobs) {
        for (String key : suspects.runs()) {
            ChargedRun run = runs.known(key);
            Job job = jobs.apply(run.objectId);
            if (job == null || connector.equals(job.request().connector())) {
                suspects.polled(run);
                runs.settled(run);
            }
        }
    }

    /** Gives back all that was charged for a run on {@code had}, which the system ended. */
    private void refund(ChargedRun run, Job job, Stream<String> had) {
        Charge.Builder refund = Charge.newBuilder(terms.draft(run, -run.amount, SYSTEM, false)
                        .setUsedProcSeconds(run.counted.processorSeconds())
                        .setProcessorSeconds(run.counted.processorSeconds())
                        .setNodeSeconds(run.counted.nodeSeconds())
                        .setGpuSeconds(run.counted.gpuSeconds())
                        .setMemoryMbSeconds(run.counted.memoryMbSeconds())
                        .build())
                .setStart(Instant.ofEpochSecond(run.start));
        ChargeDraft.toOwner(refund, job, had);
        pending.add(refund.build());
        run.givenBack();
    }
}

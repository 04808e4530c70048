package io.weir.scheduler.simulator;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.output.OutputKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.CommandResult;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import io.weir.trace.TraceJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Runs a workload through the scheduling core in virtual time while nodes fail and are repaired. Running jobs go on without
 * a node that fails until the core decides otherwise, and begin anew when they were put back. What happened is folded once
 * more by another core in the end, which has to decide the same.
 */
public final class FailureSimulation {
    static {
        AvroTrust.install();
    }

    private static final String CLUSTER = "simulated";
    private static final String CONNECTOR = "simulator";

    /** Iterations at one instant: starts, exchanges and what follows from them. */
    private static final int MOST_AT_ONCE = 10;

    /** Without any start for so many mean repair times, with nothing running, what waits never starts. */
    private static final long HOPELESS_REPAIRS = 1_000;

    /** When nodes fail so often while no job comes to its end, those that are left never will. */
    private static final long HOPELESS_FAILURES = 20_000;

    /** A failure or repair of a node. */
    private record NodeChange(long time, int node, boolean up) {}

    /** A fact, or the instant of an iteration. */
    private record Step(@Nullable Fact fact, long iteration) {}

    private final ClusterScheduler scheduler = ClusterScheduler.unobserved(CLUSTER);
    private final ClusterModel cluster;
    private final List<TraceJob> jobs;
    private final long epoch;
    private final FailureModel model;
    private final String policy;
    private final SimulatedRuns runs;
    private final List<FailureModel.Draws> draws = new ArrayList<>();
    private final PriorityQueue<NodeChange> changes =
            new PriorityQueue<>(Comparator.comparingLong(NodeChange::time).thenComparingInt(NodeChange::node));
    private final List<Step> steps = new ArrayList<>();
    private long digest = 1;

    /**
     * Prepares a run.
     *
     * @param jobs the workload in queue order; none larger than the cluster
     * @param epoch epoch second of the trace's second 0
     * @param site configuration text; empty for the defaults
     * @param policy a legal value of NODEALLOCRESFAILUREPOLICY
     */
    public FailureSimulation(
            ClusterModel cluster, List<TraceJob> jobs, long epoch, String site, FailureModel model, String policy) {
        this.cluster = cluster;
        this.jobs = List.copyOf(jobs);
        this.epoch = epoch;
        this.model = model;
        this.policy = policy;
        this.runs = new SimulatedRuns(cluster, this.jobs);
        apply(new PolicyVersion(
                CLUSTER,
                "simulated",
                site + "\nNODEALLOCRESFAILUREPOLICY " + policy + "\n",
                null,
                null,
                Instant.EPOCH));
    }

    /** Runs the workload to its end, or until it is plain that the rest of it never ends. */
    public FailureFigures run() {
        long first = jobs.isEmpty() ? 0 : jobs.get(0).submit();
        setUp(first);
        int next = 0;
        Long wake = null;
        long now = first;
        long lastWork = first;
        int over = 0;
        long failuresThen = 0;
        while (next < jobs.size() || runs.anyLeft()) {
            now = nextInstant(next, wake);
            for (SimulatedRuns.Ended ended : runs.endsBy(now)) {
                apply(report(ended.job(), JobState.COMPLETED, ended.start(), ended.end()));
                lastWork = now;
            }
            while (changes.element().time() <= now) {
                change(changes.remove());
            }
            while (next < jobs.size() && jobs.get(next).submit() <= now) {
                runs.submitted(jobs.get(next));
                apply(report(jobs.get(next++), JobState.IDLE, null, null));
            }
            wake = iterate(now);
            lastWork = runs.anyRunning() || next < jobs.size() ? now : lastWork;
            if (runs.over() > over || next < jobs.size()) {
                over = runs.over();
                failuresThen = runs.failures();
            }
            if (now - lastWork > HOPELESS_REPAIRS * model.meanRepair().toSeconds()
                    || runs.failures() - failuresThen > HOPELESS_FAILURES) {
                break;
            }
        }
        return runs.figures(policy, now - first, lastWork, replays());
    }

    private void setUp(long first) {
        apply(new Heartbeat(
                CLUSTER,
                CONNECTOR,
                HeartbeatKind.HELLO,
                0L,
                false,
                Instant.EPOCH,
                0L,
                List.of(),
                "simulated",
                null,
                null,
                null,
                null));
        for (int i = 0; i < cluster.nodes(); i++) {
            apply(node(i, NodeState.IDLE));
            draws.add(model.draws(i));
            changes.add(new NodeChange(first + draws.get(i).up(), i, false));
        }
    }

    private long nextInstant(int next, @Nullable Long wake) {
        long now = Math.min(runs.nextEnd(), changes.element().time());
        if (next < jobs.size()) {
            now = Math.min(now, jobs.get(next).submit());
        }
        return wake == null ? now : Math.min(now, wake);
    }

    private void change(NodeChange change) {
        int node = change.node();
        runs.changed(node, change.up(), change.time());
        apply(node(node, change.up() ? NodeState.IDLE : NodeState.DOWN));
        long lasts = change.up() ? draws.get(node).up() : draws.get(node).down();
        changes.add(new NodeChange(change.time() + lasts, node, !change.up()));
    }

    private @Nullable Long iterate(long now) {
        IterationResult result = iterateOnce(scheduler, now);
        steps.add(new Step(null, now));
        digest = digest(digest, result);
        for (int i = 1; carryOut(result, now) && i < MOST_AT_ONCE; i++) {
            result = iterateOnce(scheduler, now);
            steps.add(new Step(null, now));
            digest = digest(digest, result);
        }
        Instant wake = result.nextWake();
        return wake == null ? null : Math.max(now + 1, wake.getEpochSecond() - epoch);
    }

    /** Carries out commands; returns whether any of them lets something else follow at once. */
    private boolean carryOut(IterationResult result, long now) {
        boolean more = false;
        for (Output output : result.outputs()) {
            DeliveryResult lien = GrantedLiens.answer(output, instant(now));
            if (lien != null) {
                apply(lien);
                more = true;
            }
            if (output.kind() != OutputKind.COMMAND || !(output.value() instanceof RmCommand command)) {
                continue;
            }
            SimulatedRuns.@Nullable Ended ended = runs.carryOut(command, now);
            apply(new CommandResult(
                    CLUSTER,
                    CONNECTOR,
                    command.getNumber(),
                    command.getCommandId(),
                    command.getJobId(),
                    CommandOutcome.DONE,
                    instant(now),
                    null,
                    false,
                    false));
            if (ended != null) {
                apply(report(ended.job(), JobState.CANCELLED, ended.start(), ended.end()));
            }
            more |= switch (command.getKind()) {
                case CANCEL_JOB, REQUEUE_JOB, ADD_NODES, REMOVE_NODES -> true;
                case UNKNOWN,
                        START_JOB,
                        HOLD_JOB,
                        RELEASE_JOB,
                        SUSPEND_JOB,
                        RESUME_JOB,
                        FULL_POLL,
                        MODIFY_JOB,
                        DRAIN_NODE,
                        RESUME_NODE,
                        MODIFY_NODE,
                        CREATE_RESERVATION,
                        RELEASE_RESERVATION,
                        SIGNAL_JOB -> false;
            };
        }
        return more;
    }

    /** Folds the same facts by another core; returns whether it puts out the same. */
    private boolean replays() {
        ClusterScheduler other = ClusterScheduler.unobserved(CLUSTER);
        long again = 1;
        for (Step step : steps) {
            if (step.fact() != null) {
                other.apply(step.fact());
            } else {
                again = digest(again, iterateOnce(other, step.iteration()));
            }
        }
        return again == digest;
    }

    private static long digest(long before, IterationResult result) {
        long digest = before;
        for (Output output : result.outputs()) {
            SpecificRecord value = output.value();
            digest = digest * 31 + output.key().hashCode();
            digest = digest * 31 + output.kind().name().hashCode();
            digest = digest * 31 + (value == null ? 0 : value.toString().hashCode());
        }
        return digest;
    }

    private IterationResult iterateOnce(ClusterScheduler core, long now) {
        return core.iterate(instant(now), IterationTrigger.HEARTBEAT, null);
    }

    private NodeReport node(int position, NodeState state) {
        return NodeReport.newBuilder()
                .setCluster(CLUSTER)
                .setNodeId(cluster.nodeName(position))
                .setIndex(position)
                .setState(state)
                .setReason(state == NodeState.DOWN ? "NODE_FAIL" : null)
                .setProcs(cluster.procsPerNode())
                .build();
    }

    private JobReport report(TraceJob job, JobState state, @Nullable Long start, @Nullable Long end) {
        return JobReport.newBuilder()
                .setCluster(CLUSTER)
                .setJobId(job.id())
                .setQueueSequence(job.sequence())
                .setName(job.jobName())
                .setUser(job.userName())
                .setGroup(job.groupName())
                .setJobClass(job.className())
                .setState(state)
                .setTasks(job.procs())
                .setProcsPerTask(1)
                .setWalltimeSeconds(job.estimate())
                .setSubmitTime(instant(job.submit()))
                .setStartTime(start == null ? null : instant(start))
                .setEndTime(end == null ? null : instant(end))
                .setAsOfCommand(Long.MAX_VALUE)
                .build();
    }

    private void apply(SpecificRecord record) {
        Fact fact = new Fact(record, CONNECTOR, 0);
        steps.add(new Step(fact, 0));
        scheduler.apply(fact);
    }

    private Instant instant(long traceSecond) {
        return Instant.ofEpochSecond(epoch + traceSecond);
    }
}

package io.weir.scheduler.simulator;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.output.OutputKind;
import io.weir.scheduler.plugin.PluginPrograms;
import io.weir.scheduler.plugin.Plugins;
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
import io.weir.schemas.PluginQuestion;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import io.weir.trace.JobRun;
import io.weir.trace.TraceJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Runs a workload through the scheduling core in virtual time. At each instant first all ends, then all submissions take
 * effect, then the core runs one iteration and its starts take effect at that instant. A job ends after its run time or
 * at its estimate, whichever comes first.
 */
public final class Simulator {
    static {
        AvroTrust.install();
    }

    private static final String CLUSTER = "simulated";
    private static final String CONNECTOR = "simulator";

    /** A job with its names, which are the same objects in all reports of it and of other jobs that have them. */
    private record NamedJob(
            TraceJob job,
            String name,
            @Nullable String user,
            @Nullable String group,
            @Nullable String className) {}

    /** A job that runs, and when it will end. */
    private record RunningJob(NamedJob named, long start, long end) {
        TraceJob job() {
            return named.job();
        }
    }

    private final ClusterScheduler scheduler = ClusterScheduler.unobserved(CLUSTER);
    private final ClusterModel cluster;
    private final List<TraceJob> jobs;
    private final long epoch;
    private final Map<String, NamedJob> byId = new LinkedHashMap<>();
    private final Map<String, String> names = new LinkedHashMap<>();
    private final PriorityQueue<RunningJob> running = new PriorityQueue<>(Comparator.comparingLong(RunningJob::end)
            .thenComparingLong(r -> r.job().sequence()));
    private final List<JobRun> runs = new ArrayList<>();
    /** So many instants may pass on an idle machine before what waits counts as never starting. */
    private static final int MOST_IDLE = 10_000;

    private final Plugins plugins;
    private long iterations;

    /**
     * Prepares a run.
     *
     * @param jobs the workload in queue order; none larger than the cluster
     * @param epoch epoch second of the trace's second 0
     * @param policy configuration text in force from the start; empty for the defaults
     */
    public Simulator(ClusterModel cluster, List<TraceJob> jobs, long epoch, String policy) {
        this(cluster, jobs, epoch, policy, new Plugins(PluginPrograms.NONE, Map.of()));
    }

    /** Prepares a run in which {@code plugins} choose nodes where {@code policy} wants it. */
    public Simulator(ClusterModel cluster, List<TraceJob> jobs, long epoch, String policy, Plugins plugins) {
        this.plugins = plugins;
        this.cluster = cluster;
        this.jobs = List.copyOf(jobs);
        this.epoch = epoch;
        apply(new PolicyVersion(CLUSTER, "simulated", policy, null, null, Instant.EPOCH));
    }

    /**
     * Runs the workload until nothing of it can start any more and returns what became of each job that ran, in order of
     * completion.
     */
    public List<JobRun> run() {
        setUp();
        int next = 0;
        Instant wake = null;
        int idle = 0;
        while (runs.size() < jobs.size()) {
            if (next == jobs.size() && running.isEmpty() && (wake == null || ++idle > MOST_IDLE)) {
                // Nothing runs and nothing is to come: what still waits never starts.
                break;
            }
            long now = nextInstant(next, wake);
            while (!running.isEmpty() && running.peek().end() <= now) {
                RunningJob over = running.remove();
                end(over, JobState.COMPLETED, over.end());
            }
            while (next < jobs.size() && jobs.get(next).submit() <= now) {
                submit(jobs.get(next++));
            }
            wake = iterate(now);
            idle = running.isEmpty() ? idle : 0;
        }
        return runs;
    }

    /** Returns how many iterations the core ran. */
    public long iterations() {
        return iterations;
    }

    private void setUp() {
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
            apply(NodeReport.newBuilder()
                    .setCluster(CLUSTER)
                    .setNodeId(cluster.nodeName(i))
                    .setIndex(i)
                    .setState(NodeState.IDLE)
                    .setProcs(cluster.procsPerNode())
                    .build());
        }
        for (TraceJob job : jobs) {
            byId.put(
                    job.id(),
                    new NamedJob(
                            job,
                            job.jobName(),
                            shared(job.userName()),
                            shared(job.groupName()),
                            shared(job.className())));
        }
    }

    private @Nullable String shared(@Nullable String name) {
        return name == null ? null : names.computeIfAbsent(name, same -> same);
    }

    private NamedJob named(String id) {
        NamedJob named = byId.get(id);
        if (named == null) {
            throw new IllegalStateException("there is no job " + id + " in the trace");
        }
        return named;
    }

    private long nextInstant(int next, @Nullable Instant wake) {
        long now = Long.MAX_VALUE;
        if (next < jobs.size()) {
            now = jobs.get(next).submit();
        }
        if (!running.isEmpty()) {
            now = Math.min(now, running.peek().end());
        }
        return wake == null ? now : Math.min(now, wake.getEpochSecond() - epoch);
    }

    private void submit(TraceJob job) {
        apply(report(named(job.id()), JobState.IDLE, null, null));
    }

    private void end(RunningJob ended, JobState state, long end) {
        TraceJob job = ended.job();
        apply(report(ended.named(), state, instant(ended.start()), instant(end)));
        runs.add(new JobRun(job.number(), job.sequence(), job.submit(), ended.start(), end, job.procs()));
    }

    private @Nullable Instant iterate(long now) {
        while (true) {
            IterationResult result = scheduler.iterate(instant(now), IterationTrigger.HEARTBEAT, null);
            iterations++;
            boolean asked = false;
            for (Output output : result.outputs()) {
                DeliveryResult lien = GrantedLiens.answer(output, instant(now));
                if (lien != null) {
                    apply(lien);
                    asked = true;
                }
                if (output.kind() == OutputKind.COMMAND && output.value() instanceof RmCommand command) {
                    asked |= carryOut(command, now);
                } else if (output.value() instanceof PluginQuestion question) {
                    answer(question, now);
                    asked = true;
                }
            }
            Instant wake = result.nextWake();
            boolean unfinished = wake != null && wake.getEpochSecond() - epoch <= now;
            if (!asked && !unfinished) {
                return wake;
            }
        }
    }

    /** Plug-ins answer in no time: the pass that asked is followed by another at the same instant. */
    private void answer(PluginQuestion question, long now) {
        try {
            apply(plugins.ask(question, instant(now)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a plug-in was asked", e);
        }
    }

    /** Returns whether somebody waits for what was done. */
    private boolean carryOut(RmCommand command, long now) {
        switch (command.getKind()) {
            case REQUEUE_JOB -> {
                stop(command);
                answer(command, CommandOutcome.DONE, null, now);
                return true;
            }
            case CANCEL_JOB -> {
                RunningJob stopped = stop(command);
                answer(command, CommandOutcome.DONE, null, now);
                end(stopped, JobState.CANCELLED, now);
                return true;
            }
            case START_JOB -> {
                NamedJob named = named(String.valueOf(command.getJobId()));
                running.add(new RunningJob(named, now, now + named.job().occupied()));
                answer(command, CommandOutcome.DONE, null, now);
            }
            // Nobody but the core starts anything here, so nobody else has to know of its reservations.
            case CREATE_RESERVATION, RELEASE_RESERVATION ->
                answer(command, CommandOutcome.REFUSED, "not supported by a simulation", now);
            default ->
                throw new IllegalArgumentException("the configuration makes the scheduler ask for " + command.getKind()
                        + " of job " + command.getJobId() + ", which a simulation does not do; use weir run-trace");
        }
        return false;
    }

    /** Takes a job from its nodes. */
    private RunningJob stop(RmCommand command) {
        for (RunningJob job : running) {
            if (job.job().id().equals(command.getJobId())) {
                running.remove(job);
                return job;
            }
        }
        throw new IllegalStateException("job " + command.getJobId() + " does not run");
    }

    private void answer(RmCommand command, CommandOutcome outcome, @Nullable String message, long now) {
        apply(new CommandResult(
                CLUSTER,
                CONNECTOR,
                command.getNumber(),
                command.getCommandId(),
                command.getJobId(),
                outcome,
                instant(now),
                message,
                false,
                false));
    }

    private JobReport report(NamedJob named, JobState state, @Nullable Instant start, @Nullable Instant end) {
        TraceJob job = named.job();
        return new JobReport(
                CLUSTER,
                job.id(),
                job.sequence(),
                named.name(),
                named.user(),
                named.group(),
                null,
                named.className(),
                null,
                state,
                job.procs(),
                1,
                job.estimate(),
                instant(job.submit()),
                start,
                end,
                List.of(),
                null,
                null,
                Long.MAX_VALUE,
                List.of(),
                List.of(),
                List.of(),
                null,
                null,
                null,
                null,
                null,
                List.of(),
                null,
                null,
                null,
                null,
                List.of(),
                true,
                List.of(),
                List.of(),
                false,
                null,
                false,
                null,
                0);
    }

    private void apply(SpecificRecord record) {
        scheduler.apply(new Fact(record, CONNECTOR, 0));
    }

    private Instant instant(long traceSecond) {
        return Instant.ofEpochSecond(epoch + traceSecond);
    }
}

package io.weir.rm.simulated;

import io.weir.rm.simulated.FailureScript.NodeEvent;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmException;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeReport;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import io.weir.trace.TraceJob;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The simulated resource manager as a machine of pure virtual time: no clock, no files. What it decides becomes a
 * {@link LedgerEntry}, which goes to the ledger and then through {@link #replay}, the only method that changes state; so
 * replaying a ledger gives the machine that wrote it. Times are seconds on the workload's clock. One thread.
 */
final class SimulatedCluster {

    static {
        AvroTrust.install();
    }

    /** Ended jobs are forgotten after having been shown at this many instants. */
    private static final int SHOWN_AFTER_END = 2;

    /** Answers to older commands are forgotten: nobody asks again after so many. */
    private static final int ANSWERS_KEPT = 100_000;

    private final Workload workload;
    private final String cluster;
    private final FailureScript script;
    private final Consumer<LedgerEntry> ledger;
    private final SimulatedNodes nodes;
    private final NodeFailureEffect nodeFailure;

    /** Jobs that are submitted and not forgotten, in order of submission. */
    private final Map<String, SimulatedJob> jobs = new LinkedHashMap<>();

    /** Planned ends, some of them overtaken by events; see {@link PlannedEnd#holds()}. */
    private final PriorityQueue<PlannedEnd> plannedEnds = new PriorityQueue<>(Comparator.comparingLong(PlannedEnd::time)
            .thenComparingLong(end -> end.job().trace().sequence()));

    /** Ended jobs that are still shown, each with the number of the poll instant before its end, oldest first. */
    private final Deque<EndedJob> endedJobs = new ArrayDeque<>();

    private final Map<String, Integer> startsRefusedByScript = new HashMap<>();
    private final LinkedHashMap<String, RmAnswer> answers = new LinkedHashMap<>();

    /** How many jobs of the workload are submitted; they are submitted in order. */
    private int submitted;

    /** How many node events of the script have happened; they happen in order. */
    private int nodeEventsDone;

    private int ended;
    private long now;
    private long lastPoll = Long.MIN_VALUE;
    private long pollInstants;

    /** Whether a command changed something that no poll has shown, a start apart. */
    private boolean news;

    /** A job's end as planned at one of its starts. */
    private record PlannedEnd(long time, SimulatedJob job, int plan) {
        boolean holds() {
            return job.runs() && job.plans() == plan;
        }
    }

    private record EndedJob(SimulatedJob job, long pollInstant) {}

    /**
     * Creates the machine at the instant of its first event, with nothing submitted yet.
     *
     * @param cluster name of the cluster
     * @param ledger gets every entry before it is applied
     */
    SimulatedCluster(
            String cluster,
            ClusterShape shape,
            Workload workload,
            FailureScript script,
            boolean reportUsage,
            NodeFailureEffect nodeFailure,
            Consumer<LedgerEntry> ledger) {
        this.cluster = cluster;
        this.workload = workload;
        this.script = script;
        this.ledger = ledger;
        this.nodeFailure = nodeFailure;
        this.nodes = new SimulatedNodes(cluster, shape, reportUsage);
        this.now = workload.jobs().isEmpty() ? 0 : workload.jobs().get(0).submit();
    }

    long now() {
        return now;
    }

    int ended() {
        return ended;
    }

    int total() {
        return workload.jobs().size();
    }

    /** Says whether every job has ended and every poll-worthy change has been shown. */
    boolean isFinished() {
        return ended == total() && !news;
    }

    /**
     * Returns the next instant worth looking at: of an event, or the next second when a command changed something that
     * no poll has shown; {@code Long.MAX_VALUE} for none.
     */
    long nextInstant() {
        return news ? Math.min(now + 1, nextEvent()) : nextEvent();
    }

    /** Returns the next instant, now or later, at which something happens by itself; {@code Long.MAX_VALUE} for none. */
    private long nextEvent() {
        long next = Long.MAX_VALUE;
        if (submitted < total()) {
            next = Math.min(next, workload.jobs().get(submitted).submit());
        }
        if (nodeEventsDone < script.nodeEvents().size()) {
            next = Math.min(next, script.nodeEvents().get(nodeEventsDone).time());
        }
        while (!plannedEnds.isEmpty() && !plannedEnds.element().holds()) {
            plannedEnds.remove();
        }
        return plannedEnds.isEmpty()
                ? next
                : Math.min(next, plannedEnds.element().time());
    }

    /** Moves time to {@code target}, letting everything happen on the way, each at its own instant. */
    void advanceTo(long target) {
        settle();
        long next;
        while ((next = nextEvent()) <= target && next > now) {
            now = next;
            settle();
        }
        now = Math.max(now, target);
    }

    /** Lets everything happen that is due by now: ends, then node events, then submissions. */
    void settle() {
        while (!plannedEnds.isEmpty() && plannedEnds.element().time() <= now) {
            PlannedEnd end = plannedEnds.element();
            if (end.holds()) {
                record(LedgerEntry.event(
                        now,
                        Effect.END,
                        end.job().id(),
                        end.job().plannedEnding().format()));
            }
            plannedEnds.remove();
        }
        List<NodeEvent> nodeEvents = script.nodeEvents();
        while (nodeEventsDone < nodeEvents.size()
                && nodeEvents.get(nodeEventsDone).time() <= now) {
            nodeEvent(nodeEvents.get(nodeEventsDone));
        }
        while (submitted < total() && workload.jobs().get(submitted).submit() <= now) {
            TraceJob job = workload.jobs().get(submitted);
            record(LedgerEntry.event(
                    now, Effect.SUBMIT, job.id(), job.procs() + " " + job.number() + " " + job.sequence()));
        }
    }

    private void nodeEvent(NodeEvent event) {
        if (!event.up() && nodeFailure == NodeFailureEffect.END_JOBS) {
            for (SimulatedJob job : List.copyOf(jobs.values())) {
                if (job.holdsNodes()
                        && job.allocation().stream()
                                .anyMatch(part -> part.getNodeId().equals(event.node()))) {
                    record(LedgerEntry.event(now, Effect.END, job.id(), ExitReason.NODE_FAILED.format()));
                }
            }
        }
        record(LedgerEntry.event(now, Effect.NODE, event.node(), event.up() ? "UP" : "DOWN"));
    }

    /** Notes that everything is looked at now. */
    void polled() {
        record(LedgerEntry.event(now, Effect.POLL, "", ""));
    }

    List<NodeReport> nodeReports() {
        return nodes.reports();
    }

    /** Returns a report of every job that waits, runs or ended a short while ago, in order of submission. */
    List<JobReport> jobReports() {
        List<JobReport> reports = new ArrayList<>(jobs.size());
        for (SimulatedJob job : jobs.values()) {
            reports.add(job.report());
        }
        return reports;
    }

    /** Returns the answer a command had; empty when it was never executed. */
    Optional<RmAnswer> answerTo(String commandId) {
        return Optional.ofNullable(answers.get(commandId));
    }

    /** Carries out {@code command} now, or refuses it. */
    RmAnswer execute(RmCommand command) {
        @Nullable RmAnswer known = answers.get(command.getCommandId());
        if (known != null) {
            throw new RmException("command " + command.getCommandId()
                    + " was carried out before. Either it was repeated without asking, or the topics are younger than"
                    + " the ledger: then choose an empty data directory");
        }
        record(decide(command));
        return answerTo(command.getCommandId())
                .orElseThrow(() -> new IllegalStateException("no answer to " + command.getCommandId()));
    }

    private LedgerEntry decide(RmCommand command) {
        String job = command.getJobId();
        return new CommandDecision(command, now, nodes, script)
                .decide(
                        job == null ? null : jobs.get(job),
                        job == null ? 0 : startsRefusedByScript.getOrDefault(job, 0));
    }

    private void record(LedgerEntry entry) {
        ledger.accept(entry);
        replay(entry);
    }

    /** Applies what happened: the only way this machine changes. */
    void replay(LedgerEntry entry) {
        now = Math.max(now, entry.time());
        switch (entry.effect()) {
            case OPEN -> {}
            case POLL -> applyPoll();
            case SUBMIT -> applySubmit(entry);
            case START -> applyStart(entry);
            case END -> applyEnd(job(entry), ExitReason.parse(entry.detail()));
            case CANCEL -> {
                applyEnd(job(entry), ExitReason.parse(entry.detail()));
                news = true;
            }
            case REQUEUE -> {
                nodes.giveBack(job(entry).allocation());
                job(entry).requeue();
                news = true;
            }
            case HOLD -> {
                job(entry).hold();
                news = true;
            }
            case RELEASE -> {
                job(entry).release();
                news = true;
            }
            case LIMIT -> {
                job(entry).limit(Long.parseLong(entry.detail()));
                plan(job(entry));
                news = true;
            }
            case SUSPEND -> {
                job(entry).suspend(now);
                news = true;
            }
            case RESUME -> {
                job(entry).resume(now);
                plan(job(entry));
                news = true;
            }
            case GROW -> {
                JobAllocation more = JobAllocation.parse(entry.detail());
                nodes.take(more.allocation());
                job(entry).move(placement(job(entry)).with(more.allocation()));
                news = true;
            }
            case SHRINK -> {
                JobAllocation less = JobAllocation.parse(entry.detail());
                nodes.giveBack(less.allocation());
                job(entry).move(placement(job(entry)).without(less.allocation()));
                news = true;
            }
            case DRAIN -> {
                nodes.drain(entry.subject(), entry.detail().isEmpty() ? null : entry.detail());
                news = true;
            }
            case FEATURES -> {
                nodes.setFeatures(
                        entry.subject(),
                        entry.detail().isEmpty()
                                ? List.of()
                                : List.of(entry.detail().split(",")));
                news = true;
            }
            case REFUSE -> news = true;
            case REFUSE_BY_SCRIPT -> {
                startsRefusedByScript.merge(entry.subject(), 1, Integer::sum);
                news = true;
            }
            case NODE -> {
                nodes.setUp(entry.subject(), "UP".equals(entry.detail()));
                nodeEventsDone++;
            }
        }
        if (entry.effect().answersCommand()) {
            answers.put(entry.commandId(), answer(entry));
            if (answers.size() > ANSWERS_KEPT) {
                answers.remove(answers.keySet().iterator().next());
            }
        }
    }

    private RmAnswer answer(LedgerEntry entry) {
        boolean refused = entry.effect() == Effect.REFUSE || entry.effect() == Effect.REFUSE_BY_SCRIPT;
        return refused ? RmAnswer.refused(entry.detail()) : RmAnswer.done(instant(entry.time()));
    }

    private void applyPoll() {
        news = false;
        if (now == lastPoll) {
            return;
        }
        lastPoll = now;
        pollInstants++;
        while (!endedJobs.isEmpty() && pollInstants > endedJobs.element().pollInstant() + SHOWN_AFTER_END) {
            jobs.remove(endedJobs.remove().job().id());
        }
    }

    private void applySubmit(LedgerEntry entry) {
        TraceJob job = workload.jobs().get(submitted++);
        if (!job.id().equals(entry.subject())) {
            throw new IllegalStateException("the ledger has job " + entry.subject()
                    + " submitted where the workload has " + job.id() + ": it is of another workload");
        }
        jobs.put(job.id(), new SimulatedJob(job, cluster, workload.base()));
    }

    private void applyStart(LedgerEntry entry) {
        SimulatedJob job = job(entry);
        JobAllocation placement = JobAllocation.parse(entry.detail());
        nodes.take(placement.allocation());
        job.start(entry.time(), placement);
        plan(job);
    }

    private void plan(SimulatedJob job) {
        if (job.holdsNodes()) {
            plannedEnds.add(new PlannedEnd(Math.max(now, job.plannedEnd()), job, job.plans()));
        }
    }

    private static JobAllocation placement(SimulatedJob job) {
        @Nullable JobAllocation placement = job.placement();
        if (placement == null) {
            throw new IllegalStateException("job " + job.id() + " has no nodes: the ledger is wrong");
        }
        return placement;
    }

    private void applyEnd(SimulatedJob job, ExitReason how) {
        if (job.holdsNodes()) {
            nodes.giveBack(job.allocation());
        }
        job.end(now, how);
        ended++;
        endedJobs.add(new EndedJob(job, pollInstants));
    }

    private SimulatedJob job(LedgerEntry entry) {
        @Nullable SimulatedJob job = jobs.get(entry.subject());
        if (job == null) {
            throw new IllegalStateException("there is no job " + entry.subject() + " for " + entry.effect());
        }
        return job;
    }

    Instant instant(long second) {
        return Instant.ofEpochSecond(workload.base() + second);
    }
}

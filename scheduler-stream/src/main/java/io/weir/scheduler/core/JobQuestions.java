package io.weir.scheduler.core;

import io.weir.scheduler.core.explain.WaitCause;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.nodeset.NodeSetRules;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.priority.Micros;
import io.weir.scheduler.core.priority.PriorityBreakdown;
import io.weir.scheduler.state.PendingRequest;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Requests that ask about jobs and change nothing. */
final class JobQuestions {
    /** Asks about every waiting job. */
    private static final String ALL = "ALL";

    /** Jobs an answer about all of them is limited to, the first in the queue. */
    private static final int MOST = 1000;

    private final ClusterState state;
    private final Outbox outbox;
    private final long now;

    JobQuestions(ClusterState state, Outbox outbox, long now) {
        this.state = state;
        this.outbox = outbox;
        this.now = now;
    }

    void answer(PendingRequest request, Explaining explaining) {
        switch (RequestKind.valueOf(request.getKind())) {
            case SHOW_PRIORITY -> showPriority(request);
            case EXPLAIN_JOB -> explain(request, explaining);
            default -> outbox.refused(request, request.getKind() + " is no question about a job");
        }
    }

    /**
     * Answers with the constraint, the nodes considered and how many each constraint removed, the blockers, position and
     * priority in the queue, and the expected start.
     */
    private void explain(PendingRequest request, Explaining explaining) {
        Job job = state.jobs.get(request.getObjectId());
        if (job == null) {
            outbox.refused(request, "no job " + request.getObjectId());
            return;
        }
        WaitCause cause = explaining.explain(job);
        List<NameValue> details = new ArrayList<>();
        details.add(new NameValue("job", job.id()));
        details.add(new NameValue("constraint", cause.constraint()));
        details.add(new NameValue("nodes", Integer.toString(cause.nodesConsidered())));
        for (NameCount rejection : cause.rejections()) {
            details.add(new NameValue("rejected " + rejection.getName(), Long.toString(rejection.getCount())));
        }
        for (String blocker : cause.blockers()) {
            details.add(new NameValue("blocker", blocker));
        }
        int position = state.jobs.queue().position(job);
        if (position >= 0) {
            details.add(new NameValue("position", Integer.toString(position + 1)));
        }
        details.add(new NameValue("priority", Long.toString(state.priorities().priority(job, now))));
        if (cause.expectedStart() != Job.NONE) {
            details.add(new NameValue(
                    "start", Instant.ofEpochSecond(cause.expectedStart()).toString()));
        }
        explainSets(job, details);
        outbox.answered(request, "job " + job.id() + " " + cause.message(), details);
    }

    /** Adds for each requirement the node set rules it is placed by, where they come from and what each set could hold now. */
    private void explainSets(Job job, List<NameValue> details) {
        NodeSets sets = state.planner.nodeSets();
        NodeSetRules rules = job.waiting() ? sets.rules(job.request()) : null;
        if (rules == null) {
            return;
        }
        List<Requirement> requirements = job.request().requirements();
        for (int i = 0; i < requirements.size(); i++) {
            int number = i;
            Requirement requirement = requirements.get(i);
            Candidates candidates = state.placement.candidates(job, requirement, null, null);
            String text = sets.describe(
                    rules,
                    candidates,
                    requirement,
                    (among, tasks, nodes) ->
                            state.placement.choose(job, number, requirement.part(tasks, nodes), among, now, true));
            details.add(new NameValue("nodeset", text));
        }
    }

    private void showPriority(PendingRequest request) {
        if (request.getObjectId().equalsIgnoreCase(ALL)) {
            JobQueue queue = state.jobs.queue();
            List<NameValue> details = new ArrayList<>();
            for (int i = 0; i < queue.size() && i < MOST; i++) {
                describe(queue.get(i), details);
            }
            outbox.answered(request, queue.size() + " jobs wait", details);
            return;
        }
        Job job = state.jobs.get(request.getObjectId());
        if (job == null || job.finished()) {
            outbox.refused(request, job == null ? "no job " + request.getObjectId() : "job " + job.id() + " has ended");
            return;
        }
        List<NameValue> details = new ArrayList<>();
        describe(job, details);
        outbox.answered(request, "priority of job " + job.id(), details);
    }

    /**
     * Adds the lines of a job: its id; its system priority, if any; its computed priority; for each component its
     * contribution; for each term contribution, value and weight, separated by blanks.
     */
    private void describe(Job job, List<NameValue> details) {
        PriorityBreakdown breakdown = state.priorities().breakdown(job, now);
        details.add(new NameValue("job", job.id()));
        Integer system = breakdown.systemPriority();
        if (system != null) {
            details.add(new NameValue("system", Integer.toString(system)));
        }
        details.add(new NameValue("priority", Long.toString(breakdown.priority())));
        for (PriorityBreakdown.Sum sum : breakdown.sums()) {
            details.add(new NameValue(sum.component().label(), Micros.text(sum.contribution())));
            for (PriorityBreakdown.Line line : breakdown.lines()) {
                if (line.term().component() == sum.component()) {
                    details.add(new NameValue(
                            line.term().label(),
                            Micros.text(line.contribution()) + " " + Micros.text(line.value()) + " " + line.weight()));
                }
            }
        }
    }
}

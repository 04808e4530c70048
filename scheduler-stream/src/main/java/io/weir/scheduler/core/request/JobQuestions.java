package io.weir.scheduler.core.request;

import io.weir.scheduler.core.explain.JobPolicies;
import io.weir.scheduler.core.explain.NodeVerdicts;
import io.weir.scheduler.core.explain.WaitCause;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.nodeset.NodeSetRules;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.output.ExplanationPublisher;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.RejectionReason;
import io.weir.scheduler.core.plan.StartEstimator;
import io.weir.scheduler.core.policy.scheduler.BackfillPolicy;
import io.weir.scheduler.core.priority.Micros;
import io.weir.scheduler.core.priority.PriorityBreakdown;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.request.form.PolicyLevel;
import io.weir.scheduler.core.request.form.PriorityForm;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.TaskPlacement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Requests that ask about jobs and change nothing. */
final class JobQuestions {
    /** Asks about every waiting job. */
    private static final String ALL = "ALL";

    /** Jobs, or nodes, an answer about all of them is limited to, the first in their order. */
    private static final int MOST = 1000;

    /** Jobs an answer about no more than their priorities is limited to; with long ids, it holds fewer. */
    private static final int MOST_RANKED = 25_000;

    /** Characters after which a line of ranks ends. */
    private static final int RANKS_LENGTH = 3_000;

    /** What working out the priority of a job costs, in looks at nodes. */
    private static final long PER_JOB = 10;

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    JobQuestions(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    /**
     * Answers with the constraint, the nodes considered and how many each constraint removed, the blockers, position and
     * priority in the queue, the expected start, and the policies in force. Arguments: {@code qos} explains the job as if
     * it had that one, also where it may not use it, and says so; {@code verbose} adds what each node says; {@code node} and {@code reservation} that of these nodes
     * alone; with {@code policylevel} OFF limits and access policies of nodes are left out, with {@code future} all that is so at
     * present only.
     *
     * @return what that cost, in looks at nodes
     */
    long explain(AuthorisedRequest request, ExplanationPublisher explaining) {
        Job known = state.jobs.get(request.objectId());
        if (known == null) {
            outputs.refused(request, "no job " + request.objectId());
            return 1;
        }
        BitSet among;
        try {
            among = asked(request);
        } catch (IllegalArgumentException e) {
            outputs.refused(request, String.valueOf(e.getMessage()));
            return 1;
        }
        String qos = request.value("qos");
        Job job = qos == null ? known : known.edit().effectiveQos(qos).done();
        long before = explaining.visits();
        WaitCause cause = explaining.explain(job);
        long looks = 0;
        if (qos != null && mayBeSolved(cause)) {
            StartEstimator estimator = state.startEstimator(now).keepingReservations(known.id());
            if (estimator.present(job) != null) {
                cause = WaitCause.plain(WaitCause.NOTHING, now, "could start now with QOS " + qos);
            }
            looks = estimator.looks();
        }
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
        int position = state.jobs.queue().position(known);
        if (position >= 0) {
            details.add(new NameValue("position", Integer.toString(position + 1)));
        }
        details.add(new NameValue("priority", Long.toString(state.priorities().priority(job, now))));
        if (cause.expectedStart() != Job.NONE) {
            details.add(new NameValue(
                    "start", Instant.ofEpochSecond(cause.expectedStart()).toString()));
        }
        explainPolicies(job, details);
        explainSets(job, details);
        if (job.waiting() && !among.isEmpty()) {
            NodeVerdicts.Leniency leniency = new NodeVerdicts.Leniency(
                    request.form().choice("policylevel", PolicyLevel.class) == PolicyLevel.OFF,
                    request.form().isTrue("future"));
            explainNodes(job, cause, explaining.verdicts(), among, leniency, details);
        }
        boolean forbidden =
                qos != null && !state.qosAccess().allows(job.request().credentials(), qos);
        outputs.answered(
                request,
                "job " + job.id() + " " + cause.message() + (forbidden ? "; it may not use QOS " + qos : ""),
                details);
        // Partitions and sets are looked for among all nodes, for each requirement.
        long requirements = job.request().requirements().size();
        return looks
                + explaining.visits()
                - before
                + state.nodes.size()
                + requirements * (state.nodes.size() + among.cardinality());
    }

    /** Returns whether {@code cause} is one of nodes and reservations, which may be none with another QOS. */
    private boolean mayBeSolved(WaitCause cause) {
        return cause.nodesConsidered() > 0
                && !cause.constraint().equals(WaitCause.PLUGIN)
                && state.domain.policy.backfill().policy() != BackfillPolicy.NONE;
    }

    /** Returns the positions of the nodes that are to be explained one by one. */
    private BitSet asked(AuthorisedRequest request) {
        BitSet among = new BitSet();
        String node = request.value("node");
        String reservation = request.value("reservation");
        if (node != null) {
            int position = state.nodes.position(node);
            if (position < 0) {
                throw new IllegalArgumentException("no node " + node);
            }
            among.set(position);
        } else if (reservation != null) {
            List<String> reserved = nodesOf(reservation);
            if (reserved == null) {
                throw new IllegalArgumentException("no reservation " + reservation);
            }
            reserved.stream()
                    .mapToInt(state.nodes::position)
                    .filter(position -> position >= 0)
                    .forEach(among::set);
        } else if (request.form().isTrue("verbose")) {
            among.set(0, Math.min(state.nodes.size(), MOST));
        }
        return among;
    }

    private @Nullable List<String> nodesOf(String id) {
        AdministrativeReservation site = state.administrativeReservations.get(id);
        if (site != null) {
            return site.nodeIds();
        }
        Reservation own = state.reservations.withId(id);
        return own == null
                ? null
                : own.placements().stream().map(TaskPlacement::getNodeId).toList();
    }

    /** Adds the policies the job is placed and treated by, each with its source. */
    private void explainPolicies(Job job, List<NameValue> details) {
        TreeSet<String> partitions = new TreeSet<>();
        job.shares().forEach(share -> {
            EffectiveNode node = state.nodes.effective(share.nodeId());
            if (node != null) {
                partitions.add(node.partition());
            }
        });
        if (partitions.isEmpty()) {
            partitions.addAll(job.request().options().partitions());
        }
        for (int position = 0; partitions.isEmpty() && position < state.nodes.size(); position++) {
            partitions.add(state.nodes.at(position).partition());
        }
        for (JobPolicies.Effective policy : new JobPolicies(state.domain.settings())
                .of(job, partitions, state.planner.nodeSets().rules(job.request()))) {
            details.add(new NameValue("policy " + policy.name(), policy.value() + " (" + policy.source() + ")"));
        }
    }

    /** Adds what the nodes {@code among} say, a line for each and each requirement. */
    private void explainNodes(
            Job job,
            WaitCause cause,
            NodeVerdicts verdicts,
            BitSet among,
            NodeVerdicts.Leniency leniency,
            List<NameValue> details) {
        boolean counted = !leniency.present() && cause.constraint().equals(RejectionReason.RESERVED.label());
        int requirements = job.request().requirements().size();
        for (int number = 0; number < requirements; number++) {
            for (NodeVerdicts.Verdict verdict : verdicts.of(job, number, among, leniency)) {
                // Where processors are only counted, a reservation keeps the job from every node that has room.
                String text = verdict.reason() == null && counted ? RejectionReason.RESERVED.label() : verdict.text();
                details.add(new NameValue(
                        "node " + verdict.nodeId(), requirements == 1 ? text : "Req[" + number + "] " + text));
            }
        }
        int left = state.nodes.size() - MOST;
        if (left > 0 && among.cardinality() == MOST) {
            details.add(new NameValue("more nodes", Integer.toString(left)));
        }
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
            if (!requirement.demands().hosts().isEmpty()) {
                continue;
            }
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

    /** Answers with what the priority of a job, or of all that wait, is made of; returns what that cost, in looks at nodes. */
    long priority(AuthorisedRequest request) {
        if (request.objectId().equalsIgnoreCase(ALL)) {
            JobQueue queue = state.jobs.queue();
            if (request.form().choice("form", PriorityForm.class) == PriorityForm.BRIEF) {
                return ranks(request, queue);
            }
            List<NameValue> details = new ArrayList<>();
            for (int i = 0; i < queue.size() && i < MOST; i++) {
                describe(queue.get(i), details);
            }
            outputs.answered(request, queue.size() + " jobs wait", details);
            return PER_JOB * (1L + Math.min(queue.size(), MOST));
        }
        Job job = state.jobs.get(request.objectId());
        if (job == null || job.finished()) {
            outputs.refused(request, job == null ? "no job " + request.objectId() : "job " + job.id() + " has ended");
            return 1;
        }
        List<NameValue> details = new ArrayList<>();
        describe(job, details);
        outputs.answered(request, "priority of job " + job.id(), details);
        return PER_JOB;
    }

    /**
     * Answers with the priorities of the first jobs of the queue alone, in its order: how many wait, and lines of groups, two
     * blanks apart, of a priority and the ids of the jobs that have it; returns what that cost.
     */
    private long ranks(AuthorisedRequest request, JobQueue queue) {
        List<NameValue> details = new ArrayList<>();
        details.add(new NameValue("waiting", Integer.toString(queue.size())));
        StringBuilder line = new StringBuilder();
        int ranked = Math.min(queue.size(), MOST_RANKED);
        long last = 0;
        for (int i = 0; i < ranked; i++) {
            Job job = queue.get(i);
            long priority = state.priorities().priority(job, now);
            if (line.length() > RANKS_LENGTH) {
                details.add(new NameValue("ranks", line.toString()));
                line.setLength(0);
            }
            if (line.length() == 0) {
                line.append(priority);
            } else if (priority != last) {
                line.append("  ").append(priority);
            }
            line.append(' ').append(job.id());
            last = priority;
        }
        if (line.length() > 0) {
            details.add(new NameValue("ranks", line.toString()));
        }
        outputs.answered(request, queue.size() + " jobs wait", details);
        return 1L + ranked;
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

package io.weir.scheduler.core.output;

import io.weir.scheduler.core.explain.WaitCause;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.placement.Allocation;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.scheduler.core.reservation.control.ReservationResponse;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.ConnectorState;
import io.weir.schemas.CategoryInterval;
import io.weir.schemas.Charge;
import io.weir.schemas.CommandKind;
import io.weir.schemas.Decision;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.Explanation;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.PluginQuestion;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.TriggerFiring;
import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.Limit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects what one iteration puts out, in order, and numbers the commands. */
public final class IterationOutputs {
    /** How long after it was issued a command may still be carried out, in seconds of the domain's clock. */
    public static final long COMMAND_EXPIRY_SECONDS = 300;

    private static final Bound.Prose NOTE = new Bound.Prose(Limit.NOTE_LENGTH, true);

    private static final Allocation NOWHERE = new Allocation(List.of(), List.of());

    private final ClusterState state;
    private final long iteration;
    private final Instant now;
    private final List<Output> outputs = new ArrayList<>();
    private final CommandGate gate;
    private final RequestAnswers answers;
    private final NonstopEvents nonstop;
    private final Notices notices;
    private int questions;
    private int firings;

    public IterationOutputs(ClusterState state, long iteration, Instant now) {
        this.state = state;
        this.iteration = iteration;
        this.now = now;
        this.gate = new CommandGate(state, iteration, now, outputs);
        this.answers = new RequestAnswers(state.cluster, iteration, outputs);
        this.nonstop = new NonstopEvents(state.cluster, iteration, now, outputs);
        this.notices = new Notices(state.cluster, iteration, now, outputs);
    }

    public List<Output> outputs() {
        return outputs;
    }

    /** Returns what publishes the events of the failure service. */
    public NonstopEvents nonstop() {
        return nonstop;
    }

    /** Returns what publishes messages for people. */
    public Notices notices() {
        return notices;
    }

    /** Decides and commands a start; returns the command's id, or null when no command is sent. */
    @Nullable
    public String start(Job job, Allocation allocated, long start, String reason) {
        long walltime = job.request().walltimeSeconds();
        String commandId = send(job.request().connector(), CommandKind.START_JOB, job, allocated, walltime, reason);
        decided(
                DecisionKind.START,
                job.id(),
                job.request().moldable() ? allocated.procs() : job.request().procs(),
                allocated.nodes(),
                Instant.ofEpochSecond(start),
                Instant.ofEpochSecond(start + walltime),
                commandId,
                commandId != null,
                reason);
        return commandId;
    }

    /** Sends an order about a job with its decision; returns false when no connector can take it. */
    public boolean command(Job job, CommandKind kind, DecisionKind decision, long at, String reason) {
        return command(job, kind, decision, null, at, reason);
    }

    /** Orders another wallclock limit for a job; returns false when no connector can take it. */
    public boolean limit(Job job, long walltimeSeconds, long at, String reason) {
        return command(job, CommandKind.MODIFY_JOB, DecisionKind.MODIFY, walltimeSeconds, at, reason);
    }

    /** Orders nodes for a running job, or away from it; returns false when no connector can take it. */
    public boolean resize(Job job, CommandKind kind, List<NodeAllocation> nodes, long at, String reason) {
        return command(job, kind, DecisionKind.MODIFY, new Allocation(nodes, List.of()), null, at, reason);
    }

    /** Orders the release of a job, {@code owners} of its owner's hold alone; returns false when no connector can take it. */
    public boolean release(Job job, boolean owners, long at, String reason) {
        List<NameValue> arguments = owners ? List.of(new NameValue("type", "user")) : List.of();
        return command(job, CommandKind.RELEASE_JOB, DecisionKind.RELEASE, NOWHERE, null, arguments, at, reason);
    }

    /** Orders a signal to a job's processes; returns false when no connector can take it. */
    public boolean signal(Job job, String name, long at, String reason) {
        List<NameValue> arguments = List.of(new NameValue("signal", name));
        return command(job, CommandKind.SIGNAL_JOB, DecisionKind.SIGNAL, NOWHERE, null, arguments, at, reason);
    }

    private boolean command(
            Job job, CommandKind kind, DecisionKind decision, @Nullable Long walltime, long at, String reason) {
        return command(job, kind, decision, NOWHERE, walltime, at, reason);
    }

    private boolean command(
            Job job,
            CommandKind kind,
            DecisionKind decision,
            Allocation nodes,
            @Nullable Long walltime,
            long at,
            String reason) {
        List<NameValue> arguments = kind == CommandKind.MODIFY_JOB && walltime != null
                ? List.of(new NameValue("walltime", Long.toString(walltime)))
                : List.of();
        return command(job, kind, decision, nodes, walltime, arguments, at, reason);
    }

    private boolean command(
            Job job,
            CommandKind kind,
            DecisionKind decision,
            Allocation nodes,
            @Nullable Long walltime,
            List<NameValue> arguments,
            long at,
            String reason) {
        String commandId = send(job.request().connector(), kind, job, nodes, walltime, null, arguments, reason);
        if (commandId == null) {
            return false;
        }
        decided(
                decision,
                job.id(),
                job.request().procs(),
                nodes.nodes(),
                Instant.ofEpochSecond(at),
                null,
                commandId,
                true,
                reason);
        return true;
    }

    /** Publishes a decision that needs no command. */
    public void decision(DecisionKind kind, Job job, long start, long end, String reason) {
        decision(kind, job.id(), job.request().procs(), start, end, reason);
    }

    /** Publishes a decision about a reservation that is no job's; its nodes are told as far as they are its own. */
    public void decision(DecisionKind kind, AdministrativeReservation reservation, String reason) {
        List<NodeAllocation> nodes = new ArrayList<>();
        int procs = 0;
        for (ReservedNode node : reservation.nodes()) {
            nodes.add(new NodeAllocation(node.nodeId(), node.amount().procs()));
            procs += node.amount().procs();
        }
        decided(
                kind,
                reservation.id(),
                procs,
                nodes,
                Instant.ofEpochSecond(reservation.start()),
                reservation.end() >= TimeArgument.FOREVER ? null : Instant.ofEpochSecond(reservation.end()),
                null,
                true,
                reason);
    }

    /** Publishes why a job waits and returns what is published. */
    Explanation explained(String jobId, WaitCause cause, int position, long priority) {
        long expected = cause.expectedStart();
        Explanation explanation = new Explanation(
                state.cluster,
                jobId,
                iteration,
                now,
                cause.constraint(),
                cause.nodesConsidered(),
                cause.rejections(),
                cause.blockers(),
                position,
                expected == Job.NONE ? null : Instant.ofEpochSecond(expected),
                cause.message(),
                priority);
        outputs.add(new Output(OutputKind.EXPLANATION, key(jobId), explanation));
        return explanation;
    }

    /** Publishes that a job needs no explanation any more. */
    void unexplained(String jobId) {
        outputs.add(new Output(OutputKind.EXPLANATION, key(jobId), null));
    }

    /** Publishes that a reservation was given up. */
    public void released(Reservation old) {
        decision(
                DecisionKind.RELEASE_RESERVATION, old.jobId(), old.procs(), old.start(), old.end(), "no longer on top");
    }

    private void decision(DecisionKind kind, String jobId, int procs, long start, long end, String reason) {
        decided(
                kind,
                jobId,
                procs,
                List.of(),
                start == Job.NONE ? null : Instant.ofEpochSecond(start),
                end == Job.NONE ? null : Instant.ofEpochSecond(end),
                null,
                state.domain.policy.scheduler().mode() == Mode.NORMAL,
                reason);
    }

    private void decided(
            DecisionKind kind,
            String id,
            int procs,
            List<NodeAllocation> nodes,
            @Nullable Instant start,
            @Nullable Instant end,
            @Nullable String commandId,
            boolean carriedOut,
            String reason) {
        outputs.add(new Output(
                OutputKind.DECISION,
                key(id),
                new Decision(
                        state.cluster,
                        iteration,
                        now,
                        kind,
                        id,
                        procs,
                        nodes,
                        start,
                        end,
                        commandId,
                        carriedOut,
                        NOTE.cut(reason))));
    }

    /** Sends an order about a node; returns false when no connector can take it. */
    public boolean node(Node node, CommandKind kind, List<NameValue> arguments, String reason) {
        return send(node.connector(), kind, null, NOWHERE, null, node.id(), arguments, reason) != null;
    }

    /** Orders the copy of a reservation in a resource manager; returns the command's number, or 0 when none is sent. */
    public long reservation(String connector, CommandKind kind, String id, List<NameValue> arguments, String reason) {
        String commandId = send(connector, kind, null, NOWHERE, null, id, arguments, reason);
        ConnectorState after = state.domain.connectors.get(connector);
        return commandId == null || after == null ? 0 : after.issuedCommand();
    }

    /** Asks a connector to list everything again. */
    public void fullPoll(ConnectorState connector) {
        state.domain.connectors.put(connector.id(), connector.fullPoll(false));
        send(connector.id(), CommandKind.FULL_POLL, null, NOWHERE, null, "facts are missing");
    }

    /** Returns whether a connector is there to carry out commands about {@code job}. */
    public boolean reaches(Job job) {
        String id = job.request().connector();
        return id != null && state.domain.connectors.containsKey(id);
    }

    /** Returns whether the job's connector has said what there is: before that, what is missing may only be late. */
    public boolean polled(Job job) {
        String id = job.request().connector();
        ConnectorState connector = id == null ? null : state.domain.connectors.get(id);
        return connector != null && connector.rmTime() != null;
    }

    /** Returns the number of the last command sent to the job's connector. */
    public long lastNumber(Job job) {
        String id = job.request().connector();
        ConnectorState connector = id == null ? null : state.domain.connectors.get(id);
        return connector == null ? 0 : connector.issuedCommand();
    }

    /** Asks an allocation plug-in; {@code text} makes the question of its id, which is returned. */
    String question(Function<String, PluginQuestion.Builder> text) {
        String id = state.cluster + "/" + iteration + "/" + questions++;
        PluginQuestion question = text.apply(id)
                .setCluster(state.cluster)
                .setIteration(iteration)
                .setTime(now)
                .build();
        outputs.add(new Output(OutputKind.PLUGIN_QUESTION, key(question.getJobId()), question));
        return id;
    }

    public void accepted(AuthorisedRequest request, String message) {
        answer(request, RequestOutcome.ACCEPTED, message, List.of());
    }

    /** Answers a question. */
    public void answered(AuthorisedRequest request, String message, List<NameValue> details) {
        answer(request, RequestOutcome.ACCEPTED, message, details);
    }

    public void refused(AuthorisedRequest request, String message) {
        answer(request, RequestOutcome.REFUSED, message, List.of());
    }

    /** Refuses a request and says more than words can. */
    public void refused(AuthorisedRequest request, String message, List<NameValue> details) {
        answer(request, RequestOutcome.REFUSED, message, details);
    }

    /** Refuses a request that its principal may not make, and says so in the words of the failure service, too. */
    public void forbidden(String requestId, long fingerprint, String message) {
        answers.answer(
                requestId,
                fingerprint,
                RequestOutcome.REFUSED,
                message,
                null,
                List.of(new NameValue("error", "EPERM")));
    }

    /** Refuses a request that was not looked at any further. */
    public void refused(String requestId, long fingerprint, String message) {
        answers.answer(requestId, fingerprint, RequestOutcome.REFUSED, message, null, List.of());
    }

    /** Gives the answer to one request to another, or again to the same. */
    public void repeat(String requestId, long fingerprint, RequestResult answer) {
        answers.repeat(requestId, fingerprint, answer);
    }

    /** Returns the answer given last. */
    public RequestResult lastAnswer() {
        return answers.lastAnswer();
    }

    /** Publishes the version of an entity now in force, or that it is gone. */
    public void state(OutputKind kind, Change change) {
        outputs.add(new Output(kind, key(change.id()), change.value()));
    }

    /** Publishes that a node is no longer in a category. */
    public void ended(CategoryInterval interval) {
        outputs.add(new Output(OutputKind.NODE_CATEGORY, key(interval.getNodeId()), interval));
    }

    /** Publishes a charge. */
    public void charge(Charge charge) {
        Charge record =
                Charge.newBuilder(charge).setIteration(iteration).setTime(now).build();
        outputs.add(new Output(OutputKind.CHARGE, key(record.getChargeId()), record));
    }

    /** Publishes that an action of a trigger is to be carried out, and returns the id by which it will be answered. */
    public String firing(TriggerFiring.Builder firing) {
        String id = state.cluster + "/" + iteration + "/" + firings++;
        TriggerFiring record = firing.setCluster(state.cluster)
                .setFiringId(id)
                .setIteration(iteration)
                .setTime(now)
                .build();
        outputs.add(new Output(OutputKind.TRIGGER_FIRING, key(record.getTriggerId()), record));
        return id;
    }

    /** Publishes what a request about reservations is answered with. */
    public void answer(AuthorisedRequest request, ReservationResponse answer) {
        answers.answer(
                request.id(),
                request.fingerprint(),
                answer.accepted() ? RequestOutcome.ACCEPTED : RequestOutcome.REFUSED,
                answer.message(),
                answer.reservationId(),
                answer.lines().stream().map(line -> new NameValue("line", line)).toList());
    }

    private void answer(AuthorisedRequest request, RequestOutcome outcome, String message, List<NameValue> details) {
        answers.answer(request.id(), request.fingerprint(), outcome, message, null, details);
    }

    private @Nullable String send(
            @Nullable String connectorId,
            CommandKind kind,
            @Nullable Job job,
            Allocation nodes,
            @Nullable Long walltime,
            String reason) {
        return send(connectorId, kind, job, nodes, walltime, null, List.of(), reason);
    }

    private @Nullable String send(
            @Nullable String connectorId,
            CommandKind kind,
            @Nullable Job job,
            Allocation nodes,
            @Nullable Long walltime,
            @Nullable String objectId,
            List<NameValue> arguments,
            String reason) {
        return gate.send(connectorId, kind, job, nodes, walltime, objectId, arguments, reason);
    }

    private String key(String entity) {
        return state.cluster + "/" + entity;
    }
}

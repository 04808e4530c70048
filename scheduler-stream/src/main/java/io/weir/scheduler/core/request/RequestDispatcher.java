package io.weir.scheduler.core.request;

import io.weir.scheduler.core.fact.QuarantineControl;
import io.weir.scheduler.core.output.ExplanationPublisher;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.recovery.RecoveryRequests;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.Authorisation;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.request.form.NormalRequest;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.scheduler.core.request.form.SiteAccess;
import io.weir.scheduler.core.request.form.UnreadableRequestException;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.RequestBudget;
import io.weir.scheduler.core.state.SchedulerStatus;
import io.weir.scheduler.state.PendingRequest;
import io.weir.schemas.NameValue;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hands each request to those who can carry it out. Every request is answered, if not by this iteration, because its budget
 * is spent, then by a later one. One dispatcher serves one iteration.
 */
public final class RequestDispatcher {
    private final ClusterState state;
    private final IterationOutputs outputs;
    private final RequestBudget budget;
    private final RequestMemory memory;
    private final JobRequests jobs;
    private final ReservationRequests reservations;
    private final ConfigRequests config;
    private final JobQuestions answers;
    private final TimeQuestions times;
    private final NodeQuestions aboutNodes;
    private final NodeStatisticsQuestions nodeStatistics;
    private final NodeRequests nodes;
    private final SchedulerRequests scheduler;
    private final RecoveryRequests recoveries;

    /** A question with what it was made from. */
    private record Question(PendingRequest pending, AuthorisedRequest request) {}

    /** Requests that change nothing; they are answered once the jobs are ranked and planned. */
    private final List<Question> questions = new ArrayList<>();

    private final WaitingRequests waiting = new WaitingRequests();

    public RequestDispatcher(ClusterState state, IterationOutputs outputs, ReservationRequests reservations, long now) {
        this.state = state;
        this.outputs = outputs;
        this.reservations = reservations;
        budget = state.domain.budget;
        budget.at(now);
        memory = new RequestMemory(state, outputs, now);
        jobs = new JobRequests(state, outputs, now);
        config = new ConfigRequests(state, outputs);
        answers = new JobQuestions(state, outputs, now);
        times = new TimeQuestions(state, outputs, now);
        aboutNodes = new NodeQuestions(state, outputs, now);
        nodeStatistics = new NodeStatisticsQuestions(state, outputs, now);
        nodes = new NodeRequests(state, outputs);
        scheduler = new SchedulerRequests(state, outputs, now);
        recoveries = new RecoveryRequests(state, outputs, now);
    }

    /** Carries out the requests that wait in the domain, as far as their budget reaches; questions are kept for later. */
    public void carryOut() {
        List<PendingRequest> taken = state.domain.requests.take();
        Set<String> present = new LinkedHashSet<>();
        taken.forEach(each -> present.add(each.getRequestId()));
        for (PendingRequest each : taken) {
            if (settled(each)) {
                continue;
            }
            state.work.on(QuarantineKind.REQUEST, each.getRequestId());
            boolean question = Authorisation.isQuestion(kind(each));
            if (!budget.open(each.getPrincipal(), question)) {
                postpone(each);
                continue;
            }
            AuthorisedRequest request = authorised(each);
            if (request != null && question) {
                questions.add(new Question(each, request));
            } else if (request != null && !memory.answers(request)) {
                budget.charge(request.principal(), false, price(request.kind()));
                if (carryOut(request, present)) {
                    memory.keep(request, outputs.lastAnswer());
                } else {
                    postpone(each);
                }
            }
        }
        forgetSettled();
    }

    /** Answers the requests that only ask, as far as their budget reaches; equal ones share an answer. */
    public void answerQuestions(ExplanationPublisher explaining) {
        Map<NormalRequest, RequestResult> given = new LinkedHashMap<>();
        for (Question question : questions) {
            state.work.on(QuarantineKind.REQUEST, question.pending().getRequestId());
            AuthorisedRequest request = question.request();
            RequestResult same = given.get(request.form());
            if (same != null) {
                outputs.repeat(request, same);
            } else if (budget.open(request.principal(), true)) {
                budget.charge(request.principal(), true, answer(request, explaining));
                given.put(request.form(), outputs.lastAnswer());
            } else {
                postpone(question.pending());
            }
        }
        waiting.all().forEach(state.domain.requests::add);
    }

    /**
     * Of a suspended cluster: carries out requests about the scheduler until one resumes it, and refuses all others. Those
     * behind it wait on.
     */
    public void carryOutWhileSuspended() {
        for (PendingRequest each : state.domain.requests.take()) {
            if (state.domain.standing.state() != SchedulerStatus.State.SUSPENDED) {
                state.domain.requests.add(each);
            } else if (!settled(each)) {
                state.work.on(QuarantineKind.REQUEST, each.getRequestId());
                carryOutIfAboutTheScheduler(each);
            }
        }
        forgetSettled();
    }

    private void carryOutIfAboutTheScheduler(PendingRequest each) {
        if (kind(each) != RequestKind.CONTROL_SCHEDULER) {
            outputs.refused(each.getRequestId(), "scheduling is suspended; an operator has to resume it first");
            return;
        }
        AuthorisedRequest request = authorised(each);
        if (request != null && !memory.answers(request)) {
            carryOut(request, Set.of());
            memory.keep(request, outputs.lastAnswer());
        }
    }

    /** Refuses a request that intake refused, or on which the scheduler fails; returns whether it is one. */
    private boolean settled(PendingRequest request) {
        Quarantine aside = state.quarantine.get(QuarantineKind.REQUEST, request.getRequestId());
        String refusal = aside == null ? request.getRefusal() : QuarantineControl.why(aside);
        if (refusal == null) {
            return false;
        }
        outputs.refused(request.getRequestId(), refusal);
        return true;
    }

    /** Forgets which requests are set aside once all that waited were answered; several may have had the same id. */
    private void forgetSettled() {
        if (state.domain.requests.isEmpty()) {
            state.quarantine.removeAll(QuarantineKind.REQUEST);
        }
    }

    private void postpone(PendingRequest request) {
        if (!waiting.add(request)) {
            outputs.refused(
                    request.getRequestId(),
                    "busy: too many requests wait, those of " + request.getPrincipal()
                            + " among them; ask again later, with another id");
        }
    }

    /** Answers a question and returns what that cost, in looks at nodes. */
    private long answer(AuthorisedRequest question, ExplanationPublisher explaining) {
        return switch (question.kind()) {
            case SHOW_START, SHOW_BACKFILL -> times.answer(question);
            case SHOW_NODE -> aboutNodes.answer(question);
            case SHOW_NONSTOP, SHOW_JOB_FAILURES -> {
                recoveries.carryOut(question, Set.of());
                yield 100;
            }
            case SHOW_NODE_STATISTICS -> nodeStatistics.answer(question);
            default -> answers.answer(question, explaining);
        };
    }

    /** Returns what a change costs, in looks at nodes. */
    private long price(RequestKind kind) {
        int size = state.nodes.size();
        return switch (kind) {
            case CREATE_RESERVATION, MODIFY_RESERVATION, REBUILD_RESERVATION -> 200 + 2L * size;
            case RELEASE_RESERVATION, ENABLE_RESERVATION ->
                200 + state.administrativeReservations.all().size();
            case MODIFY_CONFIG -> 10_000 + 2L * size;
            case REPLACE_JOB_NODE -> 200 + 2L * size;
            default -> 200;
        };
    }

    /**
     * Returns a request as its principal may make it by the policy now in force; null when it may not, or the request has
     * no normal form, which it is then told.
     */
    private @Nullable AuthorisedRequest authorised(PendingRequest pending) {
        Integer granted = pending.getLevel();
        Principal principal =
                new Principal(pending.getPrincipal(), granted == null ? Optional.empty() : AccessLevel.of(granted));
        NormalRequest form;
        try {
            form = NormalRequest.of(
                    kind(pending),
                    pending.getObjectId(),
                    pending.getArguments().stream()
                            .map(argument -> new NameValue(argument.getName(), argument.getValue()))
                            .toList());
        } catch (UnreadableRequestException e) {
            outputs.refused(pending.getRequestId(), String.valueOf(e.getMessage()));
            return null;
        }
        Authorisation authorisation = new Authorisation(SiteAccess.of(state.domain.policy), new StateObjects(state));
        Optional<String> refusal = authorisation.refusal(principal, form);
        if (refusal.isPresent()) {
            if (RecoveryRequests.concern(form.kind())) {
                outputs.forbidden(pending.getRequestId(), refusal.get());
            } else {
                outputs.refused(pending.getRequestId(), refusal.get());
            }
            return null;
        }
        return new AuthorisedRequest(pending.getRequestId(), principal.name(), authorisation.level(principal), form);
    }

    /** Returns what is asked; UNKNOWN where a later build stored a kind that this one does not have. */
    private static RequestKind kind(PendingRequest pending) {
        for (RequestKind kind : RequestKind.values()) {
            if (kind.name().equals(pending.getKind())) {
                return kind;
            }
        }
        return RequestKind.UNKNOWN;
    }

    /** Carries out a change; returns whether it is answered, or waits for a resource manager. */
    private boolean carryOut(AuthorisedRequest request, Set<String> present) {
        switch (request.kind()) {
            case CANCEL_JOB,
                    REQUEUE_JOB,
                    HOLD_JOB,
                    RELEASE_JOB,
                    SET_JOB_PRIORITY,
                    MODIFY_JOB,
                    SUSPEND_JOB,
                    RESUME_JOB,
                    SIGNAL_JOB -> jobs.carryOut(request);
            case MODIFY_NODE -> nodes.carryOut(request);
            case CREATE_RESERVATION, MODIFY_RESERVATION, RELEASE_RESERVATION, ENABLE_RESERVATION, REBUILD_RESERVATION ->
                reservations.carryOut(request);
            case MODIFY_CONFIG -> config.carryOut(request);
            case CONTROL_SCHEDULER -> scheduler.carryOut(request);
            case REPLACE_JOB_NODE, DROP_JOB_NODE, EXTEND_JOB, DRAIN_NODES, SUBSCRIBE_JOB, UNSUBSCRIBE_JOB -> {
                return recoveries.carryOut(request, present);
            }
            case SHOW_PRIORITY,
                    EXPLAIN_JOB,
                    SHOW_START,
                    SHOW_BACKFILL,
                    SHOW_NODE,
                    SHOW_NODE_STATISTICS,
                    SHOW_NONSTOP,
                    SHOW_JOB_FAILURES,
                    UNKNOWN -> outputs.refused(request, request.kind() + " changes nothing");
        }
        return true;
    }
}

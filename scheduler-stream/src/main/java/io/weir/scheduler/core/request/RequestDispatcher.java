package io.weir.scheduler.core.request;

import io.weir.scheduler.core.fact.QuarantineControl;
import io.weir.scheduler.core.output.ExplanationPublisher;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.Authorisation;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.request.form.NormalRequest;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.scheduler.core.request.form.RequestSubject;
import io.weir.scheduler.core.request.form.SiteAccess;
import io.weir.scheduler.core.request.form.UnreadableRequestException;
import io.weir.scheduler.core.reservation.control.ReservationManager;
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
    private final ReservationRequests reservations;
    private final long now;

    /** Made when first needed: most iterations have no requests. */
    private @Nullable RequestHandlers handlers;

    /** A question with what it was made from. */
    private record Question(PendingRequest pending, AuthorisedRequest request) {}

    /** Requests that change nothing; they are answered once the jobs are ranked and planned. */
    private final List<Question> questions = new ArrayList<>();

    private final WaitingRequests waiting = new WaitingRequests();

    public RequestDispatcher(ClusterState state, IterationOutputs outputs, ReservationRequests reservations, long now) {
        this.state = state;
        this.outputs = outputs;
        this.reservations = reservations;
        this.now = now;
        budget = state.domain.budget;
        budget.at(now);
        memory = new RequestMemory(state, outputs, now);
    }

    private RequestHandlers handlers() {
        RequestHandlers made = handlers;
        if (made == null) {
            made = new RequestHandlers(state, outputs, now);
            handlers = made;
        }
        return made;
    }

    /** Carries out the requests that wait in the domain, as far as their budget reaches; questions are kept for later. */
    public void carryOut() {
        List<PendingRequest> taken = state.domain.requests.take();
        if (taken.isEmpty()) {
            forgetSettled();
            return;
        }
        Set<String> present = new LinkedHashSet<>();
        taken.forEach(each -> present.add(each.getRequestId()));
        for (PendingRequest each : taken) {
            if (settled(each)) {
                continue;
            }
            state.work.on(QuarantineKind.REQUEST, each.getRequestId());
            boolean question = RequestSubject.of(kind(each)).isQuestion();
            NormalRequest form = form(each);
            if (form == null || (!question && memory.answers(each.getRequestId(), fingerprint(each, form)))) {
                continue;
            }
            if (!budget.open(each.getPrincipal(), question)) {
                postpone(each, form);
                continue;
            }
            AuthorisedRequest request = authorised(each, form);
            if (request != null && question) {
                questions.add(new Question(each, request));
            } else if (request != null) {
                budget.charge(request.principal(), false, price(request.kind()));
                if (carryOut(request, present)) {
                    memory.keep(request.id(), request.fingerprint(), outputs.lastAnswer());
                } else {
                    postpone(each, form);
                }
            }
        }
        forgetSettled();
    }

    /** Answers the requests that only ask, as far as their budget reaches; equal ones share an answer. */
    public void answerQuestions(ExplanationPublisher explaining) {
        Map<NormalRequest, RequestResult> given = questions.isEmpty() ? Map.of() : new LinkedHashMap<>();
        for (Question question : questions) {
            state.work.on(QuarantineKind.REQUEST, question.pending().getRequestId());
            AuthorisedRequest request = question.request();
            RequestResult same = given.get(request.form());
            if (same != null) {
                outputs.repeat(request.id(), request.fingerprint(), same);
            } else if (budget.open(request.principal(), true)) {
                budget.charge(request.principal(), true, answer(request, explaining));
                given.put(request.form(), outputs.lastAnswer());
            } else {
                postpone(question.pending(), request.form());
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
        NormalRequest form = form(each);
        if (form == null) {
            return;
        }
        boolean question = RequestSubject.of(kind(each)).isQuestion();
        long fingerprint = fingerprint(each, form);
        if (!question && memory.answers(each.getRequestId(), fingerprint)) {
            return;
        }
        if (kind(each) != RequestKind.CONTROL_SCHEDULER) {
            refuse(each, fingerprint, "scheduling is suspended; an operator has to resume it first");
            return;
        }
        AuthorisedRequest request = authorised(each, form);
        if (request != null) {
            carryOut(request, Set.of());
            memory.keep(request.id(), fingerprint, outputs.lastAnswer());
        }
    }

    /** Refuses a request before it is looked at; one for a change stays refused, however often it comes. */
    private void refuse(PendingRequest request, long fingerprint, String why) {
        outputs.refused(request.getRequestId(), fingerprint, why);
        keepRefusal(request, fingerprint);
    }

    private void keepRefusal(PendingRequest request, long fingerprint) {
        if (!RequestSubject.of(kind(request)).isQuestion()) {
            memory.keep(request.getRequestId(), fingerprint, outputs.lastAnswer());
        }
    }

    private static long fingerprint(PendingRequest request, NormalRequest form) {
        return form.fingerprint(request.getPrincipal());
    }

    /** Refuses a request that intake refused, or on which the scheduler fails; returns whether it is one. */
    private boolean settled(PendingRequest request) {
        Quarantine aside = state.quarantine.get(QuarantineKind.REQUEST, request.getRequestId());
        String refusal = aside == null ? request.getRefusal() : QuarantineControl.why(aside);
        if (refusal == null) {
            return false;
        }
        refuse(request, RequestMemory.UNKNOWN, refusal);
        return true;
    }

    /** Forgets which requests are set aside once all that waited were answered; several may have had the same id. */
    private void forgetSettled() {
        if (state.domain.requests.isEmpty()) {
            state.quarantine.removeAll(QuarantineKind.REQUEST);
        }
    }

    private void postpone(PendingRequest request, NormalRequest form) {
        if (!waiting.add(request)) {
            refuse(
                    request,
                    fingerprint(request, form),
                    "busy: too many requests wait, those of " + request.getPrincipal()
                            + " among them; ask again later, with another id");
        }
    }

    /** Answers a question and returns what that cost, in looks at nodes. */
    private long answer(AuthorisedRequest question, ExplanationPublisher explaining) {
        return switch (RequestSubject.of(question.kind())) {
            case WAIT_CAUSE -> handlers().aboutJobs.explain(question, explaining);
            case JOB_PRIORITY -> handlers().aboutJobs.priority(question);
            case START_TIME -> handlers().times.answer(question);
            case NODE_STATE -> handlers().aboutNodes.answer(question);
            case NODE_STATISTICS -> handlers().nodeStatistics.answer(question);
            case CREDENTIAL_STATISTICS -> handlers().credentials.answer(question);
            case TRIGGERS -> new TriggerQuestions(state, outputs).answer(question);
            case EVENTS -> handlers().events.answer(question);
            case FAILURE_SERVICE -> {
                handlers().recoveries.configuration(question);
                yield 100;
            }
            case JOB_FAILURES -> {
                handlers().recoveries.failures(question);
                yield 100;
            }
            case JOB, NODE, RESERVATION, CONFIGURATION, SCHEDULER, RECOVERY, UNKNOWN ->
                throw new IllegalArgumentException(question.kind() + " is no question");
        };
    }

    /** Returns what a change costs, in looks at nodes. */
    private long price(RequestKind kind) {
        int size = state.nodes.size();
        return switch (kind) {
            case CREATE_RESERVATION, MODIFY_RESERVATION, REBUILD_RESERVATION -> 200 + 5L * size;
            case RELEASE_RESERVATION, ENABLE_RESERVATION ->
                200 + state.administrativeReservations.all().size();
            case MODIFY_CONFIG -> 10_000 + 2L * size;
            case REPLACE_JOB_NODE -> 200 + 2L * size;
            case CANCEL_JOB,
                    REQUEUE_JOB,
                    HOLD_JOB,
                    RELEASE_JOB,
                    SET_JOB_PRIORITY,
                    MODIFY_JOB,
                    SUSPEND_JOB,
                    RESUME_JOB,
                    SIGNAL_JOB,
                    MODIFY_NODE,
                    CONTROL_SCHEDULER,
                    DROP_JOB_NODE,
                    EXTEND_JOB,
                    DRAIN_NODES,
                    SUBSCRIBE_JOB,
                    UNSUBSCRIBE_JOB,
                    UNKNOWN -> 200;
            case EXPLAIN_JOB,
                    SHOW_START,
                    SHOW_BACKFILL,
                    SHOW_PRIORITY,
                    SHOW_NODE,
                    SHOW_NODE_STATISTICS,
                    SHOW_CREDENTIAL_STATISTICS,
                    SHOW_TRIGGERS,
                    SHOW_EVENTS,
                    SHOW_NONSTOP,
                    SHOW_JOB_FAILURES ->
                throw new IllegalArgumentException(kind + " changes nothing; a question is paid for by what it cost");
        };
    }

    /** Returns the normal form of a request; null when it has none, which it is then told. */
    private @Nullable NormalRequest form(PendingRequest pending) {
        try {
            return NormalRequest.of(
                    kind(pending),
                    pending.getObjectId(),
                    pending.getArguments().stream()
                            .map(argument -> new NameValue(argument.getName(), argument.getValue()))
                            .toList());
        } catch (UnreadableRequestException e) {
            outputs.refused(pending.getRequestId(), RequestMemory.UNKNOWN, String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** Returns a request as its principal may make it by the policy now in force; null when it may not, which it is told. */
    private @Nullable AuthorisedRequest authorised(PendingRequest pending, NormalRequest form) {
        Integer granted = pending.getLevel();
        Principal principal =
                new Principal(pending.getPrincipal(), granted == null ? Optional.empty() : AccessLevel.of(granted));
        Authorisation authorisation = new Authorisation(SiteAccess.of(state.domain.policy), new StateObjects(state));
        Optional<String> refusal = authorisation.refusal(principal, form);
        if (refusal.isPresent()) {
            long fingerprint = fingerprint(pending, form);
            if (RequestSubject.of(form.kind()).isRecovery()) {
                outputs.forbidden(pending.getRequestId(), fingerprint, refusal.get());
            } else {
                outputs.refused(pending.getRequestId(), fingerprint, refusal.get());
            }
            keepRefusal(pending, fingerprint);
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
        if (TriggerRequests.concern(request)) {
            new TriggerRequests(state, outputs).carryOut(request);
            return true;
        }
        switch (request.kind()) {
            case CANCEL_JOB -> handlers().jobs.ofLiving(request, handlers().jobs::cancel);
            case REQUEUE_JOB -> handlers().jobs.ofLiving(request, handlers().jobs::requeue);
            case HOLD_JOB -> handlers().jobs.ofLiving(request, handlers().holds::hold);
            case RELEASE_JOB -> handlers().jobs.ofLiving(request, handlers().holds::release);
            case SUSPEND_JOB -> handlers().jobs.ofLiving(request, handlers().jobs::suspend);
            case RESUME_JOB -> handlers().jobs.ofLiving(request, handlers().jobs::resume);
            case SIGNAL_JOB -> handlers().jobs.ofLiving(request, handlers().jobs::signal);
            case SET_JOB_PRIORITY -> handlers().jobs.ofLiving(request, handlers().jobs::prioritise);
            case MODIFY_JOB -> handlers().jobs.ofLiving(request, handlers().jobs::modify);
            case MODIFY_NODE -> handlers().nodes.carryOut(request);
            case CREATE_RESERVATION -> reservations.carryOut(request, ReservationManager::create);
            case MODIFY_RESERVATION -> reservations.carryOut(request, ReservationManager::modify);
            case RELEASE_RESERVATION -> reservations.carryOut(request, ReservationManager::release);
            case ENABLE_RESERVATION -> reservations.carryOut(request, ReservationManager::enable);
            case REBUILD_RESERVATION -> reservations.carryOut(request, ReservationManager::rebuild);
            case MODIFY_CONFIG -> handlers().config.carryOut(request);
            case CONTROL_SCHEDULER -> handlers().scheduler.carryOut(request);
            case REPLACE_JOB_NODE, DROP_JOB_NODE, EXTEND_JOB -> {
                return handlers().recoveries.recover(request, present);
            }
            case DRAIN_NODES -> handlers().recoveries.drain(request);
            case SUBSCRIBE_JOB -> handlers().recoveries.subscribe(request);
            case UNSUBSCRIBE_JOB -> handlers().recoveries.unsubscribe(request);
            case EXPLAIN_JOB,
                    SHOW_START,
                    SHOW_BACKFILL,
                    SHOW_PRIORITY,
                    SHOW_NODE,
                    SHOW_NODE_STATISTICS,
                    SHOW_CREDENTIAL_STATISTICS,
                    SHOW_TRIGGERS,
                    SHOW_EVENTS,
                    SHOW_NONSTOP,
                    SHOW_JOB_FAILURES,
                    UNKNOWN -> outputs.refused(request, request.kind() + " changes nothing");
        }
        return true;
    }
}

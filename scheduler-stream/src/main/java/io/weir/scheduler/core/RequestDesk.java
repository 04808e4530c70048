package io.weir.scheduler.core;

import io.weir.scheduler.core.request.AccessLevel;
import io.weir.scheduler.core.request.Authorisation;
import io.weir.scheduler.core.request.NormalRequest;
import io.weir.scheduler.core.request.Principal;
import io.weir.scheduler.core.request.SiteAccess;
import io.weir.scheduler.core.request.UnreadableRequestException;
import io.weir.scheduler.state.PendingRequest;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Hands each request to those who can carry it out; every request is answered. One desk serves one iteration. */
final class RequestDesk {
    private final ClusterState state;
    private final Outbox outbox;
    private final JobRequests jobs;
    private final ReservationRequests reservations;
    private final ConfigRequests config;
    private final JobQuestions answers;
    private final TimeQuestions times;
    private final NodeQuestions aboutNodes;
    private final NodeRequests nodes;
    private final SchedulerRequests scheduler;

    /** Requests that change nothing; they are answered once the jobs are ranked and planned. */
    private final List<AuthorisedRequest> questions = new ArrayList<>();

    RequestDesk(ClusterState state, Outbox outbox, ReservationRequests reservations, long now) {
        this.state = state;
        this.outbox = outbox;
        this.reservations = reservations;
        jobs = new JobRequests(state, outbox, now);
        config = new ConfigRequests(state, outbox);
        answers = new JobQuestions(state, outbox, now);
        times = new TimeQuestions(state, outbox, now);
        aboutNodes = new NodeQuestions(state, outbox, now);
        nodes = new NodeRequests(state, outbox);
        scheduler = new SchedulerRequests(state, outbox, now);
    }

    /** Answers the requests that only ask. */
    void answerQuestions(Explaining explaining) {
        for (AuthorisedRequest question : questions) {
            switch (question.kind()) {
                case SHOW_START, SHOW_BACKFILL -> times.answer(question);
                case SHOW_NODE -> aboutNodes.answer(question);
                default -> answers.answer(question, explaining);
            }
        }
    }

    /** Carries a request out, unless it has no normal form or its principal may not make it by the policy now in force. */
    void carryOut(PendingRequest pending) {
        Integer granted = pending.getLevel();
        Principal principal = new Principal(
                pending.getPrincipal(), granted == null ? Optional.empty() : AccessLevel.of(granted));
        NormalRequest form;
        try {
            form = NormalRequest.of(
                    RequestKind.valueOf(pending.getKind()),
                    pending.getObjectId(),
                    pending.getArguments().stream()
                            .map(argument -> new NameValue(argument.getName(), argument.getValue()))
                            .toList());
        } catch (UnreadableRequestException e) {
            outbox.refused(pending.getRequestId(), String.valueOf(e.getMessage()));
            return;
        }
        Authorisation authorisation = new Authorisation(SiteAccess.of(state.domain.policy), new StateObjects(state));
        Optional<String> refusal = authorisation.refusal(principal, form);
        if (refusal.isPresent()) {
            outbox.refused(pending.getRequestId(), refusal.get());
            return;
        }
        carryOut(new AuthorisedRequest(
                pending.getRequestId(), principal.name(), authorisation.level(principal), form));
    }

    private void carryOut(AuthorisedRequest request) {
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
            case SHOW_PRIORITY, EXPLAIN_JOB, SHOW_START, SHOW_BACKFILL, SHOW_NODE -> questions.add(request);
            case MODIFY_NODE -> nodes.carryOut(request);
            case CREATE_RESERVATION, MODIFY_RESERVATION, RELEASE_RESERVATION, ENABLE_RESERVATION, REBUILD_RESERVATION ->
                reservations.carryOut(request);
            case MODIFY_CONFIG -> config.carryOut(request);
            case CONTROL_SCHEDULER -> scheduler.carryOut(request);
            case UNKNOWN -> outbox.refused(request, "unknown kind of request");
        }
    }
}

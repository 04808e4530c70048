package io.weir.scheduler.core;

import io.weir.scheduler.state.PendingRequest;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;

/** Hands each request to those who can carry it out; every request is answered. One desk serves one iteration. */
final class RequestDesk {
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
    private final List<PendingRequest> questions = new ArrayList<>();

    RequestDesk(ClusterState state, Outbox outbox, ReservationRequests reservations, long now) {
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
        for (PendingRequest question : questions) {
            switch (RequestKind.valueOf(question.getKind())) {
                case SHOW_START, SHOW_BACKFILL -> times.answer(question);
                case SHOW_NODE -> aboutNodes.answer(question);
                default -> answers.answer(question, explaining);
            }
        }
    }

    void carryOut(PendingRequest request) {
        switch (RequestKind.valueOf(request.getKind())) {
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

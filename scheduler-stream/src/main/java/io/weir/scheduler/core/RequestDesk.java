package io.weir.scheduler.core;

import io.weir.scheduler.state.PendingRequest;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;

/** Hands each request to those who can carry it out; every request is answered. One desk serves one iteration. */
final class RequestDesk {
    private final Outbox outbox;
    private final JobRequests jobs;
    private final ConfigRequests config;
    private final JobQuestions answers;

    /** Requests that change nothing; they are answered once the jobs are ranked and planned. */
    private final List<PendingRequest> questions = new ArrayList<>();

    RequestDesk(ClusterState state, Outbox outbox, long now) {
        this.outbox = outbox;
        jobs = new JobRequests(state, outbox, now);
        config = new ConfigRequests(state, outbox);
        answers = new JobQuestions(state, outbox, now);
    }

    /** Answers the requests that only ask. */
    void answerQuestions() {
        questions.forEach(answers::answer);
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
                    RESUME_JOB -> jobs.carryOut(request);
            case SHOW_PRIORITY -> questions.add(request);
            case MODIFY_NODE,
                    CREATE_RESERVATION,
                    MODIFY_RESERVATION,
                    RELEASE_RESERVATION,
                    ENABLE_RESERVATION,
                    REBUILD_RESERVATION,
                    EXPLAIN_JOB,
                    SHOW_START,
                    SHOW_BACKFILL -> outbox.refused(request, request.getKind() + " is not available yet");
            case MODIFY_CONFIG -> config.carryOut(request);
            case UNKNOWN -> outbox.refused(request, "unknown kind of request");
        }
    }
}

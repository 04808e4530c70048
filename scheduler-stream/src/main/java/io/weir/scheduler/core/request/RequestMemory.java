package io.weir.scheduler.core.request;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.state.AnsweredRequest;
import io.weir.scheduler.state.Argument;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.bound.Bound;
import java.util.List;

/**
 * Answers requests for changes that were answered before: the same one with its first answer, be it that there was no room
 * for it, another one under the same id with a refusal. So what was refused is never carried out afterwards. Serves one iteration.
 */
final class RequestMemory {
    /**
     * Most lines of an answer that are kept, and what is kept of each: all nodes of a large job. The message is bounded when
     * it is given, and all answers that are kept are together.
     */
    private static final int MOST_LINES = 50;

    private static final Bound.Prose LINE = new Bound.Prose(100_000, true);

    /** Stands for a request whose content was not kept, because it was refused before it was looked at. */
    static final long UNKNOWN = 0;

    /** Answers of one iteration differ in the lower bits of their numbers. */
    private static final int BITS = 24;

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;
    private long number;

    RequestMemory(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
        number = state.domain.nextIteration() << BITS;
        state.answers.forget(now);
    }

    /** Answers a request if its id is known, and says whether it is; {@code fingerprint} stands for who asks and what. */
    boolean answers(String requestId, long fingerprint) {
        AnsweredRequest known = state.answers.get(requestId);
        if (known == null) {
            return false;
        }
        if (known.getFingerprint() == fingerprint || known.getFingerprint() == UNKNOWN) {
            outputs.repeat(requestId, fingerprint, result(known));
        } else {
            outputs.refused(
                    requestId,
                    fingerprint,
                    "request id " + requestId + " was used for another request; choose an id that is new");
        }
        return true;
    }

    /** Keeps the answer to a request, unless one to this id is known. */
    void keep(String requestId, long fingerprint, RequestResult answer) {
        if (state.answers.get(requestId) != null) {
            return;
        }
        state.answers.put(AnsweredRequest.newBuilder()
                .setCluster(state.cluster)
                .setRequestId(requestId)
                .setNumber(number++)
                .setFingerprint(fingerprint)
                .setTime(now)
                .setIteration(answer.getIteration())
                .setOutcome(answer.getOutcome().name())
                .setMessage(answer.getMessage())
                .setObjectId(answer.getObjectId())
                .setDetails(answer.getDetails().stream()
                        .limit(MOST_LINES)
                        .map(line -> new Argument(line.getName(), LINE.cut(line.getValue())))
                        .toList())
                .build());
        state.answers.forget(now);
    }

    private RequestResult result(AnsweredRequest known) {
        List<NameValue> details = known.getDetails().stream()
                .map(line -> new NameValue(line.getName(), line.getValue()))
                .toList();
        return RequestResult.newBuilder()
                .setCluster(state.cluster)
                .setRequestId(known.getRequestId())
                .setOutcome(RequestOutcome.valueOf(known.getOutcome()))
                .setMessage(known.getMessage())
                .setIteration(known.getIteration())
                .setObjectId(known.getObjectId())
                .setDetails(details)
                .setFingerprint(known.getFingerprint())
                .build();
    }
}

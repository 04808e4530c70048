package io.weir.scheduler.core.request;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.state.AnsweredRequest;
import io.weir.scheduler.state.Argument;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import java.util.List;

/**
 * Answers requests for changes that were answered before: the same one with its first answer, another one under the same
 * id with a refusal. Serves one iteration.
 */
final class RequestMemory {
    /** Most lines and characters of an answer that are kept. */
    private static final int MOST_LINES = 50;

    private static final int LONGEST_TEXT = 2_000;

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

    /** Answers {@code request} if its id is known, and says whether it is. */
    boolean answers(AuthorisedRequest request) {
        AnsweredRequest known = state.answers.get(request.id());
        if (known == null) {
            return false;
        }
        if (known.getFingerprint() == request.fingerprint()) {
            outputs.repeat(request, result(known));
        } else {
            outputs.refused(
                    request, "request id " + request.id() + " was used for another request; choose an id that is new");
        }
        return true;
    }

    /** Keeps the answer to a request. */
    void keep(AuthorisedRequest request, RequestResult answer) {
        String message = answer.getMessage();
        state.answers.put(AnsweredRequest.newBuilder()
                .setCluster(state.cluster)
                .setRequestId(request.id())
                .setNumber(number++)
                .setFingerprint(request.fingerprint())
                .setTime(now)
                .setIteration(answer.getIteration())
                .setOutcome(answer.getOutcome().name())
                .setMessage(message == null ? null : shortened(message))
                .setObjectId(answer.getObjectId())
                .setDetails(answer.getDetails().stream()
                        .limit(MOST_LINES)
                        .map(line -> new Argument(line.getName(), shortened(line.getValue())))
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

    private static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
    }
}

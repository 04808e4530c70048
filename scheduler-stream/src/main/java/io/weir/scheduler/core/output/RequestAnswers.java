package io.weir.scheduler.core.output;

import io.weir.schemas.NameValue;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The answers to requests in one iteration, each bounded. Used once. */
final class RequestAnswers {
    private static final Bound.Prose NOTE = new Bound.Prose(Limit.NOTE_LENGTH, true);

    /** Characters that the lines of one answer have together; what comes behind is counted. */
    private static final int MOST_ANSWER = 250_000;

    private final String cluster;
    private final long iteration;
    private final List<Output> outputs;
    private @Nullable RequestResult lastAnswer;

    /** Adds the answers of {@code iteration} to {@code outputs}. */
    RequestAnswers(String cluster, long iteration, List<Output> outputs) {
        this.cluster = cluster;
        this.iteration = iteration;
        this.outputs = outputs;
    }

    void answer(
            String requestId,
            long fingerprint,
            RequestOutcome outcome,
            String message,
            @Nullable String objectId,
            List<NameValue> details) {
        publish(RequestResult.newBuilder()
                .setCluster(cluster)
                .setRequestId(requestId)
                .setOutcome(outcome)
                .setMessage(NOTE.cut(message))
                .setIteration(iteration)
                .setObjectId(objectId)
                .setDetails(bounded(details))
                .setFingerprint(fingerprint)
                .build());
    }

    /** Gives the answer to one request to another, or again to the same. */
    void repeat(String requestId, long fingerprint, RequestResult answer) {
        publish(RequestResult.newBuilder(answer)
                .setRequestId(requestId)
                .setFingerprint(fingerprint)
                .build());
    }

    private void publish(RequestResult answer) {
        lastAnswer = answer;
        outputs.add(new Output(OutputKind.REQUEST_RESULT, key(answer.getRequestId()), answer));
    }

    /** Returns the answer given last. */
    RequestResult lastAnswer() {
        return Objects.requireNonNull(lastAnswer, "no request was answered");
    }

    /** Returns the lines of an answer as far as there is room for them. */
    private static List<NameValue> bounded(List<NameValue> lines) {
        long characters = 0;
        for (int i = 0; i < lines.size(); i++) {
            NameValue line = lines.get(i);
            characters += line.getName().length() + line.getValue().length();
            if (characters > MOST_ANSWER) {
                List<NameValue> kept = new ArrayList<>(lines.subList(0, i));
                kept.add(new NameValue("line", "… and " + (lines.size() - i) + " more lines"));
                return kept;
            }
        }
        return lines;
    }

    private String key(String entity) {
        return cluster + "/" + entity;
    }
}

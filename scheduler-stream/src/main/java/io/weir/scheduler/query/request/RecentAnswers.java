package io.weir.scheduler.query.request;

import io.weir.schemas.Request;
import io.weir.schemas.RequestResult;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Answers to questions that still hold because no iteration has been since: who asks the same again gets the recorded
 * answer, and nothing more is recorded, however often a script asks. Thread-safe.
 */
public final class RecentAnswers {
    /** A question about times is asked anew after that long, even on a machine where nothing happens. */
    private static final Duration FRESH = Duration.ofSeconds(10);

    private static final int REMEMBERED = 1_000;

    private final Map<Question, Answer> answers = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Question, Answer> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** Returns the answer to the same question, if it was given by {@code iteration}, the cluster's last, and lately. */
    public synchronized Optional<RequestResult> find(Request request, long iteration) {
        Answer known = answers.get(Question.of(request));
        return known != null
                        && known.result().getIteration() == iteration
                        && System.nanoTime() - known.at() < FRESH.toNanos()
                ? Optional.of(known.result())
                : Optional.empty();
    }

    public synchronized void keep(Request request, RequestResult result) {
        Question question = Question.of(request);
        answers.remove(question);
        answers.put(question, new Answer(result, System.nanoTime()));
    }

    private record Answer(RequestResult result, long at) {}

    /** What a request asks, whoever asks it. */
    private record Question(String cluster, String kind, String objectId, List<String> arguments) {
        static Question of(Request request) {
            return new Question(
                    request.getCluster(),
                    request.getKind().name(),
                    request.getObjectId(),
                    request.getArguments().stream()
                            .map(argument -> argument.getName() + "=" + argument.getValue())
                            .toList());
        }
    }
}

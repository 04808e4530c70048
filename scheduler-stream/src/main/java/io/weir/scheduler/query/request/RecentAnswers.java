package io.weir.scheduler.query.request;

import io.weir.schemas.Request;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Answers to questions that still hold because no iteration has been since: who asks the same again gets the recorded
 * answer, and nothing more is recorded, however often a script asks. A refusal is about who asked, and is for nobody else.
 * The oldest are forgotten when there are too many or they take too much memory. Thread-safe.
 */
public final class RecentAnswers {
    /** A question about times is asked anew after that long, even on a machine where nothing happens. */
    private static final Duration FRESH = Duration.ofSeconds(10);

    private static final int REMEMBERED = 1_000;
    private static final long REMEMBERED_CHARACTERS = 16L << 20;

    /** The oldest first. Guarded by this. */
    private final Map<Question, Answer> answers = new LinkedHashMap<>();

    /** Characters of all of them. Guarded by this. */
    private long characters;

    /** Returns the answer to the same question, if it was given by {@code iteration}, the cluster's last, and lately. */
    public synchronized Optional<RequestResult> find(Request request, long iteration) {
        Answer known = answers.get(Question.of(request));
        return known != null
                        && known.result().getIteration() == iteration
                        && System.nanoTime() - known.at() < FRESH.toNanos()
                        && known.isFor(request.getPrincipal())
                ? Optional.of(known.result())
                : Optional.empty();
    }

    public synchronized void keep(Request request, RequestResult result) {
        Question question = Question.of(request);
        Answer before = answers.remove(question);
        Answer answer = new Answer(request.getPrincipal(), result, System.nanoTime());
        answers.put(question, answer);
        characters += answer.size() - (before == null ? 0 : before.size());
        Iterator<Answer> oldest = answers.values().iterator();
        while (answers.size() > REMEMBERED || (characters > REMEMBERED_CHARACTERS && answers.size() > 1)) {
            characters -= oldest.next().size();
            oldest.remove();
        }
    }

    /** Returns how many are remembered. */
    synchronized int size() {
        return answers.size();
    }

    private record Answer(String principal, RequestResult result, long at) {
        boolean isFor(String other) {
            return result.getOutcome() == RequestOutcome.ACCEPTED || principal.equals(other);
        }

        long size() {
            return KnownAnswers.charactersOf(result);
        }
    }

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

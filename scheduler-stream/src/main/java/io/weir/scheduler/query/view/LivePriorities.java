package io.weir.scheduler.query.view;

import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.schemas.NameValue;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The order of the queue by computed priority, which no topic tells because it changes with every instant. The scheduler
 * is asked in the API's own name, once for each iteration that is looked at, however many look. Thread-safe.
 */
public final class LivePriorities {
    /** Name by which these requests are recorded. */
    static final String PRINCIPAL = "weir-api";

    /** How long it is not asked again after it gave no answer. */
    private static final Duration PAUSE = Duration.ofSeconds(15);

    private static final long UNANSWERED = -1;
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Questions questions;
    private final Map<String, Asked> asked = new HashMap<>();

    public LivePriorities(Questions questions) {
        this.questions = questions;
    }

    /**
     * Returns the ranking of a cluster's queue as of {@code iteration} or a later one; {@link PriorityRanking#UNKNOWN} when
     * the scheduler does not give one.
     */
    public synchronized PriorityRanking of(String cluster, long iteration) throws InterruptedException {
        Asked last = asked.get(cluster);
        if (last != null && (last.iteration() >= iteration || last.isPausing())) {
            return last.ranking();
        }
        Request request = Request.newBuilder()
                .setCluster(cluster)
                .setRequestId(PRINCIPAL + ":" + UUID.randomUUID())
                .setPrincipal(PRINCIPAL)
                .setLevel(AccessLevel.AUDITOR.number())
                .setKind(RequestKind.SHOW_PRIORITY)
                .setObjectId("ALL")
                .setArguments(List.of(new NameValue("form", "brief")))
                .setTime(Instant.now().truncatedTo(ChronoUnit.MILLIS))
                .build();
        Asked now = questions
                .ask(request, 0, PATIENCE)
                .filter(answer -> answer.getOutcome() == RequestOutcome.ACCEPTED)
                .map(answer -> new Asked(answer.getIteration(), System.nanoTime(), PriorityRanking.of(answer)))
                .orElseGet(() -> new Asked(UNANSWERED, System.nanoTime(), PriorityRanking.UNKNOWN));
        asked.put(cluster, now);
        return now.ranking();
    }

    /** Where the scheduler is asked. */
    @FunctionalInterface
    public interface Questions {
        /** Returns the answer to {@code request}; empty when there was none within {@code patience}. */
        Optional<RequestResult> ask(Request request, long fingerprint, Duration patience) throws InterruptedException;
    }

    private record Asked(long iteration, long at, PriorityRanking ranking) {
        boolean isPausing() {
            return iteration == UNANSWERED && System.nanoTime() - at < PAUSE.toNanos();
        }
    }
}

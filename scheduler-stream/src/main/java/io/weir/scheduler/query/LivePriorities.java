package io.weir.scheduler.query;

import io.weir.scheduler.core.request.AccessLevel;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The order of the queue by computed priority, which no topic tells because it changes with every instant. The scheduler
 * is asked in the API's own name, at most every quarter of a minute, however many look at the queue. Thread-safe.
 */
final class LivePriorities {
    /** Name by which these requests are recorded. */
    static final String PRINCIPAL = "weir-api";

    private static final Duration FRESH = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final RequestDesk desk;
    private final Map<String, Asked> asked = new HashMap<>();

    LivePriorities(RequestDesk desk) {
        this.desk = desk;
    }

    /** Returns the ranking of a cluster's queue; {@link PriorityRanking#NONE} when the scheduler does not give one. */
    synchronized PriorityRanking of(String cluster) throws InterruptedException {
        Asked last = asked.get(cluster);
        if (last != null && System.nanoTime() - last.at() < FRESH.toNanos()) {
            return last.ranking();
        }
        Request request = Request.newBuilder()
                .setCluster(cluster)
                .setRequestId(PRINCIPAL + ":" + UUID.randomUUID())
                .setPrincipal(PRINCIPAL)
                .setLevel(AccessLevel.AUDITOR.number())
                .setKind(RequestKind.SHOW_PRIORITY)
                .setObjectId("ALL")
                .setTime(Instant.now().truncatedTo(ChronoUnit.MILLIS))
                .build();
        PriorityRanking ranking = desk.ask(request, 0, PATIENCE)
                .filter(answer -> answer.getOutcome() == RequestOutcome.ACCEPTED)
                .map(PriorityRanking::of)
                .orElse(PriorityRanking.NONE);
        asked.put(cluster, new Asked(System.nanoTime(), ranking));
        return ranking;
    }

    private record Asked(long at, PriorityRanking ranking) {}
}

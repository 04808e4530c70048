package io.weir.command.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/** When a job might start, going by how long jobs like it waited. */
final class WaitEstimator {
    /** Fewer than these tell little. */
    private static final int FEW = 5;

    private final JsonNode kinds;

    /** Goes by the view {@code waits}. */
    WaitEstimator(JsonNode kinds) {
        this.kinds = kinds;
    }

    /**
     * An estimate.
     *
     * @param start estimated start, not before now
     * @param end estimated completion
     * @param jobs jobs it rests on
     * @param like in what they are like the one asked about, for people
     * @param median half of them waited no longer
     */
    record Estimate(Instant start, Instant end, int jobs, String like, Duration median) {
        ObjectNode toJson() {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("method", "hist")
                    .put("start", start.toString())
                    .put("end", end.toString())
                    .put("jobs", jobs)
                    .put("medianWaitSeconds", median.toSeconds());
        }
    }

    /** Estimates by jobs of the same size and length; where there were few, by those of the same size, or by all. */
    Optional<Estimate> estimate(int procs, long seconds, Instant submitted, Instant now) {
        Predicate<JsonNode> size = kind -> procs <= kind.path("mostProcs").asInt()
                && kind.path("mostProcs").asInt() < 2 * procs;
        Predicate<JsonNode> length =
                kind -> seconds <= kind.path("longestSeconds").asLong()
                        && kind.path("longestSeconds").asLong() < 2 * seconds;
        Optional<Estimate> alike =
                estimate(size.and(length), "jobs of this size and length", FEW, seconds, submitted, now);
        return alike.or(() -> estimate(size, "jobs of this size", FEW, seconds, submitted, now))
                .or(() -> estimate(kind -> true, "jobs", 1, seconds, submitted, now));
    }

    private Optional<Estimate> estimate(
            Predicate<JsonNode> those, String like, int least, long seconds, Instant submitted, Instant now) {
        int jobs = 0;
        double sum = 0;
        for (JsonNode kind : kinds) {
            if (those.test(kind)) {
                int count = kind.path("jobs").asInt();
                jobs += count;
                sum += (double) count * kind.path("medianWaitSeconds").asLong();
            }
        }
        if (jobs < least) {
            return Optional.empty();
        }
        Duration median = Duration.ofSeconds(Math.round(sum / jobs));
        Instant start = submitted.plus(median);
        Instant first = start.isBefore(now) ? now : start;
        return Optional.of(new Estimate(first, first.plusSeconds(seconds), jobs, like, median));
    }
}

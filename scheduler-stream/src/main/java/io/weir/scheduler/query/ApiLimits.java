package io.weir.scheduler.query;

import io.weir.service.ServiceConfig;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;

/**
 * What one client of the API may take up.
 *
 * @param connections open connections of all clients
 * @param questionsPerSecond calls that change nothing, by principal, or by network without tokens
 * @param requestsPerSecond calls that may change something, likewise
 * @param origins foreign pages that may change something, such as {@code https://portal.example}, in lower case
 */
record ApiLimits(int connections, int questionsPerSecond, int requestsPerSecond, List<String> origins) {
    private static final int MOST_CONNECTIONS = 100_000;
    private static final int MOST_PER_SECOND = 1_000_000;

    /** Adds the keys to {@code definition}. */
    static ConfigDef define(ConfigDef definition) {
        return definition
                .define(
                        "api.connections",
                        Type.INT,
                        1_024,
                        Range.between(16, MOST_CONNECTIONS),
                        Importance.LOW,
                        "Most open connections to the API. A further one closes one that waits for its client: of the"
                                + " address with the most of them, the one that has waited for longest.")
                .define(
                        "api.questions.per.second",
                        Type.INT,
                        100,
                        Range.between(1, MOST_PER_SECOND),
                        Importance.LOW,
                        "Reading calls per second that one principal, or one address without a token, may make on"
                                + " average, with bursts of 20 seconds' worth; further calls get 429.")
                .define(
                        "api.requests.per.second",
                        Type.INT,
                        50,
                        Range.between(1, MOST_PER_SECOND),
                        Importance.LOW,
                        "Requests per second that one principal, or one address without a token, may make on average,"
                                + " with bursts of 20 seconds' worth; further ones get 429.")
                .define(
                        "api.origins",
                        Type.LIST,
                        "",
                        Importance.LOW,
                        "Origins of other web pages that may make requests, such as https://portal.example.");
    }

    static ApiLimits from(ServiceConfig config) {
        return new ApiLimits(
                Math.toIntExact(config.number("api.connections")),
                Math.toIntExact(config.number("api.questions.per.second")),
                Math.toIntExact(config.number("api.requests.per.second")),
                config.list("api.origins").stream()
                        .map(origin -> origin.toLowerCase(Locale.ROOT))
                        .toList());
    }
}

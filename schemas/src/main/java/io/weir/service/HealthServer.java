package io.weir.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.service.http.HttpCall;
import io.weir.service.http.HttpListener;
import io.weir.service.http.HttpRefusal;
import io.weir.service.http.HttpReply;
import io.weir.service.http.HttpSettings;
import java.io.IOException;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Serves {@code /health/live}, {@code /health/ready} (200 or 503, with the conditions as JSON) and {@code /metrics} in
 * Prometheus' text format. Closing frees the port.
 */
public final class HealthServer implements AutoCloseable {

    private static final String GET = "GET";
    private static final String ALLOWED = "GET, HEAD, OPTIONS";
    private static final JsonMapper JSON_MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpListener listener;
    private final BooleanSupplier alive;
    private final Readiness readiness;
    private final PrometheusMeterRegistry meters;

    private HealthServer(
            HttpSettings settings, BooleanSupplier alive, Readiness readiness, PrometheusMeterRegistry meters)
            throws IOException {
        this.alive = alive;
        this.readiness = readiness;
        this.meters = meters;
        this.listener = HttpListener.start(settings, call -> answer(call).now());
    }

    /**
     * Starts serving.
     *
     * @throws IOException when the address is taken or not this machine's
     */
    public static HealthServer start(
            HttpSettings settings, BooleanSupplier alive, Readiness readiness, PrometheusMeterRegistry meters)
            throws IOException {
        try {
            return new HealthServer(settings, alive, readiness, meters);
        } catch (IOException e) {
            throw new IOException(
                    "Cannot serve health on " + settings.host() + ":" + settings.port() + " (" + e.getMessage()
                            + "); set health.host and health.port to a free address of this machine",
                    e);
        }
    }

    /** Returns the port it serves on. */
    public int port() {
        return listener.port();
    }

    /** Returns where it is served. */
    public String url() {
        return listener.url();
    }

    @Override
    public void close() {
        listener.close();
    }

    private HttpReply answer(HttpCall call) {
        return switch (call.rawPath()) {
            case "/health/live" -> get(call) ? status(alive.getAsBoolean(), Map.of()) : HttpReply.options(ALLOWED);
            case "/health/ready" ->
                get(call) ? status(readiness.isReady(), readiness.report()) : HttpReply.options(ALLOWED);
            case "/metrics" ->
                get(call)
                        ? HttpReply.text(HttpReply.OK, PROMETHEUS, meters.scrape(PROMETHEUS))
                        : HttpReply.options(ALLOWED);
            default -> throw new HttpRefusal(HttpRefusal.NOT_FOUND, "try /health/live, /health/ready or /metrics");
        };
    }

    /** Says whether the call is for the resource, not for what can be done with it. */
    private static boolean get(HttpCall call) {
        return switch (call.method()) {
            case GET -> true;
            case "OPTIONS" -> false;
            default -> throw HttpRefusal.method(call.method(), ALLOWED);
        };
    }

    private static HttpReply status(boolean up, Map<String, String> conditions) {
        try {
            String body =
                    JSON_MAPPER.writeValueAsString(Map.of("status", up ? "UP" : "DOWN", "conditions", conditions));
            return HttpReply.text(up ? HttpReply.OK : HttpRefusal.UNAVAILABLE, HttpReply.JSON, body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A map of texts is always JSON", e);
        }
    }
}

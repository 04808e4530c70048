package io.weir.service;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/**
 * Serves {@code /health/live}, {@code /health/ready} (200 or 503, with the conditions as JSON) and {@code /metrics} in
 * Prometheus' text format. One daemon thread; closing frees the port.
 */
public final class HealthServer implements AutoCloseable {

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;
    private static final String JSON = "application/json";
    private static final JsonMapper JSON_MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService executor;

    private HealthServer(HttpServer server, ExecutorService executor) {
        this.server = server;
        this.executor = executor;
    }

    /**
     * Starts serving.
     *
     * @param host address to bind to
     * @param port port to bind to; 0 takes a free one
     * @throws IOException when the address is taken or not this machine's
     */
    public static HealthServer start(
            String host, int port, BooleanSupplier alive, Readiness readiness, PrometheusMeterRegistry meters)
            throws IOException {
        HttpServer server;
        try {
            server = HttpListener.bind(new InetSocketAddress(host, port));
        } catch (IOException e) {
            throw new IOException(
                    "Cannot serve health on " + host + ":" + port + " (" + e.getMessage()
                            + "); set health.host and health.port to a free address of this machine",
                    e);
        }
        server.createContext("/", exchange -> answer(exchange, alive, readiness, meters));
        ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "health");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(executor);
        server.start();
        return new HealthServer(server, executor);
    }

    /** Returns the port it serves on. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdown();
    }

    private static void answer(
            HttpExchange exchange, BooleanSupplier alive, Readiness readiness, PrometheusMeterRegistry meters)
            throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                send(exchange, METHOD_NOT_ALLOWED, JSON, "{\"error\":\"only GET\"}");
                return;
            }
            switch (exchange.getRequestURI().getPath()) {
                case "/health/live" -> {
                    boolean up = alive.getAsBoolean();
                    send(exchange, up ? OK : UNAVAILABLE, JSON, status(up, Map.of()));
                }
                case "/health/ready" -> {
                    boolean up = readiness.isReady();
                    send(exchange, up ? OK : UNAVAILABLE, JSON, status(up, readiness.report()));
                }
                case "/metrics" -> send(exchange, OK, PROMETHEUS, meters.scrape(PROMETHEUS));
                default ->
                    send(exchange, NOT_FOUND, JSON, "{\"error\":\"try /health/live, /health/ready or /metrics\"}");
            }
        }
    }

    private static String status(boolean up, Map<String, String> conditions) throws IOException {
        return JSON_MAPPER.writeValueAsString(Map.of("status", up ? "UP" : "DOWN", "conditions", conditions));
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}

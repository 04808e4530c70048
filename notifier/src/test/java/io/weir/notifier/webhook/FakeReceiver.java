package io.weir.notifier.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real HTTP server that takes deliveries, once per Idempotency-Key, and answers as it is told. Thread-safe. */
final class FakeReceiver implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Answer> answers = new ArrayDeque<>();
    private final Set<String> keys = new LinkedHashSet<>();
    private final List<String> ids = new ArrayList<>();
    private final List<Headers> requests = new ArrayList<>();
    private int port;
    private HttpServer server;

    FakeReceiver() {
        start();
    }

    /** What the receiver answers. */
    interface Answer {
        void write(HttpExchange exchange) throws IOException;
    }

    static Answer status(int status, String body, String... headers) {
        return exchange -> {
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
            }
            byte[] bytes = body.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        };
    }

    /** Answers with an endless body. */
    static Answer endless(int status) {
        return exchange -> {
            exchange.sendResponseHeaders(status, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                while (true) {
                    body.write("all is well ".getBytes(java.nio.charset.StandardCharsets.UTF_8));
                }
            }
        };
    }

    /** Begins an answer and never ends it. */
    static Answer stuckAfterHeaders(int status) {
        return exchange -> {
            exchange.sendResponseHeaders(status, 100);
            exchange.getResponseBody().flush();
            stall();
        };
    }

    /** Announces more than {@code text} and hangs up behind it. */
    static Answer cutShort(int status, String text) {
        return exchange -> {
            exchange.sendResponseHeaders(status, 100);
            exchange.getResponseBody().write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        };
    }

    /** Never answers. */
    static Answer silence() {
        return exchange -> stall();
    }

    /** Hangs up without an answer. */
    static Answer hangUp() {
        return HttpExchange::close;
    }

    /** Gives {@code answer} to the next request that has none yet; without any, the answer is 200. */
    synchronized void next(Answer answer) {
        answers.add(answer);
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + port + "/hooks/secret-token?key=secret-key");
    }

    /** Returns the ids of the deliveries that took effect. */
    synchronized List<String> ids() {
        return List.copyOf(ids);
    }

    /** Returns the headers of every request. */
    synchronized List<Headers> requests() {
        return List.copyOf(requests);
    }

    void stop() {
        server.stop(0);
    }

    void start() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        port = server.getAddress().getPort();
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    @Override
    public void close() {
        stop();
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        JsonNode delivery = MAPPER.readTree(exchange.getRequestBody());
        Answer answer;
        synchronized (this) {
            requests.add(exchange.getRequestHeaders());
            answer = answers.poll();
            if (answer == null && keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"))) {
                ids.add(delivery.get("id").textValue());
            }
        }
        try (exchange) {
            (answer == null ? status(200, "thank you") : answer).write(exchange);
        }
    }

    private static void stall() {
        try {
            Thread.sleep(60_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

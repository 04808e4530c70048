package io.weir.notifier;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** Takes POSTs and notes the key of each, repetitions included, and what those say that it agrees to. Thread-safe. */
final class HookReceiver implements AutoCloseable {

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> keys = new ArrayList<>();
    private final Map<String, String> taken = new TreeMap<>();
    private final HttpServer server;
    private volatile int status = 200;
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile Consumer<Integer> onAnswered = count -> {};

    HookReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    /** Answers with {@code newStatus} from here on. */
    void answer(int newStatus) {
        status = newStatus;
    }

    /** Holds every answer back until {@link #release}. */
    void hold() {
        gate = new CountDownLatch(1);
    }

    void release() {
        gate.countDown();
    }

    /** Has {@code listener} called with the number of requests so far, once each of them is answered. */
    void onAnswered(Consumer<Integer> listener) {
        onAnswered = listener;
    }

    synchronized List<String> keys() {
        return List.copyOf(keys);
    }

    /** Returns what it agreed to, by key: a repetition counts once. */
    synchronized Map<String, String> taken() {
        return Map.copyOf(taken);
    }

    @Override
    public void close() {
        release();
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            int count;
            synchronized (this) {
                keys.add(key);
                count = keys.size();
            }
            gate.await();
            int answer = status;
            if (answer / 100 == 2) {
                synchronized (this) {
                    taken.put(key, body);
                }
            }
            exchange.sendResponseHeaders(answer, -1);
            onAnswered.accept(count);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

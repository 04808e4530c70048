package io.weir.standalone.drill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.schemas.NonstopEventKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;

/**
 * Applications that are called back, one at each path. Until it is calm a call may be refused, or taken and answered too
 * late for the caller to hear it, or be lost, as the path and chance have it.
 */
@NullUnmarked
final class CallbackReceiver implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Longer than the service waits for an answer. */
    private static final long TOO_LATE_SECONDS = 7;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch calm = new CountDownLatch(1);
    private final Random random;

    /** Calls that came whole, by path, in the order they came. Guarded by this. */
    private final Map<String, List<Call>> calls = new TreeMap<>();

    /** What becomes of a call. */
    private enum Fate {
        TAKEN,
        REFUSED,
        STALLED,
        LATE
    }

    /**
     * What an application was told.
     *
     * @param taken whether the application has it
     * @param answered whether the service was told so in time
     */
    record Call(Set<NonstopEventKind> events, String lastEventId, boolean taken, boolean answered) {}

    /** Fates of a path, each as likely as it is often named. */
    private static final Map<String, List<Fate>> FATES = Map.of(
            "/good", List.of(Fate.TAKEN),
            "/fails", List.of(Fate.REFUSED, Fate.REFUSED, Fate.TAKEN),
            "/stalls", List.of(Fate.STALLED, Fate.TAKEN),
            "/late", List.of(Fate.LATE, Fate.LATE, Fate.TAKEN),
            "/odd", List.of(Fate.values()),
            "/deaf", List.of(Fate.REFUSED));

    CallbackReceiver(long seed) throws IOException {
        random = new Random(seed);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::called);
        server.start();
    }

    /** Returns the addresses of the applications. */
    List<String> endpoints() {
        return FATES.keySet().stream().sorted().map(this::endpoint).toList();
    }

    private String endpoint(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** From now on every call is taken. */
    void calm() {
        calm.countDown();
    }

    /** Returns what came to an address. */
    synchronized List<Call> calls(String endpoint) {
        return FATES.keySet().stream()
                .filter(path -> endpoint(path).equals(endpoint))
                .findFirst()
                .map(path -> List.copyOf(calls.getOrDefault(path, List.of())))
                .orElseThrow();
    }

    private void called(HttpExchange exchange) throws IOException {
        JsonNode body = JSON.readTree(exchange.getRequestBody().readAllBytes());
        EnumSet<NonstopEventKind> events = EnumSet.noneOf(NonstopEventKind.class);
        body.path("events").forEach(kind -> events.add(NonstopEventKind.valueOf(kind.asText())));
        String path = exchange.getRequestURI().getPath();
        Fate fate;
        synchronized (this) {
            List<Fate> fates = FATES.get(path);
            fate = calm.getCount() == 0 ? Fate.TAKEN : fates.get(random.nextInt(fates.size()));
            calls.computeIfAbsent(path, any -> new ArrayList<>())
                    .add(new Call(
                            events,
                            body.path("lastEventId").asText(),
                            fate == Fate.TAKEN || fate == Fate.LATE,
                            fate == Fate.TAKEN));
        }
        try (exchange) {
            if (fate == Fate.STALLED || fate == Fate.LATE) {
                TimeUnit.SECONDS.sleep(TOO_LATE_SECONDS);
            }
            exchange.sendResponseHeaders(fate == Fate.REFUSED ? 503 : 200, -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

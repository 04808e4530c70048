package io.weir.scheduler.query;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.service.http.HttpHandler;
import io.weir.service.http.HttpListener;
import io.weir.service.http.HttpRefusal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the failure service of each cluster whose configuration asks for it, on the port it names, and follows changes of
 * both. One thread looks; what cannot be served is said once and tried again.
 */
final class NonstopListeners implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NonstopListeners.class);
    private static final long LOOK_MILLIS = 2_000;

    private final ApiSettings settings;
    private final List<String> clusters;
    private final Function<String, String> policies;
    private final Function<String, HttpHandler> handlers;
    private final Map<String, Open> open = new TreeMap<>();
    private final Map<String, Integer> refused = new TreeMap<>();

    /** What was read last, by cluster: a configuration is long, and seldom another. */
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    private final Thread thread;
    private volatile boolean closed;

    private record Open(Serving serving, HttpListener listener) {}

    /** What of the settings the listener is made of. */
    private record Serving(int port, Duration read, Duration write, List<String> names) {
        static Serving of(NonstopSettings settings) {
            return new Serving(
                    settings.port(),
                    Duration.ofMillis(settings.readTimeoutMillis()),
                    Duration.ofMillis(settings.writeTimeoutMillis()),
                    Stream.of(settings.controlAddress(), settings.backupAddress())
                            .filter(Objects::nonNull)
                            .toList());
        }
    }

    private record Known(String text, Optional<NonstopSettings> settings) {}

    /**
     * Begins.
     *
     * @param policies text of the configuration that the failure service goes by, by cluster
     * @param handlers what serves a cluster
     */
    NonstopListeners(
            ApiSettings settings,
            List<String> clusters,
            Function<String, String> policies,
            Function<String, HttpHandler> handlers) {
        this.settings = settings;
        this.clusters = clusters;
        this.policies = policies;
        this.handlers = handlers;
        thread = new Thread(this::follow, "nonstop-service");
        thread.setDaemon(true);
        thread.start();
    }

    private void follow() {
        while (!closed) {
            for (String cluster : clusters) {
                try {
                    look(cluster);
                } catch (RuntimeException e) {
                    log.warn("Failure service of {}: what it has to be is not known, it stays as it is", cluster, e);
                }
            }
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void look(String cluster) {
        Optional<NonstopSettings> wanted;
        try {
            wanted = settingsOf(cluster, policies.apply(cluster));
        } catch (HttpRefusal e) {
            log.debug("The configuration of {} is not known yet: {}", cluster, e.getMessage());
            return;
        }
        Optional<Serving> serving = wanted.map(Serving::of);
        Open before = open.get(cluster);
        if (before != null && !serving.equals(Optional.of(before.serving()))) {
            before.listener().close();
            open.remove(cluster);
            log.info(
                    "Failure service: cluster={} no longer on port {}",
                    cluster,
                    before.serving().port());
        }
        if (serving.isPresent() && !open.containsKey(cluster)) {
            serve(cluster, serving.get());
        }
    }

    private Optional<NonstopSettings> settingsOf(String cluster, String text) {
        Known before = known.get(cluster);
        if (before != null && before.text().equals(text)) {
            return before.settings();
        }
        Optional<NonstopSettings> read =
                Optional.ofNullable(SitePolicy.read(text).policy().nonstop());
        known.put(cluster, new Known(text, read));
        return read;
    }

    /** Serves as {@code handler} does, and with Debug says what is asked and what comes of it; never with what token. */
    private HttpHandler told(String cluster, HttpHandler handler) {
        return call -> {
            Known now = known.get(cluster);
            int debug =
                    now == null ? 0 : now.settings().map(NonstopSettings::debug).orElse(0);
            if (debug <= 0) {
                return handler.answer(call);
            }
            long began = System.nanoTime();
            return handler.answer(call)
                    .whenComplete((reply, failure) -> log.info(
                            "Failure service: cluster={} from={} {} {} status={} ms={}",
                            cluster,
                            call.remote(),
                            call.method(),
                            call.rawPath(),
                            failure == null ? reply.status() : "refused",
                            (System.nanoTime() - began) / 1_000_000));
        };
    }

    private void serve(String cluster, Serving serving) {
        int port = serving.port();
        try {
            HttpListener listener = HttpListener.start(
                    settings.nonstop(port, serving.read(), serving.write(), serving.names()),
                    told(cluster, handlers.apply(cluster)));
            open.put(cluster, new Open(serving, listener));
            refused.remove(cluster);
            log.info("Failure service: cluster={} url={}", cluster, listener.url());
        } catch (IOException e) {
            if (!Integer.valueOf(port).equals(refused.put(cluster, port))) {
                log.error("Failure service of {} cannot be served on port {}: {}", cluster, port, e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        open.values().forEach(each -> each.listener().close());
    }
}

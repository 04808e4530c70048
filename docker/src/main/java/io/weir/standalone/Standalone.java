package io.weir.standalone;

import io.weir.notifier.runtime.NotifierService;
import io.weir.rm.runtime.ConnectorService;
import io.weir.rm.runtime.RunnerListener;
import io.weir.scheduler.SchedulerService;
import io.weir.service.Service;
import io.weir.service.ServiceConfig;
import io.weir.topics.TopicProvisioner;
import io.weir.topics.TopicSettings;
import io.weir.topics.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parts of Weir running in this JVM on one data directory. All parts together are the all-in-one launcher; a part alone
 * finds the others' broker through the directory. Everything acknowledged survives a kill: start again on the same
 * directory. A part that stops for good, for whatever reason, asks the whole to stop; {@link #close} does it.
 */
public final class Standalone implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Standalone.class);
    private static final long BROKER_PATIENCE_SECONDS = 60;

    private final Endpoints endpoints;
    private final @Nullable Backbone backbone;
    private final Map<Part, HostedService> services;
    private final CountDownLatch stopRequested;
    private boolean closed;

    private Standalone(
            Endpoints endpoints,
            @Nullable Backbone backbone,
            Map<Part, HostedService> services,
            CountDownLatch stopRequested) {
        this.endpoints = endpoints;
        this.backbone = backbone;
        this.services = services;
        this.stopRequested = stopRequested;
    }

    /** Starts {@code parts} in the order in which {@link Part} declares them; returns when all have started. */
    public static Standalone start(StandaloneConfig config, Set<Part> parts) {
        return start(config, parts, RunnerListener.NONE, endpoints -> {});
    }

    /**
     * Starts {@code parts}.
     *
     * @param listener is told what the connector does
     * @param beforeServices run when the broker serves and has its topics, before any service starts
     */
    public static Standalone start(
            StandaloneConfig config, Set<Part> parts, RunnerListener listener, Consumer<Endpoints> beforeServices) {
        createDirectories(config.directory());
        CountDownLatch stopRequested = new CountDownLatch(1);
        Map<Part, HostedService> services = new EnumMap<>(Part.class);
        Backbone backbone = null;
        try {
            if (parts.contains(Part.BROKER)) {
                backbone = Backbone.start(
                        config.directory(), config.brokerPort(), config.registryPort(), config.brokerSettings());
            }
            Endpoints endpoints = backbone == null ? findEndpoints(config) : backbone.endpoints();
            Map<String, String> settings = config.settings(endpoints);
            if (backbone != null) {
                provision(settings);
                backbone.announce();
            }
            beforeServices.accept(endpoints);
            for (Part part : Part.values()) {
                if (part != Part.BROKER && parts.contains(part)) {
                    Service service = service(part, listener);
                    services.put(
                            part,
                            HostedService.start(service, settingsOf(service, settings), stopRequested::countDown));
                }
            }
            return new Standalone(endpoints, backbone, services, stopRequested);
        } catch (RuntimeException | Error e) {
            close(services, backbone);
            throw e;
        }
    }

    /** Leaves out what only other services know: a service takes a key it does not know for a slip. */
    private static Map<String, String> settingsOf(Service service, Map<String, String> settings) {
        Set<String> own = service.definition().names();
        Map<String, String> known = new HashMap<>(settings);
        for (Part part : Part.values()) {
            if (part != Part.BROKER) {
                Set<String> theirs =
                        service(part, RunnerListener.NONE).definition().names();
                known.keySet().removeIf(key -> theirs.contains(key) && !own.contains(key));
            }
        }
        return known;
    }

    private static Service service(Part part, RunnerListener listener) {
        return switch (part) {
            case SCHEDULER -> new SchedulerService();
            case CONNECTOR -> new ConnectorService(listener);
            case NOTIFIER -> new NotifierService();
            case BROKER -> throw new IllegalArgumentException(part + " is no service");
        };
    }

    /** Makes the topics that are missing, as {@code settings} say. */
    public static void provision(Map<String, String> settings) {
        ServiceConfig config = ServiceConfig.of(TopicSettings.define(ServiceConfig.baseDefinition()), settings);
        try (Admin admin = Admin.create(config.admin())) {
            new TopicProvisioner(admin, TopicSettings.from(config)).provision(Topics.all());
        }
    }

    /** Where the broker and the registry are reached. */
    public Endpoints endpoints() {
        return endpoints;
    }

    /** The service that runs as {@code part}; empty for the broker and for parts that do not run here. */
    public Optional<HostedService> service(Part part) {
        return Optional.ofNullable(services.get(part));
    }

    /** Asks for a stop, from any thread. */
    public void requestStop() {
        stopRequested.countDown();
    }

    /** Waits until a part has stopped or a stop was asked for. */
    public void awaitStopRequest() throws InterruptedException {
        stopRequested.await();
    }

    /** Waits no longer than {@code millis}; returns whether the stop has come. */
    public boolean awaitStopRequest(long millis) throws InterruptedException {
        return stopRequested.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Says whether no service has failed. */
    public boolean isHealthy() {
        return services.values().stream().allMatch(HostedService::isAlive);
    }

    /** Stops all parts in order, the broker last. A second caller waits for the first. */
    @Override
    public synchronized void close() {
        stopRequested.countDown();
        if (!closed) {
            closed = true;
            close(services, backbone);
        }
    }

    private static void close(Map<Part, HostedService> services, @Nullable Backbone backbone) {
        List<HostedService> lastFirst = new ArrayList<>(services.values());
        Collections.reverse(lastFirst);
        for (HostedService service : lastFirst) {
            log.info("Stopping {}", service.name());
            service.close();
        }
        if (backbone != null) {
            log.info("Stopping the broker");
            backbone.close();
        }
    }

    private static Endpoints findEndpoints(StandaloneConfig config) {
        Optional<Endpoints> given = config.givenEndpoints();
        if (given.isPresent()) {
            return given.get();
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BROKER_PATIENCE_SECONDS);
        while (true) {
            Optional<Endpoints> found = Endpoints.read(config.directory().endpoints());
            if (found.isPresent()) {
                return found.get();
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("No broker has started on "
                        + config.directory().root() + " within " + BROKER_PATIENCE_SECONDS
                        + " s: start one, or set kafka.bootstrap.servers and registry.url");
            }
            pause();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(200);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the broker", e);
        }
    }

    private static void createDirectories(DataDirectory directory) {
        try {
            Files.createDirectories(directory.root());
            Files.createDirectories(directory.logs());
            Files.createDirectories(directory.scheduler());
            Files.createDirectories(directory.connector());
            Files.createDirectories(directory.notifier());
            ApiAccess.grantOwner(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot use " + directory.root() + " as a data directory", e);
        }
    }
}

package io.weir.standalone;

import io.weir.monitoring.source.MonitoringService;
import io.weir.notifier.runtime.NotifierService;
import io.weir.rm.runtime.ConnectorService;
import io.weir.rm.runtime.RunnerListener;
import io.weir.scheduler.ReductionService;
import io.weir.scheduler.SchedulerService;
import io.weir.service.Service;
import io.weir.service.ServiceConfig;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Credentials;
import io.weir.topics.BrokerPatience;
import io.weir.topics.TlsListener;
import io.weir.topics.TopicProvisioner;
import io.weir.topics.TopicSettings;
import io.weir.topics.Topics;
import io.weir.topics.UnfitBrokerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Components of Weir running in this JVM on one data directory. All components together are the all-in-one launcher; a component alone
 * finds the others' broker through the directory. Everything acknowledged survives a kill: start again on the same
 * directory. A component that stops for good, for whatever reason, asks the whole to stop; {@link #close} does it.
 */
public final class Standalone implements AutoCloseable {
    /** What settings begin with besides those with a fixed name. */
    private static final Set<String> FIRST_WORDS =
            Set.of("kafka", "registry", "rm", "channel", "route", "action", "peer");

    private static final Logger log = LoggerFactory.getLogger(Standalone.class);
    private static final long BROKER_PATIENCE_SECONDS = 60;

    private final Function<Account, Connection> connections;
    private final @Nullable KafkaEnvironment environment;
    private final Map<Component, HostedService> services;
    private final CountDownLatch stopRequested;
    private boolean closed;

    private Standalone(
            Function<Account, Connection> connections,
            @Nullable KafkaEnvironment environment,
            Map<Component, HostedService> services,
            CountDownLatch stopRequested) {
        this.connections = connections;
        this.environment = environment;
        this.services = services;
        this.stopRequested = stopRequested;
    }

    /** Starts {@code components} in the order in which {@link Component} declares them; returns when all have started. */
    public static Standalone start(StandaloneConfig config, Set<Component> components) {
        return start(config, components, RunnerListener.NONE, connection -> {});
    }

    /**
     * Starts {@code components}.
     *
     * @param listener is told what the connector does
     * @param beforeServices run when the broker serves and has its topics, before any service starts; given a way to them
     *     as the API, which alone may write policies
     */
    public static Standalone start(
            StandaloneConfig config,
            Set<Component> components,
            RunnerListener listener,
            Consumer<Connection> beforeServices) {
        HealthSettings health = config.health();
        requireKnown(config.chosen().keySet());
        prepare(config.directory());
        CountDownLatch stopRequested = new CountDownLatch(1);
        Map<Component, HostedService> services = new EnumMap<>(Component.class);
        KafkaEnvironment environment = null;
        try {
            if (components.contains(Component.BROKER)) {
                environment = KafkaEnvironment.start(
                        config.directory(),
                        config.brokerPort(),
                        config.registryPort(),
                        config.brokerSettings(),
                        config.grants());
            }
            Function<Account, Connection> connections = connections(config, environment);
            if (environment != null) {
                provision(config.settings(connections.apply(Account.ADMIN)), components, config.directory());
                ForeignTopics.make(
                        config.foreignTopics(), connections.apply(Account.ADMIN).kafka());
                ClientFiles.write(config.directory(), environment.endpoints());
                environment.announce();
            }
            beforeServices.accept(connections.apply(Account.API));
            for (Component component : Component.values()) {
                if (component != Component.BROKER && components.contains(component)) {
                    Service service = service(component, listener);
                    Map<String, String> settings = settings(config, component, connections);
                    settings.putAll(health.of(component, components));
                    services.put(
                            component,
                            HostedService.start(service, settingsOf(service, settings), stopRequested::countDown));
                }
            }
            return new Standalone(connections, environment, services, stopRequested);
        } catch (RuntimeException | Error e) {
            close(services, environment);
            throw e;
        }
    }

    /**
     * Returns the way to the broker of each account. On the directory's broker each has a credential, and is granted what
     * it needs, before anything uses it; a broker of the site has its own rules.
     */
    private static Function<Account, Connection> connections(
            StandaloneConfig config, @Nullable KafkaEnvironment environment) {
        Optional<Connection> given = environment == null ? config.given() : Optional.empty();
        if (given.isPresent()) {
            return account -> given.get();
        }
        Endpoints endpoints = environment == null ? awaitEndpoints(config.directory()) : environment.endpoints();
        Credentials credentials = new Credentials(config.directory().credentials());
        Function<Account, Connection> connections = account -> Connection.of(endpoints, credentials.ensure(account));
        if (environment == null) {
            try (Admin admin =
                    BrokerPatience.connect(connections.apply(Account.ADMIN).kafka())) {
                config.grants().apply(admin);
            }
        }
        return connections;
    }

    private static Map<String, String> settings(
            StandaloneConfig config, Component component, Function<Account, Connection> connections) {
        Map<String, String> settings = config.settings(connections.apply(config.account(component)));
        if (component == Component.SCHEDULER) {
            connections.apply(Account.API).settingsOfPart("api").forEach(settings::putIfAbsent);
        }
        return settings;
    }

    /** Leaves out what only other services know: a service takes a key it does not know for a slip. */
    private static Map<String, String> settingsOf(Service service, Map<String, String> settings) {
        Set<String> own = service.definition().names();
        Map<String, String> known = new HashMap<>(settings);
        for (Component component : Component.values()) {
            if (component != Component.BROKER) {
                Set<String> theirs =
                        service(component, RunnerListener.NONE).definition().names();
                known.keySet().removeIf(key -> theirs.contains(key) && !own.contains(key));
            }
        }
        return known;
    }

    /** Each service leaves to the others what begins as none of its own settings does; here are all of them. */
    private static void requireKnown(Set<String> chosen) {
        Set<String> first = new TreeSet<>(FIRST_WORDS);
        for (Component component : Component.values()) {
            first.add(component.name().toLowerCase(Locale.ROOT));
            if (component != Component.BROKER) {
                service(component, RunnerListener.NONE)
                        .definition()
                        .names()
                        .forEach(name -> first.add(firstWord(name)));
            }
        }
        Set<String> unknown = new TreeSet<>(chosen);
        unknown.removeIf(key -> first.contains(firstWord(key)));
        if (!unknown.isEmpty()) {
            throw new ConfigException(
                    "No service knows the settings " + unknown + ": settings begin with one of " + first);
        }
    }

    private static String firstWord(String key) {
        return key.split("\\.", 2)[0];
    }

    private static Service service(Component component, RunnerListener listener) {
        return switch (component) {
            case SCHEDULER -> new SchedulerService();
            case REDUCTION -> new ReductionService();
            case CONNECTOR -> new ConnectorService(listener);
            case NOTIFIER -> new NotifierService();
            case MONITORING -> new MonitoringService();
            case BROKER -> throw new IllegalArgumentException(component + " is no service");
        };
    }

    /** A broker by itself runs whatever its topics are like: how else could they be mended? */
    private static void provision(Map<String, String> settings, Set<Component> components, DataDirectory directory) {
        try {
            provision(settings);
        } catch (UnfitBrokerException e) {
            if (!components.equals(EnumSet.of(Component.BROKER))) {
                List<String> problems = new ArrayList<>(e.problems());
                problems.add(
                        "For these commands, start the broker alone (weir standalone --only broker); their login is"
                                + " --command-config " + directory.clients().resolve("weir-admin.properties"));
                throw new UnfitBrokerException(problems);
            }
            log.error("No service will start beside this broker. {}", e.getMessage());
        }
    }

    /** Makes the topics that are missing, as {@code settings} say. */
    public static void provision(Map<String, String> settings) {
        ServiceConfig config = ServiceConfig.of(TopicSettings.define(ServiceConfig.baseDefinition()), settings);
        TlsListener.refuse(config.admin());
        try (Admin admin = Admin.create(config.admin())) {
            new TopicProvisioner(admin, TopicSettings.from(config)).provision(Topics.all());
        }
    }

    /** Where the broker and the registry are reached. */
    public Endpoints endpoints() {
        return connections.apply(Account.READER).endpoints();
    }

    /** The way to them as {@code account}. */
    public Connection connection(Account account) {
        return connections.apply(account);
    }

    /** The service that runs as {@code component}; empty for the broker and for components that do not run here. */
    public Optional<HostedService> service(Component component) {
        return Optional.ofNullable(services.get(component));
    }

    /** Asks for a stop, from any thread. */
    public void requestStop() {
        stopRequested.countDown();
    }

    /** Waits until a component has stopped or a stop was asked for. */
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

    /** Returns whether all components have been stopped; waits while they are being stopped. */
    public synchronized boolean isClosed() {
        return closed;
    }

    /** Stops all components in order, the broker last. A second caller waits for the first. */
    @Override
    public synchronized void close() {
        stopRequested.countDown();
        if (!closed) {
            closed = true;
            close(services, environment);
        }
    }

    private static void close(Map<Component, HostedService> services, @Nullable KafkaEnvironment environment) {
        List<HostedService> lastFirst = new ArrayList<>(services.values());
        Collections.reverse(lastFirst);
        for (HostedService service : lastFirst) {
            log.info("Stopping {}", service.name());
            service.close();
        }
        if (environment != null) {
            log.info("Stopping the broker");
            environment.close();
        }
    }

    private static Endpoints awaitEndpoints(DataDirectory directory) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BROKER_PATIENCE_SECONDS);
        while (true) {
            Optional<Endpoints> found = Endpoints.read(directory.endpoints());
            if (found.isPresent()) {
                return found.get();
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("No broker has started on "
                        + directory.root() + " within " + BROKER_PATIENCE_SECONDS
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

    private static void prepare(DataDirectory directory) {
        directory.prepare();
        try {
            ApiAccess.grantOwner(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make " + directory.tokens(), e);
        }
    }
}

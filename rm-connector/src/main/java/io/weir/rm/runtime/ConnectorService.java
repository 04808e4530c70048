package io.weir.rm.runtime;

import io.weir.rm.runtime.command.KafkaCommandFeed;
import io.weir.rm.runtime.fact.KafkaFactLog;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.ResourceManagerProvider;
import io.weir.rm.spi.RmContext;
import io.weir.rm.spi.RmException;
import io.weir.service.PrivateDirectory;
import io.weir.service.ProgressWatch;
import io.weir.service.Service;
import io.weir.service.ServiceContext;
import io.weir.service.ServiceLifecycle;
import io.weir.topics.AvroCodec;
import io.weir.topics.AvroTrust;
import io.weir.topics.BrokerPatience;
import io.weir.topics.Grant;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.TopicProvisioner;
import io.weir.topics.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connector as a service: finds the provider, makes or checks its topics, and runs the runner on a thread of its own.
 * When a simulation is over the service asks for its own stop; a connector that was replaced, or whose resource manager
 * failed for good, fails.
 */
public final class ConnectorService implements Service {

    static {
        AvroTrust.install();
    }

    /** Name of the service. */
    public static final String NAME = "rm-connector";

    private static final Logger log = LoggerFactory.getLogger(ConnectorService.class);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(15);

    /** How long a resource manager's call may go on after the stop before it is interrupted. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    static final List<Topic<?>> WRITTEN = List.of(
            Topics.RM_NODES,
            Topics.RM_JOBS,
            Topics.RM_HEARTBEATS,
            Topics.RESULTS,
            Topics.MONITORING_METRICS,
            Topics.MONITORING_EVENTS,
            Topics.DEAD_LETTERS);

    /** Results and heartbeats are its own: it reads on where it, or the one before it, stopped. */
    static final List<Topic<?>> READ = List.of(Topics.COMMANDS, Topics.RESULTS, Topics.RM_HEARTBEATS, Topics.JOURNAL);

    private final List<ResourceManagerProvider> providers;
    private final RunnerListener listener;
    private final CompletableFuture<ConnectorRunner.Ending> completion = new CompletableFuture<>();

    /** Creates the service with the providers found on the class path. */
    public ConnectorService() {
        this(RunnerListener.NONE);
    }

    /** Creates the service; {@code listener} is told what the runner does. */
    public ConnectorService(RunnerListener listener) {
        this.providers = ServiceLoader.load(ResourceManagerProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(ResourceManagerProvider::type))
                .toList();
        this.listener = listener;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ConfigDef definition() {
        return ConnectorConfig.definition(providers);
    }

    /**
     * Returns what the connector {@code id} of {@code cluster} does on a broker.
     *
     * @param schedulerGroup group in which the scheduler keeps its positions
     */
    public static List<Grant> grants(TopicNames names, String cluster, String id, String schedulerGroup) {
        String group = KafkaCommandFeed.group(names, cluster, id);
        List<Grant> grants = new ArrayList<>(Grant.reading(names, READ));
        grants.addAll(Grant.writing(names, WRITTEN));
        grants.add(Grant.group(group));
        grants.add(Grant.seeingGroup(schedulerGroup));
        return grants;
    }

    /** Completes when the runner has ended, exceptionally when it failed. */
    public CompletableFuture<ConnectorRunner.Ending> completion() {
        return completion.copy();
    }

    @Override
    public void start(ServiceContext context) throws IOException {
        ResourceManagerProvider provider = provider(ConnectorConfig.rmType(context.config()));
        ConnectorConfig config = ConnectorConfig.from(context.config(), provider);
        try (Admin admin = BrokerPatience.connect(context.config().admin())) {
            List<Topic<?>> topics = new ArrayList<>(WRITTEN);
            topics.addAll(List.of(Topics.COMMANDS, Topics.JOURNAL));
            new TopicProvisioner(admin, config.topics()).provision(topics);
        }
        PrivateDirectory.create(config.dataDirectory());
        AvroCodec codec = new AvroCodec(config.names(), context.config().registry());
        context.lifecycle().onClose("codec", CLOSE_LIMIT, codec);
        context.readiness().declare("registry", codec::registryObstacle);
        ResourceManager rm = provider.open(new RmContext(
                config.runner().cluster(), config.runner().connector(), config.dataDirectory(), config.rmSettings()));
        PollTrigger trigger = PollTrigger.open(config.pokeFile(), config.pokeAddress());
        context.lifecycle().onClose("poke", CLOSE_LIMIT, trigger);
        ProgressWatch acknowledgements = new ProgressWatch(KafkaFactLog.PUBLISHED);
        ConnectorRunner runner = new ConnectorRunner(
                config.runner(),
                rm,
                new KafkaConnections(context.config(), config, codec, acknowledgements),
                new ListenerChain(
                        new ConnectorMetrics(context.meters(), context.readiness(), acknowledgements), listener),
                trigger);
        Thread thread = new Thread(
                () -> run(runner, rm, context.lifecycle()),
                NAME + "-" + config.runner().connector());
        context.lifecycle().onClose("runner", CLOSE_LIMIT, () -> {
            runner.stop();
            thread.join(PATIENCE.toMillis());
            thread.interrupt();
            thread.join();
        });
        thread.start();
    }

    private ResourceManagerProvider provider(String type) {
        return providers.stream()
                .filter(provider -> provider.type().equals(type))
                .findFirst()
                .orElseThrow(() -> new ConfigException("rm.type is '" + type + "'; there are "
                        + providers.stream().map(ResourceManagerProvider::type).toList()));
    }

    private void run(ConnectorRunner runner, ResourceManager rm, ServiceLifecycle lifecycle) {
        try (rm) {
            ConnectorRunner.Ending ending = runner.run();
            log.info("the connector has ended: {}", ending);
            completion.complete(ending);
            switch (ending) {
                case FINISHED -> lifecycle.requestStop();
                case STOPPED -> {}
                case REPLACED ->
                    lifecycle.fail(
                            new RmException("another connector of the same id has taken over; see connector.id"));
            }
        } catch (RuntimeException | Error e) {
            completion.completeExceptionally(e);
            lifecycle.fail(e);
        }
    }
}

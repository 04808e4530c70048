package io.weir.scheduler;

import io.weir.scheduler.reduction.PublishedNodes;
import io.weir.scheduler.reduction.PublishedRules;
import io.weir.scheduler.reduction.ReductionMetrics;
import io.weir.scheduler.reduction.ReductionTopology;
import io.weir.service.BrokerQuestions;
import io.weir.service.ProgressWatch;
import io.weir.service.Readiness;
import io.weir.service.Service;
import io.weir.service.ServiceContext;
import io.weir.topics.AvroCodec;
import io.weir.topics.BrokerPatience;
import io.weir.topics.BrokerRequirements;
import io.weir.topics.Grant;
import io.weir.topics.RegistryPatience;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.TopicProvisioner;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.streams.KafkaStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reduction of metrics as a service: a stream of its own beside the scheduler's, in the same process or in another.
 * Stateless between starts.
 */
public final class ReductionService implements Service {
    private static final Logger log = LoggerFactory.getLogger(ReductionService.class);
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(10);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    @Override
    public String name() {
        return "reduction";
    }

    @Override
    public ConfigDef definition() {
        return ReductionConfig.definition();
    }

    @Override
    public void start(ServiceContext context) throws Exception {
        ReductionConfig config = new ReductionConfig(context.config());
        Readiness.Condition running = context.readiness().declare("stream");
        TopicNames names = config.topics().names();
        StateOrigin origin = new StateOrigin(config.state(), InstantSource.system());
        prepareBroker(config, origin);
        AvroCodec codec = new AvroCodec(names, config.registry());
        context.lifecycle().onClose("registry-client", CLOSE_LIMIT, codec);
        context.readiness().declare("registry", codec::registryObstacle);
        prepareRegistry(codec);
        PublishedRules rules = new PublishedRules(config.reader(), names, codec);
        context.lifecycle().onClose("rules", CLOSE_LIMIT, rules);
        PublishedNodes nodes = new PublishedNodes(config.reader(), names);
        context.lifecycle().onClose("nodes", CLOSE_LIMIT, nodes);
        ProgressWatch commits = new ProgressWatch("committed");
        context.readiness().declare("commits", commits::obstacle);
        ReductionMetrics metrics = new ReductionMetrics(context.meters());
        metrics.watch(commits);
        StreamRunner runner = new StreamRunner(
                () -> {
                    matchPartitions(config);
                    return new KafkaStreams(
                            ReductionTopology.build(names, config.clusters(), codec, rules, nodes, metrics),
                            config.streams(),
                            new StreamClients(config.applicationId(), config.instanceId(), records -> {}, commits));
                },
                new FailurePolicy(InstantSource.system(), config.instanceId()),
                running,
                context.lifecycle()::fail,
                DRAIN_LIMIT,
                new StreamGroup(Admin.create(config.admin()), config.applicationId(), config.instanceId()));
        context.lifecycle().onClose("stream", DRAIN_LIMIT.plus(CLOSE_LIMIT), runner);
        runner.onStopped(origin::confirm);
        runner.start();
        BrokerQuestions brokers = BrokerQuestions.start(config.admin(), List.of(origin.keeping(runner::isRunning)));
        context.lifecycle().onClose("broker-questions", CLOSE_LIMIT, brokers::stop);
        log.info("Reducing metrics: clusters={}", config.clusters());
    }

    /** Returns what the reduction does on a broker. */
    public static List<Grant> grants(TopicNames names) {
        List<Grant> grants = new ArrayList<>(Grant.reading(names, ReductionTopology.inputs()));
        grants.addAll(Grant.writing(names, ReductionTopology.outputs()));
        String application = ReductionConfig.applicationId(names);
        grants.addAll(StreamClients.grants(application));
        grants.add(Grant.growing(ReductionTopology.changelog(application)));
        return grants;
    }

    /** Has every schema at hand before the first record; those who only publish metrics may not register theirs. */
    private static void prepareRegistry(AvroCodec codec) throws InterruptedException {
        List<Topic<?>> topics = new ArrayList<>(ReductionTopology.outputs());
        topics.add(Topics.MONITORING_METRICS);
        new RegistryPatience(codec).prepare(topics);
    }

    private static void prepareBroker(ReductionConfig config, StateOrigin origin)
            throws ExecutionException, InterruptedException {
        try (Admin admin = BrokerPatience.connect(config.admin())) {
            BrokerRequirements.check(admin);
            List<Topic<?>> topics = new ArrayList<>(ReductionTopology.inputs());
            topics.addAll(ReductionTopology.outputs());
            new TopicProvisioner(admin, config.topics()).provision(topics);
            origin.setAsideOfOthers(admin);
            origin.setAsideOutdated(admin, List.of(ReductionTopology.changelog(config.applicationId())));
        }
    }

    private static void matchPartitions(ReductionConfig config) {
        try (Admin admin = Admin.create(config.admin())) {
            StatePartitions.of(config, admin).match();
        }
    }
}

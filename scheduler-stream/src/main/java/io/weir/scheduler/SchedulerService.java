package io.weir.scheduler;

import io.weir.scheduler.journal.IntakeRecords;
import io.weir.scheduler.plugin.PluginService;
import io.weir.scheduler.query.ApiServer;
import io.weir.scheduler.stream.Rewriting;
import io.weir.scheduler.stream.SchedulerTopology;
import io.weir.scheduler.stream.StreamMetrics;
import io.weir.scheduler.stream.StreamSettings;
import io.weir.scheduler.stream.pacing.Backlog;
import io.weir.scheduler.stream.quarantine.Suspicions;
import io.weir.scheduler.stream.store.Stores;
import io.weir.service.BrokerQuestions;
import io.weir.service.ProblemWatch;
import io.weir.service.ProgressWatch;
import io.weir.service.Readiness;
import io.weir.service.Service;
import io.weir.service.ServiceContext;
import io.weir.service.TransactionWatch;
import io.weir.topics.AvroCodec;
import io.weir.topics.BrokerPatience;
import io.weir.topics.BrokerRequirements;
import io.weir.topics.Grant;
import io.weir.topics.RegistryPatience;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.TopicProvisioner;
import io.weir.topics.Topics;
import io.weir.topics.UnfitBrokerException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.streams.KafkaStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduler as a service: checks broker, topics and registry, then runs the stream. Stateless between starts, so one
 * object may be started more than once.
 */
public final class SchedulerService implements Service {
    private static final Logger log = LoggerFactory.getLogger(SchedulerService.class);
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(30);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    @Override
    public String name() {
        return "scheduler";
    }

    @Override
    public ConfigDef definition() {
        return SchedulerConfig.definition();
    }

    @Override
    public void start(ServiceContext context) throws Exception {
        SchedulerConfig config = new SchedulerConfig(context.config());
        Readiness.Condition running = context.readiness().declare("stream");
        AvroCodec codec = new AvroCodec(config.topics().names(), config.registry());
        context.lifecycle().onClose("registry-client", CLOSE_LIMIT, codec);
        context.readiness().declare("registry", codec::registryObstacle);
        Rewriting rewriting = new Rewriting();
        Path state = config.stateDir().resolve(config.applicationId());
        StaleCopy copy = new StaleCopy(state);
        StateOrigin origin = new StateOrigin(state, InstantSource.system());
        ChangelogWatch changelogs = new ChangelogWatch(
                Stores.changelogs(config.applicationId()),
                rewriting,
                copy::note,
                partition -> Stores.areOn(state, partition));
        StartOffsets.Begun begun = prepare(config, codec, origin, changelogs);
        rewriting.request(begun.copies());
        StreamSettings settings = config.stream(begun.partitions(), rewriting);
        StreamMetrics metrics = new StreamMetrics(context.meters());
        context.readiness().declare("time", metrics.standingTime()::obstacle);
        Suspicions suspicions = new Suspicions();
        metrics.watch(suspicions);
        context.readiness().declare("iterations", suspicions::obstacle);
        Backlog backlog = new Backlog();
        ProgressWatch commits = new ProgressWatch("committed");
        context.readiness().declare("commits", commits::obstacle);
        metrics.watch(commits);
        StreamRunner runner = new StreamRunner(
                () -> {
                    copy.setAside();
                    return new KafkaStreams(
                            SchedulerTopology.build(settings, codec, metrics, suspicions, config.pace(backlog)),
                            config.streams(),
                            new StreamClients(config.applicationId(), config.instanceId(), backlog::read, commits));
                },
                new FailurePolicy(InstantSource.system(), config.instanceId()),
                running,
                failure -> context.lifecycle().fail(explained(failure, config)),
                DRAIN_LIMIT,
                new StreamGroup(Admin.create(config.admin()), config.applicationId(), config.instanceId()));
        context.lifecycle().onClose("stream", DRAIN_LIMIT.plus(CLOSE_LIMIT), runner);
        runner.onStopped(() -> {
            copy.forget();
            origin.confirm();
        });
        runner.start();
        if (!begun.copies().isEmpty()) {
            copy.note();
        }
        watch(config, context, runner, List.of(changelogs, origin.keeping(runner::isRunning)));
        PluginService plugins = new PluginService(
                config.consumer(),
                config.producer(),
                pluginGroup(config.applicationId()),
                config.topics().names(),
                codec,
                config.plugins(System.getenv()),
                InstantSource.system(),
                context.lifecycle()::fail);
        context.lifecycle().onClose("plugins", CLOSE_LIMIT, plugins);
        plugins.start();
        serve(config, codec, suspicions::halted, context);
        log.info("Scheduling: clusters={} partitions={} settings={}", config.clusters(), begun.partitions(), settings);
    }

    /** Returns what the stream and the plug-in service do on a broker. */
    public static List<Grant> grants(TopicNames names, String applicationId) {
        List<Grant> grants = new ArrayList<>(Grant.reading(names, SchedulerTopology.inputs()));
        grants.addAll(Grant.writing(names, SchedulerTopology.outputs()));
        grants.addAll(StreamClients.grants(applicationId));
        grants.addAll(Grant.reading(names, List.of(Topics.PLUGIN_QUESTIONS)));
        grants.addAll(Grant.writing(names, List.of(Topics.PLUGIN_ANSWERS)));
        grants.add(Grant.group(pluginGroup(applicationId)));
        return grants;
    }

    /** Returns what the API does on a broker: it shows every topic, and writes what people want. */
    public static List<Grant> apiGrants(TopicNames names) {
        List<Grant> grants = new ArrayList<>(Grant.reading(names, Topics.all()));
        grants.addAll(Grant.writing(names, List.of(Topics.REQUESTS, Topics.POLICY)));
        return grants;
    }

    private static String pluginGroup(String applicationId) {
        return applicationId + "-plugins";
    }

    /** Watches what clients would not notice, or not say. */
    private static void watch(
            SchedulerConfig config,
            ServiceContext context,
            StreamRunner runner,
            List<BrokerQuestions.Question> ofTheState) {
        TransactionWatch transactions = new TransactionWatch(ownTopics(config), System::nanoTime);
        context.readiness().declare("transactions", transactions::obstacle);
        ProblemWatch topics = new ProblemWatch(
                admin -> new TopicProvisioner(admin, config.topics())
                        .problems(
                                SchedulerTopology.topics(),
                                config.applicationId(),
                                Stores.changelogs(config.applicationId())),
                "All topics are as they have to be again");
        context.readiness().declare("topics", topics::obstacle);
        ProblemWatch others = new ProblemWatch(
                admin -> OtherSchedulers.problems(admin, config.applicationId(), inputs(config)),
                "No other scheduler is at work on these topics any more");
        context.readiness().declare("only-scheduler", others::obstacle);
        IntakeWatch intake = new IntakeWatch(
                config.topics().names().full(Topics.RM_HEARTBEATS),
                config.applicationId(),
                runner::inputs,
                System::nanoTime);
        context.readiness().declare("intake", intake::obstacle);
        List<BrokerQuestions.Question> questions = new ArrayList<>(List.of(transactions, topics, others, intake));
        questions.addAll(ofTheState);
        BrokerQuestions brokers = BrokerQuestions.start(config.admin(), questions);
        context.lifecycle().onClose("broker-questions", CLOSE_LIMIT, brokers::stop);
    }

    private static List<String> inputs(SchedulerConfig config) {
        return SchedulerTopology.inputs().stream()
                .map(config.topics().names()::full)
                .toList();
    }

    /** Returns which topics are read or written by the stream, or keep its state. */
    private static Predicate<String> ownTopics(SchedulerConfig config) {
        Set<String> names = SchedulerTopology.topics().stream()
                .map(config.topics().names()::full)
                .collect(Collectors.toSet());
        return name -> names.contains(name) || TopicProvisioner.isChangelog(name, config.applicationId());
    }

    private static void serve(
            SchedulerConfig config, AvroCodec codec, Function<String, Optional<String>> halted, ServiceContext context)
            throws IOException {
        if (config.api().isPresent()) {
            ApiServer api = ApiServer.start(
                    config.api().get(),
                    config.apiConsumer(),
                    config.apiProducer(),
                    config.apiAdmin(),
                    config.topics().names(),
                    codec,
                    config.clusters(),
                    halted,
                    context);
            context.lifecycle().onClose("api", CLOSE_LIMIT, api);
        }
    }

    /** Prepares everything at a time, since jobs wait; returns what there is to begin with. */
    private static StartOffsets.Begun prepare(
            SchedulerConfig config, AvroCodec codec, StateOrigin origin, ChangelogWatch watch) throws Exception {
        try (SideTask others = SideTask.start("prepare", () -> {
            StoreLibrary.load(config.stateDir());
            prepareRegistry(codec, config.api().isPresent());
        })) {
            StartOffsets.Begun begun = prepareBroker(config, origin, watch);
            others.join();
            return begun;
        }
    }

    /** Checks and completes what the broker has to offer; returns what there is to begin with. */
    private static StartOffsets.Begun prepareBroker(SchedulerConfig config, StateOrigin origin, ChangelogWatch watch)
            throws Exception {
        TopicNames names = config.topics().names();
        try (Admin admin = BrokerPatience.connect(config.admin())) {
            BrokerRequirements.check(admin);
            TopicProvisioner topics = new TopicProvisioner(admin, config.topics());
            topics.provision(SchedulerTopology.topics());
            topics.verifyChangelogs(config.applicationId());
            origin.setAsideOfOthers(admin);
            List<String> inputs = inputs(config);
            OtherSchedulers.refuse(admin, config.applicationId(), inputs);
            ChangelogPositions stored = new ChangelogPositions(config::stateReader, names, config.applicationId());
            Set<String> reported = SchedulerTopology.inputs().stream()
                    .filter(topic ->
                            topic.name().startsWith("rm.") || topic.name().startsWith("monitoring."))
                    .map(names::full)
                    .collect(Collectors.toSet());
            Path state = config.stateDir().resolve(config.applicationId());
            List<String> changelogs = Stores.changelogs(config.applicationId());
            StartOffsets.Begun begun = new StartOffsets(admin, config.applicationId(), stored::read, reported)
                    .ensure(
                            inputs,
                            names.full(Topics.JOURNAL),
                            changelogs,
                            partition -> Stores.areOn(state, partition),
                            () -> FormerState.setAside(state));
            if (begun.copies().isEmpty()) {
                origin.setAsideOutdated(admin, changelogs);
            } else {
                topics.provisionChangelogs(changelogs, begun.partitions());
            }
            watch.ask(admin);
            return begun;
        }
    }

    /** Returns what is wrong with the topics, if anything is, instead of {@code failure}: Kafka's own words for it lead nowhere. */
    private static Throwable explained(Throwable failure, SchedulerConfig config) {
        try (Admin admin = Admin.create(config.admin())) {
            new TopicProvisioner(admin, config.topics()).verify(SchedulerTopology.topics());
        } catch (UnfitBrokerException e) {
            e.addSuppressed(failure);
            return e;
        } catch (KafkaException e) {
            log.warn("Whether the topics are as they have to be is not known: {}", e.getMessage());
        }
        return failure;
    }

    /**
     * Has every schema at hand before the first record, so that no output waits for the registry, nor any input whose sender is
     * known there by now.
     *
     * @param api whether requests are written here, too
     */
    private static void prepareRegistry(AvroCodec codec, boolean api) throws InterruptedException {
        List<Topic<?>> written = new ArrayList<>(SchedulerTopology.outputs());
        written.add(Topics.MONITORING_EVENTS);
        written.add(Topics.PLUGIN_ANSWERS);
        written.add(IntakeRecords.QUARANTINE);
        if (api) {
            written.add(Topics.REQUESTS);
            written.add(Topics.POLICY);
        }
        new RegistryPatience(codec).prepare(written);
        codec.learn(SchedulerTopology.inputs());
        List<Topic<?>> copied = new ArrayList<>(SchedulerTopology.inputs());
        copied.add(Topics.JOURNAL);
        codec.registerCopied(Topics.JOURNAL, copied);
    }
}

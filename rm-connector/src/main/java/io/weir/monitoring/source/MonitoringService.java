package io.weir.monitoring.source;

import io.weir.service.Service;
import io.weir.service.ServiceContext;
import io.weir.service.http.HttpListener;
import io.weir.service.http.HttpSettings;
import io.weir.topics.AvroCodec;
import io.weir.topics.AvroTrust;
import io.weir.topics.BrokerPatience;
import io.weir.topics.Grant;
import io.weir.topics.RecordSize;
import io.weir.topics.RegistryPatience;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.TopicProvisioner;
import io.weir.topics.TopicSettings;
import io.weir.topics.Topics;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigDef;

/** The monitoring source as a service: a reader of the topics of others, and a listener for HTTP, as far as configured. */
public final class MonitoringService implements Service {

    static {
        AvroTrust.install();
    }

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(15);
    private static final int LONGEST_BODY = 1 << 20;
    private static final List<Topic<?>> WRITTEN = List.of(Topics.MONITORING_METRICS, Topics.MONITORING_EVENTS);

    @Override
    public String name() {
        return "monitoring-source";
    }

    @Override
    public ConfigDef definition() {
        return MonitoringConfig.definition();
    }

    /** Returns what the source {@code id} of {@code cluster} does on the broker, when it reads {@code topics} of others. */
    public static List<Grant> grants(TopicNames names, String cluster, String id, Collection<String> topics) {
        List<Grant> grants = new ArrayList<>(Grant.writing(names, WRITTEN));
        grants.add(Grant.group(group(names, cluster, id)));
        topics.forEach(topic -> grants.add(Grant.readingForeign(topic)));
        return grants;
    }

    /** Returns the names of the topics in {@code texts}, the value of the setting {@code source.topics}. */
    public static List<String> topics(Collection<String> texts) {
        return texts.stream().map(text -> text.split(":", 2)[0]).toList();
    }

    @Override
    public void start(ServiceContext context) throws IOException, InterruptedException {
        MonitoringConfig config = MonitoringConfig.from(context.config());
        TopicSettings topics = TopicSettings.from(context.config());
        try (Admin admin = BrokerPatience.connect(context.config().admin())) {
            new TopicProvisioner(admin, topics).provision(WRITTEN);
        }
        AvroCodec codec = new AvroCodec(topics.names(), context.config().registry());
        context.lifecycle().onClose("codec", CLOSE_LIMIT, codec);
        context.readiness().declare("registry", codec::registryObstacle);
        new RegistryPatience(codec).prepare(WRITTEN);
        FactWriter writer = FactWriter.open(context.config().producer(RecordSize.LARGEST), topics.names(), codec);
        context.lifecycle().onClose("writer", CLOSE_LIMIT, writer);
        MessageIntake intake = new MessageIntake(
                new FactMaker(config.cluster(), config.id(), config.nodes(), config.metricRules(), config.eventRules()),
                writer,
                context.meters(),
                Clock.systemUTC());
        if (config.http().isPresent()) {
            MonitoringConfig.Listen listen = config.http().get();
            HttpReceiver receiver = new HttpReceiver(intake, config.format(), listen.token());
            context.lifecycle().onClose("http-writers", CLOSE_LIMIT, receiver);
            HttpListener listener = HttpListener.start(
                    HttpSettings.small("monitoring-http", listen.host(), listen.port())
                            .withBodies(LONGEST_BODY),
                    receiver);
            context.lifecycle().onClose("http", CLOSE_LIMIT, listener);
        }
        if (!config.topics().isEmpty()) {
            TopicReader reader = new TopicReader(
                    context.config().consumer(),
                    group(topics.names(), config.cluster(), config.id()),
                    config.topics(),
                    intake,
                    context.readiness().declare("topics"));
            context.lifecycle().onClose("reader", CLOSE_LIMIT, reader::stop);
            reader.start();
        }
    }

    private static String group(TopicNames names, String cluster, String id) {
        return names.group("monitoring-source", cluster, id);
    }
}

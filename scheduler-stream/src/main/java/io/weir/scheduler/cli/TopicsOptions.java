package io.weir.scheduler.cli;

import io.weir.scheduler.audit.InputReader;
import io.weir.scheduler.audit.KafkaRecordLog;
import io.weir.scheduler.audit.RecordLog;
import io.weir.service.setting.SettingsFile;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.CommonClientConfigs;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Where a command finds the topics: a data directory, or a broker with its registry. */
final class TopicsOptions {
    @ArgGroup(exclusive = true, multiplicity = "1")
    private Source source = new Source();

    @Option(
            names = "--registry",
            paramLabel = "URL",
            description = "Schema registry; without one, records are read by the schemas of this release.")
    private @Nullable String registry;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = TopicNames.DEFAULT_PREFIX,
            description = "Prefix of every topic name; default ${DEFAULT-VALUE}.")
    private String prefix = TopicNames.DEFAULT_PREFIX;

    @Option(
            names = "--client-config",
            paramLabel = "FILE",
            description = "Properties for the Kafka and registry clients, such as those for TLS and SASL, and "
                    + "basic.auth.user.info.")
    private @Nullable Path clientConfig;

    private static final class Source {
        @Option(names = "--data", paramLabel = "DIR", description = "Data directory of demo, standalone or run-trace.")
        private @Nullable Path data;

        @Option(
                names = "--bootstrap-server",
                paramLabel = "HOST:PORT",
                description = "Brokers to connect to, comma-separated.")
        private @Nullable String bootstrapServers;
    }

    /** Opens what the options name. */
    Topics open(BrokerAccess.OfDirectory directories) throws IOException {
        Map<String, Object> client = clientProperties();
        if (source.data != null) {
            BrokerAccess access = directories.open(source.data);
            client.putAll(access.kafka());
            return new Topics(
                    access,
                    Map.copyOf(client),
                    new KafkaRecordLog(client),
                    Optional.of(registry == null ? codec(access.registry()) : codec(client, registry)),
                    new TopicNames(prefix));
        }
        client.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, String.valueOf(source.bootstrapServers));
        return new Topics(
                null,
                Map.copyOf(client),
                new KafkaRecordLog(client),
                Optional.ofNullable(registry).map(address -> codec(client, address)),
                new TopicNames(prefix));
    }

    private AvroCodec codec(Map<String, Object> client, String address) {
        Map<String, Object> settings = new HashMap<>(client);
        settings.put("schema.registry.url", address);
        return codec(settings);
    }

    private AvroCodec codec(Map<String, Object> settings) {
        return new AvroCodec(new TopicNames(prefix), settings);
    }

    private Map<String, Object> clientProperties() throws IOException {
        return clientConfig == null ? new HashMap<>() : new HashMap<>(SettingsFile.read(clientConfig));
    }

    /**
     * Open topics.
     *
     * @param access what has to stay open meanwhile; null for a broker of somebody else
     * @param client properties of a Kafka client
     * @param log the records
     * @param codec decodes them, where there is a registry
     * @param names how topics are called
     */
    record Topics(
            @Nullable BrokerAccess access,
            Map<String, Object> client,
            RecordLog log,
            Optional<AvroCodec> codec,
            TopicNames names)
            implements AutoCloseable {
        InputReader decoder() {
            return new InputReader(codec);
        }

        @Override
        public void close() {
            log.close();
            codec.ifPresent(AvroCodec::close);
            if (access != null) {
                access.close();
            }
        }
    }
}

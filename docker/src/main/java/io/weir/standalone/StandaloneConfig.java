package io.weir.standalone;

import io.weir.monitoring.source.MonitoringService;
import io.weir.rm.runtime.ConnectorService;
import io.weir.scheduler.SchedulerConfig;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Grants;
import io.weir.topics.TopicNames;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * What a launcher is told.
 *
 * @param directory where everything lies
 * @param brokerPort port of the embedded broker; 0 takes a free one
 * @param registryPort port of the embedded registry; 0 takes a free one
 * @param brokerSettings Kafka's own settings, laid over the embedded broker's
 * @param chosen settings of the services that were chosen by the user or the command; they win over the launcher's
 */
public record StandaloneConfig(
        DataDirectory directory,
        int brokerPort,
        int registryPort,
        Map<String, String> brokerSettings,
        Map<String, String> chosen) {
    /** Settings that mean the embedded broker is not the one to use. */
    private static final String BOOTSTRAP_SERVERS = "kafka.bootstrap.servers";

    private static final String REGISTRY_URL = "registry.url";
    private static final String SOURCE_TOPICS = "source.topics";
    private static final String KAFKA = "kafka.";
    private static final String REGISTRY = "registry.";

    public StandaloneConfig {
        brokerSettings = Map.copyOf(brokerSettings);
        chosen = Map.copyOf(chosen);
    }

    /** Returns the way to a broker and registry that were named in the settings. */
    public Optional<Connection> given() {
        String bootstrapServers = chosen.get(BOOTSTRAP_SERVERS);
        String registryUrl = chosen.get(REGISTRY_URL);
        if (bootstrapServers == null || registryUrl == null) {
            return Optional.empty();
        }
        Map<String, String> client = new HashMap<>();
        chosen.forEach((key, value) -> {
            if (key.startsWith(KAFKA) && !key.equals(BOOTSTRAP_SERVERS)) {
                client.put(key.substring(KAFKA.length()), value);
            } else if (key.startsWith(REGISTRY) && !key.equals(REGISTRY_URL)) {
                client.put(key.substring(REGISTRY.length()), value);
            }
        });
        return Optional.of(new Connection(new Endpoints(bootstrapServers, registryUrl), client));
    }

    /** Returns the account that the services' {@code component} uses on the broker of the directory. */
    Account account(Component component) {
        return switch (component) {
            case BROKER -> Account.BROKER;
            case SCHEDULER -> Account.SCHEDULER;
            case REDUCTION -> Account.REDUCTION;
            case CONNECTOR ->
                connector()
                        .map(connector -> Account.connector(connector.cluster(), connector.id()))
                        .orElseThrow(() -> new ConfigException("A connector needs the setting 'cluster'"));
            case NOTIFIER -> Account.NOTIFIER;
            case MONITORING ->
                source().map(source -> Account.monitoringSource(source.cluster(), source.id()))
                        .orElseThrow(() -> new ConfigException("A monitoring source needs the setting 'cluster', and"
                                + " 'source.topics' or 'source.http.port'"));
        };
    }

    /** Returns what the accounts may do. */
    Grants grants() {
        TopicNames names = new TopicNames(setting("topics.prefix", SchedulerConfig.definition()));
        Grants services = Grants.of(
                names,
                setting("application.id", SchedulerConfig.definition()),
                connector().stream().toList());
        return source().map(source -> services.and(Grants.of(names, source))).orElse(services);
    }

    /** Returns what there is to run: everything, the monitoring source where it is told what to receive. */
    public Set<Component> components() {
        return source().isPresent()
                ? EnumSet.allOf(Component.class)
                : EnumSet.complementOf(EnumSet.of(Component.MONITORING));
    }

    /** Returns the topics of others that the monitoring source reads. */
    List<String> foreignTopics() {
        return source().map(Grants.Source::topics).orElse(List.of());
    }

    private Optional<Grants.Source> source() {
        String topics = chosen.getOrDefault(SOURCE_TOPICS, "");
        boolean receives = !topics.isBlank() || chosen.containsKey("source.http.port");
        return Optional.ofNullable(receives ? chosen.get("cluster") : null)
                .map(cluster -> new Grants.Source(
                        cluster,
                        setting("source.id", new MonitoringService().definition()),
                        topics.isBlank()
                                ? List.of()
                                : MonitoringService.topics(
                                        List.of(topics.strip().split("\\s*,\\s*", -1)))));
    }

    private Optional<Grants.Connector> connector() {
        return Optional.ofNullable(chosen.get("cluster"))
                .map(cluster ->
                        new Grants.Connector(cluster, setting("connector.id", new ConnectorService().definition())));
    }

    private String setting(String key, ConfigDef definition) {
        return chosen.getOrDefault(
                key, String.valueOf(definition.defaultValues().get(key)));
    }

    /** Returns the settings for a service that uses {@code connection}: each takes those it knows. */
    public Map<String, String> settings(Connection connection) {
        Map<String, String> settings = new HashMap<>(connection.settings());
        settings.put("state.dir", directory.scheduler().toString());
        settings.put("connector.data.dir", directory.connector().toString());
        settings.put("api.announce.file", directory.api().toString());
        settings.put("api.tokens.file", directory.tokens().toString());
        // Where the policy asks for it, on this machine alone, as the API.
        settings.put("nonstop.host", "127.0.0.1");
        chosen.forEach((key, value) -> {
            if (!HealthSettings.isOfService(key)) {
                settings.put(key, value);
            }
        });
        return settings;
    }

    /** Returns what the services use: {@code found}, but for what the settings name in its place. */
    public Endpoints used(Endpoints found) {
        return new Endpoints(
                chosen.getOrDefault(BOOTSTRAP_SERVERS, found.bootstrapServers()),
                chosen.getOrDefault(REGISTRY_URL, found.registryUrl()));
    }

    /** Returns where services serve their health and metrics. */
    HealthSettings health() {
        return new HealthSettings(chosen);
    }
}

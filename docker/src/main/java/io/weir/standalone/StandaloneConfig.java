package io.weir.standalone;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

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

    public StandaloneConfig {
        brokerSettings = Map.copyOf(brokerSettings);
        chosen = Map.copyOf(chosen);
    }

    /** Returns a broker and registry that were named in the settings. */
    public Optional<Endpoints> givenEndpoints() {
        String bootstrapServers = chosen.get(BOOTSTRAP_SERVERS);
        String registryUrl = chosen.get(REGISTRY_URL);
        return bootstrapServers == null || registryUrl == null
                ? Optional.empty()
                : Optional.of(new Endpoints(bootstrapServers, registryUrl));
    }

    /** Returns the settings for all services: each takes those it knows. */
    public Map<String, String> settings(Endpoints endpoints) {
        Map<String, String> settings = new HashMap<>(endpoints.settings());
        settings.put("state.dir", directory.scheduler().toString());
        settings.put("connector.data.dir", directory.connector().toString());
        settings.put("api.announce.file", directory.api().toString());
        settings.put("api.tokens.file", directory.tokens().toString());
        settings.putAll(chosen);
        return settings;
    }
}

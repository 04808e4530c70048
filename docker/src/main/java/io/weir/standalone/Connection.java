package io.weir.standalone;

import io.weir.standalone.access.Credential;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A way to a broker and its registry, as one account or as whatever the client properties say.
 *
 * @param endpoints where they are
 * @param client properties of a Kafka client and of Confluent's registry client, such as those that log in
 */
public record Connection(Endpoints endpoints, Map<String, String> client) {
    private static final List<String> OF_THE_REGISTRY = List.of("basic.auth.", "bearer.auth.", "schema.registry.");

    public Connection {
        client = Map.copyOf(client);
    }

    /** Returns the way of the account that {@code credential} belongs to. */
    public static Connection of(Endpoints endpoints, Credential credential) {
        return new Connection(endpoints, credential.clientProperties());
    }

    /** Returns the properties of a Kafka client, whatever its kind. */
    public Map<String, Object> kafka() {
        Map<String, Object> properties = new HashMap<>();
        client.forEach((key, value) -> {
            if (!isOfRegistry(key)) {
                properties.put(key, value);
            }
        });
        properties.put("bootstrap.servers", endpoints.bootstrapServers());
        return properties;
    }

    /** Returns the properties of the registry client and of Confluent's serializers. */
    public Map<String, Object> registry() {
        Map<String, Object> properties = new HashMap<>(client);
        properties.put("schema.registry.url", endpoints.registryUrl());
        return properties;
    }

    /** Returns it as the settings of a service. */
    public Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(endpoints.settings());
        client.forEach((key, value) -> settings.put((isOfRegistry(key) ? "registry." : "kafka.") + key, value));
        return settings;
    }

    /** Returns the login to the broker as settings that {@code part} of a service has for itself. */
    public Map<String, String> settingsOfPart(String part) {
        Map<String, String> settings = new HashMap<>();
        client.forEach((key, value) -> {
            if (!isOfRegistry(key)) {
                settings.put(part + ".kafka." + key, value);
            }
        });
        return settings;
    }

    private static boolean isOfRegistry(String key) {
        return OF_THE_REGISTRY.stream().anyMatch(key::startsWith);
    }
}

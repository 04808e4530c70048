package io.weir.topics;

import java.util.HashMap;
import java.util.Map;

/** Logins to the registry that are complete with the secret alone: Confluent's client ignores one whose source is not named. */
final class RegistryLogin {
    private static final Map<String, Map.Entry<String, String>> SOURCES = Map.of(
            "basic.auth.user.info", Map.entry("basic.auth.credentials.source", "USER_INFO"),
            "bearer.auth.token", Map.entry("bearer.auth.credentials.source", "STATIC_TOKEN"));

    private RegistryLogin() {}

    /** Returns {@code properties} of the registry client, with the source of each secret that they give without one. */
    static Map<String, Object> complete(Map<String, ?> properties) {
        Map<String, Object> completed = new HashMap<>(properties);
        SOURCES.forEach((secret, source) -> {
            if (completed.containsKey(secret)) {
                completed.putIfAbsent(source.getKey(), source.getValue());
            }
        });
        return completed;
    }
}

package io.weir.service;

import io.weir.service.setting.SettingsFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigTransformer;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.config.provider.ConfigProvider;
import org.apache.kafka.common.config.provider.DirectoryConfigProvider;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.apache.kafka.common.config.types.Password;

/**
 * Settings of one process: a properties file, overridden by the environment. Immutable.
 *
 * <p>One rule names the variable of any key: {@code WEIR_FOO_BAR} is {@code foo.bar}, and {@code __} is an underscore. What
 * begins with {@code kafka.} goes to every Kafka client; {@code kafka.consumer.}, {@code kafka.producer.},
 * {@code kafka.admin.} and {@code kafka.streams.} to that kind alone; {@code registry.} to the registry client, TLS as
 * {@code registry.ssl.}. A part of a service that has an identity of its own is given it by {@code PART.kafka.}, such as {@code api.kafka.}. A value may be taken from a file: {@code ${file:/path:key}} or {@code ${directory:/path:name}}. Values passed through are never
 * printed.
 */
public final class ServiceConfig {

    private static final String ENVIRONMENT_PREFIX = "WEIR_";
    private static final String KAFKA = "kafka.";
    private static final String REGISTRY = "registry.";
    private static final String TLS = "ssl.";
    private static final String REGISTRY_URL = "registry.url";
    private static final String BOOTSTRAP_SERVERS = "kafka.bootstrap.servers";
    private static final Set<String> CLIENT_KINDS = Set.of("consumer.", "producer.", "admin.", "streams.");

    /** Kafka settings of a part of the service, such as {@code api.kafka.}. */
    private static final Pattern OF_A_PART = Pattern.compile("[a-z]+\\.kafka\\..+");

    private final Map<String, Object> declared;
    private final Map<String, String> passedThrough;

    private ServiceConfig(Map<String, Object> declared, Map<String, String> passedThrough) {
        this.declared = declared;
        this.passedThrough = passedThrough;
    }

    /** Returns a definition of what every service needs, for the service to add its own keys to. */
    public static ConfigDef baseDefinition() {
        return TlsSettings.define(new ConfigDef(), "health")
                .define(
                        BOOTSTRAP_SERVERS,
                        Type.STRING,
                        ConfigDef.NO_DEFAULT_VALUE,
                        new ConfigDef.NonEmptyString(),
                        Importance.HIGH,
                        "Brokers to connect to first: host:port, comma-separated.")
                .define(
                        REGISTRY_URL,
                        Type.STRING,
                        ConfigDef.NO_DEFAULT_VALUE,
                        new ConfigDef.NonEmptyString(),
                        Importance.HIGH,
                        "Schema registries, comma-separated: http(s)://host:port, or mock://name for one in this process.")
                .define(
                        "health.host",
                        Type.STRING,
                        "127.0.0.1",
                        Importance.MEDIUM,
                        "Address on which health and metrics are served.")
                .define(
                        "health.port",
                        Type.INT,
                        0,
                        ConfigDef.Range.between(0, 65_535),
                        Importance.MEDIUM,
                        "Port on which health and metrics are served; 0 takes a free port.");
    }

    /**
     * Reads and checks everything.
     *
     * @param definition the keys the service knows, usually {@link #baseDefinition()} and its own
     * @param file properties in UTF-8, if any
     * @param environment usually {@link System#getenv()}
     * @throws ConfigException naming every problem, one a line
     */
    public static ServiceConfig load(ConfigDef definition, Optional<Path> file, Map<String, String> environment) {
        Map<String, String> raw = new TreeMap<>();
        file.ifPresent(path -> raw.putAll(read(path)));
        environment.forEach((name, value) -> {
            if (name.startsWith(ENVIRONMENT_PREFIX)) {
                raw.put(keyOf(name), value);
            }
        });
        return of(definition, raw);
    }

    /** Checks {@code settings} as {@link #load} does, without file or environment. */
    public static ServiceConfig of(ConfigDef definition, Map<String, String> settings) {
        Map<String, String> resolved = resolve(settings);
        List<String> problems = new ArrayList<>();
        resolved.forEach((key, value) -> {
            if (value != null && value.indexOf('\0') >= 0) {
                problems.add("The value of '" + key + "' holds a null character, which ends a text for others");
            }
        });
        Map<String, Object> declared = new TreeMap<>();
        for (ConfigValue value : definition.validate(resolved)) {
            if (value.errorMessages().isEmpty()) {
                declared.put(value.name(), value.value());
            } else {
                problems.addAll(value.errorMessages());
            }
        }
        problems.addAll(misspelt(definition, resolved));
        if (!problems.isEmpty()) {
            throw new ConfigException("Settings that cannot be used:\n  " + String.join("\n  ", problems));
        }
        return new ServiceConfig(declared, resolved);
    }

    /** Returns the key that the environment variable {@code name} sets. */
    static String keyOf(String name) {
        return name.substring(ENVIRONMENT_PREFIX.length())
                .toLowerCase(Locale.ROOT)
                .replace("__", "\0")
                .replace('_', '.')
                .replace('\0', '_');
    }

    /** Returns the text of the declared {@code key}. */
    public String text(String key) {
        return (String) value(key);
    }

    /** Returns the number of the declared {@code key}, an int or a long. */
    public long number(String key) {
        return ((Number) value(key)).longValue();
    }

    /** Returns the switch of the declared {@code key}. */
    public boolean flag(String key) {
        return (Boolean) value(key);
    }

    /** Returns the list of the declared {@code key}. */
    public List<String> list(String key) {
        return ((List<?>) value(key)).stream().map(String.class::cast).toList();
    }

    /** Returns the secret of the declared {@code key}; its {@code toString} hides it. */
    public Password secret(String key) {
        return (Password) value(key);
    }

    /** Says whether the declared {@code key} has a value: its default may be null. */
    public boolean has(String key) {
        return declared.get(key) != null;
    }

    /**
     * Returns the settings whose keys begin with {@code prefix}, without it, unchecked: for parts of the configuration whose
     * names are themselves configured. Nothing of the first word of {@code prefix} may be declared.
     */
    public Map<String, String> below(String prefix) {
        return withPrefix(prefix);
    }

    /** Returns these settings as {@code part} of the service has them: with its own Kafka settings laid over all others. */
    public ServiceConfig ofPart(String part) {
        Map<String, String> settings = new TreeMap<>(passedThrough);
        withPrefix(part + "." + KAFKA).forEach((key, value) -> settings.put(KAFKA + key, value));
        return new ServiceConfig(declared, settings);
    }

    /** Returns the properties for a consumer. */
    public Map<String, Object> consumer() {
        return client("consumer.");
    }

    /**
     * Returns the properties for a producer.
     *
     * @param largest how large its records may be where nothing else is set, bytes
     */
    public Map<String, Object> producer(int largest) {
        Map<String, Object> properties = client("producer.");
        properties.putIfAbsent("max.request.size", largest);
        return properties;
    }

    /** Returns the properties for an admin client. */
    public Map<String, Object> admin() {
        return client("admin.");
    }

    /**
     * Returns the properties for Kafka Streams: its own, and those of the clients within it under the prefixes it knows
     * ({@code consumer.}, {@code producer.}, {@code admin.}).
     */
    public Map<String, Object> streams() {
        Map<String, Object> properties = client("streams.");
        List.of("consumer.", "producer.", "admin.")
                .forEach(kind -> withPrefix(KAFKA + kind).forEach((key, value) -> properties.put(kind + key, value)));
        return properties;
    }

    /**
     * Returns the properties for the registry client and Confluent's serializers. The client takes those of TLS under a name
     * of its own alone, so that they do not clash with a Kafka client's.
     */
    public Map<String, Object> registry() {
        Map<String, Object> properties = new HashMap<>(withPrefix(REGISTRY));
        Object url = properties.remove("url");
        if (url != null) {
            properties.put("schema.registry.url", url);
        }
        withPrefix(REGISTRY + TLS)
                .forEach((key, value) -> properties.putIfAbsent("schema." + REGISTRY + TLS + key, value));
        properties.keySet().removeIf(key -> key.startsWith(TLS));
        return properties;
    }

    /** Returns declared keys with values, passed-through keys without. */
    @Override
    public String toString() {
        Map<String, Object> shown = new TreeMap<>(declared);
        passedThrough.keySet().stream()
                .filter(key -> !declared.containsKey(key) && isPassedThrough(key))
                .forEach(key -> shown.put(key, Password.HIDDEN));
        return shown.toString();
    }

    private Object value(String key) {
        if (!declared.containsKey(key)) {
            throw new IllegalArgumentException("Setting '" + key + "' is not declared; declare it in the definition");
        }
        return Objects.requireNonNull(declared.get(key), () -> "Setting '" + key + "' has no value; ask has() first");
    }

    private Map<String, Object> client(String kind) {
        Map<String, Object> properties = new HashMap<>();
        withPrefix(KAFKA).forEach((key, value) -> {
            if (CLIENT_KINDS.stream().noneMatch(key::startsWith)) {
                properties.put(key, value);
            }
        });
        properties.putAll(withPrefix(KAFKA + kind));
        return properties;
    }

    private Map<String, String> withPrefix(String prefix) {
        return passedThrough.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .collect(Collectors.toMap(entry -> entry.getKey().substring(prefix.length()), Map.Entry::getValue));
    }

    private static boolean isPassedThrough(String key) {
        return key.startsWith(KAFKA)
                || key.startsWith(REGISTRY)
                || OF_A_PART.matcher(key).matches();
    }

    /** Undeclared keys beside declared ones; a first word of which nothing is declared belongs to another service. */
    private static List<String> misspelt(ConfigDef definition, Map<String, String> settings) {
        Set<String> known = new TreeSet<>(definition.names());
        Set<String> families = known.stream().map(ServiceConfig::family).collect(Collectors.toSet());
        return settings.keySet().stream()
                .filter(key -> !isPassedThrough(key) && !known.contains(key) && families.contains(family(key)))
                .map(key -> "Unknown setting '" + key + "'; there are "
                        + known.stream()
                                .filter(other -> family(other).equals(family(key)))
                                .toList())
                .toList();
    }

    private static String family(String key) {
        return key.substring(0, key.indexOf('.') < 0 ? key.length() : key.indexOf('.'));
    }

    private static Map<String, String> read(Path file) {
        try {
            return SettingsFile.read(file);
        } catch (IOException e) {
            throw new ConfigException("Cannot read settings: " + e.getMessage() + ". Give a properties file in UTF-8");
        }
    }

    private static Map<String, String> resolve(Map<String, String> settings) {
        try (FileConfigProvider file = new FileConfigProvider();
                DirectoryConfigProvider directory = new DirectoryConfigProvider()) {
            file.configure(Map.of());
            directory.configure(Map.of());
            Map<String, ConfigProvider> providers = Map.of("file", file, "directory", directory);
            return new ConfigTransformer(providers).transform(settings).data();
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException("Cannot read a referenced file: " + e.getMessage());
        }
    }
}

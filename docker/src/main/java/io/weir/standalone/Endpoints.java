package io.weir.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Where a broker and its registry are reached.
 *
 * @param bootstrapServers for {@code bootstrap.servers}
 * @param registryUrl for {@code schema.registry.url}
 */
public record Endpoints(String bootstrapServers, String registryUrl) {
    private static final String BOOTSTRAP_SERVERS = "kafka.bootstrap.servers";
    private static final String REGISTRY_URL = "registry.url";

    /** Returns them as the settings every service knows. */
    public Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        settings.put(BOOTSTRAP_SERVERS, bootstrapServers);
        settings.put(REGISTRY_URL, registryUrl);
        return settings;
    }

    /** Writes them to {@code file}, whole or not at all; the file can be given to a service as its settings. */
    public void write(Path file) {
        Properties properties = new Properties();
        properties.putAll(settings());
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        try {
            try (Writer out = Files.newBufferedWriter(draft, StandardCharsets.UTF_8)) {
                properties.store(out, "Where the broker and the registry of this directory are reached while they run");
            }
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file, e);
        }
    }

    /** Reads what {@link #write} wrote; empty when there is no such file. */
    public static Optional<Endpoints> read(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Map<String, String> values = PropertiesFile.read(file);
        return Optional.of(
                new Endpoints(values.getOrDefault(BOOTSTRAP_SERVERS, ""), values.getOrDefault(REGISTRY_URL, "")));
    }
}

package io.weir.standalone.broker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * Makes a directory ready for the broker's log, once. A marker file with the cluster id is written before anything
 * else: a kill in the middle of formatting is finished by the next start, and a log that some other Kafka formatted
 * has no marker and is refused.
 */
final class BrokerFormat {
    private static final String MARKER = "broker.properties";
    private static final String LOG = "kafka";
    private static final String META = "meta.properties";
    private static final String CLUSTER_ID = "cluster.id";

    private final Path directory;

    BrokerFormat(Path directory) {
        this.directory = directory;
    }

    Path log() {
        return directory.resolve(LOG);
    }

    /** Returns whether the directory has been made ready, or was about to be. */
    boolean isThere() {
        return Files.exists(directory.resolve(MARKER));
    }

    void ensure(int nodeId, String controllerListener) {
        try {
            String clusterId = clusterId();
            Path meta = log().resolve(META);
            if (!Files.exists(meta)) {
                Files.createDirectories(log());
                format(clusterId, nodeId, controllerListener);
                return;
            }
            String found = load(meta).getProperty(CLUSTER_ID, "");
            if (!found.equals(clusterId)) {
                throw new DirectoryInUseException(
                        log(),
                        "formatted for Kafka cluster '" + found + "', expected '" + clusterId
                                + "'; choose another directory, or remove this one if its content may go");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot format " + directory + " for the embedded broker", e);
        }
    }

    private String clusterId() throws IOException {
        Path marker = directory.resolve(MARKER);
        if (Files.exists(marker)) {
            return load(marker).getProperty(CLUSTER_ID, "");
        }
        if (!isEmpty(log())) {
            throw new DirectoryInUseException(
                    log(), "holds files that Weir did not write; choose an empty or a new directory");
        }
        Properties properties = new Properties();
        properties.setProperty(CLUSTER_ID, Uuid.randomUuid().toString());
        Path draft = directory.resolve(MARKER + ".new");
        try (OutputStream out = Files.newOutputStream(draft)) {
            properties.store(out, "Weir's embedded Kafka broker");
        }
        Files.move(draft, marker, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return properties.getProperty(CLUSTER_ID);
    }

    private void format(String clusterId, int nodeId, String controllerListener) throws IOException {
        Formatter formatter = new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
                .setClusterId(clusterId)
                .setNodeId(nodeId)
                .setReleaseVersion(MetadataVersion.latestProduction())
                // One replica: electing among eligible replicas would only delay the restart after a kill.
                .setFeatureLevel(Feature.ELIGIBLE_LEADER_REPLICAS_VERSION.featureName(), (short) 0)
                .setControllerListenerName(controllerListener)
                .setMetadataLogDirectory(log().toString())
                .setDirectories(List.of(log().toString()))
                .setIgnoreFormatted(true);
        try {
            formatter.run();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return true;
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    private static Properties load(Path file) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            properties.load(in);
        }
        return properties;
    }
}

package io.weir.standalone;

import io.weir.standalone.broker.DirectoryLock;
import io.weir.standalone.broker.EmbeddedBroker;
import io.weir.standalone.registry.EmbeddedRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;

/**
 * Broker and registry of one data directory: what all services meet in.
 */
public final class Backbone implements AutoCloseable {
    private final DataDirectory directory;
    private final EmbeddedBroker broker;
    private final EmbeddedRegistry registry;

    private Backbone(DataDirectory directory, EmbeddedBroker broker, EmbeddedRegistry registry) {
        this.directory = directory;
        this.broker = broker;
        this.registry = registry;
    }

    /** Starts both; port 0 takes any free one. */
    public static Backbone start(DataDirectory directory, int brokerPort, int registryPort) {
        return start(directory, brokerPort, registryPort, Map.of());
    }

    /** Starts both, with {@code brokerSettings} of Kafka laid over the broker's own. */
    public static Backbone start(
            DataDirectory directory, int brokerPort, int registryPort, Map<String, String> brokerSettings) {
        forget(directory);
        EmbeddedBroker broker = EmbeddedBroker.start(directory.broker(), brokerPort, brokerSettings);
        try {
            EmbeddedRegistry registry = EmbeddedRegistry.start(broker.bootstrapServers(), registryPort);
            return new Backbone(directory, broker, registry);
        } catch (RuntimeException | Error e) {
            broker.close();
            throw e;
        }
    }

    /** Removes the endpoints of a broker that is no more, so that nobody waits for it. */
    private static void forget(DataDirectory directory) {
        if (!DirectoryLock.isHeld(directory.broker())) {
            try {
                Files.deleteIfExists(directory.endpoints());
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot remove " + directory.endpoints(), e);
            }
        }
    }

    /** Tells other processes, by the directory's endpoints file, that there is something to connect to. */
    void announce() {
        endpoints().write(directory.endpoints());
    }

    /** Where they are reached. */
    public Endpoints endpoints() {
        return new Endpoints(broker.bootstrapServers(), registry.url());
    }

    @Override
    public void close() {
        try {
            registry.close();
        } finally {
            broker.close();
        }
    }
}

package io.weir.scheduler.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A way to topics and registry, open until closed. The distribution gives one for a data directory: by the broker that
 * runs on it, or by one started for the purpose.
 */
public interface BrokerAccess extends AutoCloseable {
    /** Returns the properties of a Kafka client, addresses and login included. */
    Map<String, Object> kafka();

    /** Returns the properties of the registry's client. */
    Map<String, Object> registry();

    @Override
    void close();

    /** Opens a data directory. */
    @FunctionalInterface
    interface OfDirectory {
        /**
         * Opens {@code directory}.
         *
         * @throws IOException when it holds no topics, or they cannot be opened
         */
        BrokerAccess open(Path directory) throws IOException;
    }
}

package io.weir.standalone;

import io.weir.scheduler.cli.BrokerAccess;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Credentials;
import io.weir.standalone.access.NotPermittedException;
import io.weir.standalone.broker.DirectoryLock;
import io.weir.standalone.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A way to the topics of a data directory: through the broker that is running on it, or else through one started for as
 * long as this object is open.
 */
public final class KafkaAccess implements BrokerAccess {
    private final Connection connection;
    private final @Nullable KafkaEnvironment own;

    private KafkaAccess(Connection connection, @Nullable KafkaEnvironment own) {
        this.connection = connection;
        this.own = own;
    }

    /**
     * Opens the topics of {@code directory} as {@code account}.
     *
     * @throws IOException when nothing was ever kept there, or the broker is still starting
     * @throws NotPermittedException when this user may not use the account
     */
    public static KafkaAccess open(DataDirectory directory, Account account) throws IOException {
        directory.requireReadable();
        if (!Files.isDirectory(directory.broker())) {
            throw new IOException(directory.root()
                    + " holds no topics: give the --data directory of weir demo, standalone or run-trace");
        }
        if (DirectoryLock.isHeld(directory.broker())) {
            Endpoints running = Endpoints.read(directory.endpoints())
                    .orElseThrow(() -> new IllegalStateException(
                            "The broker on " + directory.root() + " is starting; try again in a few seconds"));
            return new KafkaAccess(Connection.of(running, new Credentials(directory.credentials()).of(account)), null);
        }
        if (!EmbeddedBroker.wasStarted(directory.broker())) {
            throw new IOException(directory.root() + " holds no topics, for the services on it use brokers elsewhere:"
                    + " give these with --bootstrap-server and --registry, and a login with --client-config");
        }
        KafkaEnvironment own = KafkaEnvironment.start(directory, 0, 0);
        return new KafkaAccess(own.connection(account), own);
    }

    @Override
    public Map<String, Object> kafka() {
        return connection.kafka();
    }

    @Override
    public Map<String, Object> registry() {
        return connection.registry();
    }

    /** The way to the broker and the registry. */
    public Connection connection() {
        return connection;
    }

    @Override
    public void close() {
        if (own != null) {
            own.close();
        }
    }
}

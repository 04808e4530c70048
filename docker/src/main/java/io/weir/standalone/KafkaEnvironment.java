package io.weir.standalone;

import io.weir.standalone.access.Account;
import io.weir.standalone.access.Credentials;
import io.weir.standalone.access.Grants;
import io.weir.standalone.broker.DirectoryLock;
import io.weir.standalone.broker.EmbeddedBroker;
import io.weir.standalone.registry.EmbeddedRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/**
 * Broker and registry of one data directory: what all services meet in. Both want a login; the credentials are made with
 * the first start.
 */
public final class KafkaEnvironment implements AutoCloseable {
    /** Accounts that there are whatever runs; connectors get theirs when they start. */
    private static final List<Account> ACCOUNTS = List.of(
            Account.BROKER,
            Account.ADMIN,
            Account.REGISTRY,
            Account.SCHEDULER,
            Account.REDUCTION,
            Account.API,
            Account.NOTIFIER,
            Account.MONITORING,
            Account.READER,
            Account.AUDIT);

    private final DataDirectory directory;
    private final EmbeddedBroker broker;
    private final EmbeddedRegistry registry;

    private KafkaEnvironment(DataDirectory directory, EmbeddedBroker broker, EmbeddedRegistry registry) {
        this.directory = directory;
        this.broker = broker;
        this.registry = registry;
    }

    /** Starts both; port 0 takes any free one. */
    public static KafkaEnvironment start(DataDirectory directory, int brokerPort, int registryPort) {
        return start(directory, brokerPort, registryPort, Map.of(), Grants.NONE);
    }

    /** Starts both, with {@code brokerSettings} of Kafka laid over the broker's own, and makes {@code grants}. */
    public static KafkaEnvironment start(
            DataDirectory directory,
            int brokerPort,
            int registryPort,
            Map<String, String> brokerSettings,
            Grants grants) {
        directory.prepare();
        forget(directory);
        Credentials credentials = new Credentials(directory.credentials());
        ACCOUNTS.forEach(credentials::ensure);
        EmbeddedBroker broker = EmbeddedBroker.start(directory.broker(), credentials, brokerPort, brokerSettings);
        try {
            Endpoints unregistered = new Endpoints(broker.bootstrapServers(), "");
            try (Admin admin = Admin.create(
                    Connection.of(unregistered, credentials.of(Account.ADMIN)).kafka())) {
                Grants.ofRegistry(EmbeddedRegistry.TOPIC).and(grants).apply(admin);
            }
            EmbeddedRegistry registry = EmbeddedRegistry.start(
                    Connection.of(unregistered, credentials.of(Account.REGISTRY))
                            .kafka(),
                    new RegistryAccounts(credentials),
                    registryPort);
            return new KafkaEnvironment(directory, broker, registry);
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

    /** A way to them as {@code account}, which gets a credential if it has none. */
    public Connection connection(Account account) {
        return Connection.of(endpoints(), new Credentials(directory.credentials()).ensure(account));
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

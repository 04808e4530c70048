package io.weir.standalone;

import io.weir.standalone.access.Account;
import io.weir.standalone.access.NotPermittedException;
import io.weir.standalone.access.OwnerOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where things lie in a launcher's directory. Everything a restart needs is below {@code root}; services never look
 * into each other's part.
 *
 * @param root the directory given with {@code --data}
 */
public record DataDirectory(Path root) {
    public DataDirectory {
        root = root.toAbsolutePath().normalize();
    }

    /**
     * Makes what is missing of it, and keeps others out: records and state lie in directories that only their owner can
     * enter.
     *
     * @throws NotPermittedException when it belongs to another user
     */
    public void prepare() {
        try {
            prepareRoot();
            for (Path part : List.of(broker(), credentials(), scheduler(), connector(), notifier(), logs())) {
                OwnerOnly.directory(part);
            }
            OwnerOnly.file(tokens());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot use " + root + " as a data directory", e);
        }
    }

    /** One that holds something else is not Weir's to close, but the parts of Weir in it are. */
    private void prepareRoot() throws IOException {
        if (!Files.isDirectory(root) || Files.isDirectory(broker()) || isEmpty()) {
            OwnerOnly.directory(root);
        } else if (OwnerOnly.isOpen(root)) {
            throw NotPermittedException.open(root);
        }
    }

    private boolean isEmpty() throws IOException {
        try (Stream<Path> entries = Files.list(root)) {
            return entries.findAny().isEmpty();
        }
    }

    /**
     * Makes sure that this user may use it.
     *
     * @throws NotPermittedException when not
     */
    public void requireReadable() {
        for (Path path : List.of(root, broker(), credentials())) {
            if (Files.exists(path) && !(Files.isReadable(path) && Files.isExecutable(path))) {
                throw NotPermittedException.unreadable(path);
            }
        }
    }

    /** Credentials of the accounts of broker and registry; only their owner can enter. */
    public Path credentials() {
        return root.resolve("credentials");
    }

    /** Configurations of ordinary Kafka clients; only their owner can enter. */
    public Path clients() {
        return root.resolve("clients");
    }

    /** The configuration of a Java client that is {@code account}. */
    public Path javaClient(Account account) {
        return clients().resolve(account.name() + ".properties");
    }

    /** The configuration of a client made with librdkafka, such as kcat, that is {@code account}. */
    public Path librdkafkaClient(Account account) {
        return clients().resolve(account.name() + ".librdkafka.conf");
    }

    /** Kafka's log and metadata. */
    public Path broker() {
        return root.resolve("broker");
    }

    /** Where the broker and the registry can be reached, while they run. */
    public Path endpoints() {
        return root.resolve("endpoints.properties");
    }

    /** Where the scheduler's API can be reached, while it is served. */
    public Path api() {
        return root.resolve("api.properties");
    }

    /** Who may use the API, with tokens; readable by its owner alone. */
    public Path tokens() {
        return root.resolve("api.tokens");
    }

    /** State of the scheduler's stream. */
    public Path scheduler() {
        return root.resolve("scheduler");
    }

    /** Files of the connectors: for the simulated resource manager, what really happened. */
    public Path connector() {
        return root.resolve("connector");
    }

    /** Files of the notifier and of its file channel. */
    public Path notifier() {
        return root.resolve("notifier");
    }

    /** Log files, one per process. */
    public Path logs() {
        return root.resolve("logs");
    }
}

package io.weir.standalone;

import java.nio.file.Path;

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

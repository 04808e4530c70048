package io.weir.scheduler;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * State on this machine that is not gone on from, and is moved beside where it was: of another Kafka cluster or too old
 * ({@link StateOrigin}), or one of which no topic knows, as after brokers have lost everything. Kafka Streams would go on from it, and
 * the new topics' records would be taken for those that it says were taken in before.
 */
final class FormerState {
    private static final Logger log = LoggerFactory.getLogger(FormerState.class);

    private FormerState() {}

    /** Moves {@code directory}, if there is one, beside itself: no topic knows of what it holds. */
    static void setAside(Path directory) {
        Path aside = move(directory);
        if (aside == null) {
            return;
        }
        log.error(
                "The topics are new, but {} held a state, which no topic knows of: it was moved to {}, and the scheduler begins"
                        + " anew. If brokers lost the topics, what only the scheduler knew is lost with them; to restore them, stop"
                        + " it first and move the state back. On other machines with this application.id, remove theirs",
                directory,
                aside);
    }

    /** Moves {@code directory} beside itself, and returns where to; null where there is none. */
    static @Nullable Path move(Path directory) {
        if (!Files.isDirectory(directory)) {
            return null;
        }
        int number = 1;
        Path aside = aside(directory, number);
        while (Files.exists(aside)) {
            number++;
            aside = aside(directory, number);
        }
        try {
            return Files.move(directory, aside);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot move " + directory + " away, which is not to be gone on from", e);
        }
    }

    /** Moves {@code directory} beside itself, in place of the last one for which this was done, and returns where to. */
    static Path replaceOutdated(Path directory) {
        Path aside = directory.resolveSibling(directory.getFileName() + ".outdated");
        try {
            if (Files.exists(aside)) {
                remove(aside);
            }
            return Files.move(directory, aside);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Cannot move " + directory + " to " + aside + ", which is not to be gone on from", e);
        }
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> within = Files.walk(directory)) {
            for (Path each : within.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private static Path aside(Path directory, int number) {
        return directory.resolveSibling(directory.getFileName() + ".former-" + number);
    }
}

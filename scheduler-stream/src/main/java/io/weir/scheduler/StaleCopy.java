package io.weir.scheduler;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the state on this machine can be gone on from after a failure. What is stored on the disk says up to which offset of its
 * topics it has come; where one of these was made anew meanwhile, Kafka Streams would go on at that offset of the new one, and leave out
 * what lies before. So until an orderly stop has stored where the new one stands, a mark beside the state says that it has to be
 * restored from its topics, which have all of it.
 */
final class StaleCopy {
    private static final Logger log = LoggerFactory.getLogger(StaleCopy.class);

    private final Path state;
    private final Path mark;

    /** Speaks of the state in the directory {@code state}, the application's own. */
    StaleCopy(Path state) {
        this.state = state;
        this.mark = state.resolveSibling(state.getFileName() + ".topics-made-anew");
    }

    /** A topic was made anew. */
    void note() {
        try {
            Files.createDirectories(mark.toAbsolutePath().getParent());
            Files.write(mark, new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + mark, e);
        }
    }

    /** An orderly stop has stored where the topics stand. */
    void forget() {
        try {
            Files.deleteIfExists(mark);
        } catch (IOException e) {
            log.warn("Cannot remove {}; the next start restores the state from its topics", mark, e);
        }
    }

    /** Has the state restored from its topics, where what is on this machine cannot be gone on from; no stream may be at work. */
    void setAside() {
        if (Files.exists(mark)) {
            log.warn(
                    "A topic that keeps the state was made anew before the last stop, which was none in good order; the state is"
                            + " restored from its topics. What was here was moved to {}",
                    FormerState.move(state));
            forget();
        }
    }
}

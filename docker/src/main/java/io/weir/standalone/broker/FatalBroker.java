package io.weir.standalone.broker;

import java.nio.file.Path;
import org.apache.kafka.common.utils.Exit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says why the process ends when a broker in it cannot go on. Kafka ends it then without another word: above all when its
 * disk is full, where its own log cannot tell.
 */
final class FatalBroker {
    private static final Logger log = LoggerFactory.getLogger(FatalBroker.class);
    private static final long MEBIBYTE = 1 << 20;

    /** With less, a segment of the broker's log does not find room for its indexes. */
    private static final long ROOM_MEBIBYTES = 32;

    private FatalBroker() {}

    /** From now on the end of a broker on {@code directory} is explained before the process ends. */
    static void explain(Path directory) {
        Exit.setHaltProcedure((code, message) -> {
            tell(directory, message);
            Runtime.getRuntime().halt(code);
        });
        Exit.setExitProcedure((code, message) -> {
            tell(directory, message);
            System.exit(code);
        });
    }

    private static void tell(Path directory, @Nullable String message) {
        log.error(
                "The broker cannot go on, and this process ends. {}",
                reason(directory, directory.toFile().getUsableSpace() / MEBIBYTE, message));
    }

    /** Returns why a broker on {@code directory}, for which {@code mebibytes} are free, has ended with {@code message}. */
    static String reason(Path directory, long mebibytes, @Nullable String message) {
        String said = message == null ? "" : message + ". ";
        return said
                + (mebibytes < ROOM_MEBIBYTES
                        ? "The disk of " + directory + " is full, " + mebibytes
                                + " MiB are free: make room there and start again; what was acknowledged is kept"
                        : "It could not use " + directory + ", for which " + mebibytes
                                + " MiB are free: the log has Kafka's own words on it");
    }
}

package io.weir.scheduler;

import io.weir.service.PrivateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import org.rocksdb.NativeLibraryLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native library of the stream's stores. RocksDB itself would put it into the machine's directory for temporary files,
 * with the permissions that the umask leaves, and not remove it when the process is killed or halted.
 */
final class StoreLibrary {
    /** Where it is to go instead; read by RocksDB, too. */
    private static final String DIRECTORY = "ROCKSDB_SHAREDLIB_DIR";

    private static final Logger log = LoggerFactory.getLogger(StoreLibrary.class);

    private StoreLibrary() {}

    /**
     * Loads the library, once in this process, from a directory in {@code stateDir} that its owner alone can enter; it is
     * gone when this returns.
     *
     * @throws ConfigException when programs cannot be run from there
     */
    static void load(Path stateDir) throws IOException {
        String chosen = System.getenv(DIRECTORY);
        if (chosen != null && !chosen.isEmpty()) {
            load(DIRECTORY, chosen, chosen);
            return;
        }
        Path own = Files.createTempDirectory(PrivateDirectory.create(stateDir), "library-");
        try {
            load("state.dir", stateDir.toString(), own.toString());
        } finally {
            remove(own);
        }
    }

    private static void load(String setting, String value, String directory) throws IOException {
        try {
            NativeLibraryLoader.getInstance().loadLibrary(directory);
        } catch (IOException e) {
            throw new IOException(
                    "the native library of RocksDB cannot be written to " + setting + " " + value + ": "
                            + e.getMessage(),
                    e);
        } catch (UnsatisfiedLinkError | RuntimeException e) {
            ConfigException refusal = new ConfigException(
                    setting,
                    value,
                    "the native library of RocksDB cannot be loaded from there (" + e.getMessage()
                            + "); choose a directory on a file system that is not mounted noexec, or name an existing one"
                            + " for the library alone in the environment variable " + DIRECTORY);
            refusal.initCause(e);
            throw refusal;
        }
    }

    /** What is mapped stays usable without its file; where it does not, the file stays. */
    private static void remove(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException e) {
            log.debug("{} stays", directory, e);
        }
    }
}

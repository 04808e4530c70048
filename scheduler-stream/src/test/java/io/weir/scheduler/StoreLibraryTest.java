package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;

/** Each test in a process of its own, as a process loads a library once. */
class StoreLibraryTest {
    @TempDir
    private Path directory = Path.of("");

    private Path temporary = Path.of("");
    private Path state = Path.of("");

    /** Loads the library as the scheduler does, opens a store and ends as services end. */
    static final class Halting {
        private Halting() {}

        public static void main(String[] args) throws Exception {
            try {
                StoreLibrary.load(Path.of(args[0]));
                RocksDB.open(args[0] + "-store").close();
                System.out.println("opened");
            } catch (ConfigException e) {
                System.out.println(e.getMessage());
            }
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
    }

    @BeforeEach
    void makeDirectories() throws IOException {
        temporary = Files.createDirectory(directory.resolve("tmp"));
        state = directory.resolve("state");
    }

    @Test
    void aProcessThatIsHaltedLeavesNoLibraryBehind() throws Exception {
        assertThat(run(Map.of())).isEqualTo("opened");
        assertThat(temporary).isEmptyDirectory();
        assertThat(state).isEmptyDirectory();
    }

    @Test
    void theSiteMayChooseAnotherDirectory() throws Exception {
        Path other = Files.createDirectory(directory.resolve("other"));
        assertThat(run(Map.of("ROCKSDB_SHAREDLIB_DIR", other.toString()))).isEqualTo("opened");
        assertThat(other).isNotEmptyDirectory();
        assertThat(temporary).isEmptyDirectory();
        assertThat(state).doesNotExist();
    }

    @Test
    void aDirectoryThatCannotBeUsedIsNamedWithWhatToDo() throws Exception {
        String missing = directory.resolve("missing").toString();
        assertThat(run(Map.of("ROCKSDB_SHAREDLIB_DIR", missing)))
                .startsWith("Invalid value " + missing + " for configuration ROCKSDB_SHAREDLIB_DIR: the native library")
                .contains("not mounted noexec");
    }

    private String run(Map<String, String> environment) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Halting.class.getName(),
                state.toString());
        builder.environment().remove("ROCKSDB_SHAREDLIB_DIR");
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.lines().reduce((before, last) -> last).orElse("");
    }
}

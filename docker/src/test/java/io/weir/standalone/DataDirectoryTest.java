package io.weir.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.standalone.access.Account;
import io.weir.standalone.access.Credential;
import io.weir.standalone.access.Credentials;
import io.weir.standalone.access.NotPermittedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
    private static final int LAUNCHERS = 12;

    @TempDir
    Path parent;

    /** Parts of a launcher that are started at once find one directory, one token and one credential. */
    @Test
    void shouldBeMadeOnceByLaunchersThatStartTogether() throws Exception {
        DataDirectory directory = new DataDirectory(parent.resolve("new/site"));
        CyclicBarrier start = new CyclicBarrier(LAUNCHERS);
        ExecutorService threads = Executors.newFixedThreadPool(LAUNCHERS);
        List<Future<Seen>> seen = new ArrayList<>();
        for (int i = 0; i < LAUNCHERS; i++) {
            seen.add(threads.submit(() -> {
                start.await();
                directory.prepare();
                ApiAccess.grantOwner(directory);
                return new Seen(
                        ApiAccess.token(directory).orElseThrow(),
                        new Credentials(directory.credentials()).ensure(Account.SCHEDULER));
            }));
        }
        for (Future<Seen> launcher : seen) {
            assertThat(launcher.get()).isEqualTo(seen.get(0).get());
        }
        threads.shutdown();
        assertThat(Files.readAllLines(directory.tokens())).hasSize(2);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.tokens())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.root())))
                .isEqualTo("rwx------");
    }

    @Test
    void shouldCloseADirectoryOfAnOlderRelease() throws Exception {
        DataDirectory directory = new DataDirectory(parent.resolve("old"));
        Files.createDirectories(directory.broker());
        Files.createDirectories(directory.scheduler());
        open(directory.root(), "rwxrwxr-x");
        open(directory.broker(), "rwxr-xr-x");

        directory.prepare();

        assertThat(permissions(directory.root())).isEqualTo("rwx------");
        assertThat(permissions(directory.broker())).isEqualTo("rwx------");
    }

    /** Somebody gives --data /tmp, or his home. */
    @Test
    void shouldLeaveADirectoryAloneThatHoldsOtherThings() throws Exception {
        Path home = Files.createDirectory(parent.resolve("home"));
        Files.writeString(home.resolve("thesis.tex"), "");
        open(home, "rwxr-xr-x");

        new DataDirectory(home).prepare();

        assertThat(permissions(home)).isEqualTo("rwxr-xr-x");
        assertThat(permissions(home.resolve("broker"))).isEqualTo("rwx------");

        Path shared = Files.createDirectory(parent.resolve("shared"));
        Files.writeString(shared.resolve("thesis.tex"), "");
        open(shared, "rwxrwxrwx");

        assertThatThrownBy(() -> new DataDirectory(shared).prepare())
                .isInstanceOf(NotPermittedException.class)
                .hasMessageContaining("--data");
        assertThat(permissions(shared)).isEqualTo("rwxrwxrwx");
        assertThat(shared.resolve("broker")).doesNotExist();
    }

    private static void open(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private record Seen(String token, Credential scheduler) {}
}

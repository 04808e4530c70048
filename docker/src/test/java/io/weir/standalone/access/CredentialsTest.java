package io.weir.standalone.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.security.auth.module.UnixSystem;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {
    private static final int NOBODY = 65_534;

    @TempDir
    Path root;

    private Path directory;
    private Credentials credentials;

    @BeforeEach
    void open() {
        directory = root.resolve("credentials");
        credentials = new Credentials(directory);
    }

    @Test
    void shouldMakeACredentialOnceForItsOwnerAlone() throws IOException {
        Credential made = credentials.ensure(Account.API);

        assertThat(credentials.ensure(Account.API)).isEqualTo(made);
        assertThat(new Credentials(directory).of(Account.API)).isEqualTo(made);
        assertThat(credentials.find("weir-api")).hasValue(made);
        assertThat(made.kafkaPassword()).hasSize(64).isNotEqualTo(made.registryPassword());
        assertThat(credentials.ensure(Account.READER).kafkaPassword()).isNotEqualTo(made.kafkaPassword());
        assertThat(permissions(directory)).isEqualTo("rwx------");
        assertThat(permissions(directory.resolve("weir-api.properties"))).isEqualTo("rw-------");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("weir-api.properties", "weir-reader.properties");
        }
    }

    @Test
    void shouldShowNobodyThePasswords() {
        Credential made = credentials.ensure(Account.API);

        assertThat(made.toString()).doesNotContain(made.kafkaPassword(), made.registryPassword());
    }

    @Test
    void shouldGiveAllWhoStartAtOnceTheSame() throws Exception {
        int processes = 16;
        CyclicBarrier start = new CyclicBarrier(processes);
        ExecutorService threads = Executors.newFixedThreadPool(processes);
        List<Future<Credential>> made = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            made.add(threads.submit(() -> {
                start.await();
                return new Credentials(directory).ensure(Account.SCHEDULER);
            }));
        }
        for (Future<Credential> credential : made) {
            assertThat(credential.get()).isEqualTo(made.get(0).get());
        }
        threads.shutdown();
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).hasSize(1);
        }
    }

    /** Names that a client may send; none leads to another file. */
    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "../secret", "/etc/passwd", "weir-api\u0000", "weir/api", "weir api", "1"})
    void shouldKnowNobodyWhoseNameIsNoAccounts(String name) throws IOException {
        Files.writeString(
                root.resolve("secret.properties"),
                "kafka.password=0123456789abcdef\nregistry.password=0123456789abcdef\n");
        credentials.ensure(Account.API);

        assertThat(credentials.find(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "kafka.password=\nregistry.password=\n", "kafka.password=short\nregistry.password=a\n"})
    void shouldRefuseAPasswordThatIsEmptyOrShort(String content) throws IOException {
        credentials.ensure(Account.API);
        Files.writeString(directory.resolve("weir-api.properties"), content);

        assertThatThrownBy(() -> credentials.of(Account.API)).hasStackTraceContaining("no usable kafka.password");
        assertThatThrownBy(() -> credentials.find("weir-api")).hasStackTraceContaining("no usable kafka.password");
    }

    @Test
    void shouldSayWhatMakesAMissingCredential() {
        assertThatThrownBy(() -> credentials.of(Account.API)).hasMessageContaining("start the broker");
    }

    @Test
    void shouldTakeTheRightsOfOthersFromADirectoryThatIsThere() throws IOException {
        Files.createDirectory(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(root.resolve("api.tokens"), "me token 1\n");
        Files.setPosixFilePermissions(root.resolve("api.tokens"), PosixFilePermissions.fromString("rw-r--r--"));

        credentials.ensure(Account.API);
        OwnerOnly.file(root.resolve("api.tokens"));

        assertThat(permissions(directory)).isEqualTo("rwx------");
        assertThat(permissions(root.resolve("api.tokens"))).isEqualTo("rw-------");
    }

    @Test
    void shouldNotUseADirectoryOfAnother() throws IOException {
        assumeThat(new UnixSystem().getUid())
                .as("only root gives directories away")
                .isZero();
        Files.createDirectory(directory);
        Files.setAttribute(directory, "unix:uid", NOBODY);

        assertThatThrownBy(() -> credentials.ensure(Account.API))
                .isInstanceOf(NotPermittedException.class)
                .hasMessageContaining("belongs to");
    }

    @Test
    void shouldNameAConnectorsAccountWhateverItsId() {
        assertThat(Account.connector("c1", "rm").name()).isEqualTo("weir-connector.c1.rm");
        assertThat(Account.connector("a/b", "x y*").name()).isEqualTo("weir-connector.a%2Fb.x%20y%2A");
        assertThat(Account.connector("hpc.example.org", "rm").name()).isEqualTo("weir-connector.hpc.example.org.rm");
        assertThat(Account.connector("a", "b.rm").name())
                .isEqualTo("weir-connector.a.b%2Erm")
                .isNotEqualTo(Account.connector("a.b", "rm").name());
        assertThat(Account.monitoringSource("a", "b.mon")).isNotEqualTo(Account.monitoringSource("a.b", "mon"));
        assertThat(Account.connector("c1", "rm").principal()).isEqualTo("User:weir-connector.c1.rm");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}

package io.weir.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.security.auth.module.UnixSystem;
import io.weir.standalone.access.Account;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A launcher of one user of the machine, {@code daemon}, and what another one, {@code nobody}, can do to it. */
class OtherUserIT {
    private static final String OWNER = "daemon";
    private static final String OTHER = "nobody";

    /** Everybody may enter it, as /var/lib. */
    @TempDir
    static Path parent;

    private static String classPath;
    private static DataDirectory directory;
    private static Process launcher;
    private static Endpoints endpoints;

    /** What the other user tried, and the outcome. */
    private static List<String> attempts;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        assumeThat(new UnixSystem().getUid())
                .as("user id; only root can start a launcher as another user")
                .isZero();
        assumeThat(Path.of("/usr/bin/setpriv")).as("setpriv, of util-linux").exists();
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        classPath = copyOfClassPath(Files.createDirectory(parent.resolve("lib")));
        Path root = Files.createDirectory(parent.resolve("site"));
        Files.setOwner(
                root, root.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(OWNER));
        directory = new DataDirectory(root);
        Path output = parent.resolve("launcher.out");
        launcher = new ProcessBuilder(java(
                        OWNER,
                        "io.weir.command.Main",
                        List.of("standalone", "--data", root.toString(), "--port=0", "--registry-port=0")))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Awaitility.await("launcher of " + OWNER)
                .atMost(Duration.ofMinutes(3))
                .failFast("it ended; see " + output, () -> !launcher.isAlive())
                .until(() -> ApiAccess.url(directory).isPresent()
                        && Endpoints.read(directory.endpoints()).isPresent());
        endpoints = Endpoints.read(directory.endpoints()).orElseThrow();
        attempts = attempts(OTHER, "-");
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (launcher != null) {
            launcher.destroy();
            if (!launcher.waitFor(1, TimeUnit.MINUTES)) {
                launcher.destroyForcibly();
            }
        }
    }

    @Test
    void shouldKeepAnotherUserFromTopicsRegistryAndApi() {
        assertThat(attempts)
                .contains(
                        "refused\tlist topics",
                        "refused\tread topic",
                        "refused\twrite topic",
                        "refused\tbroker by socket",
                        "refused\tregistry",
                        "refused\tregistry write",
                        "refused\tregistry by socket",
                        "refused\tAPI",
                        "refused\tAPI request",
                        "refused\tenvironment",
                        "refused\tnew file");
    }

    @Test
    void shouldKeepAnotherUserFromEverySecret() throws Exception {
        List<String> granted = attempts.stream()
                .filter(line -> line.startsWith("granted\t"))
                .map(line -> line.substring("granted\t".length()))
                .toList();
        List<String> secrets = secrets();
        assertThat(secrets).hasSizeGreaterThan(10);

        assertThat(granted).allMatch(what -> what.startsWith("read "), "reads, and writes nothing");
        for (String read : granted) {
            assertThat(Files.readString(Path.of(read.substring("read ".length()))))
                    .as(read)
                    .doesNotContain(secrets);
        }
        assertThat(Files.readString(Path.of("/proc", Long.toString(launcher.pid()), "cmdline")))
                .doesNotContain(secrets);
    }

    /** The same attempts succeed for whom they are meant; else the others would prove nothing. */
    @Test
    void shouldLetTheOwnerReadWithTheReadersLogin() throws Exception {
        List<String> outcome =
                attempts(OWNER, directory.javaClient(Account.READER).toString());

        assertThat(outcome)
                .contains(
                        "granted\tlist topics",
                        "granted\tread topic",
                        "refused\twrite topic",
                        "granted\tread " + directory.tokens(),
                        "granted\tnew file");
    }

    /** Passwords of all accounts, and tokens of the API. */
    private static List<String> secrets() throws IOException {
        List<String> secrets =
                new ArrayList<>(List.of(ApiAccess.token(directory).orElseThrow()));
        try (Stream<Path> files = Files.list(directory.credentials())) {
            for (Path file : files.filter(path -> path.toString().endsWith(".properties"))
                    .toList()) {
                secrets.addAll(PropertiesFile.read(file).values());
            }
        }
        return secrets;
    }

    private static List<String> attempts(String user, String login) throws IOException, InterruptedException {
        Path output = Files.createTempFile(parent, "attempts", ".out");
        Process process = new ProcessBuilder(java(
                        user,
                        Intruder.class.getName(),
                        List.of(
                                endpoints.bootstrapServers(),
                                endpoints.registryUrl(),
                                ApiAccess.url(directory).orElseThrow(),
                                directory.root().toString(),
                                Long.toString(launcher.pid()),
                                login)))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor()).isZero();
        return Files.readAllLines(output, StandardCharsets.UTF_8);
    }

    private static List<String> java(String user, String main, List<String> arguments) {
        List<String> words = new ArrayList<>(
                List.of("/usr/bin/setpriv", "--reuid=" + user, "--regid=" + group(user), "--clear-groups"));
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-Xmx768m", "-XX:TieredStopAtLevel=1", "-cp", classPath, main));
        words.addAll(arguments);
        return words;
    }

    private static String group(String user) {
        return user.equals(OTHER) ? "65534" : user;
    }

    /** The local repository of Maven need not be open to other users. */
    private static String copyOfClassPath(Path lib) throws IOException {
        List<String> copies = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path source = Path.of(entry);
            Path copy = lib.resolve(copies.size() + "-" + source.getFileName());
            if (Files.exists(source)) {
                copyTree(source, copy);
                copies.add(copy.toString());
            }
        }
        return String.join(File.pathSeparator, copies);
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                Path copy = path.equals(from)
                        ? to
                        : to.resolve(from.relativize(path).toString());
                Files.copy(path, copy);
            }
        }
    }
}

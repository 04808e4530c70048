package io.weir.notifier.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.notifier.server.DebianServer;
import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actions;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.Deliveries;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With Debian's PostgreSQL, which goes away and comes back. */
class PostgresqlIT {

    @TempDir
    private Path directory;

    private final int port = DebianServer.freePort();
    private Path bin;
    private DebianServer server;

    @BeforeEach
    void start() throws IOException {
        Optional<Path> found;
        try (Stream<Path> versions = Files.isDirectory(Path.of("/usr/lib/postgresql"))
                ? Files.list(Path.of("/usr/lib/postgresql"))
                : Stream.empty()) {
            found = versions.map(version -> version.resolve("bin"))
                    .filter(each -> Files.isExecutable(each.resolve("initdb")))
                    .findFirst();
        }
        Assumptions.assumeTrue(
                found.isPresent() && System.getProperty("user.name").equals("root"),
                "PostgreSQL is not installed, or this is not root; run .ci/install-receivers to test with it");
        bin = found.orElseThrow();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path password = Files.writeString(directory.resolve("password"), "s3cret-word");
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-r--r--"));
        asPostgres(
                bin.resolve("initdb").toString(),
                "-D",
                data(),
                "-A",
                "scram-sha-256",
                "-U",
                "weir",
                "--pwfile",
                password.toString(),
                "-E",
                "UTF8",
                "--locale",
                "C.UTF-8",
                "-N");
        startServer();
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void shouldWriteRowsOnce() throws Exception {
        Notifier notifier = open(Map.of());

        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));
        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));
        notifier.deliver(
                Deliveries.of("tiny/7/1", "'); DROP TABLE weir_notifications; --", Severity.INFO, "?", ":id $1"));

        assertThat(column("SELECT id || ' ' || event || ' ' || text FROM weir_notifications ORDER BY id"))
                .containsExactly(
                        "tiny/7/0 nodedown n1 stopped answering.\nTwo jobs ran on it.",
                        "tiny/7/1 '); DROP TABLE weir_notifications; -- :id $1");
        notifier.close();
    }

    @Test
    void shouldGoOnWhenTheDatabaseComesBack() throws Exception {
        Notifier notifier = open(Map.of());
        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));
        server.close();

        assertThatThrownBy(() -> notifier.deliver(Deliveries.nodeDown("tiny/7/1")))
                .isInstanceOf(RetriableDeliveryException.class);
        startServer();
        notifier.deliver(Deliveries.nodeDown("tiny/7/1"));

        assertThat(column("SELECT id FROM weir_notifications ORDER BY id")).containsExactly("tiny/7/0", "tiny/7/1");
        notifier.close();
    }

    @Test
    void shouldTellDataFromCircumstances() throws Exception {
        Notifier data = open(Map.of(JdbcProvider.STATEMENT, "SELECT CAST(:id AS INTEGER)"));
        Notifier stranger = open(Map.of(JdbcProvider.USER, "nobody"));

        assertThatThrownBy(() -> open(Map.of(JdbcProvider.STATEMENT, "INSERT INTO pg_am VALUES (CAST(:id AS INTEGER))"))
                        .deliver(Deliveries.nodeDown("x")))
                .isInstanceOf(DeliveryException.class)
                .isNotInstanceOf(RetriableDeliveryException.class);
        assertThatThrownBy(() -> stranger.deliver(Deliveries.nodeDown("x")))
                .isInstanceOf(RetriableDeliveryException.class)
                .message()
                .doesNotContain("s3cret-word");
        data.close();
        stranger.close();
    }

    @Test
    void shouldRunTheStatementOfATriggerOnTheSourceThatItNames() throws Exception {
        DbUpdateActorProvider provider = new DbUpdateActorProvider();
        Map<String, String> settings = Map.of(
                "source", "gone",
                "url", "jdbc:postgresql://127.0.0.1:1/postgres",
                "timeout.ms", "1000",
                "assets.url", url(),
                "assets.user", "weir",
                "assets.password.file", directory.resolve("password").toString());
        String hostile = "'); DROP TABLE nodes; --";
        try (Connection connection = connect();
                Actor actor =
                        provider.open(new AbstractConfig(provider.settings(settings.keySet()), settings, false))) {
            connection.createStatement().executeUpdate("CREATE TABLE nodes (name TEXT UNIQUE, count TEXT)");
            String insert = "INSERT INTO nodes VALUES (?, ?)";
            ActionResult done = actor.carryOut(statement("assets", insert, hostile, "1"));
            ActionResult again = actor.carryOut(statement("assets", insert, hostile, "1"));

            assertThat(done.outcome()).as(done.message()).isEqualTo(ActionResult.Outcome.DONE);
            assertThat(done.message()).isEqualTo("1 row");
            assertThat(again.outcome()).isEqualTo(ActionResult.Outcome.FAILED);
            assertThat(again.message()).contains("23505").doesNotContain("s3cret-word");
            assertThat(actor.carryOut(statement("payroll", insert, "x", "1")).outcome())
                    .isEqualTo(ActionResult.Outcome.REFUSED);
            assertThatThrownBy(() -> actor.carryOut(statement("gone", insert, "x", "1")))
                    .isInstanceOf(RetriableDeliveryException.class);
        }
        assertThat(column("SELECT name FROM nodes")).containsExactly(hostile);
    }

    @Test
    void shouldCallAProcedureOnce() throws Exception {
        try (Connection connection = connect();
                Actor actor = assets("3000", port)) {
            connection.createStatement().execute("""
                    CREATE TABLE calls (name TEXT);
                    CREATE FUNCTION node_failed(n TEXT) RETURNS BIGINT LANGUAGE SQL
                        AS 'INSERT INTO calls VALUES (n); SELECT count(*) FROM calls';
                    """);

            ActionResult result = actor.carryOut(statement("assets", "SELECT node_failed(?)", "n1"));

            assertThat(result.outcome()).as(result.message()).isEqualTo(ActionResult.Outcome.DONE);
        }
        assertThat(column("SELECT name FROM calls")).containsExactly("n1");
    }

    private Actor assets(String timeout, int at) {
        DbUpdateActorProvider provider = new DbUpdateActorProvider();
        Map<String, String> settings = Map.of(
                "assets.url",
                "jdbc:postgresql://127.0.0.1:" + at + "/postgres",
                "assets.user",
                "weir",
                "assets.password.file",
                directory.resolve("password").toString(),
                "assets.timeout.ms",
                timeout);
        return provider.open(new AbstractConfig(provider.settings(settings.keySet()), settings, false));
    }

    private static Action statement(String source, String sql, String... values) {
        return Action.of(
                Actions.firing("dbupdate", source, Map.of("statement", sql), null)
                        .setArguments(List.of(values))
                        .build(),
                false);
    }

    private Notifier open(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>();
        settings.put(JdbcProvider.URL, url());
        settings.put(JdbcProvider.USER, "weir");
        settings.put(JdbcProvider.PASSWORD_FILE, directory.resolve("password").toString());
        settings.put(JdbcProvider.TIMEOUT_MS, "3000");
        settings.putAll(more);
        JdbcProvider provider = new JdbcProvider();
        return provider.open("rows", new AbstractConfig(provider.settings(), settings, false));
    }

    private String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    private void startServer() {
        server = DebianServer.start(
                directory.resolve("postgres.log"),
                List.of(
                        "setpriv",
                        "--reuid=postgres",
                        "--regid=postgres",
                        "--clear-groups",
                        bin.resolve("postgres").toString(),
                        "-D",
                        data(),
                        "-p",
                        String.valueOf(port),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-k",
                        directory.toString()));
        server.awaitThat(() -> {
            try (Connection connection = connect()) {
                return connection.isValid(1);
            } catch (SQLException e) {
                return false;
            }
        });
    }

    private String data() {
        return directory.resolve("data").toString();
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url(), "weir", "s3cret-word");
    }

    private List<String> column(String sql) throws SQLException {
        try (Connection connection = connect();
                ResultSet rows = connection.createStatement().executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }

    private static void asPostgres(String... command) {
        List<String> all =
                new ArrayList<>(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        all.addAll(List.of(command));
        DebianServer.run(all.toArray(String[]::new));
    }
}

package io.weir.notifier.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.notifier.spi.Deliveries;
import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierContractTest;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.Severity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With the embedded database. */
class JdbcNotifierTest extends NotifierContractTest {

    @TempDir
    private Path directory;

    @Override
    protected Notifier open() {
        return open(Map.of());
    }

    @Override
    protected List<String> received() {
        return column("SELECT id FROM weir_notifications ORDER BY rowid");
    }

    @Override
    protected void takeReceiverAway() {
        move(directory.resolve("db"), directory.resolve("elsewhere"));
    }

    @Override
    protected void bringReceiverBack() {
        move(directory.resolve("elsewhere"), directory.resolve("db"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'); DROP TABLE weir_notifications; --",
                "x' OR '1'='1",
                "?",
                ":id",
                "\"; DELETE FROM weir_notifications; --",
                "\\'; --",
                "x/*",
                "$1",
                "\u0000"
            })
    void shouldBindEveryVariable(String hostile) throws Exception {
        Notifier notifier = open();
        notifier.deliver(Deliveries.nodeDown("tiny/first"));

        notifier.deliver(Deliveries.of(hostile, hostile, Severity.ERROR, hostile, hostile));

        assertThat(received()).containsExactly("tiny/first", hostile);
        assertThat(column("SELECT event || '|' || subject || '|' || text FROM weir_notifications ORDER BY rowid"
                        + " DESC LIMIT 1"))
                .hasSize(1);
    }

    @Test
    void shouldRunAStatementOfTheSite() throws Exception {
        execute("CREATE TABLE tickets (node TEXT PRIMARY KEY, note TEXT, at INTEGER)");
        Notifier notifier = open(Map.of(
                JdbcProvider.STATEMENT,
                "INSERT INTO tickets VALUES (:object_id, 'down: ' || :subject, :epoch_millis) ON CONFLICT (node) DO"
                        + " UPDATE SET note = excluded.note -- not :this"));

        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));
        notifier.deliver(Deliveries.nodeDown("tiny/7/1"));

        assertThat(column("SELECT node || '|' || note || '|' || at FROM tickets"))
                .containsExactly("n1|down: n1 is down|1772359200250");
    }

    /** The column is text: it sorts as the times do when all have as many digits. */
    @Test
    void shouldWriteTimesThatSort() throws Exception {
        Notifier notifier = open();
        Delivery one = Deliveries.nodeDown("tiny/7/0");
        for (String time : List.of("2026-03-01T10:00:00.250Z", "2026-03-01T10:00:00Z", "2026-03-01T10:00:00.100Z")) {
            notifier.deliver(new Delivery(
                    time,
                    one.cluster(),
                    Instant.parse(time),
                    one.severity(),
                    one.event(),
                    one.objectType(),
                    one.objectId(),
                    one.subject(),
                    one.text(),
                    one.recipients(),
                    false));
        }

        assertThat(column("SELECT time FROM weir_notifications ORDER BY time"))
                .containsExactly("2026-03-01T10:00:00.000Z", "2026-03-01T10:00:00.100Z", "2026-03-01T10:00:00.250Z");
    }

    @Test
    void shouldSayWhyThereIsNoConnection() throws Exception {
        Notifier notifier = open();
        takeReceiverAway();

        assertThatThrownBy(() -> notifier.deliver(Deliveries.nodeDown("1")))
                .isInstanceOf(RetriableDeliveryException.class)
                .hasMessageContaining("Connection is not available")
                .hasMessageContaining("Unable to open the database file");
    }

    @Test
    void shouldRetryWhatSomebodyMayPutRight() throws Exception {
        Notifier notifier = open(Map.of(JdbcProvider.STATEMENT, "INSERT INTO missing VALUES (:id)"));

        assertThatThrownBy(() -> notifier.deliver(Deliveries.nodeDown("1")))
                .isInstanceOf(RetriableDeliveryException.class)
                .hasMessageContaining("missing");
        execute("CREATE TABLE missing (id TEXT)");

        notifier.deliver(Deliveries.nodeDown("1"));
        assertThat(column("SELECT id FROM missing")).containsExactly("1");
    }

    @Test
    void shouldMakeItsTableAgainWhenItWasTakenAway() throws Exception {
        Notifier notifier = open();
        notifier.deliver(Deliveries.nodeDown("1"));
        execute("ALTER TABLE weir_notifications RENAME TO last_year");

        assertThatThrownBy(() -> notifier.deliver(Deliveries.nodeDown("2")))
                .isInstanceOf(RetriableDeliveryException.class);
        notifier.deliver(Deliveries.nodeDown("2"));

        assertThat(received()).containsExactly("2");
    }

    @Test
    void shouldRefuseSettingsThatCannotWork() {
        assertThatThrownBy(() -> open(Map.of(JdbcProvider.STATEMENT, "SELECT :nobody")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(":nobody");
        for (String url : List.of(
                "jdbc:postgresql://db/weir?user=a&password=s3cret",
                "jdbc:postgresql://ann:s3cret@db/weir",
                "postgresql://ann:s3cret@db/weir",
                "sqlite:x")) {
            assertThatThrownBy(() -> open(Map.of(JdbcProvider.URL, url)))
                    .isInstanceOf(ConfigException.class)
                    .message()
                    .doesNotContain("s3cret");
        }
    }

    @Test
    void shouldLookIntoNeitherQuotesNorCommentsNorCasts() {
        BoundStatement statement = BoundStatement.parse("SELECT ':a', \":b\", :c::text, /* :d */ :e -- :f\n, :g_1 :");

        assertThat(statement.sql()).isEqualTo("SELECT ':a', \":b\", ?::text, /* :d */ ? -- :f\n, ? :");
        assertThat(statement.names()).containsExactly("c", "e", "g_1");
    }

    private Notifier open(Map<String, String> more) {
        try {
            if (!Files.exists(directory.resolve("elsewhere"))) {
                Files.createDirectories(directory.resolve("db"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> settings = new HashMap<>();
        settings.put(JdbcProvider.URL, url());
        settings.put(JdbcProvider.TIMEOUT_MS, "1000");
        settings.putAll(more);
        JdbcProvider provider = new JdbcProvider();
        return provider.open("rows", new AbstractConfig(provider.settings(), settings, false));
    }

    private String url() {
        return "jdbc:sqlite:" + directory.resolve("db/notices.db");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url())) {
            connection.createStatement().executeUpdate(sql);
        }
    }

    private List<String> column(String sql) {
        try (Connection connection = DriverManager.getConnection(url());
                ResultSet rows = connection.createStatement().executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.weir.notifier.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actor;
import io.weir.schemas.Severity;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DbUpdateActorTest {

    @TempDir
    private Path directory;

    @Test
    void shouldBindArgumentsAndRefuseOtherSources() throws Exception {
        String url = "jdbc:sqlite:" + directory.resolve("inventory.db");
        String hostile = "'); DROP TABLE nodes; --";
        DbUpdateActorProvider provider = new DbUpdateActorProvider();
        try (Connection connection = DriverManager.getConnection(url);
                Actor actor = provider.open(new AbstractConfig(
                        provider.settings(),
                        Map.of(DbUpdateActorProvider.SOURCE, "inventory", DbUpdateActorProvider.URL, url),
                        false))) {
            connection.createStatement().executeUpdate("CREATE TABLE nodes (name TEXT, state TEXT)");
            String insert = "INSERT INTO nodes VALUES (?, ?)";

            assertThat(actor.carryOut(action("inventory", insert, hostile, "down"))
                            .outcome())
                    .isEqualTo(ActionResult.Outcome.DONE);
            assertThat(actor.carryOut(action("payroll", insert, "n1", "down")).outcome())
                    .isEqualTo(ActionResult.Outcome.REFUSED);

            try (ResultSet rows = connection.createStatement().executeQuery("SELECT name FROM nodes")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo(hostile);
                assertThat(rows.next()).isFalse();
            }
        }
    }

    @Test
    void shouldRunAStatementOnTheSourceThatTheActionNames() throws Exception {
        Map<String, String> settings = Map.of(
                "source", "inventory",
                "url", url("inventory"),
                "assets.url", url("assets"),
                "racks-2.url", url("racks"));
        for (String name : List.of("inventory", "assets", "racks")) {
            try (Connection connection = DriverManager.getConnection(url(name))) {
                connection.createStatement().executeUpdate("CREATE TABLE nodes (name TEXT, state TEXT)");
            }
        }
        try (Actor actor = open(settings)) {
            for (String source : List.of("inventory", "assets", "racks-2")) {
                ActionResult result =
                        actor.carryOut(action(source, "INSERT INTO nodes VALUES (?, ?)", "in " + source, "down"));
                assertThat(result.outcome()).as(result.message()).isEqualTo(ActionResult.Outcome.DONE);
            }
            ActionResult other = actor.carryOut(action("racks", "DELETE FROM nodes"));
            assertThat(other.outcome()).isEqualTo(ActionResult.Outcome.REFUSED);
            assertThat(other.message()).contains("racks", "[assets, inventory, racks-2]");
        }
        Map<String, String> expected = Map.of("inventory", "inventory", "assets", "assets", "racks", "racks-2");
        for (Map.Entry<String, String> each : expected.entrySet()) {
            try (Connection connection = DriverManager.getConnection(url(each.getKey()));
                    ResultSet rows = connection.createStatement().executeQuery("SELECT name FROM nodes")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("in " + each.getValue());
                assertThat(rows.next()).isFalse();
            }
        }
    }

    @Test
    void shouldRunAStatementOnceThatReturnsWhatItHasWritten() throws Exception {
        try (Connection connection = DriverManager.getConnection(url("inventory"));
                Actor actor = open(Map.of("source", "inventory", "url", url("inventory")))) {
            connection.createStatement().executeUpdate("CREATE TABLE nodes (name TEXT, state TEXT)");

            ActionResult written =
                    actor.carryOut(action("inventory", "INSERT INTO nodes VALUES (?, ?) RETURNING name", "n1", "down"));
            ActionResult changed = actor.carryOut(action("inventory", "UPDATE nodes SET state = ?", "up"));
            ActionResult nothing =
                    actor.carryOut(action("inventory", "DELETE FROM nodes WHERE name = ? RETURNING state", "n2"));

            assertThat(List.of(written, changed, nothing))
                    .extracting(ActionResult::outcome)
                    .containsOnly(ActionResult.Outcome.DONE);
            assertThat(List.of(written.message(), changed.message(), nothing.message()))
                    .containsExactly("1 row", "1 row", "0 rows");
            try (ResultSet rows = connection.createStatement().executeQuery("SELECT count(*) FROM nodes")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(1);
            }
        }
    }

    @Test
    void shouldSayWhatIsWrongWithTheSources() {
        for (Map<String, String> settings : List.<Map<String, String>>of(
                Map.of(),
                Map.of("source", "inventory"),
                Map.of("url", url("inventory")),
                Map.of("source", "assets", "url", url("x"), "assets.url", url("y")),
                Map.of("assets.url", "postgresql://db/assets"),
                Map.of("assets.url", "jdbc:postgresql://db/assets?password=s3cret"))) {
            assertThatThrownBy(() -> open(settings))
                    .isInstanceOf(ConfigException.class)
                    .message()
                    .doesNotContain("s3cret");
        }
    }

    private String url(String name) {
        return "jdbc:sqlite:" + directory.resolve(name + ".db");
    }

    private static Actor open(Map<String, String> settings) {
        DbUpdateActorProvider provider = new DbUpdateActorProvider();
        return provider.open(new AbstractConfig(provider.settings(settings.keySet()), settings, false));
    }

    private static Action action(String target, String statement, String... arguments) {
        return new Action(
                "tiny/7/0",
                "tiny",
                "t1",
                Instant.EPOCH,
                target,
                List.of(arguments),
                Map.of("statement", statement),
                Map.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Duration.ZERO,
                List.of(),
                Severity.ERROR,
                "fail",
                "node",
                "n1",
                Optional.empty(),
                false);
    }
}

package io.weir.notifier.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

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

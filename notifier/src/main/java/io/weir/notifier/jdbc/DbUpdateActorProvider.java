package io.weir.notifier.jdbc;

import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.ActorProvider;
import io.weir.notifier.spi.SecretFile;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Actions of type {@code dbupdate}: statements for the one data source that the settings describe. Stateless. */
public final class DbUpdateActorProvider implements ActorProvider {

    static final String SOURCE = "source";
    static final String URL = "url";
    static final String USER = "user";
    static final String PASSWORD_FILE = "password.file";
    static final String TIMEOUT_MS = "timeout.ms";

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(
                    SOURCE,
                    Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "Name of the data source; a trigger that names another is refused.")
            .define(
                    URL,
                    Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "The database, without user and password.")
            .define(USER, Type.STRING, "", Importance.MEDIUM, "The database's user; empty for none.")
            .define(PASSWORD_FILE, Type.STRING, "", Importance.MEDIUM, "File that holds the user's password.")
            .define(
                    TIMEOUT_MS,
                    Type.INT,
                    10_000,
                    ConfigDef.Range.between(1, 60_000),
                    Importance.LOW,
                    "How long connecting may take, and how long the statement may take.");

    @Override
    public String actionType() {
        return "dbupdate";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public Actor open(AbstractConfig settings) {
        return new DbUpdateActor(
                settings.getString(SOURCE),
                new Database(
                        settings.getString(SOURCE),
                        JdbcProvider.url(settings.getString(URL)),
                        Optional.of(settings.getString(USER)).filter(user -> !user.isBlank()),
                        SecretFile.of(settings, PASSWORD_FILE),
                        Duration.ofMillis(settings.getInt(TIMEOUT_MS))));
    }
}

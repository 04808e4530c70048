package io.weir.notifier.jdbc;

import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierProvider;
import io.weir.notifier.spi.SecretFile;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/** Channels of type {@code jdbc}: every delivery is a row of a database, in an embedded SQLite file by default. Stateless. */
public final class JdbcProvider implements NotifierProvider {

    static final String URL = "url";
    static final String USER = "user";
    static final String PASSWORD_FILE = "password.file";
    static final String STATEMENT = "statement";
    static final String TIMEOUT_MS = "timeout.ms";

    private static final String TABLE = "CREATE TABLE IF NOT EXISTS weir_notifications (id TEXT PRIMARY KEY,"
            + " cluster TEXT NOT NULL, time TEXT NOT NULL, severity TEXT NOT NULL, event TEXT NOT NULL,"
            + " object_type TEXT NOT NULL, object_id TEXT NOT NULL, subject TEXT NOT NULL, text TEXT NOT NULL,"
            + " recipients TEXT NOT NULL)";

    private static final String INSERT =
            "INSERT INTO weir_notifications (id, cluster, time, severity, event, object_type, object_id, subject,"
                    + " text, recipients) VALUES (:id, :cluster, :time, :severity, :event, :object_type, :object_id,"
                    + " :subject, :text, :recipients) ON CONFLICT (id) DO NOTHING";

    private static final Set<String> PARAMETERS = Set.of(
            "id",
            "cluster",
            "time",
            "epoch_millis",
            "severity",
            "event",
            "object_type",
            "object_id",
            "subject",
            "text",
            "recipients",
            "possible_duplicate");

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(
                    URL,
                    Type.STRING,
                    "jdbc:sqlite:weir-notifications.db",
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "The database, without user and password. Drivers for SQLite (embedded) and PostgreSQL are"
                            + " included; add others to the class path.")
            .define(USER, Type.STRING, "", Importance.MEDIUM, "The database's user; empty for none.")
            .define(PASSWORD_FILE, Type.STRING, "", Importance.MEDIUM, "File that holds the user's password.")
            .define(
                    STATEMENT,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "Statement to run for each delivery, with bound parameters such as `:id`. If empty, rows are"
                            + " inserted into the table `weir_notifications`, which is created if missing. A statement"
                            + " of your own should tolerate being run twice for one id.")
            .define(
                    TIMEOUT_MS,
                    Type.INT,
                    10_000,
                    ConfigDef.Range.between(1, 60_000),
                    Importance.LOW,
                    "How long connecting may take, and how long the statement may take.");

    @Override
    public String type() {
        return "jdbc";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public Notifier open(String channel, AbstractConfig settings) {
        String own = settings.getString(STATEMENT).strip();
        BoundStatement statement = BoundStatement.parse(own.isEmpty() ? INSERT : own);
        for (String name : statement.names()) {
            if (!PARAMETERS.contains(name)) {
                throw new ConfigException(STATEMENT, own, "has the unknown parameter :" + name);
            }
        }
        return new JdbcNotifier(
                new Database(
                        channel,
                        url(settings.getString(URL)),
                        Optional.of(settings.getString(USER)).filter(user -> !user.isBlank()),
                        SecretFile.of(settings, PASSWORD_FILE),
                        Duration.ofMillis(settings.getInt(TIMEOUT_MS))),
                statement,
                own.isEmpty() ? Optional.of(TABLE) : Optional.empty(),
                own.isEmpty() || statement.names().contains("id"));
    }

    /** A password in the URL would show in settings and messages. */
    static String url(String text) {
        if (text.toLowerCase(java.util.Locale.ROOT).contains("password=")
                || text.matches("(jdbc:)?[a-z]+://[^/]*@.*")) {
            throw new ConfigException(URL, "(hidden)", "must not hold a password; use " + PASSWORD_FILE);
        }
        if (!text.startsWith("jdbc:")) {
            throw new ConfigException(URL, text, "must begin with jdbc:");
        }
        return text;
    }
}

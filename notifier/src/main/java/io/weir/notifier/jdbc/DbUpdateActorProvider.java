package io.weir.notifier.jdbc;

import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.ActorProvider;
import io.weir.notifier.spi.SecretFile;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/** Actions of type {@code dbupdate}: statements for the data sources that the settings describe. Stateless. */
public final class DbUpdateActorProvider implements ActorProvider {

    static final String SOURCE = "source";
    static final String URL = "url";
    static final String USER = "user";
    static final String PASSWORD_FILE = "password.file";
    static final String TIMEOUT_MS = "timeout.ms";

    private static final int MOST_SOURCES = 32;
    private static final String DOT_URL = "." + URL;
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    private static final ConfigDef SETTINGS = define(
            new ConfigDef()
                    .define(
                            SOURCE,
                            Type.STRING,
                            "",
                            Importance.HIGH,
                            "Name of the data source that the settings without a name describe; empty for none. Others"
                                    + " have settings of their own, `action.dbupdate.NAME.url` and so on. A trigger that"
                                    + " names any other is refused."),
            "",
            "");

    @Override
    public String actionType() {
        return "dbupdate";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public ConfigDef settings(Set<String> given) {
        ConfigDef definition = settings();
        for (String name : names(given)) {
            define(definition, name + ".", " of the data source " + name);
        }
        return definition;
    }

    @Override
    public Actor open(AbstractConfig settings) {
        Map<String, Database> databases = new TreeMap<>();
        String unnamed = settings.getString(SOURCE);
        if (unnamed.isBlank() != settings.getString(URL).isBlank()) {
            throw new ConfigException(
                    unnamed.isBlank() ? SOURCE : URL, "", "is missing: " + SOURCE + " and " + URL + " go together");
        }
        if (!unnamed.isBlank()) {
            databases.put(unnamed, database(unnamed, "", settings));
        }
        for (String name : names(settings.originals().keySet())) {
            if (databases.put(name, database(name, name + ".", settings)) != null) {
                throw new ConfigException(
                        SOURCE, unnamed, "is described twice, without a name and by " + name + DOT_URL);
            }
        }
        if (databases.isEmpty() || databases.size() > MOST_SOURCES) {
            throw new ConfigException(
                    SOURCE, databases.size(), "data sources are described; describe 1 to " + MOST_SOURCES);
        }
        return new DbUpdateActor(databases);
    }

    private static ConfigDef define(ConfigDef definition, String prefix, String whose) {
        return definition
                .define(
                        prefix + URL,
                        Type.STRING,
                        "",
                        Importance.HIGH,
                        "The database" + whose + ", without user and password.")
                .define(prefix + USER, Type.STRING, "", Importance.MEDIUM, "The database's user; empty for none.")
                .define(
                        prefix + PASSWORD_FILE,
                        Type.STRING,
                        "",
                        Importance.MEDIUM,
                        "File that holds the user's password.")
                .define(
                        prefix + TIMEOUT_MS,
                        Type.INT,
                        10_000,
                        ConfigDef.Range.between(1, 60_000),
                        Importance.LOW,
                        "How long connecting may take, and how long the statement may take.");
    }

    /** Returns the names of the sources that have one, sorted. */
    private static SortedSet<String> names(Set<String> given) {
        SortedSet<String> names = new TreeSet<>();
        for (String key : given) {
            String name = key.endsWith(DOT_URL) ? key.substring(0, key.length() - DOT_URL.length()) : "";
            if (NAME.matcher(name).matches()) {
                names.add(name);
            }
        }
        return names;
    }

    private static Database database(String name, String prefix, AbstractConfig settings) {
        return new Database(
                name,
                JdbcProvider.url(settings.getString(prefix + URL)),
                Optional.of(settings.getString(prefix + USER)).filter(user -> !user.isBlank()),
                SecretFile.of(settings, prefix + PASSWORD_FILE),
                Duration.ofMillis(settings.getInt(prefix + TIMEOUT_MS)));
    }
}

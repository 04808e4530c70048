package io.weir.notifier.runtime;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * A part of the configuration whose name is itself configured, such as {@code channel.ops.}: what goes wrong in it is said
 * with that name. Immutable.
 *
 * @param prefix the part's place, with its last dot
 */
record Section(String prefix) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    /** Returns {@code kind.name.} for a name that was chosen in {@code key}. */
    static Section of(String kind, String name, String key) {
        requireName(key, name);
        return new Section(kind + "." + name + ".");
    }

    /** Refuses names that could not be part of a key, a group and a thread's name alike. */
    static void requireName(String key, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new ConfigException(key, name, "use lower-case letters, digits and '-', at most 63");
        }
    }

    /** Refuses settings {@code below} a {@code prefix} that belong to none of the {@code names} chosen in {@code key}. */
    static void requireNoOther(String key, List<String> names, String prefix, Map<String, String> below) {
        for (String setting : new TreeSet<>(below.keySet())) {
            String name = setting.substring(0, Math.max(setting.indexOf('.'), 0));
            if (!names.contains(name)) {
                throw new ConfigException("Setting '" + prefix + setting + "' is of no use: " + key + "=" + names
                        + " does not name '" + name + "'; name it there, or remove the setting");
            }
        }
    }

    /** Parses {@code given}, in which nothing may be misspelt; secrets are not logged. */
    static AbstractConfig parse(ConfigDef definition, Map<String, String> given) {
        Set<String> unknown = new TreeSet<>(given.keySet());
        unknown.removeAll(definition.names());
        if (!unknown.isEmpty()) {
            throw new ConfigException(
                    "unknown " + unknown + "; there are " + List.copyOf(new TreeSet<>(definition.names())));
        }
        return new AbstractConfig(definition, given, false);
    }

    /** Returns what {@code read} returns; what it has to say against the settings is said with this place. */
    <T> T read(Supplier<T> read) {
        try {
            return read.get();
        } catch (ConfigException e) {
            throw new ConfigException("in " + prefix + ": " + e.getMessage());
        }
    }
}

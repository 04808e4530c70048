package io.weir.notifier.exec;

import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/**
 * Names of the variables that triggers may put into the environment of programs. Interpreters, loaders and libraries take
 * what they run from variables such as {@code BASH_ENV}, {@code PYTHONPATH} or {@code LD_PRELOAD}, and nobody knows all of
 * them: a name that is not listed is refused. Immutable.
 *
 * @param patterns names, or beginnings of names with {@code *} behind them
 */
record EnvironmentNames(List<String> patterns) {

    /** Means nothing to any interpreter, loader or library; not {@code WEIR_}, which Weir's own commands read. */
    static final String HARMLESS = "TRIGGER_*";

    private static final String ANY_REST = "*";

    /** What the dynamic loader reads, also that of the command which runs a program as another user. */
    private static final String LOADER = "LD_";

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,255}");
    private static final Pattern PATTERN = Pattern.compile(NAME.pattern() + "\\*?");

    EnvironmentNames {
        patterns = List.copyOf(patterns);
    }

    /** Reads the names that the setting {@code key} lists. */
    static EnvironmentNames parse(String key, List<String> patterns) {
        for (String pattern : patterns) {
            if (!PATTERN.matcher(pattern).matches()) {
                throw new ConfigException(
                        key,
                        pattern,
                        "is no name of a variable; use " + NAME + ", or the beginning of one and " + ANY_REST);
            }
            if (pattern.startsWith(LOADER)) {
                throw new ConfigException(key, pattern, "would choose what the loader runs; set it in the program");
            }
        }
        return new EnvironmentNames(patterns);
    }

    /** Says whether a trigger may set {@code name}. */
    boolean permit(String name) {
        return NAME.matcher(name).matches()
                && !name.startsWith(LOADER)
                && patterns.stream().anyMatch(pattern -> matches(pattern, name));
    }

    private static boolean matches(String pattern, String name) {
        return pattern.endsWith(ANY_REST)
                ? name.startsWith(pattern.substring(0, pattern.length() - ANY_REST.length()))
                : name.equals(pattern);
    }
}

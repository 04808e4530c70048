package io.weir.topics;

import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * Checks a setting that becomes part of names the broker has bounds for: of topics, groups and their members. Letters,
 * digits, '.', '_' and '-', as many as leave room for what is put behind them.
 *
 * @param shortest how many it has at least
 */
public record BrokerName(int shortest) implements ConfigDef.Validator {
    private static final int LONGEST = 200;
    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]*");

    @Override
    public void ensureValid(String key, Object value) {
        String name = String.valueOf(value);
        boolean fits = name.length() >= shortest && name.length() <= LONGEST;
        if (!fits || !LEGAL.matcher(name).matches() || name.equals(".") || name.equals("..")) {
            String shown = name.length() <= LONGEST ? name : name.substring(0, LONGEST) + "...";
            throw new ConfigException(
                    key,
                    shown.replaceAll("\\p{Cntrl}", "?"),
                    "must have " + shortest + " to " + LONGEST + " letters, digits, '.', '_' and '-'");
        }
    }

    @Override
    public String toString() {
        return shortest + " to " + LONGEST + " letters, digits, '.', '_' and '-'";
    }
}

package io.weir.topics;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * Checks a setting whose value becomes part of keys and records, such as the name of a cluster: {@value #LONGEST} characters
 * at most, without {@code /} and control characters. With another name every fact would be refused. Stateless.
 */
public final class PlainName implements ConfigDef.Validator {

    /** Characters of a name. */
    public static final int LONGEST = 256;

    @Override
    public void ensureValid(String key, Object value) {
        String name = String.valueOf(value);
        boolean plain = !name.isBlank()
                && name.length() <= LONGEST
                && name.indexOf('/') < 0
                && name.chars().noneMatch(Character::isISOControl);
        if (!plain) {
            String shown = name.length() <= LONGEST ? name : name.substring(0, LONGEST) + "...";
            throw new ConfigException(
                    key,
                    shown.replaceAll("\\p{Cntrl}", "?"),
                    "must have 1 to " + LONGEST + " characters, without '/' and control characters");
        }
    }

    @Override
    public String toString() {
        return "1 to " + LONGEST + " characters without '/'";
    }
}

package io.weir.service.setting;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Checks a setting that is the path of a file or directory, or empty: that this machine can have such a path. Stateless. */
public final class FilePath implements ConfigDef.Validator {
    private static final int SHOWN = 200;

    @Override
    public void ensureValid(String key, Object value) {
        String text = String.valueOf(value);
        try {
            var unused = Path.of(text);
        } catch (InvalidPathException e) {
            String shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
            throw new ConfigException(key, shown.replaceAll("\\p{Cntrl}", "?"), "is no path: " + e.getReason());
        }
    }

    @Override
    public String toString() {
        return "a path, or empty";
    }
}

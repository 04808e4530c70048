package io.weir.service.setting;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/** Settings as a properties file in UTF-8 has them. Nothing of a file that is none is quoted, as it may be a secret. Stateless. */
public final class SettingsFile {
    private SettingsFile() {}

    /**
     * Returns names and values of {@code file}, without the blanks around them.
     *
     * @throws IOException when it cannot be read, or is no properties file in UTF-8; the message says why
     */
    public static Map<String, String> read(Path file) throws IOException {
        Path place = file.toAbsolutePath();
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(TextFile.read(place)));
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    place + " has a \\u that four hexadecimal digits do not follow; write \\\\ for a backslash", e);
        }
        Map<String, String> settings = new TreeMap<>();
        Set<String> names = new HashSet<>(properties.stringPropertyNames());
        for (String name : names) {
            if (settings.put(name.trim(), properties.getProperty(name).trim()) != null) {
                throw new IOException(
                        "Setting '" + name.trim() + "' is in " + place + " twice, once with blanks behind its name");
            }
        }
        return settings;
    }
}

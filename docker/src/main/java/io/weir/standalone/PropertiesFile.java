package io.weir.standalone;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Reads a properties file in UTF-8. */
public final class PropertiesFile {
    private PropertiesFile() {}

    /** Returns the keys and values of {@code file}, trimmed. */
    public static Map<String, String> read(Path file) {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file, e);
        }
        Map<String, String> values = new TreeMap<>();
        properties
                .stringPropertyNames()
                .forEach(key -> values.put(key, properties.getProperty(key).trim()));
        return values;
    }
}

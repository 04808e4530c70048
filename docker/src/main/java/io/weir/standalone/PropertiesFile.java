package io.weir.standalone;

import io.weir.service.setting.SettingsFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/** Reads a properties file in UTF-8. */
public final class PropertiesFile {
    private PropertiesFile() {}

    /** Returns the keys and values of {@code file}, trimmed. */
    public static Map<String, String> read(Path file) {
        try {
            return SettingsFile.read(file);
        } catch (IOException e) {
            throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
        }
    }
}

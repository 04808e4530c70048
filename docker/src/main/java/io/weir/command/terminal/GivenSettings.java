package io.weir.command.terminal;

import io.weir.service.setting.SettingsFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Settings in a file that a command was given. */
public final class GivenSettings {
    private GivenSettings() {}

    /** Returns names and values of {@code file}, which {@code option} names. */
    public static Map<String, String> read(String option, Path file) {
        try {
            return SettingsFile.read(file);
        } catch (IOException e) {
            throw new BadInputException(option + ": " + e.getMessage() + "; give a properties file");
        }
    }
}

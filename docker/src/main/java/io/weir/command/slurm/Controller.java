package io.weir.command.slurm;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** What slurmctld runs with, which is what slurm.conf said when it was started. Immutable. */
final class Controller {
    private static final String NONE = "(null)";

    private final Map<String, String> settings = new HashMap<>();

    /** Reads what {@code scontrol show config} says, its times in UTC. */
    Controller(String config) {
        config.lines().map(line -> line.split("=", 2)).forEach(parts -> {
            if (parts.length == 2) {
                settings.putIfAbsent(parts[0].strip().toLowerCase(Locale.ROOT), parts[1].strip());
            }
        });
    }

    /** Returns the value of a parameter; empty for none. */
    String value(String name) {
        String value = settings.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        return value.equals(NONE) ? "" : value;
    }

    /** Returns when slurmctld was started, epoch seconds; 0 when it does not say. */
    long started() {
        try {
            return LocalDateTime.parse(value("BOOT_TIME")).toEpochSecond(ZoneOffset.UTC);
        } catch (DateTimeParseException e) {
            return 0;
        }
    }
}

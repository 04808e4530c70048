package io.weir.scheduler.core.trigger;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** How texts of triggers and events tell the time: as in {@code Wed Mar 10 12:35:12 2012}, in UTC. */
public final class TriggerTime {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss yyyy", Locale.ROOT).withZone(ZoneOffset.UTC);

    private TriggerTime() {}

    /** Returns an instant, epoch seconds, as text. */
    public static String format(long epochSeconds) {
        return FORMAT.format(Instant.ofEpochSecond(epochSeconds));
    }
}

package io.weir.command;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** How every command writes an instant: {@code Mon Jan 03 12:00:00 2022}, in UTC. The year stands there always. */
public final class TimeText {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss yyyy", Locale.ROOT).withZone(ZoneOffset.UTC);

    private TimeText() {}

    /** Returns {@code instant} as text. */
    public static String of(Instant instant) {
        return FORMAT.format(instant);
    }
}

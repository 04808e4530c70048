package io.weir.command.format;

import io.weir.scheduler.core.reservation.TimeArgument;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;

/** Instants and durations as text. Times are UTC, always with the year. */
public final class TimeText {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss yyyy", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Pattern INSTANT = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z");

    /** The end of what has no end. */
    private static final Instant NEVER = Instant.ofEpochSecond(TimeArgument.FOREVER);

    private static final int SECONDS_A_DAY = 86_400;
    private static final long FOR_EVER = 50L * 366 * SECONDS_A_DAY;

    private TimeText() {}

    /** Returns an instant such as {@code Mon Jan 03 12:00:00 2022}, or INFINITY for one that never comes. */
    public static String time(Instant instant) {
        return instant.isBefore(NEVER) ? FORMAT.format(instant) : "INFINITY";
    }

    /** Returns {@code text} with the ISO instants in it written by {@link #time}. */
    public static String readable(String text) {
        return INSTANT.matcher(text).replaceAll(found -> time(Instant.parse(found.group())));
    }

    /** Returns an instant relative to {@code now}: {@code [-][D:]HH:MM:SS}, or INFINITY. */
    public static String relative(Instant instant, Instant now) {
        return span(Duration.between(now, instant));
    }

    /** Returns a duration as {@code [-][D:]HH:MM:SS}, or INFINITY for fifty years and more. */
    public static String span(Duration span) {
        Duration size = span.abs();
        String sign = span.isNegative() ? "-" : "";
        if (size.toSeconds() >= FOR_EVER) {
            return sign + "INFINITY";
        }
        String clock = String.format(
                Locale.ROOT, "%02d:%02d:%02d", size.toHoursPart(), size.toMinutesPart(), size.toSecondsPart());
        return sign + (size.toDays() > 0 ? size.toDays() + ":" : "") + clock;
    }
}

package io.weir.notifier.runtime.handler;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/**
 * When a channel may speak: how long it collects, how often it speaks, and its quiet hours. What is held back goes out
 * together, as one digest. Immutable; the state of a rate limit is {@link RateWindow}.
 *
 * @param collect how long it waits for more after a first notification; zero for not at all
 * @param most deliveries within {@code period}; 0 for any number
 * @param period of that limit
 * @param quiet its quiet hours; empty for none
 * @param largest notifications in one digest
 */
public record Pace(Duration collect, int most, Duration period, Optional<QuietHours> quiet, int largest) {

    /** Everything at once. */
    public static final Pace NONE = new Pace(Duration.ZERO, 0, Duration.ofMinutes(1), Optional.empty(), 10_000);

    private static final String DIGEST_MS = "digest.ms";
    private static final String DIGEST_MOST = "digest.most";
    private static final String RATE_MOST = "rate.most";
    private static final String RATE_PERIOD_MS = "rate.period.ms";
    private static final String QUIET_HOURS = "quiet.hours";
    private static final String QUIET_ZONE = "quiet.zone";

    /**
     * Hours of the day in which nothing goes out; past midnight when they end before they begin. Where the clock is put
     * forward past their end they end with that; where it is put back past it they begin again.
     *
     * @param from their beginning
     * @param to their end, not included
     * @param zone whose clock counts
     */
    record QuietHours(LocalTime from, LocalTime to, ZoneId zone) {

        /** Returns the end of the quiet hours that {@code now} is in; empty when it is in none. */
        Optional<Instant> end(Instant now) {
            ZonedDateTime here = now.atZone(zone);
            LocalTime time = here.toLocalTime();
            boolean within = from.isBefore(to)
                    ? !time.isBefore(from) && time.isBefore(to)
                    : !time.isBefore(from) || time.isBefore(to);
            if (!within) {
                return Optional.empty();
            }
            LocalDateTime today = here.toLocalDate().atTime(to);
            LocalDateTime end = today.isAfter(here.toLocalDateTime()) ? today : today.plusDays(1);
            ZoneOffsetTransition change = zone.getRules().getTransition(end);
            boolean skipped = change != null && change.isGap();
            return Optional.of(
                    skipped
                            ? change.getInstant()
                            : ZonedDateTime.ofLocal(end, zone, here.getOffset()).toInstant());
        }
    }

    /** Adds the settings of a pace to {@code definition}. */
    public static ConfigDef define(ConfigDef definition) {
        return definition
                .define(
                        DIGEST_MS,
                        Type.INT,
                        0,
                        ConfigDef.Range.between(0, 3_600_000),
                        Importance.MEDIUM,
                        "How long to wait for more after a first notification. All notifications of that time go out"
                                + " as one digest. 0 sends each one separately and at once.")
                .define(
                        DIGEST_MOST,
                        Type.INT,
                        NONE.largest,
                        ConfigDef.Range.between(2, 10_000),
                        Importance.LOW,
                        "A digest with this many notifications goes out early. In quiet hours, further ones wait on"
                                + " the topic.")
                .define(
                        RATE_MOST,
                        Type.INT,
                        0,
                        ConfigDef.Range.between(0, 1_000_000),
                        Importance.MEDIUM,
                        "Most deliveries in a period. The rest goes out as one digest at the end of the period. 0 for"
                                + " no limit.")
                .define(
                        RATE_PERIOD_MS,
                        Type.INT,
                        60_000,
                        ConfigDef.Range.between(1, 3_600_000),
                        Importance.MEDIUM,
                        "Length of that period.")
                .define(
                        QUIET_HOURS,
                        Type.STRING,
                        "",
                        Importance.MEDIUM,
                        "Hours in which nothing is sent, such as `22:00-06:30`; a digest follows at their end. Route"
                                + " urgent notifications to a channel without quiet hours.")
                .define(QUIET_ZONE, Type.STRING, "UTC", Importance.LOW, "Time zone of the quiet hours.");
    }

    /** Reads the pace of a channel. */
    public static Pace from(AbstractConfig settings) {
        return new Pace(
                Duration.ofMillis(settings.getInt(DIGEST_MS)),
                settings.getInt(RATE_MOST),
                Duration.ofMillis(settings.getInt(RATE_PERIOD_MS)),
                quiet(settings.getString(QUIET_HOURS).strip(), settings.getString(QUIET_ZONE)),
                settings.getInt(DIGEST_MOST));
    }

    private static Optional<QuietHours> quiet(String hours, String zone) {
        if (hours.isEmpty()) {
            return Optional.empty();
        }
        try {
            String[] parts = hours.split("-", -1);
            LocalTime from = LocalTime.parse(parts[0].strip());
            LocalTime to = LocalTime.parse(parts[1].strip());
            if (parts.length != 2 || from.equals(to)) {
                throw new ConfigException(QUIET_HOURS, hours, "must be two different times, such as 22:00-06:30");
            }
            return Optional.of(new QuietHours(from, to, ZoneId.of(zone.strip())));
        } catch (DateTimeException | ArrayIndexOutOfBoundsException e) {
            throw new ConfigException(
                    QUIET_HOURS, hours + " " + zone, "must be two times, such as 22:00-06:30, and a time zone");
        }
    }
}

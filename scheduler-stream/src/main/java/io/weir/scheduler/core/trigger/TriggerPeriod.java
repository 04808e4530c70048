package io.weir.scheduler.core.trigger;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;

/** When triggers of EType standing and epoch fire: at the start of each of these, in UTC, plus their offset. */
public enum TriggerPeriod {
    MINUTE,
    HOUR,
    DAY,
    WEEK,
    MONTH;

    private static final long DAY_SECONDS = 86_400;

    /** Returns the first start of a period after {@code now}, epoch seconds. */
    long nextStart(long now) {
        LocalDate today = Instant.ofEpochSecond(now).atZone(ZoneOffset.UTC).toLocalDate();
        return switch (this) {
            case MINUTE -> (Math.floorDiv(now, 60L) + 1) * 60;
            case HOUR -> (Math.floorDiv(now, 3600L) + 1) * 3600;
            case DAY -> (Math.floorDiv(now, DAY_SECONDS) + 1) * DAY_SECONDS;
            case WEEK -> begin(today.with(TemporalAdjusters.next(DayOfWeek.MONDAY)));
            case MONTH -> begin(today.with(TemporalAdjusters.firstDayOfNextMonth()));
        };
    }

    private static long begin(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toEpochSecond();
    }
}

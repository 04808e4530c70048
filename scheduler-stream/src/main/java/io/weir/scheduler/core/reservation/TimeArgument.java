package io.weir.scheduler.core.reservation;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneOffset;

/**
 * How operators write times: an instant as {@code HH[:MM[:SS]][_MO[/DD[/YY]]]}, epoch seconds, or with {@code +} or
 * {@code -} relative to now; an interval as {@code [[[DD:]HH:]MM:]SS}; {@code INFINITY}. All in UTC.
 */
public final class TimeArgument {
    /** Stands for no time at all. */
    public static final long INVALID = -1;

    /** The end of what never ends: 2100-01-01 in epoch seconds. */
    public static final long FOREVER = 4_102_444_800L;

    private static final int LAST_CENTURY = 69;

    /** In years, as around 2100. */
    private static final int LONGEST_WITHOUT_LEAP_DAY = 8;

    private static final Pattern ABSOLUTE = Pattern.compile(
            "(\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2}))?)?(?:_(\\d{1,2})(?:/(\\d{1,2})(?:/(\\d{2}|\\d{4}))?)?)?");

    private TimeArgument() {}

    /**
     * Returns the instant {@code text} stands for in epoch seconds, or {@link #INVALID}. A time without date that has
     * passed is the one of the next day, a date without year that has passed the one of the next year that has it.
     */
    public static long instant(String text, long now) {
        if (text.equalsIgnoreCase("NOW")) {
            return now;
        }
        if (text.equalsIgnoreCase("INFINITY")) {
            return FOREVER;
        }
        if (text.startsWith("+") || text.startsWith("-")) {
            long seconds = duration(text.substring(1));
            if (seconds == INVALID) {
                return INVALID;
            }
            return text.startsWith("+") ? plus(now, seconds) : Math.max(0, now - seconds);
        }
        Matcher matcher = ABSOLUTE.matcher(text);
        if (matcher.matches()) {
            return absolute(matcher, now);
        }
        return epoch(text);
    }

    /** Returns the interval {@code text} stands for in seconds, {@link #FOREVER} for one without end, or {@link #INVALID}. */
    public static long duration(String text) {
        return text.equalsIgnoreCase("INFINITY") ? FOREVER : PolicyTime.seconds(text);
    }

    /** Returns {@code seconds} after {@code instant}, at most {@link #FOREVER}. */
    public static long plus(long instant, long seconds) {
        return Math.min(FOREVER, instant + Math.min(FOREVER, seconds));
    }

    private static long absolute(Matcher matcher, long now) {
        long clock = number(matcher, 1, 0) * 3600 + number(matcher, 2, 0) * 60 + number(matcher, 3, 0);
        if (clock > 86_400 || number(matcher, 2, 0) > 59 || number(matcher, 3, 0) > 59) {
            return INVALID;
        }
        LocalDateTime today = LocalDateTime.ofEpochSecond(now, 0, ZoneOffset.UTC);
        try {
            if (matcher.group(4) == null) {
                long instant = midnight(today.toLocalDate()) + clock;
                return instant < now ? instant + 86_400 : instant;
            }
            int month = (int) number(matcher, 4, 1);
            int day = (int) number(matcher, 5, 1);
            if (matcher.group(6) != null) {
                long instant = midnight(LocalDate.of(year((int) number(matcher, 6, 0)), month, day)) + clock;
                return instant < 0 ? INVALID : instant;
            }
            return next(month, day, clock, today.getYear(), now);
        } catch (DateTimeException e) {
            return INVALID;
        }
    }

    /** Returns the first instant of {@code year} or later that is not past; a day need not be in every year. */
    private static long next(int month, int day, long clock, int year, long now) {
        for (int candidate = year; candidate <= year + LONGEST_WITHOUT_LEAP_DAY; candidate++) {
            if (YearMonth.of(candidate, month).isValidDay(day)) {
                long instant = midnight(LocalDate.of(candidate, month, day)) + clock;
                if (instant >= now) {
                    return instant;
                }
            }
        }
        return INVALID;
    }

    /** Two digits from 69 on are of the last century, as POSIX has it. */
    private static int year(int written) {
        return written >= 100 ? written : written >= LAST_CENTURY ? 1900 + written : 2000 + written;
    }

    private static long number(Matcher matcher, int group, long absent) {
        String digits = matcher.group(group);
        return digits == null ? absent : Long.parseLong(digits);
    }

    private static long midnight(LocalDate date) {
        return LocalDateTime.of(date, LocalTime.MIDNIGHT).toEpochSecond(ZoneOffset.UTC);
    }

    private static long epoch(String text) {
        if (text.length() > 10 || !text.chars().allMatch(c -> c >= '0' && c <= '9') || text.isEmpty()) {
            return INVALID;
        }
        return Math.min(FOREVER, Long.parseLong(text));
    }
}

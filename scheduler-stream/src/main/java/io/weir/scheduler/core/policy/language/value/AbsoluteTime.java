package io.weir.scheduler.core.policy.language.value;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * A point in time as the configuration and the commands write it: {@code HH[:MM[:SS]][_MO[/DD[/YY]]]}, epoch seconds, or
 * {@code +interval}. Which instant it is depends on now: a time of day already past is tomorrow's. UTC.
 *
 * @param offset seconds, of the epoch or from now on; 0 where there is a time of day
 * @param relative whether {@code offset} counts from now
 * @param secondOfDay time of day; -1 for none
 * @param month month; 0 for none
 * @param day day of the month; 0 for none
 * @param year year; -1 for none
 */
public record AbsoluteTime(long offset, boolean relative, int secondOfDay, int month, int day, int year) {
    /**
     * Reads {@code text}.
     *
     * @throws BadValueException when it is none of the forms
     */
    public static AbsoluteTime parse(String text) throws BadValueException {
        if (text.startsWith("+")) {
            long seconds = PolicyTime.seconds(text.substring(1));
            if (seconds < 0) {
                throw bad(text);
            }
            return new AbsoluteTime(seconds, true, -1, 0, 0, -1);
        }
        int underscore = text.indexOf('_');
        if (underscore < 0 && text.indexOf(':') < 0 && text.length() > 4) {
            return new AbsoluteTime(number(text, text, Integer.MAX_VALUE * 4L), false, -1, 0, 0, -1);
        }
        String clock = underscore < 0 ? text : text.substring(0, underscore);
        String[] parts = clock.split(":", -1);
        if (parts.length > 3) {
            throw bad(text);
        }
        int second = (int) number(parts[0], text, 24) * 3600;
        second += parts.length > 1 ? (int) number(parts[1], text, 59) * 60 : 0;
        second += parts.length > 2 ? (int) number(parts[2], text, 59) : 0;
        if (underscore < 0) {
            return new AbsoluteTime(0, false, second, 0, 0, -1);
        }
        String[] date = text.substring(underscore + 1).split("/", -1);
        if (date.length > 3) {
            throw bad(text);
        }
        int month = (int) number(date[0], text, 12);
        int day = date.length > 1 ? (int) number(date[1], text, 31) : 1;
        int year = date.length > 2 ? (int) number(date[2], text, 9999) : -1;
        if (month < 1 || day < 1) {
            throw bad(text);
        }
        AbsoluteTime time =
                new AbsoluteTime(0, false, second, month, day, year >= 0 && year < 100 ? 2000 + year : year);
        if (time.on(time.year < 0 ? 2000 : time.year) == null) {
            throw bad(text);
        }
        return time;
    }

    /** Returns the instant meant, in epoch seconds, when it is now {@code now}. */
    public long resolve(long now) {
        if (secondOfDay < 0) {
            return relative ? now + offset : offset;
        }
        LocalDateTime today = LocalDateTime.ofEpochSecond(now, 0, ZoneOffset.UTC);
        if (month == 0) {
            long midnight = today.toLocalDate().toEpochDay() * 86_400;
            long time = midnight + secondOfDay;
            return time < now ? time + 86_400 : time;
        }
        if (year >= 0) {
            return seconds(on(year));
        }
        for (int candidate = today.getYear(); candidate < today.getYear() + 8; candidate++) {
            LocalDate date = on(candidate);
            if (date != null && seconds(date) >= now) {
                return seconds(date);
            }
        }
        return seconds(on(today.getYear()));
    }

    private long seconds(@Nullable LocalDate date) {
        return (date == null ? 0 : date.toEpochDay() * 86_400) + secondOfDay;
    }

    private @Nullable LocalDate on(int ofYear) {
        try {
            return LocalDate.of(ofYear, month, day);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static long number(String digits, String text, long most) throws BadValueException {
        if (digits.isEmpty() || digits.length() > 12 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw bad(text);
        }
        long number = Long.parseLong(digits);
        if (number > most) {
            throw bad(text);
        }
        return number;
    }

    private static BadValueException bad(String text) {
        return new BadValueException(
                "'" + text + "' is not a time; write HH[:MM[:SS]][_MO[/DD[/YY]]], epoch seconds or +[[[DD:]HH:]MM:]SS");
    }
}

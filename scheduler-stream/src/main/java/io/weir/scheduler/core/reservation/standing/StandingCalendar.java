package io.weir.scheduler.core.reservation.standing;

import io.weir.scheduler.core.reservation.TimeArgument;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * When the instances of a standing reservation lie. Days begin at midnight UTC and weeks with Sunday; an end at or before
 * the start lies in the next period; days count for daily reservations only, and a day that is left out takes no place
 * among the instances kept ahead. Immutable.
 *
 * @param period how often it comes back
 * @param days days of the week on which a daily one begins
 * @param startOffset seconds from the beginning of the period to the start
 * @param endOffset seconds from the beginning of the period to the end; {@link #END_OF_PERIOD} for all of it
 * @param depth instances kept, the active one included, at least 1
 */
public record StandingCalendar(Period period, Set<DayOfWeek> days, long startOffset, long endOffset, int depth) {
    /** Ends with the period. */
    public static final long END_OF_PERIOD = -1;

    private static final long DAY_SECONDS = 86_400;

    /** 1970-01-04 was a Sunday. */
    private static final long FIRST_SUNDAY = 3 * DAY_SECONDS;

    public StandingCalendar {
        days = Collections.unmodifiableSortedSet(new TreeSet<>(days));
    }

    /**
     * Returns the instances to keep at {@code now}: the first ones that have not ended. What lasts for ever has one, from
     * its start after the day {@code now} lies in began.
     */
    public List<Slot> slots(long now) {
        if (period == Period.INFINITY) {
            long start = startOffset == 0 ? now : Math.floorDiv(now, DAY_SECONDS) * DAY_SECONDS + startOffset;
            return List.of(new Slot(start, TimeArgument.FOREVER));
        }
        List<Slot> slots = new ArrayList<>(depth);
        if (period == Period.DAY && days.isEmpty()) {
            return slots;
        }
        long length = period.seconds();
        long origin = period == Period.WEEK ? FIRST_SUNDAY - length : 0;
        long end = endOffset == END_OF_PERIOD ? length : endOffset <= startOffset ? endOffset + length : endOffset;
        long begin = Math.floorDiv(now - origin - end, length) * length + origin;
        while (slots.size() < depth) {
            if (begin + end > now && fallsOn(begin)) {
                slots.add(new Slot(begin + startOffset, begin + end));
            }
            begin += length;
        }
        return slots;
    }

    /** Returns the days {@code text} names, such as {@code Mon,Tue} or {@code ALL}; null when it names none. */
    public static @Nullable Set<DayOfWeek> days(String text) {
        if (text.equalsIgnoreCase("ALL")) {
            return EnumSet.allOf(DayOfWeek.class);
        }
        Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
        for (String name : text.split("[,:|]", -1)) {
            DayOfWeek found = day(name.trim().toUpperCase(Locale.ROOT));
            if (found == null) {
                return null;
            }
            days.add(found);
        }
        return days;
    }

    private static @Nullable DayOfWeek day(String name) {
        if (name.length() < 3) {
            return null;
        }
        for (DayOfWeek day : DayOfWeek.values()) {
            if (day.name().startsWith(name)) {
                return day;
            }
        }
        return null;
    }

    private boolean fallsOn(long begin) {
        return period != Period.DAY
                || days.contains(
                        LocalDate.ofEpochDay(Math.floorDiv(begin, DAY_SECONDS)).getDayOfWeek());
    }
}

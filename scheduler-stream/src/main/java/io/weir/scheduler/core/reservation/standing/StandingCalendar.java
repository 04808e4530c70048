package io.weir.scheduler.core.reservation.standing;

import io.weir.scheduler.core.policy.reservation.StandingConfig;
import io.weir.scheduler.core.policy.reservation.StandingConfig.Period;
import io.weir.scheduler.core.reservation.TimeArgument;
import java.util.ArrayList;
import java.util.List;

/**
 * When the instances of a standing reservation lie. Days begin at midnight UTC and weeks with Sunday; an end at or before
 * the start lies in the next period; days count for daily reservations only, and a day that is left out takes no place
 * among the instances kept ahead. Immutable.
 *
 * @param period how often it comes back
 * @param days days of the week on which a daily one begins, as bits, Monday being bit 0
 * @param startOffset seconds from the beginning of the period to the start
 * @param endOffset seconds from the beginning of the period to the end; {@link #END_OF_PERIOD} for all of it
 * @param depth instances kept, the active one included, at least 1
 */
public record StandingCalendar(Period period, int days, long startOffset, long endOffset, int depth) {
    /** Ends with the period. */
    public static final long END_OF_PERIOD = -1;

    private static final long DAY_SECONDS = 86_400;

    private static final long WEEK_SECONDS = 7 * DAY_SECONDS;

    /** 1970-01-04 was a Sunday. */
    private static final long FIRST_SUNDAY = 3 * DAY_SECONDS;

    private static final long FIRST_MONDAY = FIRST_SUNDAY + DAY_SECONDS;

    /** Reads the calendar of {@code config}. */
    public static StandingCalendar of(StandingConfig config) {
        Long end = config.endSeconds();
        return new StandingCalendar(
                config.period(),
                config.days(),
                config.startSeconds(),
                end == null ? END_OF_PERIOD : end,
                config.instances());
    }

    /**
     * Returns the instances to keep at {@code now}: the first ones that have not ended. What lasts for ever has one, from
     * its start after the day {@code now} lies in began.
     */
    public List<InstancePeriod> slots(long now) {
        return slots(now, depth);
    }

    /** Returns how many these are: one of what lasts for ever, none where no day counts. */
    public int count() {
        if (period == Period.DAY && (days & StandingConfig.ALL_DAYS) == 0) {
            return 0;
        }
        return period == Period.INFINITY ? Math.min(1, depth) : depth;
    }

    /** Returns the first of these instances, at most {@code most}. */
    public List<InstancePeriod> slots(long now, int most) {
        int count = Math.min(count(), most);
        if (count <= 0) {
            return List.of();
        }
        if (period == Period.INFINITY) {
            long start = startOffset == 0 ? now : Math.floorDiv(now, DAY_SECONDS) * DAY_SECONDS + startOffset;
            return List.of(new InstancePeriod(start, TimeArgument.FOREVER));
        }
        List<InstancePeriod> slots = new ArrayList<>(count);
        long length = period.seconds();
        long origin = period == Period.WEEK ? FIRST_SUNDAY - length : 0;
        long end = endOffset == END_OF_PERIOD ? length : endOffset <= startOffset ? endOffset + length : endOffset;
        long begin = Math.floorDiv(now - origin - end, length) * length + origin;
        while (slots.size() < count) {
            if (begin + end > now && fallsOn(begin)) {
                slots.add(new InstancePeriod(begin + startOffset, begin + end));
            }
            begin += length;
        }
        return slots;
    }

    private boolean fallsOn(long begin) {
        long day = Math.floorMod(begin - FIRST_MONDAY, WEEK_SECONDS) / DAY_SECONDS;
        return period != Period.DAY || (days >> day & 1) == 1;
    }
}

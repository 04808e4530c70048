package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.TimeArgument;
import java.time.Instant;

/** Reads the start and end of a reservation from a request, epoch seconds. */
final class TimeSpec {
    /** How old a start may be that was the present when it was written. */
    private static final long UNDER_WAY_SECONDS = 60;

    private final long now;

    TimeSpec(long now) {
        this.now = now;
    }

    /** Returns {@code reservation} at the time asked for: first the start is moved, the end with it, then the end. */
    AdministrativeReservation changed(ReservationRequest ask, AdministrativeReservation reservation) throws Refusal {
        long start = reservation.start();
        long end = reservation.end();
        String asked = ask.last("starttime");
        if (asked != null) {
            start = moved(start, Operand.of(asked));
            end = end >= TimeArgument.FOREVER ? end : TimeArgument.plus(end, start - reservation.start());
        }
        asked = ask.last("endtime");
        if (asked != null) {
            end = moved(end, Operand.of(asked));
        }
        asked = ask.last("duration");
        if (asked != null) {
            Operand operand = Operand.of(asked);
            end = operand.action() != Operand.Action.SET
                    ? shifted(end, operand)
                    : TimeArgument.plus(start, duration(operand.text()));
        }
        return reservation.at(start, end);
    }

    /** Returns the instant that an operand makes of {@code present}. */
    private long moved(long present, Operand operand) throws Refusal {
        return operand.action() != Operand.Action.SET ? shifted(present, operand) : instant(operand.text(), now);
    }

    private static long shifted(long instant, Operand operand) throws Refusal {
        long seconds = duration(operand.text());
        if (operand.action() == Operand.Action.ADD) {
            return TimeArgument.plus(instant, seconds);
        }
        if (instant >= TimeArgument.FOREVER) {
            throw new Refusal("it never ends, so there is no end to take time from; give an end or a duration");
        }
        if (seconds >= TimeArgument.FOREVER) {
            throw new Refusal("an INFINITY of time cannot be taken away; give a duration");
        }
        return Math.max(0, instant - seconds);
    }

    /** Returns the start asked for, by default now. */
    long start(ReservationRequest ask) throws Refusal {
        String text = ask.last("starttime");
        return text == null ? now : instant(Operand.of(text).text(), now);
    }

    /** Returns the end asked for, by default never. */
    long end(ReservationRequest ask, long start) throws Refusal {
        String end = ask.last("endtime");
        if (end != null && ask.last("duration") != null) {
            throw new Refusal("an end and a duration are one too many; give one of them");
        }
        if (end != null) {
            String text = Operand.of(end).text();
            return instant(text, text.startsWith("+") || text.startsWith("-") ? now : start);
        }
        String duration = ask.last("duration");
        return duration == null
                ? TimeArgument.FOREVER
                : TimeArgument.plus(start, duration(Operand.of(duration).text()));
    }

    private static long instant(String text, long reference) throws Refusal {
        long instant = TimeArgument.instant(text, reference);
        if (instant == TimeArgument.INVALID) {
            throw new Refusal(
                    "'" + text + "' is no time; write HH[:MM[:SS]][_MO[/DD[/YY]]], +<time>, or epoch seconds");
        }
        return instant;
    }

    private static long duration(String text) throws Refusal {
        long seconds = TimeArgument.duration(text);
        if (seconds == TimeArgument.INVALID) {
            throw new Refusal("'" + text + "' is no duration; write [[[DD:]HH:]MM:]SS or INFINITY");
        }
        return seconds;
    }

    /** Refuses a time that is over or upside down. */
    void check(long start, long end) throws Refusal {
        if (start >= TimeArgument.FOREVER) {
            throw new Refusal("the start lies beyond " + Instant.ofEpochSecond(TimeArgument.FOREVER)
                    + ", up to which reservations are planned; give an earlier start");
        }
        if (end <= start) {
            throw new Refusal("the end, " + Instant.ofEpochSecond(end) + ", would not lie behind the start, "
                    + Instant.ofEpochSecond(start) + "; give a later end or a longer duration");
        }
        if (end <= now) {
            throw new Refusal("the end, " + Instant.ofEpochSecond(end) + ", would lie in the past; it is "
                    + Instant.ofEpochSecond(now) + ", so give a later end");
        }
    }

    /** Refuses a start that is given and over; one that passed while the request was under way is not. */
    void checkStart(ReservationRequest ask, long start) throws Refusal {
        if (ask.has("starttime") && start < now - UNDER_WAY_SECONDS) {
            throw new Refusal("the start, " + Instant.ofEpochSecond(start) + ", lies in the past; it is "
                    + Instant.ofEpochSecond(now) + ", so give a later start, or none to start now");
        }
    }
}

package io.weir.scheduler.core.timeline;

import java.util.Arrays;

/**
 * What the timelines of a row lost lately: for some amounts of the first resource, the last intervals in which a timeline
 * came to have less than that. Noted when something is taken, once for all who remember where there was room, so that these
 * need not fetch the timeline to see what is left of it.
 */
final class TimelineLosses {
    /** Stands for more having changed than is known. */
    static final int UNKNOWN = -1;

    /** The number under which every change is noted, whatever it left. */
    static final int EVERY = 0;

    /** Intervals kept of a timeline and an amount; a power of two. */
    private static final int KEPT = 8;

    /** Amounts that are told apart, one place being for every change. */
    private static final int MOST_AMOUNTS = 16;

    private int timelines;

    /** Amounts by number; no change leaves the first one. */
    private int[] amounts = {Integer.MAX_VALUE};

    /** By number of the amount and timeline, how many losses there were. */
    private int[][] versions;

    /** The same, first instant and end of the last losses. */
    private int[][] losses;

    /** What {@link #left} found: first instant and end of each piece. */
    private int[] pieces = new int[2 * (KEPT + 1)];

    private int[] spare = new int[2 * (KEPT + 1)];

    TimelineLosses(int timelines) {
        this.timelines = timelines;
        versions = new int[][] {new int[timelines]};
        losses = new int[][] {new int[timelines * KEPT * 2]};
    }

    /** Makes room for more timelines. */
    void grow(int more) {
        timelines = more;
        for (int number = 0; number < amounts.length; number++) {
            versions[number] = Arrays.copyOf(versions[number], more);
            losses[number] = Arrays.copyOf(losses[number], more * KEPT * 2);
        }
    }

    /** Returns the number of {@code amount}, whose losses are noted from now on; {@link #EVERY} when there are too many. */
    int follow(int amount) {
        for (int number = 1; number < amounts.length; number++) {
            if (amounts[number] == amount) {
                return number;
            }
        }
        int number = amounts.length;
        if (number == MOST_AMOUNTS) {
            return EVERY;
        }
        amounts = Arrays.copyOf(amounts, number + 1);
        amounts[number] = amount;
        versions = Arrays.copyOf(versions, number + 1);
        versions[number] = new int[timelines];
        losses = Arrays.copyOf(losses, number + 1);
        losses[number] = new int[timelines * KEPT * 2];
        return number;
    }

    /** Returns a number that differs whenever the amount of that number may have got lost in between. */
    int version(int number, int timeline) {
        return versions[number][timeline];
    }

    /** Hears that a timeline changed in another way than by what is taken during an interval. */
    void forget(int timeline) {
        for (int[] of : versions) {
            of[timeline] += KEPT + 1;
        }
    }

    /**
     * Hears that {@code taken} of the first resource were taken during [from, to).
     *
     * @param line what is left now
     * @param first the first of the steps concerned
     * @param last the one after the last
     */
    void taken(int timeline, int from, int to, ResourceTimeline line, int first, int last, int taken) {
        lost(EVERY, timeline, from, to);
        int least = Integer.MAX_VALUE;
        int most = Integer.MIN_VALUE;
        for (int i = first; i < last; i++) {
            int left = line.first(i);
            least = Math.min(least, left);
            most = Math.max(most, left);
        }
        for (int number = 1; number < amounts.length; number++) {
            int amount = amounts[number];
            if (least < amount && amount <= most + taken) {
                if (most < amount) {
                    lost(number, timeline, from, to);
                } else {
                    lostInParts(number, timeline, to, line, first, last, taken);
                }
            }
        }
    }

    private void lostInParts(int number, int timeline, int to, ResourceTimeline line, int first, int last, int taken) {
        int amount = amounts[number];
        int since = -1;
        for (int i = first; i < last; i++) {
            int left = line.first(i);
            boolean lost = left < amount && left + taken >= amount;
            if (lost && since < 0) {
                since = line.instant(i);
            } else if (left >= amount && since >= 0) {
                lost(number, timeline, since, line.instant(i));
                since = -1;
            }
        }
        if (since >= 0) {
            lost(number, timeline, since, to);
        }
    }

    private void lost(int number, int timeline, int from, int to) {
        int[] those = losses[number];
        int at = (timeline * KEPT + (++versions[number][timeline] & KEPT - 1)) * 2;
        those[at] = from;
        those[at + 1] = to;
    }

    /**
     * Works out what is left of [from, to), where at version {@code then} an amount was free throughout.
     *
     * @param number number of the amount
     * @return the number of pieces, or {@link #UNKNOWN} when one has to look
     */
    int left(int number, int timeline, int then, int from, int to) {
        int now = versions[number][timeline];
        if (now - then > KEPT) {
            return UNKNOWN;
        }
        pieces[0] = from;
        pieces[1] = to;
        int count = 1;
        int[] those = losses[number];
        for (int v = then + 1; v <= now; v++) {
            int at = (timeline * KEPT + (v & KEPT - 1)) * 2;
            if (those[at] < to && those[at + 1] > from) {
                if (number == EVERY) {
                    return UNKNOWN;
                }
                count = without(those[at], those[at + 1], count);
            }
        }
        return count;
    }

    /** Returns the first instant of a piece that {@link #left} found. */
    int from(int piece) {
        return pieces[2 * piece];
    }

    /** Returns the end of a piece that {@link #left} found. */
    int to(int piece) {
        return pieces[2 * piece + 1];
    }

    /** Takes [from, to) out of the first {@code count} pieces; returns how many there are then. */
    private int without(int from, int to, int count) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int begin = pieces[2 * i];
            int end = pieces[2 * i + 1];
            if (begin < Math.min(end, from)) {
                spare[2 * kept] = begin;
                spare[2 * kept++ + 1] = Math.min(end, from);
            }
            if (Math.max(begin, to) < end) {
                spare[2 * kept] = Math.max(begin, to);
                spare[2 * kept++ + 1] = end;
            }
        }
        int[] found = spare;
        spare = pieces;
        pieces = found;
        return kept;
    }
}

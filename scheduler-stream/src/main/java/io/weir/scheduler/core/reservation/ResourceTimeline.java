package io.weir.scheduler.core.reservation;

import java.util.Arrays;

/**
 * Free amounts of every tracked resource of one node over time: a step function from the start of the plan to infinity.
 *
 * <p>Instants are whole seconds after the start of the plan, the first step is at 0. All lies in one flat array, the
 * instants first, then the amounts of each resource in turn, so that looking along one resource touches few cache lines.
 * An amount may be negative: a node that shrank, or whose policy packs it beyond its configuration, has less than nothing to give.
 */
public final class ResourceTimeline {
    /** Stands for an instant that never comes; also the end of what lasts for ever. */
    public static final int NEVER = Integer.MAX_VALUE;

    /** Segments that are looked at one by one before a search. */
    private static final int NEAR = 4;

    private final int resources;

    /** Steps there is room for. */
    private int room = 4;

    /** Instants from 0 on, amounts of resource r from (r + 1) * room on. */
    private int[] data;

    private int size;

    /** Whether the node takes one job at a time, whatever the job says. */
    private boolean single;

    /** Segment last looked for; the next one is often near. */
    private int cursor;

    /** Where it is noted what was taken, and under which number. */
    private final RoomLosses losses;

    private final int number;

    /** Tasks that {@link #look} found. */
    private int tasks;

    /** First later start for which {@link #look} may find another number. */
    private int until;

    /** Creates a timeline of {@code resources} resources with nothing free. */
    public ResourceTimeline(int resources) {
        this(resources, new RoomLosses(1), 0);
    }

    private ResourceTimeline(int resources, RoomLosses losses, int number) {
        this.resources = resources;
        this.losses = losses;
        this.number = number;
        data = new int[(resources + 1) * room];
        size = 1;
    }

    /** Creates the timelines of {@code count} nodes, which note together what they lost. */
    public static ResourceTimeline[] row(int count, int resources) {
        RoomLosses losses = new RoomLosses(count);
        ResourceTimeline[] row = new ResourceTimeline[count];
        Arrays.setAll(row, i -> new ResourceTimeline(resources, losses, i));
        return row;
    }

    /** Says whether the node takes one job at a time, whatever the job says. */
    public void takesOne(boolean one) {
        single = one;
    }

    /** Returns whether the node takes one job at a time, whatever the job says. */
    public boolean takesOne() {
        return single;
    }

    /** Starts anew with {@code amounts} (from {@code offset} on, one per resource) free for ever. */
    public void reset(int[] amounts, int offset) {
        data[0] = 0;
        for (int r = 0; r < resources; r++) {
            data[(r + 1) * room] = amounts[offset + r];
        }
        size = 1;
        losses.forget(number);
    }

    /** Returns where it is noted what was taken. */
    RoomLosses losses() {
        return losses;
    }

    /** Starts anew as a copy of {@code other}. */
    public void copy(ResourceTimeline other) {
        data = other.data.clone();
        room = other.room;
        size = other.size;
        single = other.single;
        losses.forget(number);
    }

    /** Takes {@code count} times {@code amounts} during [from, to), whether free or not; a negative count gives back. */
    public void take(int from, int to, int[] amounts, int count) {
        if (to <= from) {
            return;
        }
        int first = split(Math.max(0, from));
        int last = to == NEVER ? size : split(to);
        for (int r = 0; r < resources; r++) {
            int amount = amounts[r] * count;
            if (amount != 0) {
                int row = (r + 1) * room;
                for (int i = first; i < last; i++) {
                    data[row + i] -= amount;
                }
            }
        }
        if (count < 0 || single) {
            losses.forget(number);
        } else {
            losses.taken(number, from, to, data, room, first, last, amounts[0] * count);
        }
        if (last < size) {
            join(last);
        }
        join(first);
    }

    /** Returns how many tasks of {@code need} fit during [from, to). */
    public int tasks(TaskNeed need, int from, int to) {
        int best = need.most();
        for (int i = segment(from); i < size && data[i] < to && best > 0; i++) {
            best = fitting(need, i, best);
        }
        return best;
    }

    /** Returns the least free amount of {@code resource} during [from, to). */
    public int least(int resource, int from, int to) {
        int least = Integer.MAX_VALUE;
        for (int i = segment(from); i < size && data[i] < to; i++) {
            least = Math.min(least, data[(resource + 1) * room + i]);
        }
        return least;
    }

    /**
     * Finds how many tasks fit during [from, from + duration) and up to which later start that number holds; both are
     * read with {@link #found} and {@link #foundUntil}. Starting at {@code from}, the number next changes when the last
     * segment that binds it is left behind or when a tighter one comes into the window, whichever is first.
     */
    public void look(TaskNeed need, int from, int duration) {
        int end = end(from, duration);
        int most = need.most();
        int best = most;
        int binding = -1;
        int i = segment(from);
        for (; i < size && data[i] < end; i++) {
            int here = fitting(need, i, best < most ? best + 1 : most);
            if (here < best || (here == best && best < most)) {
                best = here;
                binding = i;
            }
        }
        int change = binding >= 0 && binding + 1 < size ? data[binding + 1] : NEVER;
        for (; best > 0 && i < size && data[i] - duration + 1 < change; i++) {
            if (fitting(need, i, best) < best) {
                change = data[i] - duration + 1;
            }
        }
        tasks = best;
        until = change;
    }

    /** Returns the tasks the last {@link #look} found. */
    public int found() {
        return tasks;
    }

    /** Returns the first start after the one last looked at for which the number may differ, or {@link #NEVER}. */
    public int foundUntil() {
        return until;
    }

    /** Returns the earliest instant from which {@code count} tasks fit without a break up to {@code at}. */
    public int freeSince(TaskNeed need, int at, int count) {
        int since = at;
        for (int i = segment(at); i >= 0 && fitting(need, i, count) >= count; i--) {
            since = Math.min(at, data[i]);
        }
        return since;
    }

    /**
     * Returns the first instant at or after {@code to} at which one of the resources {@code need} takes becomes scarcer
     * than it ever is during [from, to), or {@link #NEVER}: when the tightest part of what is free is committed again.
     */
    public int committedAfter(TaskNeed need, int from, int to) {
        if (size == 1) {
            return NEVER;
        }
        int next = NEVER;
        for (int resource : need.resources()) {
            int level = least(resource, from, to);
            for (int i = segment(to); i < size && data[i] < next; i++) {
                if (data[(resource + 1) * room + i] < level) {
                    next = Math.max(to, data[i]);
                }
            }
        }
        return next;
    }

    /**
     * Returns the earliest start at or after {@code from} at which {@code count} tasks fit for {@code duration}, as long
     * as one task of {@code floor} fits without a break from {@code from} to its end; {@link #NEVER} when there is none.
     *
     * @param floor takes no more than {@code count} tasks of {@code need} do
     */
    int earliestWithin(TaskNeed need, TaskNeed floor, int from, int duration, int count) {
        int start = from;
        boolean open = true;
        for (int i = segment(from); i < size; i++) {
            if (fitting(need, i, count) < count) {
                if (fitting(floor, i, 1) < 1) {
                    return NEVER;
                }
                open = false;
                continue;
            }
            if (!open) {
                start = data[i];
                open = true;
            }
            if (i + 1 == size || data[i + 1] - start >= duration) {
                return start;
            }
        }
        return NEVER;
    }

    /** Returns until when, {@code limit} at the latest, a task fits without a break from {@code from} on. */
    int fitsUntil(TaskNeed need, int from, int limit) {
        for (int i = segment(from); i < size && data[i] < limit; i++) {
            if (fitting(need, i, 1) < 1) {
                return Math.max(from, data[i]);
            }
        }
        return limit;
    }

    /** Returns the first instant at or after {@code from} at which a task fits, or {@link #NEVER}. */
    int fitsFrom(TaskNeed need, int from) {
        for (int i = segment(from); i < size; i++) {
            if (fitting(need, i, 1) >= 1) {
                return Math.max(from, data[i]);
            }
        }
        return NEVER;
    }

    /** Returns since when a task fits without a break up to and including {@code at}; after it when it does not fit then. */
    int fitsSince(TaskNeed need, int at) {
        int since = at + 1;
        for (int i = segment(at); i >= 0 && fitting(need, i, 1) >= 1; i--) {
            since = data[i];
        }
        return since;
    }

    /** Gives {@code amounts} (from {@code offset} on) back for good from {@code at} on, not before the last step. */
    public void release(int at, int[] amounts, int offset) {
        losses.forget(number);
        if (at > data[size - 1]) {
            insert(size, at);
        }
        for (int r = 0; r < resources; r++) {
            data[(r + 1) * room + size - 1] += amounts[offset + r];
        }
    }

    /** Returns the free amount of {@code resource} at {@code instant}. */
    public int free(int resource, int instant) {
        return data[(resource + 1) * room + segment(instant)];
    }

    /** Returns the instant of the first step after {@code instant}, or {@link #NEVER}. */
    public int nextStep(int instant) {
        int next = segment(instant) + 1;
        return next < size ? data[next] : NEVER;
    }

    /** Returns whether more is taken than there is of any resource at any instant. */
    public boolean overcommitted() {
        for (int i = 0; i < size; i++) {
            for (int r = 1; r <= resources; r++) {
                if (data[r * room + i] < 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the end of an interval, {@link #NEVER} when it is beyond what can be counted. */
    static int end(int from, int duration) {
        int end = from + duration;
        return end < from ? NEVER : end;
    }

    /** Returns how many tasks, at most {@code limit}, fit segment {@code i}. */
    private int fitting(TaskNeed need, int i, int limit) {
        int best = limit;
        if ((single || need.alone())
                && need.presence() >= 0
                && data[(need.presence() + 1) * room + i] < TaskNeed.PRESENCE) {
            return 0;
        }
        int[] taken = need.resources();
        int[] amounts = need.amounts();
        for (int n = 0; n < taken.length; n++) {
            int free = data[(taken[n] + 1) * room + i];
            if (free < (long) amounts[n] * best) {
                best = free <= 0 ? 0 : free / amounts[n];
            }
        }
        return best;
    }

    private int split(int instant) {
        int i = segment(instant);
        if (data[i] >= instant) {
            return i;
        }
        insert(i + 1, instant);
        return i + 1;
    }

    /** Makes a step before step {@code i} with the amounts of the one before it. */
    private void insert(int i, int instant) {
        if (size == room) {
            int[] larger = new int[data.length * 2];
            for (int r = 0; r <= resources; r++) {
                System.arraycopy(data, r * room, larger, r * room * 2, size);
            }
            room *= 2;
            data = larger;
        }
        for (int r = 0; r <= resources; r++) {
            int at = r * room + i;
            System.arraycopy(data, at, data, at + 1, size - i);
            data[at] = data[at - 1];
        }
        data[i] = instant;
        size++;
    }

    private void join(int i) {
        if (i == 0 || i >= size) {
            return;
        }
        for (int r = 1; r <= resources; r++) {
            if (data[r * room + i] != data[r * room + i - 1]) {
                return;
            }
        }
        for (int r = 0; r <= resources; r++) {
            int at = r * room + i;
            System.arraycopy(data, at + 1, data, at, size - i - 1);
        }
        size--;
    }

    /** Returns the segment {@code instant} lies in. */
    private int segment(int instant) {
        int guess = cursor;
        if (guess < size && data[guess] <= instant) {
            for (int end = Math.min(size, guess + NEAR); guess < end; guess++) {
                if (guess + 1 == size || data[guess + 1] > instant) {
                    cursor = guess;
                    return guess;
                }
            }
        }
        cursor = search(instant);
        return cursor;
    }

    private int search(int instant) {
        if (size == 1 || instant < data[1]) {
            return 0;
        }
        int low = 1;
        int high = size - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (data[middle] <= instant) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}

package io.weir.scheduler.core.timeline;

import java.util.Arrays;

/**
 * Free amounts of every tracked resource of one node over time: a step function from the start of the plan to infinity.
 *
 * <p>Instants are whole seconds after the start of the plan, the first step is at 0. An amount may be negative: a node
 * that shrank, or whose policy packs it beyond its configuration, has less than nothing to give.
 *
 * <p>Many timelines are larger together than any cache, and a search jumps between them, so what counts is how few cache
 * lines a look fetches: the instant of a step and its amounts lie side by side, of resources that nobody takes only one
 * amount is kept, and every sixteenth instant is listed apart.
 *
 * <p>The file is long because all of it reads or writes that one layout: searches kept apart would reach the numbers through
 * another object.
 */
public final class ResourceTimeline {
    /** Stands for an instant that never comes; also the end of what lasts for ever. */
    public static final int NEVER = Integer.MAX_VALUE;

    /** Steps under one entry of {@link #index}, as a power of two. */
    private static final int BLOCK = 4;

    private final int resources;

    private TimelineColumns columns;

    /** Numbers kept of a step: its instant, then the columns in use. */
    private int width = 1;

    private int[] data = new int[4];

    /** Instants of the first step of each block. */
    private int[] index = new int[1];

    /** By resource, what is free of it at all times as long as it has no column here. */
    private int[] steady;

    private int size = 1;

    /** Whether the node takes one job at a time, unless the job says otherwise. */
    private boolean single;

    /** Whether the node takes one task at a time, unless the job says otherwise. */
    private boolean oneTask;

    /** The instant last looked for, -1 for none, and the segment it lies in. */
    private int sought = -1;

    private int segment;

    /** Where it is noted what was taken, and under which number. */
    private final TimelineLosses losses;

    private final int number;

    /** Tasks that {@link #look} found. */
    private int tasks;

    /** First later start for which {@link #look} may find another number. */
    private int until;

    /** Creates a timeline of {@code resources} resources with nothing free. */
    public ResourceTimeline(int resources) {
        this(resources, new TimelineColumns(resources), new TimelineLosses(1), 0);
    }

    /** Creates a timeline of a row that notes under {@code number} what it loses. */
    ResourceTimeline(int resources, TimelineColumns columns, TimelineLosses losses, int number) {
        this.resources = resources;
        this.columns = columns;
        this.losses = losses;
        this.number = number;
        steady = new int[resources];
    }

    /** Says whether the node takes one job at a time, unless the job says otherwise. */
    public void takesOne(boolean one) {
        single = one;
    }

    /** Says whether the node takes one task at a time, unless the job says otherwise. */
    public void takesOneTask(boolean one) {
        oneTask = one;
    }

    /** Returns whether the node takes one task at a time, unless the job says otherwise. */
    public boolean takesOneTask() {
        return oneTask;
    }

    /** Returns whether the node takes one job at a time, unless the job says otherwise. */
    public boolean takesOne() {
        return single;
    }

    /** Starts anew with {@code amounts} (from {@code offset} on, one per resource) free for ever. */
    public void reset(int[] amounts, int offset) {
        size = 1;
        sought = -1;
        for (int r = 0; r < resources; r++) {
            steady[r] = amounts[offset + r];
            if (columns.of(r) < width) {
                data[columns.of(r)] = steady[r];
            }
        }
        losses.forget(number);
    }

    /** Starts anew as a copy of {@code other}. */
    public void copy(ResourceTimeline other) {
        columns = other.columns;
        width = other.width;
        data = over(data, other.data, other.size * width);
        index = over(index, other.index, ((other.size - 1) >>> BLOCK) + 1);
        steady = over(steady, other.steady, resources);
        size = other.size;
        sought = -1;
        single = other.single;
        oneTask = other.oneTask;
        losses.forget(number);
    }

    /** Returns the first {@code count} of {@code source}, in {@code target} when they fit there. */
    private static int[] over(int[] target, int[] source, int count) {
        if (count > target.length) {
            return Arrays.copyOf(source, count);
        }
        System.arraycopy(source, 0, target, 0, count);
        return target;
    }

    /** Returns whether anything free at an instant of [from, to) is another amount than in {@code other}. */
    public boolean differs(ResourceTimeline other, int from, int to) {
        int i = segment(from);
        int j = other.segment(from);
        int at = from;
        while (at < to) {
            for (int r = 0; r < resources; r++) {
                if (free(i, r, columns.of(r)) != other.free(j, r, columns.of(r))) {
                    return true;
                }
            }
            int end = i + 1 < size ? instant(i + 1) : NEVER;
            int otherEnd = j + 1 < other.size ? other.instant(j + 1) : NEVER;
            at = Math.min(end, otherEnd);
            i += end == at ? 1 : 0;
            j += otherEnd == at ? 1 : 0;
        }
        return false;
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
                int column = column(r);
                for (int at = first * width + column; at < last * width; at += width) {
                    data[at] -= amount;
                }
            }
        }
        if (count < 0 || single) {
            losses.forget(number);
        } else {
            losses.taken(number, from, to, this, first, last, amounts[0] * count);
        }
        if (last < size) {
            join(last);
        }
        join(first);
    }

    /** Returns how many tasks of {@code need} fit during [from, to). */
    public int tasks(TaskNeed need, int from, int to) {
        int best = need.most();
        for (int i = segment(from); i < size && instant(i) < to && best > 0; i++) {
            best = fitting(need, i, best);
        }
        return best;
    }

    /** Returns the least free amount of {@code resource} during [from, to). */
    public int least(int resource, int from, int to) {
        int least = Integer.MAX_VALUE;
        int column = columns.of(resource);
        for (int i = segment(from); i < size && instant(i) < to; i++) {
            least = Math.min(least, free(i, resource, column));
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
        for (; i < size && instant(i) < end; i++) {
            int here = fitting(need, i, best < most ? best + 1 : most);
            if (here < best || (here == best && best < most)) {
                best = here;
                binding = i;
            }
        }
        int change = binding >= 0 && binding + 1 < size ? instant(binding + 1) : NEVER;
        for (; best > 0 && i < size && instant(i) - duration + 1 < change; i++) {
            if (fitting(need, i, best) < best) {
                change = instant(i) - duration + 1;
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

    /** Returns the first instant after {@code instant} at which anything free changes, or {@link #NEVER}. */
    public int changeAfter(int instant) {
        int next = segment(instant) + 1;
        return next < size ? instant(next) : NEVER;
    }

    /** Returns the earliest instant from which {@code count} tasks fit without a break up to {@code at}. */
    public int freeSince(TaskNeed need, int at, int count) {
        int since = at;
        for (int i = segment(at); i >= 0 && fitting(need, i, count) >= count; i--) {
            since = Math.min(at, instant(i));
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
        int first = segment(from);
        int after = segment(to);
        for (int resource : need.resources()) {
            int column = columns.of(resource);
            int level = Integer.MAX_VALUE;
            int i = first;
            for (; i < size && instant(i) < to; i++) {
                level = Math.min(level, free(i, resource, column));
            }
            for (i = after; i < size && instant(i) < next; i++) {
                if (free(i, resource, column) < level) {
                    next = Math.max(to, instant(i));
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
                start = instant(i);
                open = true;
            }
            if (i + 1 == size || instant(i + 1) - start >= duration) {
                return start;
            }
        }
        return NEVER;
    }

    /** Returns until when, {@code limit} at the latest, a task fits without a break from {@code from} on. */
    int fitsUntil(TaskNeed need, int from, int limit) {
        for (int i = segment(from); i < size && instant(i) < limit; i++) {
            if (fitting(need, i, 1) < 1) {
                return Math.max(from, instant(i));
            }
        }
        return limit;
    }

    /** Returns the first instant at or after {@code from} at which a task fits, or {@link #NEVER}. */
    int fitsFrom(TaskNeed need, int from) {
        for (int i = segment(from); i < size; i++) {
            if (fitting(need, i, 1) >= 1) {
                return Math.max(from, instant(i));
            }
        }
        return NEVER;
    }

    /** Returns since when a task fits without a break up to and including {@code at}; after it when it does not fit then. */
    int fitsSince(TaskNeed need, int at) {
        int since = at + 1;
        for (int i = segment(at); i >= 0 && fitting(need, i, 1) >= 1; i--) {
            since = instant(i);
        }
        return since;
    }

    /** Gives {@code amounts} (from {@code offset} on) back for good from {@code at} on, not before the last step. */
    public void release(int at, int[] amounts, int offset) {
        losses.forget(number);
        if (at > instant(size - 1)) {
            insert(size, at);
        }
        for (int r = 0; r < resources; r++) {
            if (amounts[offset + r] != 0) {
                int column = column(r);
                data[(size - 1) * width + column] += amounts[offset + r];
            }
        }
    }

    /** Returns the free amount of {@code resource} at {@code instant}. */
    public int free(int resource, int instant) {
        return free(segment(instant), resource, columns.of(resource));
    }

    /** Returns the instant of the first step after {@code instant}, or {@link #NEVER}. */
    public int nextStep(int instant) {
        int next = segment(instant) + 1;
        return next < size ? instant(next) : NEVER;
    }

    /** Returns whether more is taken than there is of any resource at any instant. */
    public boolean overcommitted() {
        for (int r = 0; r < resources; r++) {
            if (least(r, 0, NEVER) < 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the end of an interval, {@link #NEVER} when it is beyond what can be counted. */
    static int end(int from, int duration) {
        int end = from + duration;
        return end < from ? NEVER : end;
    }

    /** Returns the first instant of segment {@code i}. */
    int instant(int i) {
        return data[i * width];
    }

    /** Returns what is free in segment {@code i} of the first resource. */
    int first(int i) {
        return free(i, 0, columns.of(0));
    }

    private int free(int i, int resource, int column) {
        return column < width ? data[i * width + column] : steady[resource];
    }

    /** Returns how many tasks, at most {@code limit}, fit segment {@code i}. */
    private int fitting(TaskNeed need, int i, int limit) {
        int best = oneTask && need.sharing() == NodeSharing.AS_THE_NODE_SAYS ? Math.min(1, limit) : limit;
        if (need.sharing().alone(single)
                && need.presence() >= 0
                && free(i, need.presence(), columns.of(need.presence())) < TaskNeed.PRESENCE) {
            return 0;
        }
        int[] taken = need.resources();
        int[] amounts = need.amounts();
        int[] first = need.first();
        for (int n = 0; n < taken.length; n++) {
            int free = free(i, taken[n], columns.of(taken[n]));
            if (first != null && free < first[n]) {
                return 0;
            }
            if (free < (long) amounts[n] * best) {
                best = free <= 0 ? 0 : free / amounts[n];
            }
        }
        return best;
    }

    /** Returns the column of {@code resource}, which from now on has one here. */
    private int column(int resource) {
        int column = columns.open(resource);
        if (column >= width) {
            int wider = columns.used();
            int[] wide = new int[more() * wider];
            for (int i = 0; i < size; i++) {
                System.arraycopy(data, i * width, wide, i * wider, width);
            }
            for (int r = 0; r < resources; r++) {
                int other = columns.of(r);
                for (int i = 0; i < size && other >= width && other < wider; i++) {
                    wide[i * wider + other] = steady[r];
                }
            }
            data = wide;
            width = wider;
        }
        return column;
    }

    private int split(int instant) {
        int i = segment(instant);
        if (instant(i) >= instant) {
            return i;
        }
        insert(i + 1, instant);
        return i + 1;
    }

    /** Makes a step before step {@code i} with the amounts of the one before it. */
    private void insert(int i, int instant) {
        if ((size + 1) * width > data.length) {
            data = Arrays.copyOf(data, more() * width);
        }
        System.arraycopy(data, (i - 1) * width, data, i * width, (size - i + 1) * width);
        data[i * width] = instant;
        size++;
        indexFrom(i);
    }

    private void join(int i) {
        if (i == 0 || i >= size) {
            return;
        }
        for (int at = i * width + 1; at < (i + 1) * width; at++) {
            if (data[at] != data[at - width]) {
                return;
            }
        }
        System.arraycopy(data, (i + 1) * width, data, i * width, (size - i - 1) * width);
        size--;
        indexFrom(i);
    }

    /** Returns for how many steps to make room. */
    private int more() {
        return Math.max(4, size + size / 2);
    }

    /** Lists anew the instants from step {@code i} on. */
    private void indexFrom(int i) {
        sought = -1;
        int blocks = ((size - 1) >>> BLOCK) + 1;
        if (blocks > index.length) {
            index = Arrays.copyOf(index, blocks + blocks / 2);
        }
        for (int block = (i + (1 << BLOCK) - 1) >>> BLOCK; block < blocks; block++) {
            index[block] = instant(block << BLOCK);
        }
    }

    /** Returns the segment {@code instant} lies in. */
    private int segment(int instant) {
        if (instant != sought) {
            sought = instant;
            segment = search(instant);
        }
        return segment;
    }

    private int search(int instant) {
        int low = 0;
        int high = (size - 1) >>> BLOCK;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (index[middle] <= instant) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        low <<= BLOCK;
        high = Math.min(size, low + (1 << BLOCK)) - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (instant(middle) <= instant) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}

package io.weir.scheduler.core.timeline;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Visits the starts at which a set of nodes may hold more or fewer tasks for a given duration, in ascending order, and
 * keeps the sums over the nodes. The first start whose sum reaches what a job asks for is the job's earliest one: between
 * two visited instants no node changes its answer.
 *
 * <p>A {@link GapIndex} says which nodes have room and when; those that have wait in a heap for their next change, so
 * that nothing beyond the answer is looked at, nor nodes without room. Used for one search at a time; its arrays are kept.
 */
public final class StartTimeScan {
    /** Is told of every node that changes its answer, and says at which starts the nodes are worth a look. */
    public interface Watch {
        /** The node at {@code position} held {@code before} tasks and holds {@code after} from now on. */
        void changed(int position, int before, int after);

        /** Returns whether the tasks may find a place by what was told; where it is false, they find none. */
        boolean any();
    }

    private static final int[] NOWHERE = {};

    private @Nullable GapIndex index;
    private TaskNeed need = new TaskNeed();
    private int duration;
    private int from;

    /** Usable tasks by place. */
    private int[] tasks = new int[64];

    /** When the node at a place changes its answer next, as far as it waits for that. */
    private int[] due = new int[64];

    /** Places visited in this search, and how many. */
    private int[] visited = new int[64];

    private int visits;

    /** Whether a place was visited in this search. */
    private boolean[] known = new boolean[64];

    /** Binary heap of (instant, place, whether a gap begins). */
    private long[] heap = new long[64];

    private @Nullable Watch watch;

    /** Nodes looked at in all searches. */
    private long looks;

    private int waiting;
    private int time;
    private long total;
    private int nodes;

    /** The next page of the index to read, -1 for none, and when it begins. */
    private int page;

    private int pageStart;

    /** Returns how many looks at nodes all searches took so far. */
    public long looks() {
        return looks;
    }

    /** Says who is told of changes of the searches to come; null for nobody. */
    public void watch(@Nullable Watch who) {
        watch = who;
    }

    /**
     * Starts a search over the nodes of {@code gaps} at {@code first}.
     *
     * @param gaps made ready for {@code seconds}; nothing is taken or given back before the search ends, other than for
     *     a moment
     * @param task takes at least as much as the floor of the index
     */
    public void begin(GapIndex gaps, TaskNeed task, int first, int seconds) {
        for (int i = 0; i < visits; i++) {
            int place = visited[i];
            tasks[place] = 0;
            known[place] = false;
        }
        visits = 0;
        index = gaps;
        need = task;
        duration = seconds;
        from = first;
        time = first;
        total = 0;
        nodes = 0;
        waiting = 0;
        if (tasks.length < gaps.places()) {
            tasks = new int[gaps.places()];
            due = new int[tasks.length];
            visited = new int[tasks.length];
            known = new boolean[tasks.length];
        }
        int end = ResourceTimeline.end(first, seconds);
        int last = gaps.page(first);
        for (int p = gaps.reaching(-1, first, end); p >= 0; p = gaps.reaching(p, first, end)) {
            gaps.read(p, first, duration, this);
        }
        turn(gaps, last);
        readOn(gaps);
    }

    /** Goes on to the next start at which a node changes its answer; false when none is left. */
    public boolean advance() {
        GapIndex gaps = index;
        if (waiting == 0 || gaps == null) {
            return false;
        }
        time = (int) (heap[0] >>> 32);
        while (waiting > 0 && (int) (heap[0] >>> 32) == time) {
            int entry = (int) heap[0];
            int place = entry >>> 1;
            heap[0] = heap[--waiting];
            sink(0);
            if ((entry & 1) != 0 || due[place] == time) {
                visit(gaps, place);
            }
        }
        readOn(gaps);
        return true;
    }

    /** Goes on to {@code instant}, which is not before the start now looked at. */
    public void advanceTo(int instant) {
        while (waiting > 0 && (int) (heap[0] >>> 32) <= instant) {
            advance();
        }
        time = Math.max(time, instant);
    }

    /** Returns the next start at which a node may change its answer, or {@link ResourceTimeline#NEVER}. */
    public int next() {
        return waiting == 0 ? ResourceTimeline.NEVER : (int) (heap[0] >>> 32);
    }

    /** Returns the start now looked at. */
    public int time() {
        return time;
    }

    /** Returns how many tasks all nodes together hold. */
    public long total() {
        return total;
    }

    /** Returns how many nodes hold a task. */
    public int nodes() {
        return nodes;
    }

    /** Returns the places of the nodes that hold a task. */
    public int[] places() {
        if (nodes == 0) {
            return NOWHERE;
        }
        int[] places = new int[nodes];
        int count = 0;
        for (int i = 0; i < visits; i++) {
            if (tasks[visited[i]] > 0) {
                places[count++] = visited[i];
            }
        }
        return places;
    }

    /** Returns the position of the node at {@code place}. */
    public int position(int place) {
        return index == null ? -1 : index.position(place);
    }

    /** Returns how many tasks the node at {@code place} holds. */
    public int tasksAt(int place) {
        return tasks[place];
    }

    /** Hears from the index that the node at {@code place} has room for the floor from {@code instant} on. */
    void meet(int place, int instant) {
        if (instant > time) {
            push((long) instant << 32 | place << 1 | 1);
        } else if (index != null) {
            visit(index, place);
        }
    }

    /** Reads the index as far as the next visit may depend on it. */
    private void readOn(GapIndex gaps) {
        while (page >= 0 && (waiting == 0 || pageStart <= (int) (heap[0] >>> 32))) {
            int last = page;
            gaps.read(last, from, duration, this);
            turn(gaps, last);
        }
    }

    private void turn(GapIndex gaps, int last) {
        page = gaps.next(last, duration);
        pageStart = gaps.start(Math.max(0, page));
    }

    /** Looks at a node at {@link #time}, and again when it changes its answer. */
    private void visit(GapIndex gaps, int place) {
        ResourceTimeline line = gaps.line(place);
        looks++;
        if (!known[place]) {
            known[place] = true;
            visited[visits++] = place;
            due[place] = -1;
        }
        line.look(need, time, duration);
        put(gaps, place, line.found());
        int next = tasks[place] > 0
                ? line.foundUntil()
                : line.earliestWithin(need, gaps.floor(), time, duration, need.fewest());
        if (next != due[place]) {
            due[place] = next;
            if (next != ResourceTimeline.NEVER) {
                push((long) next << 32 | place << 1);
            }
        }
    }

    private void put(GapIndex gaps, int place, int found) {
        int usable = need.usable(found);
        int old = tasks[place];
        if (usable != old) {
            tasks[place] = usable;
            total += usable - old;
            nodes += (usable > 0 ? 1 : 0) - (old > 0 ? 1 : 0);
            if (watch != null) {
                watch.changed(gaps.position(place), old, usable);
            }
        }
    }

    private void push(long entry) {
        if (waiting == heap.length) {
            heap = Arrays.copyOf(heap, waiting * 2);
        }
        int i = waiting++;
        while (i > 0 && heap[(i - 1) >>> 1] > entry) {
            heap[i] = heap[(i - 1) >>> 1];
            i = (i - 1) >>> 1;
        }
        heap[i] = entry;
    }

    private void sink(int from) {
        int i = from;
        if (i >= waiting) {
            return;
        }
        long value = heap[i];
        while (true) {
            int child = 2 * i + 1;
            if (child >= waiting) {
                break;
            }
            if (child + 1 < waiting && heap[child + 1] < heap[child]) {
                child++;
            }
            if (heap[child] >= value) {
                break;
            }
            heap[i] = heap[child];
            i = child;
        }
        heap[i] = value;
    }
}

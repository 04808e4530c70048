package io.weir.scheduler.core.reservation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Visits the starts at which a set of nodes may hold more or fewer tasks for a given duration, in ascending order, and
 * keeps the sums over the nodes. The first start whose sum reaches what a job asks for is the job's earliest one: between
 * two visited instants no node changes its answer.
 *
 * <p>Each node waits in a heap for its next change, so that nothing beyond the answer is looked at. Used for one search
 * at a time; its arrays are kept.
 */
public final class StartSweep {
    /** Is told of every node that changes its answer. */
    public interface Watch {
        /** The node at {@code position} held {@code before} tasks and holds {@code after} from now on. */
        void changed(int position, int before, int after);
    }

    private ResourceTimeline[] lines = new ResourceTimeline[0];
    private TaskNeed need = new TaskNeed();
    private int duration;

    /** Usable tasks by place in the list of positions. */
    private int[] tasks = new int[64];

    /** When nodes are known to hold no task for {@link #boundDuration}. */
    private NodeBounds.Scaled bounds = new NodeBounds.Scaled(0);

    private int boundDuration;

    /** Positions of the nodes, as given. */
    private int[] positions = new int[0];

    /** Binary heap of (instant of change, place). */
    private long[] heap = new long[64];

    private @Nullable Watch watch;
    private int waiting;
    private int time;
    private long total;
    private int nodes;

    /** Says who is told of changes of the searches to come; null for nobody. */
    public void watch(@Nullable Watch who) {
        watch = who;
    }

    /** Starts a search over {@code count} of {@code positions} at {@code from}. */
    public void begin(ResourceTimeline[] all, int[] nodePositions, int count, TaskNeed task, int from, int seconds) {
        begin(all, nodePositions, count, task, from, seconds, new NodeBounds(), 0);
    }

    /**
     * Starts a search over {@code count} of {@code positions} at {@code from}.
     *
     * @param known bounds of these nodes for this need, used and raised
     * @param generation number of the time since which free resources only became fewer
     */
    public void begin(
            ResourceTimeline[] all,
            int[] nodePositions,
            int count,
            TaskNeed task,
            int from,
            int seconds,
            NodeBounds known,
            long generation) {
        lines = all;
        positions = nodePositions;
        need = task;
        duration = seconds;
        bounds = known.of(seconds, count, generation);
        boundDuration = NodeBounds.duration(seconds);
        time = from;
        total = 0;
        nodes = 0;
        waiting = 0;
        if (tasks.length < count) {
            tasks = new int[Math.max(count, tasks.length * 2)];
            heap = new long[tasks.length];
        }
        Arrays.fill(tasks, 0, count, 0);
        for (int place = 0; place < count; place++) {
            boolean barred = bounds.since[place] <= from && from < bounds.until[place];
            int next = barred ? bounds.until[place] : visit(place);
            if (next != ResourceTimeline.NEVER) {
                heap[waiting++] = (long) next << 32 | place;
            }
        }
        for (int i = waiting / 2 - 1; i >= 0; i--) {
            sink(i);
        }
    }

    /** Goes on to the next start at which a node changes its answer; false when none is left. */
    public boolean advance() {
        if (waiting == 0) {
            return false;
        }
        time = (int) (heap[0] >>> 32);
        while (waiting > 0 && (int) (heap[0] >>> 32) == time) {
            int place = (int) heap[0];
            int next = visit(place);
            if (next == ResourceTimeline.NEVER) {
                heap[0] = heap[--waiting];
            } else {
                heap[0] = (long) next << 32 | place;
            }
            sink(0);
        }
        return true;
    }

    /** Goes on to {@code instant}, which is not before the start now looked at. */
    public void advanceTo(int instant) {
        while (waiting > 0 && (int) (heap[0] >>> 32) <= instant) {
            advance();
        }
        time = Math.max(time, instant);
    }

    /** Returns the next start at which a node changes its answer, or {@link ResourceTimeline#NEVER}. */
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

    /** Returns how many tasks the node at {@code place} of the list holds. */
    public int tasksAt(int place) {
        return tasks[place];
    }

    /** Looks at a node at {@link #time} and returns when to look at it again. */
    private int visit(int place) {
        ResourceTimeline line = lines[positions[place]];
        if (tasks[place] == 0) {
            int possible = line.earliest(need, time, boundDuration, need.fewest());
            if (time < bounds.since[place] || time > bounds.until[place]) {
                bounds.since[place] = time;
            }
            bounds.until[place] = possible;
            if (possible > time) {
                return possible;
            }
        }
        line.look(need, time, duration);
        put(place, line.found());
        return tasks[place] > 0 ? line.foundUntil() : line.earliest(need, time, duration, need.fewest());
    }

    private void put(int place, int found) {
        int usable = need.usable(found);
        int old = tasks[place];
        if (usable != old) {
            tasks[place] = usable;
            total += usable - old;
            nodes += (usable > 0 ? 1 : 0) - (old > 0 ? 1 : 0);
            if (watch != null) {
                watch.changed(positions[place], old, usable);
            }
        }
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

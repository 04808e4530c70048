package io.weir.scheduler.core.job;

import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a walk over a long queue reads of every waiting job, side by side in memory, and what the walk remembers of it: a
 * job that cannot start is passed over without a look at the job itself. A row is about one version of one job; what is
 * remembered is gone when the job is replaced. Owned by the core's thread.
 */
public final class QueueColumns {
    /** Nothing is remembered. */
    public static final long BLANK = 0;

    /** Numbers in a row: from when it may start, tasks and wallclock limit, and two that are remembered. */
    private static final int WIDTH = 4;

    private static final int NOT_BEFORE = 0;
    private static final int SIZE = 1;
    private static final int NOTE = 2;
    private static final int ACCESS = 3;

    private long[] rows = new long[64 * WIDTH];
    private int[] qos = new int[64];

    /** Hash codes of the jobs' ids. */
    private int[] ids = new int[64];

    /** Rows of jobs that have to be over by an instant. */
    private final BitSet due = new BitSet();

    /** Rows of jobs that may preempt others. */
    private final BitSet preemptors = new BitSet();

    /** Rows that were given up. */
    private int[] free = new int[64];

    private int freed;
    private int used;

    /** Numbers of qualities of service, 0 for none; never iterated. */
    private final Map<String, Integer> qosNumbers = new LinkedHashMap<>();

    /** Adds a job and returns its row. */
    int add(Job job) {
        int row = freed > 0 ? free[--freed] : used++;
        if (row == qos.length) {
            rows = Arrays.copyOf(rows, rows.length * 2);
            qos = Arrays.copyOf(qos, qos.length * 2);
            ids = Arrays.copyOf(ids, ids.length * 2);
        }
        ids[row] = job.id().hashCode();
        replace(row, job);
        return row;
    }

    /** Describes another version of the job of {@code row}. */
    void replace(int row, Job job) {
        int at = row * WIDTH;
        rows[at + NOT_BEFORE] = job.notBefore();
        rows[at + SIZE] = (long) job.firstTasks() << 32 | job.plannedSeconds();
        due.set(row, job.deadline() != Job.NONE);
        forget(row);
        qos[row] = job.qos() == null ? 0 : qosNumbers.computeIfAbsent(job.qos(), name -> qosNumbers.size() + 1);
    }

    /** Returns the hash code of the id of the job of {@code row}. */
    int idHash(int row) {
        return ids[row];
    }

    /** Gives up a row. */
    void remove(int row) {
        if (freed == free.length) {
            free = Arrays.copyOf(free, freed * 2);
        }
        free[freed++] = row;
        preemptors.clear(row);
    }

    /** Returns since when the job may start, epoch seconds; {@link Job#NONE} for ever. */
    public long notBefore(int row) {
        return rows[row * WIDTH + NOT_BEFORE];
    }

    /** Returns the tasks of the job's first requirement. */
    public int tasks(int row) {
        return (int) (rows[row * WIDTH + SIZE] >>> 32);
    }

    /** Returns the job's wallclock limit in seconds, at most {@link Integer#MAX_VALUE}. */
    public int seconds(int row) {
        return (int) rows[row * WIDTH + SIZE];
    }

    /** Returns the number of the job's quality of service, 0 for none. */
    public int qos(int row) {
        return qos[row];
    }

    /** Returns whether the job has to be over by an instant. */
    public boolean due(int row) {
        return due.get(row);
    }

    /** Says whether the job may preempt others. */
    public void preemptor(int row, boolean may) {
        preemptors.set(row, may);
    }

    /** Returns whether the job was said to be one that may preempt others. */
    public boolean preemptor(int row) {
        return preemptors.get(row);
    }

    /** Returns how many jobs may preempt others. */
    public int preemptors() {
        return preemptors.cardinality();
    }

    /** Returns what is remembered of the job's request; {@link #BLANK} for nothing. */
    public long note(int row) {
        return rows[row * WIDTH + NOTE];
    }

    /** Returns what is remembered of the job's access to reservations. */
    public long access(int row) {
        return rows[row * WIDTH + ACCESS];
    }

    /** Remembers two numbers of the job, the first not {@link #BLANK}. */
    public void remember(int row, long note, long access) {
        rows[row * WIDTH + NOTE] = note;
        rows[row * WIDTH + ACCESS] = access;
    }

    /** Forgets what was remembered of the job. */
    public void forget(int row) {
        rows[row * WIDTH + NOTE] = BLANK;
    }
}

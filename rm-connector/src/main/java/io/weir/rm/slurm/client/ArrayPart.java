package io.weir.rm.slurm.client;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What of a job array a job is: one of its tasks, or all that wait and have no record of their own. Slurm gives a task one
 * when it is changed or started alone. Immutable.
 *
 * @param array number of the array
 * @param task number of the task in it; null for those without a record of their own
 * @param waiting the tasks without a record of their own, as Slurm writes them, which may be cut; empty for a single task
 * @param most most tasks that may run at a time; 0 for any number
 */
public record ArrayPart(long array, @Nullable Long task, String waiting, int most) {
    private static final int TASK_BITS = 23;
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9})(?::(\\d{1,9}))?)?");
    private static final String CUT = "...";

    static @Nullable ArrayPart of(SlurmJson json) {
        long array = json.number("array_job_id", 0);
        if (array == 0) {
            return null;
        }
        long task = json.number("array_task_id", -1);
        String waiting = json.text("array_task_string");
        return new ArrayPart(
                array,
                task < 0 ? null : Long.valueOf(task),
                waiting == null || task >= 0 ? "" : waiting,
                json.whole("array_max_tasks", 0));
    }

    /** Returns the task of that number. */
    ArrayPart only(long number) {
        return new ArrayPart(array, number, "", most);
    }

    /** Returns the same of an array with another limit. */
    ArrayPart limited(int most) {
        return new ArrayPart(array, task, waiting, most);
    }

    /** Returns how users and Slurm's commands name it. */
    String key() {
        return task == null ? Long.toString(array) : array + "_" + task;
    }

    /** Says whether the task is, or may be, one of those without a record of their own. */
    boolean mayHave(long number) {
        for (String range : waiting.replaceAll("%.*|[\\[\\]]", "").split(",", -1)) {
            Matcher matcher = RANGE.matcher(range);
            if (range.endsWith(CUT)) {
                return true;
            } else if (matcher.matches()) {
                long first = Long.parseLong(matcher.group(1));
                long last = matcher.group(2) == null ? first : Long.parseLong(matcher.group(2));
                long step = matcher.group(3) == null ? 1 : Math.max(1, Long.parseLong(matcher.group(3)));
                if (number >= first && number <= last && (number - first) % step == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns a number by which jobs are in the order of their submission, and tasks in that of their array. */
    static long sequence(long id, @Nullable ArrayPart part) {
        return part == null
                ? id << TASK_BITS
                : (part.array() << TASK_BITS) + (part.task() == null ? 0 : part.task() + 1);
    }
}

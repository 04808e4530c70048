package io.weir.rm.slurm.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which component of a heterogeneous job a job of Slurm's is. The first one has the number of the whole job, and Slurm takes
 * most of what is said of that number as said of all components. Immutable.
 *
 * @param job number of the whole job
 * @param offset number of the component in it, from 0
 */
public record JobComponent(long job, int offset) {
    private static final String FIRST = "+0";

    static @Nullable JobComponent of(SlurmJson json) {
        long job = json.number("het_job_id", 0);
        return job <= 0 ? null : new JobComponent(job, Math.max(0, json.whole("het_job_offset", 0)));
    }

    /** Returns the component of which squeue says {@code 12+1}; null for another job. */
    static @Nullable JobComponent parse(String name) {
        int plus = name.indexOf('+');
        return plus > 0 && name.matches("\\d{1,10}\\+\\d{1,9}")
                ? new JobComponent(Long.parseLong(name.substring(0, plus)), Integer.parseInt(name.substring(plus + 1)))
                : null;
    }

    /** Returns the name of the first component: the number of the whole job, by which users know it. */
    public String whole() {
        return Long.toString(job);
    }

    /** Returns a name of this component alone: that of the whole job for the first one. */
    String key() {
        return offset == 0 ? whole() : job + "+" + offset;
    }

    /** Returns by which name scontrol changes the first component alone, whose number stands for all. */
    public static String first(String number) {
        return number + FIRST;
    }

    /** Says whether that is a name of a first component alone. */
    public static boolean isFirst(String name) {
        return name.endsWith(FIRST);
    }

    /**
     * Returns those of {@code fields} that scontrol can change: not the nodes of a first component alone, which slurmrestd can.
     */
    public static List<String> changeable(String name, List<String> fields) {
        return isFirst(name)
                ? fields.stream()
                        .filter(field -> !field.startsWith("NumNodes=") && !field.startsWith("ReqNodeList="))
                        .toList()
                : fields;
    }
}

package io.weir.rm.runtime.fact;

import java.util.Map;

/**
 * Which commands were finished at one moment. Those about one job are finished in the order of their numbers, those about
 * different jobs need not be. Immutable.
 *
 * @param all every command up to this number is finished; 0 for none
 * @param seen greatest number among all commands that had come in; at least {@code all}
 * @param firstUnfinished number of the first command about a job that is not finished, by job; the jobs without are left
 *     out
 */
public record FinishedCommands(long all, long seen, Map<String, Long> firstUnfinished) {
    public FinishedCommands {
        firstUnfinished = Map.copyOf(firstUnfinished);
    }

    /** Everything up to {@code number} is finished, and nothing else has come in. */
    public static FinishedCommands upTo(long number) {
        return new FinishedCommands(number, number, Map.of());
    }

    /** Returns the greatest number up to which every command about {@code job} is finished. */
    long about(String job) {
        Long first = firstUnfinished.get(job);
        return first == null ? seen : first - 1;
    }
}

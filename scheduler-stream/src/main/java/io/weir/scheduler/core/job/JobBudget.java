package io.weir.scheduler.core.job;

/**
 * How many jobs a cluster's state may hold. What occupies nodes is always taken in; what waits has to find room, and what
 * is over makes room, the earliest first.
 *
 * @param waiting jobs that wait
 * @param characters all texts of the jobs that wait or run together
 * @param further requirements of the jobs that wait or run together, without the first of each: these are tried one by
 *     one in every complete pass
 * @param finished jobs that are over
 * @param finishedCharacters all texts of the jobs that are over together
 */
public record JobBudget(int waiting, long characters, int further, int finished, long finishedCharacters) {
    /** What every cluster has. */
    public static final JobBudget STANDARD = new JobBudget(500_000, 250_000_000, 10_000, 200_000, 50_000_000);
}

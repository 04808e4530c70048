package io.weir.scheduler.audit;

import java.util.List;
import java.util.Optional;

/**
 * What an audit found.
 *
 * @param clusters what was verified, by cluster
 * @param corrupt places that cannot be read
 */
public record AuditReport(List<ClusterReport> clusters, List<RecordLog.Corrupt> corrupt) {

    /** Says whether nothing differs and everything could be read. */
    public boolean isClean() {
        return corrupt.isEmpty()
                && clusters.stream().allMatch(cluster -> cluster.divergence().isEmpty());
    }

    /** Says whether every journal is there from its beginning: otherwise decisions were not derived again. */
    public boolean isWhole() {
        return clusters.stream().allMatch(cluster -> cluster.beginning().isEmpty());
    }

    /** Returns the first divergence found. */
    public Optional<Divergence> firstDivergence() {
        return clusters.stream()
                .flatMap(cluster -> cluster.divergence().stream())
                .findFirst();
    }

    /**
     * What was verified of one cluster.
     *
     * @param cluster its name
     * @param iterations iterations re-derived
     * @param inputs inputs folded in
     * @param outputs outputs compared with their topics
     * @param facts inputs compared with the fact topics that still hold them
     * @param unverified inputs behind the last iteration, and facts not journaled yet
     * @param beginning where the journal begins, when nothing was derived of it; empty when it is there from its first record, or
     *     was derived from a snapshot on
     * @param start the place of the snapshot from which it was derived; empty when from its first record
     * @param divergence the first difference; empty when there is none
     */
    public record ClusterReport(
            String cluster,
            long iterations,
            long inputs,
            long outputs,
            long facts,
            long unverified,
            Optional<Beginning> beginning,
            Optional<Beginning> start,
            Optional<Divergence> divergence) {}

    /**
     * Where a journal begins whose earlier records have expired, or what is derived of it.
     *
     * @param iteration the first iteration it has a record of, 0 when it has none; for a snapshot, the last one in it
     * @param sequence sequence of the last input before its first record, or in the snapshot
     */
    public record Beginning(long iteration, long sequence) {
        /** Nothing came before. */
        public static final Beginning FIRST = new Beginning(0, 0);
    }
}

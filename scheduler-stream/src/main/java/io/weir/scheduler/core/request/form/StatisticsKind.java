package io.weir.scheduler.core.request.form;

/** Statistics that can be begun anew. */
public enum StatisticsKind {
    /** Those of usage and fairshare. */
    ALL,
    /** Past use, as it counts for priority. */
    FAIRSHARE,
    /** What the jobs of each credential did. */
    USAGE
}

package io.weir.scheduler.core.nodeset;

/** Where a part of a job's node set rules comes from, strongest first. */
public enum RuleSource {
    /** The job itself. */
    JOB,
    /** The default of its class. */
    CLASS,
    /** The site's NODESET parameters, given or not. */
    SITE
}

/**
 * Workload traces: the Standard Workload Format, the job view taken of it, and what a run over a trace is reported as.
 * A file format is a contract between processes like a topic; how jobs are scheduled does not belong here.
 */
@NullMarked
package io.weir.trace;

import org.jspecify.annotations.NullMarked;

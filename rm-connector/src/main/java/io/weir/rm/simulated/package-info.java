/**
 * A resource manager that is simulated: a cluster described in a few numbers, a workload from a trace or a generator, a
 * script of failures. It runs in lock step with the scheduler or along the wall clock, and keeps a ledger: an append-only
 * record of what it really did, written before anything is said about it. State changes only by applying ledger entries,
 * so opening a ledger is all it takes to go on after a kill, and the ledger is the judge of crash drills.
 *
 * <p>Sees the SPI, the trace format and the configuration library. Nothing about topics, epochs or the runner belongs
 * here, and nothing that decides where or when a job starts.
 */
@NullMarked
package io.weir.rm.simulated;

import org.jspecify.annotations.NullMarked;

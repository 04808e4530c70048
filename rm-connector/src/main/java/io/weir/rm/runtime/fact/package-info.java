/**
 * Facts on their way to the log: what changed since the last poll, numbered and counted under an epoch. Sees the
 * records, the topic catalogue and, behind {@link io.weir.rm.runtime.fact.FactLog}, the producer. Nothing about commands
 * belongs here, and nothing that talks to a resource manager.
 */
@NullMarked
package io.weir.rm.runtime.fact;

import org.jspecify.annotations.NullMarked;

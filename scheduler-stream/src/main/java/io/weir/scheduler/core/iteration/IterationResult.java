package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.state.Change;
import io.weir.schemas.CommandCount;
import io.weir.schemas.NameValue;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one iteration did.
 *
 * @param number 1, 2, 3 … per cluster
 * @param now the instant it decided for, never before the previous iteration's
 * @param changes new versions of the entities it changed, each once, to be stored
 * @param outputs records to publish, in this order
 * @param nextWake earliest later instant at which it wants to run again though nothing happens; null for none
 * @param commands last command number issued to each connector, sorted by connector
 * @param policyVersion version of the policy it followed; empty for the built-in defaults
 * @param runtimeSettings settings added to that version at run time, in order
 * @param standing whether jobs are scheduled, if not simply so
 * @param listened whether the scheduler had listened long enough for silence of a resource manager to count
 */
public record IterationResult(
        long number,
        Instant now,
        List<Change> changes,
        List<Output> outputs,
        @Nullable Instant nextWake,
        List<CommandCount> commands,
        String policyVersion,
        List<NameValue> runtimeSettings,
        List<NameValue> standing,
        boolean listened) {}

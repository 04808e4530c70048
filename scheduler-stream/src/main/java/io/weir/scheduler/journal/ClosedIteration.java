package io.weir.scheduler.journal;

import io.weir.schemas.Iteration;
import java.util.List;

/**
 * An iteration ready to be written: its outputs, numbered, and the record that ends them in the journal.
 *
 * @param outputs the outputs in order
 * @param iteration the journal's record of the iteration
 */
public record ClosedIteration(List<OutputRecord> outputs, Iteration iteration) {}

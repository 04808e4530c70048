package io.weir.scheduler.reduction;

/** Where the rules of each cluster come from. Thread-safe. */
public interface RuleSource {
    /** Returns the rules that the last configuration of {@code cluster} states; the same object until there is another. */
    ReductionRules of(String cluster);
}

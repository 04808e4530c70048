package io.weir.scheduler.reduction;

/** Which nodes there are. Thread-safe. */
public interface NodeSource {
    /** Every node is known. */
    NodeSource ANY = (cluster, nodeId) -> false;

    /** Returns whether {@code cluster} has no node {@code nodeId}; false while that is not known. */
    boolean isUnknown(String cluster, String nodeId);
}

package io.weir.rm.nativerm.text;

import io.weir.schemas.NodeState;
import org.jspecify.annotations.Nullable;

/**
 * The STATE of a node.
 *
 * @param state its state
 * @param failing whether it works but is suspected of failing
 * @param reason what was written after the state; null when nothing was
 */
public record ReportedNodeState(
        NodeState state, boolean failing, @Nullable String reason) {}

package io.weir.scheduler.core.charge;

import org.jspecify.annotations.Nullable;

/** How a resource manager says that a job ended because one of its nodes failed: NODE_FAIL, alone or among other words. */
final class NodeFailReason {
    private static final String WORD = "NODE_FAIL";

    private NodeFailReason() {}

    /** Returns whether {@code reason}, words separated by commas, says so; null says nothing. */
    static boolean in(@Nullable String reason) {
        return reason != null && ("," + reason + ",").contains("," + WORD + ",");
    }
}

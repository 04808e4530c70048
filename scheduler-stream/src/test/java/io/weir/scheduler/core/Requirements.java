package io.weir.scheduler.core;

import io.weir.schemas.TaskRequirement;
import java.util.List;

/** Short ways to write what a job asks for. */
final class Requirements {
    private Requirements() {}

    /** Tasks of one processor and so much memory each. */
    static TaskRequirement of(int tasks, long memoryMb) {
        return new TaskRequirement(
                tasks, 1, memoryMb, 0L, 0L, List.of(), List.of(), null, null, null, List.of(), null, null, false, 0, 0,
                0);
    }
}

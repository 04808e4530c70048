package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.JobStatus;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.TaskRequirement;
import java.util.List;

/** Short ways to write what a job asks for. */
final class Requirements {
    private Requirements() {}

    /** Tasks of one processor and so much memory each. */
    static TaskRequirement of(int tasks, long memoryMb) {
        return TaskRequirement.newBuilder()
                .setTasks(tasks)
                .setMemoryMb(memoryMb)
                .build();
    }

    /** Checks that the tasks of requirements of {@code job} that have to lie apart share no node with others of it. */
    static void checkApart(String what, JobStatus job, List<TaskPlacement> placements) {
        List<TaskRequirement> requirements = job.getRequirements();
        for (TaskPlacement one : placements) {
            for (TaskPlacement other : placements) {
                if (one.getRequirement() < other.getRequirement()
                        && other.getRequirement() < requirements.size()
                        && (requirements.get(one.getRequirement()).getApart()
                                || requirements.get(other.getRequirement()).getApart())) {
                    assertThat(one.getNodeId())
                            .as("%s: %s with %s", what, job.getJobId(), placements)
                            .isNotEqualTo(other.getNodeId());
                }
            }
        }
    }
}

package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.spi.Commands;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TaskPlacement;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandCallTest {
    static {
        AvroTrust.install();
    }

    private static final JobReport JOB = JobReport.newBuilder()
            .setCluster("c1")
            .setJobId("j")
            .setQueueSequence(1)
            .setState(JobState.IDLE)
            .setTasks(3)
            .setProcsPerTask(2)
            .setSubmitTime(Instant.EPOCH)
            .build();

    @Test
    void shouldNameTheNodeOfTaskZeroFirst() throws Exception {
        RmCommand command = RmCommand.newBuilder(
                        Commands.start(1, "j", new NodeAllocation("n1", 2), new NodeAllocation("n2", 4)))
                .setPlacements(List.of(new TaskPlacement("n2", 0, 2), new TaskPlacement("n1", 0, 1)))
                .build();

        assertThat(CommandCall.of(command, JOB).arguments()).startsWith("j", "n2,n2,n1");
    }

    @Test
    void shouldNotCountTheProcessorsOfANodeOfOnesOwnAsTasks() throws Exception {
        RmCommand command = RmCommand.newBuilder(Commands.start(1, "j", new NodeAllocation("n1", 16)))
                .setPlacements(List.of(new TaskPlacement("n1", 0, 3)))
                .build();

        assertThat(CommandCall.of(command, JOB).arguments()).startsWith("j", "n1,n1,n1");
    }

    @Test
    void shouldFollowTheAllocationWhereNoTasksAreNamed() throws Exception {
        RmCommand command = Commands.start(1, "j", new NodeAllocation("n1", 2), new NodeAllocation("n2", 4));

        assertThat(CommandCall.of(command, JOB).arguments()).startsWith("j", "n1,n2,n2");
    }
}

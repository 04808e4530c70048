package io.weir.rm.runtime.fact;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.spi.Poll;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnlistedNodesTest {
    static {
        AvroTrust.install();
    }

    private final UnlistedNodes unlisted = new UnlistedNodes();

    @Test
    void shouldAddTheNodesOfRunningJobsWithWhatTheyHaveThere() {
        Poll poll = unlisted.completed(poll(
                job("1", JobState.RUNNING, new NodeAllocation("n1", 3), new NodeAllocation("ny", 1)),
                job("2", JobState.SUSPENDED, new NodeAllocation("nx", 2), new NodeAllocation("ny", 4)),
                job("3", JobState.COMPLETED, new NodeAllocation("nz", 2))));

        assertThat(poll.nodes()).extracting(NodeReport::getNodeId).containsExactly("n1", "nx", "ny");
        assertThat(poll.nodes().get(2)).satisfies(node -> {
            assertThat(node.getState()).isEqualTo(NodeState.UNKNOWN);
            assertThat(node.getProcs()).isEqualTo(5);
            assertThat(node.getReason()).isEqualTo("job 1 runs there, but the resource manager does not list the node");
        });
        assertThat(unlisted.count()).isEqualTo(2);
    }

    @Test
    void shouldLeaveAPollAloneThatListsEveryNode() {
        Poll poll = poll(job("1", JobState.RUNNING, new NodeAllocation("n1", 4)));

        assertThat(unlisted.completed(poll)).isSameAs(poll);
        assertThat(unlisted.count()).isZero();
    }

    private static Poll poll(JobReport... jobs) {
        NodeReport node = NodeReport.newBuilder()
                .setCluster("c1")
                .setNodeId("n1")
                .setState(NodeState.IDLE)
                .setProcs(4)
                .build();
        return new Poll(Instant.EPOCH, List.of(node), List.of(jobs));
    }

    private static JobReport job(String id, JobState state, NodeAllocation... nodes) {
        return JobReport.newBuilder()
                .setCluster("c1")
                .setJobId(id)
                .setQueueSequence(1)
                .setState(state)
                .setTasks(1)
                .setSubmitTime(Instant.EPOCH)
                .setAllocation(List.of(nodes))
                .build();
    }
}

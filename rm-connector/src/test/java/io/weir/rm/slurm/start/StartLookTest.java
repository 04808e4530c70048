package io.weir.rm.slurm.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.slurm.translate.StartObstacle;
import io.weir.rm.slurm.translate.StartObstacle.Kind;
import io.weir.schemas.NodeAllocation;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StartLookTest {
    private static final String UNAVAILABLE = "ReqNodeNotAvail, UnavailableNodes:n4";

    @Test
    void shouldNotBlameANodeForWhichAnotherJobWaits() {
        StartObstacle obstacle = obstacle("Resources", "n3", "n4");

        assertThat(obstacle.kind()).isEqualTo(Kind.PASSING);
        assertThat(obstacle.nodes()).containsExactly("n4");
        assertThat(obstacle.isRoom()).isTrue();
    }

    @Test
    void shouldBlameANodeThatOthersDoNotWaitFor() {
        assertThat(obstacle(UNAVAILABLE, "n4").kind())
                .as("it is down for them, too")
                .isEqualTo(Kind.NODES);
        assertThat(obstacle("Resources", "n3").kind()).isEqualTo(Kind.NODES);
        assertThat(obstacle("Resources", "n3").nodes()).containsExactly("n4");
    }

    /** Returns what keeps the second job back, when the first waits for nodes for that reason. */
    private static StartObstacle obstacle(String reason, String... nodes) {
        StartedPart first = part("1", nodes);
        StartedPart second = part("2", "n4");
        StartLook look = new StartLook(List.of(first, second), Map.of("1", waiting(reason), "2", waiting(UNAVAILABLE)));
        return look.obstacle(second).orElseThrow();
    }

    private static StartedPart part(String job, String... nodes) {
        return new StartedPart(
                job, Stream.of(nodes).map(node -> new NodeAllocation(node, 1)).toList());
    }

    private static JobSnapshot waiting(String reason) {
        return new JobSnapshot("PENDING", true, false, false, false, null, reason);
    }
}

package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.topics.AvroTrust;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeSightingsTest {
    static {
        AvroTrust.install();
    }

    private static final Instant T0 = Instant.parse("2026-03-01T10:00:00Z");

    private final NodeSightings sightings = new NodeSightings(Duration.ofMinutes(5));

    @Test
    void shouldForgetANodeThatNoPollListedForAWeek() {
        sightings.complete(List.of(node()), T0);

        assertThat(sightings.complete(List.of(), T0.plus(Duration.ofDays(6))))
                .singleElement()
                .extracting(NodeReport::getState)
                .isEqualTo(NodeState.DOWN);
        assertThat(sightings.complete(List.of(), T0.plus(Duration.ofDays(7)))).isEmpty();
        assertThat(sightings.complete(List.of(), T0.plus(Duration.ofDays(1)))).isEmpty();
    }

    /** What runs there may go on; nothing new must start on a node that may have been taken out of the list. */
    @Test
    void shouldReportANodeThatIsNotListedAsOfUnknownStateAtFirst() {
        sightings.complete(List.of(node()), T0);

        assertThat(sightings.complete(List.of(), T0.plusSeconds(1)))
                .singleElement()
                .satisfies(report -> {
                    assertThat(report.getState()).isEqualTo(NodeState.UNKNOWN);
                    assertThat(report.getProcs()).isEqualTo(4);
                    assertThat(report.getReason()).contains("not listed");
                });
        assertThat(sightings.complete(List.of(node()), T0.plusSeconds(2))).containsExactly(node());
    }

    @Test
    void shouldLeaveADrainedNodeDrainedThatIsNotListed() {
        NodeReport drained =
                NodeReport.newBuilder(node()).setState(NodeState.DRAINED).build();
        sightings.complete(List.of(drained), T0);

        assertThat(sightings.complete(List.of(), T0.plusSeconds(1))).containsExactly(drained);
    }

    @Test
    void shouldCountFromTheEarlierTimeWhenTheClockWentBack() {
        sightings.complete(List.of(node()), T0.plus(Duration.ofHours(2)));
        sightings.complete(List.of(), T0);

        assertThat(sightings.complete(List.of(), T0.plus(Duration.ofMinutes(5))))
                .extracting(NodeReport::getState)
                .containsExactly(NodeState.DOWN);
    }

    private static NodeReport node() {
        return NodeReport.newBuilder()
                .setCluster("c")
                .setNodeId("n1")
                .setState(NodeState.IDLE)
                .setProcs(4)
                .build();
    }
}

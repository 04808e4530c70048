package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Measurement;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.RequestKind;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Metrics of nodes that monitoring measures and the reduction tells. */
@NullUnmarked
class NodeMeasurementsTest {
    private static final String COOLEST = "NODEALLOCATIONPOLICY PRIORITY\nNODECFG[DEFAULT] PRIORITYF='-GMETRIC[temp]'";

    private final SchedulerFixture weir = new SchedulerFixture();

    @Test
    @Feature("CAT-26")
    void shouldWeighWhatWasMeasured() {
        weir.policy(COOLEST).nodes(2, 1).iterate(0);
        tell("n1", 1, measurement("temp", 80));
        weir.iterate(1).submit("a", 1, 60).iterate(2);
        assertThat(weir.job("a").getAllocation().get(0).getNodeId()).isEqualTo("n2");

        tell("n2", 3, measurement("temp", 90));
        weir.end("a", 4).iterate(4).submit("b", 1, 60).iterate(5);
        assertThat(weir.job("b").getAllocation().get(0).getNodeId()).isEqualTo("n1");
    }

    @Test
    void shouldPublishWhatWasMeasuredAndKeepItWhateverIsReported() {
        weir.nodes(1, 1).iterate(0);
        tell("n1", 10, measurement("temp", 80), measurement("fan", 3));
        weir.iterate(10);
        weir.node("n1", 1, NodeState.IDLE, node -> node.setLoad(0.5)).iterate(20);

        assertThat(published().getMetrics()).containsExactly(measurement("fan", 3), measurement("temp", 80));
        assertThat(published().getMeasured()).isEqualTo(published().getMetrics());
        assertThat(published().getMarks()).isEmpty();
        assertThat(published().getMetricSummaries()).hasSize(2);
    }

    @Test
    void shouldForgetWhatIsNoLongerMeasured() {
        weir.nodes(1, 1).iterate(0);
        tell("n1", 1, measurement("temp", 80), measurement("fan", 3));
        weir.iterate(1);
        tell("n1", 2, measurement("fan", 4));
        weir.iterate(2);
        assertThat(published().getMetrics()).containsExactly(measurement("fan", 4));

        tell("n1", 3);
        weir.iterate(3);
        assertThat(published().getMetrics()).isEmpty();
        assertThat(published().getMetricSummaries()).isEmpty();
    }

    @Test
    void shouldLeaveTheResourceManagerWhatItReportsItself() {
        weir.node("n1", 1, NodeState.IDLE, node -> node.setMetrics(List.of(measurement("temp", 60))))
                .iterate(0);
        tell("n1", 1, measurement("temp", 80), measurement("fan", 3));
        weir.iterate(1);
        assertThat(published().getMetrics()).containsExactly(measurement("fan", 3), measurement("temp", 60));

        weir.node("n1", 1, NodeState.IDLE, node -> node.setMetrics(List.of(measurement("fan", 9))))
                .iterate(2);
        assertThat(published().getMetrics()).containsExactly(measurement("fan", 9));
        assertThat(published().getMeasured()).isEmpty();
    }

    @Test
    void shouldTakeAMeasurementForBetterThanWhatAnOperatorSaid() {
        weir.nodes(1, 1).iterate(0);
        weir.request("r", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("gmetric[temp]", "=70")))
                .iterate(1);
        tell("n1", 2, measurement("temp", 80));
        weir.iterate(2);
        assertThat(published().getMetrics()).containsExactly(measurement("temp", 80));

        tell("n1", 3);
        weir.iterate(3);
        assertThat(published().getMetrics()).containsExactly(measurement("temp", 70));
    }

    @Test
    void shouldNotTakeMeasurementsForAnEvent() {
        weir.policy("GEVENTCFG[gmetric] ACTION=notify,disable").nodes(1, 1).iterate(0);
        tell("n1", 1, measurement("temp", 80));
        weir.iterate(1);

        assertThat(published().getEvents()).isEmpty();
        assertThat(weir.lastCommands()).isEmpty();
    }

    @Test
    void shouldPassOverMeasurementsOfWhatIsNoNode() {
        weir.nodes(1, 1).iterate(0);
        tell("elsewhere", 1, measurement("temp", 80));
        weir.iterate(1);

        assertThat(weir.outputs).noneMatch(output -> output.key().equals("c/elsewhere"));
    }

    private void tell(String node, long time, Measurement... measurements) {
        weir.fact(new GenericEvent(
                SchedulerFixture.CLUSTER,
                "gmetric",
                "node",
                node,
                null,
                SchedulerFixture.at(time),
                "reduction",
                true,
                Arrays.asList(measurements)));
    }

    private static Measurement measurement(String name, double value) {
        return new Measurement(name, value);
    }

    private NodeStatus published() {
        return weir.outputs.stream()
                .filter(output -> output.key().equals("c/n1") && output.value() instanceof NodeStatus)
                .map(output -> (NodeStatus) output.value())
                .reduce((before, after) -> after)
                .orElseThrow();
    }
}

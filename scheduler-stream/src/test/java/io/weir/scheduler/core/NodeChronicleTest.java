package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.OutputKind;
import io.weir.schemas.EventTally;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Measurement;
import io.weir.schemas.MetricSummary;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is remembered of a node's metrics and events, from reports, events and requests to what is published. */
class NodeChronicleTest {
    private int requests;
    private final SchedulerFixture weir = new SchedulerFixture().rebuildingAlways();

    @Test
    @Feature({"CMD-4", "CAT-26"})
    void shouldSumAMetricOverTheTimeItHeld() {
        temperature(20).iterate(0);
        temperature(20).iterate(100);
        temperature(50).iterate(200);
        temperature(10).iterate(400);
        temperature(10).iterate(500);

        MetricSummary seen = published().getMetricSummaries().get(0);
        assertThat(seen.getName()).isEqualTo("temp");
        assertThat(seen.getLeast()).isEqualTo(10);
        assertThat(seen.getMost()).isEqualTo(50);
        // Facts are as of the iteration before: 20 for 100 s, then 50 for 100 s, then 10.
        assertThat(seen.getSum()).isEqualTo(20 * 100 + 50 * 100.0);
        assertThat(seen.getSince()).isEqualTo(SchedulerFixture.at(0));
        assertThat(seen.getAt()).isEqualTo(SchedulerFixture.at(200));
        assertThat(published().getMetrics()).containsExactly(new Measurement("temp", 10.0));
    }

    @Test
    void shouldForgetAMetricThatIsNoLongerReportedAndBeginAnewWhenTold() {
        temperature(20).iterate(0);
        temperature(50).iterate(100);
        ask(new NameValue("clear", "stats"));
        assertThat(weir.lastAnswers().get(0).getMessage()).isEqualTo("statistics cleared");
        assertThat(published().getMetricSummaries())
                .extracting(MetricSummary::getLeast, MetricSummary::getMost, MetricSummary::getSum)
                .containsExactly(tuple(50.0, 50.0, 0.0));

        weir.node("n1", 4, NodeState.IDLE).iterate(300);
        assertThat(published().getMetricSummaries()).isEmpty();
    }

    @Test
    void shouldCountEventsAndTakeOneThatIsHeardOfTwiceForOne() {
        weir.node("n1", 4, NodeState.IDLE).iterate(0);
        event("hitemp", "150 degrees", 10);
        event("hitemp", "150 degrees", 10);
        event("hitemp", "160 degrees", 20);
        event("fanloud", null, 15);
        weir.iterate(30);

        assertThat(published().getEvents())
                .containsExactly(
                        new EventTally("fanloud", true, 1L, SchedulerFixture.at(15), SchedulerFixture.at(15), ""),
                        new EventTally(
                                "hitemp", true, 2L, SchedulerFixture.at(10), SchedulerFixture.at(20), "160 degrees"));

        event("hitemp", "late news", 12);
        weir.iterate(31);
        assertThat(published().getEvents().get(1))
                .isEqualTo(new EventTally(
                        "hitemp", true, 3L, SchedulerFixture.at(10), SchedulerFixture.at(20), "160 degrees"));
    }

    @Test
    void shouldKeepWhatOperatorsRaiseUntilTheyDeleteIt() {
        weir.node("n1", 4, NodeState.IDLE).iterate(0);
        ask(new NameValue("gevent", "=fanloud:'fan 3'"));
        ask(new NameValue("gevent", "=fanloud:'fan 4'"), new NameValue("gevent", "=smell"));
        assertThat(published().getEvents())
                .extracting(EventTally::getName, EventTally::getCount, EventTally::getText)
                .containsExactly(tuple("fanloud", 2L, "fan 4"), tuple("smell", 1L, ""));

        ask(new NameValue("delete", "gevent:fanloud"));
        assertThat(weir.lastAnswers().get(0).getMessage()).isEqualTo("event fanloud deleted");
        assertThat(published().getEvents()).extracting(EventTally::getName).containsExactly("smell");
        ask(new NameValue("delete", "gevent:fanloud"));
        assertThat(weir.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        assertThat(weir.lastAnswers().get(0).getMessage()).isEqualTo("node n1 has no gevent fanloud; it has smell");
        ask(new NameValue("clear", "gevent"));
        assertThat(published().getEvents()).isEmpty();
    }

    @Test
    void shouldRememberThatANodeWentDownUntilItIsBackAndHowOften() {
        weir.node("n1", 4, NodeState.IDLE).iterate(0);
        weir.node("n1", 4, NodeState.DOWN, report -> report.setReason("no power"))
                .iterate(10);
        assertThat(published().getEvents())
                .extracting(EventTally::getName, EventTally::getActive, EventTally::getText)
                .containsExactly(tuple("nodedown", true, "no power"));
        weir.iterate(60);
        weir.node("n1", 4, NodeState.IDLE).iterate(70);
        assertThat(published().getEvents()).extracting(EventTally::getActive).containsExactly(false);
        weir.node("n1", 4, NodeState.DOWN).iterate(80);
        assertThat(published().getEvents()).extracting(EventTally::getCount).containsExactly(2L);
    }

    @Test
    void shouldRememberSoManyEventsAndNoMore() {
        weir.node("n1", 4, NodeState.IDLE).iterate(0);
        for (int i = 10; i < 50; i++) {
            event("e" + i, "x".repeat(1_000), i);
        }
        weir.iterate(60);

        assertThat(published().getEvents())
                .hasSize(32)
                .allSatisfy(event -> assertThat(event.getText()).hasSize(256))
                .extracting(EventTally::getName)
                .contains("e18", "e49")
                .doesNotContain("e17");
    }

    private SchedulerFixture temperature(double value) {
        return weir.node("n1", 4, NodeState.IDLE, report -> report.setMetrics(List.of(new Measurement("temp", value))));
    }

    private void event(String name, String text, long time) {
        weir.fact(new GenericEvent(
                SchedulerFixture.CLUSTER,
                name,
                "node",
                "n1",
                text,
                SchedulerFixture.at(time),
                "monitoring",
                true,
                null));
    }

    private void ask(NameValue... arguments) {
        weir.request("r" + requests++, RequestKind.MODIFY_NODE, "n1", List.of(arguments))
                .iterate(200);
    }

    private NodeStatus published() {
        return weir.outputs.stream()
                .filter(output -> output.kind() == OutputKind.NODE)
                .map(output -> (NodeStatus) output.value())
                .reduce((before, after) -> after)
                .orElseThrow();
    }
}

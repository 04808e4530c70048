package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.TriggerFiring;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Thresholds of triggers that a request attached are measured like those of the configuration. */
@NullUnmarked
class AttachedThresholdsTest {
    private static final String HALF = "EType=threshold,Threshold=usage>=50,AType=mail,Action=half";

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private List<String> said() {
        return site.outputs.stream()
                .map(Output::value)
                .filter(TriggerFiring.class::isInstance)
                .map(firing -> ((TriggerFiring) firing).getBody())
                .toList();
    }

    private void attach(String trigger) {
        site.request("t", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("trigger", trigger)))
                .iterate(10);
        assertThat(site.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
    }

    private void load(double load, long time) {
        site.node("n1", 4, NodeState.IDLE, node -> node.setLoad(load)).iterate(time);
    }

    @Test
    @Feature("TRIG-2")
    void shouldFireAtTheThresholdOfANode() {
        load(1, 0);
        attach("EType=threshold,Threshold=cpuload>3,AType=mail,Action=busy");
        assertThat(said()).isEmpty();
        load(4, 20);
        site.iterate(21);
        assertThat(said()).containsExactly("busy");
    }

    @Test
    @Feature("TRIG-2")
    void shouldFireWhereTheThresholdIsPassedAlready() {
        load(4, 0);
        attach("EType=threshold,Threshold=cpuload>3,AType=mail,Action=busy");
        site.iterate(11);
        assertThat(said()).containsExactly("busy");
    }

    @Test
    @Feature("TRIG-2")
    void shouldFireNoMoreWhenItIsTakenAway() {
        load(1, 0);
        attach("EType=threshold,Threshold=cpuload>3,AType=mail,Action=busy");
        site.request("u", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("untrigger", "t1")))
                .iterate(15);
        load(4, 20);
        site.iterate(21);
        assertThat(said()).isEmpty();
    }

    private void usesHalf(NameValue more) {
        site.nodes(1, 4).iterate(0);
        site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(new NameValue("hostexp", "^n1$"), new NameValue("acl", "user=ann"), more))
                .iterate(1);
        assertThat(site.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        assertThat(said()).isEmpty();
        site.submit("j", 2, 1_000, report -> report.setUser("ann")).iterate(10);
        site.iterate(11);
        site.iterate(12);
        assertThat(said()).containsExactly("half");
    }

    @Test
    @Feature("TRIG-2")
    void shouldFireAtTheThresholdOfAReservation() {
        usesHalf(new NameValue("trigger", HALF));
    }

    @Test
    @Feature("TRIG-2")
    void shouldFireAtTheThresholdOfAReservationByTheConfiguration() {
        site.policy("RSVPROFILE[p] TRIGGER=" + HALF);
        usesHalf(new NameValue("profile", "p"));
    }
}

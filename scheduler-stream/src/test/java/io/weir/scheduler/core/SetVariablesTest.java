package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TriggerFiring;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Triggers require, and name, variables that others than triggers set on their object. */
@NullUnmarked
class SetVariablesTest {
    private static final String WAITS = "NODECFG[DEFAULT] TRIGGER=EType=gevent:hot,AType=mail,Action=\"rack $rack\","
            + "Requires=rack:eq:r7,MultiFire=TRUE\n";

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private List<String> said() {
        return site.outputs.stream()
                .map(Output::value)
                .filter(TriggerFiring.class::isInstance)
                .map(firing -> ((TriggerFiring) firing).getBody())
                .toList();
    }

    private void hot(long time) {
        site.fact(new GenericEvent(SchedulerFixture.CLUSTER, "hot", "node", "n1", null, at(time), null, true, null));
        site.iterate(time);
    }

    private void set(String value, long time) {
        site.request("v" + time, RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("variable", "rack=" + value)))
                .iterate(time);
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireWhenSomebodySetsWhatATriggerWaitsFor() {
        site.policy(WAITS).nodes(1, 4).iterate(0);
        hot(10);
        set("r6", 20);
        site.iterate(21);
        assertThat(said()).isEmpty();
        set("r7", 30);
        site.iterate(31);
        assertThat(said()).containsExactly("rack r7");
    }

    @Test
    @Feature("TRIG-1")
    void shouldSeeWhatTheConfigurationSets() {
        site.policy(WAITS + "NODECFG[n1] VARIABLE=rack=r7").nodes(1, 4).iterate(0);
        hot(10);
        assertThat(said()).containsExactly("rack r7");
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireWhenTheConfigurationSetsWhatATriggerWaitsFor() {
        site.policy(WAITS).nodes(1, 4).iterate(0);
        hot(10);
        assertThat(said()).isEmpty();
        site.policy(WAITS + "NODECFG[DEFAULT] VARIABLE=rack=r7").iterate(20);
        site.iterate(21);
        assertThat(said()).containsExactly("rack r7");
    }

    @Test
    @Feature("TRIG-1")
    void shouldSeeWhatTheResourceManagerReports() {
        site.policy(WAITS).nodes(1, 4).iterate(0);
        hot(10);
        site.node("n1", 4, NodeState.IDLE, node -> node.setVariables(List.of(new NameValue("rack", "r7"))))
                .iterate(20);
        site.iterate(21);
        assertThat(said()).containsExactly("rack r7");
    }

    @Test
    @Feature("TRIG-1")
    void shouldPutWhatPeopleSetAboveTheConfigurationAndThatAboveReports() {
        site.policy(WAITS + "NODECFG[n1] VARIABLE=rack=r7").iterate(0);
        site.node("n1", 4, NodeState.IDLE, node -> node.setVariables(List.of(new NameValue("rack", "r1"))))
                .iterate(1);
        hot(10);
        assertThat(said()).containsExactly("rack r7");
        set("r5", 20);
        hot(30);
        assertThat(said()).hasSize(1);
    }
}

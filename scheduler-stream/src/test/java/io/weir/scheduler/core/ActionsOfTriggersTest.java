package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.trigger.TriggerText;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.Severity;
import io.weir.schemas.TriggerFiring;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the notifier is told of an action: as whom, how grave, and with which body. */
@NullUnmarked
class ActionsOfTriggersTest {
    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private TriggerFiring fired() {
        assertThat(site.lastFirings()).hasSize(1);
        return site.lastFirings().get(0);
    }

    /** Node n1 goes down, and a trigger with these attributes fires. */
    private void down(String trigger) {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=fail," + trigger).iterate(0);
        site.nodes(1, 4).iterate(1);
        site.node("n1", 4, NodeState.DOWN, node -> node.setReason("no \"link\""))
                .iterate(10);
    }

    @Test
    @Feature("TRIG-4")
    void shouldRunAProgramAsTheOwnerOfTheJob() {
        site.policy("CLASSCFG[batch] TRIGGER=EType=start,AType=exec,Action=/opt/fix,Flags=user")
                .nodes(1, 4);
        site.submit("j", 1, 1_000, report -> report.setJobClass("batch").setUser("ann"))
                .iterate(0);
        site.iterate(1);
        assertThat(fired().getRunAs()).isEqualTo("ann");
    }

    @Test
    @Feature("TRIG-4")
    void shouldRunAProgramAsTheUserWhoIsNamed() {
        down("AType=exec,Action=/opt/fix,Flags=user+_svc-2");
        assertThat(fired().getRunAs()).isEqualTo("_svc-2");
    }

    @Test
    @Feature("TRIG-4")
    void shouldRunAProgramAsTheNotifierWhereNothingIsSaid() {
        down("AType=exec,Action=/opt/fix");
        assertThat(fired().getRunAs()).isNull();
    }

    /** Nobody's program must not become the notifier's. */
    @Test
    @Feature("TRIG-4")
    void shouldRunNoProgramAsTheOwnerOfWhatNobodyOwns() {
        down("AType=exec,Action=/opt/fix,Flags=user");
        assertThat(site.lastFirings()).isEmpty();
        assertThat(site.snapshot().toString()).contains("flag user: node n1 has no owner as whom to run a program");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"user+", "user+-u", "user+a b", "user+1a", "user+a$b", "user+abcdefghijklmnopqrstuvwxyz0123456"})
    @Feature("TRIG-4")
    void shouldRefuseWhatIsNoUser(String flag) {
        assertThat(TriggerText.read("EType=fail,AType=exec,Action=/opt/fix,Flags=" + flag)
                        .problem())
                .contains("names no user");
    }

    @Test
    @Feature("TRIG-4")
    void shouldSayThatNoProgramTakesMoreThanADay() {
        assertThat(TriggerText.read("EType=fail,AType=exec,Action=/opt/fix,Timeout=2:00:00:00")
                        .spec()
                        .remarks("node"))
                .containsExactly("Timeout is 172800 seconds; AType exec is ended after 86400");
        assertThat(TriggerText.read("EType=fail,AType=exec,Action=/opt/fix,Timeout=1:00:00:00")
                        .spec()
                        .remarks("node"))
                .isEmpty();
    }

    @Test
    @Feature("TRIG-8")
    void shouldPostTheEventWhereAnAddressStandsAlone() {
        down("AType=http,Action=https://desk.example.org/issue");
        assertThat(fired().getSettings())
                .containsExactly(new NameValue("method", "POST"), new NameValue("content", "event"));
        assertThat(fired().getBody()).isEqualTo("no \"link\"");
    }

    @Test
    @Feature("TRIG-8")
    void shouldPostNothingWhereTheMethodHasNoBody() {
        down("AType=http,Action=\"POST https://desk.example.org/issue\"");
        assertThat(fired().getSettings()).containsExactly(new NameValue("method", "POST"));
        assertThat(fired().getBody()).isNull();
    }

    @Test
    @Feature("TRIG-1")
    void shouldBeAsGraveAsItsEvent() {
        site.policy(
                        "GEVENTCFG[fan] ACTION=record SEVERITY=3\n"
                                + "NODECFG[n1] TRIGGER=EType=gevent:fan,AType=snmp,Action=\"trap.example.org public 1.3.6.1.4.1.1 fan\"")
                .nodes(1, 4)
                .iterate(0);
        site.fact(new GenericEvent(SchedulerFixture.CLUSTER, "fan", "node", "n1", "stopped", at(10), null, true, null));
        site.iterate(10);
        assertThat(fired().getSeverity()).isEqualTo(Severity.ERROR);
        assertThat(fired().getSettings()).contains(new NameValue("severity", "error"));
    }

    @Test
    @Feature("TRIG-1")
    void shouldBeAWarningWhereTheEventSaysNothing() {
        down("AType=snmp,Action=\"trap.example.org public 1.3.6.1.4.1.1 down\"");
        assertThat(fired().getSettings()).contains(new NameValue("severity", "warning"));
    }
}

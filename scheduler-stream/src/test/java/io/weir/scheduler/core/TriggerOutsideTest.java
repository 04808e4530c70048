package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.trigger.TriggerText;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.Severity;
import io.weir.schemas.TriggerFiring;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** As whom programs are run, and what actions tell programs and services outside of the event. */
@NullUnmarked
class TriggerOutsideTest {
    private static final String ADMINISTRATORS = "ADMINCFG[1] USERS=root\nADMINCFG[2] USERS=opal\n";

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private List<TriggerFiring> firings() {
        return site.outputs.stream()
                .map(Output::value)
                .filter(TriggerFiring.class::isInstance)
                .map(TriggerFiring.class::cast)
                .toList();
    }

    private List<String> complaints() {
        return site.outputs.stream()
                .map(Output::value)
                .filter(Notification.class::isInstance)
                .map(value -> ((Notification) value).getText())
                .toList();
    }

    private void failing(String trigger) {
        site.policy(ADMINISTRATORS + "NODECFG[DEFAULT] TRIGGER=EType=fail,AType=exec,Action=/opt/fix," + trigger)
                .node("n1", 4, NodeState.IDLE)
                .iterate(0);
        site.node("n1", 4, NodeState.DOWN).iterate(10);
        site.iterate(11);
    }

    @Test
    void shouldRunAProgramAsTheUserWhomTheConfigurationNames() {
        failing("Flags=cleanup.user+repair_1");
        assertThat(firings())
                .singleElement()
                .extracting(TriggerFiring::getRunAs)
                .isEqualTo("repair_1");
    }

    @Test
    void shouldNotRunAProgramAsTheNotifiersUserWhereItIsToBeTheOwnersAndNobodyOwnsTheObject() {
        failing("Flags=user");
        assertThat(firings()).isEmpty();
        assertThat(complaints()).anySatisfy(text -> assertThat(text).contains("n1", "has no owner", "user+NAME"));
    }

    @ParameterizedTest
    @CsvSource({
        "root,user+root,ACCEPTED",
        "root,user+ann,ACCEPTED",
        "opal,user+opal,ACCEPTED",
        "opal,user,ACCEPTED",
        "opal,user+ann,REFUSED",
        "opal,user+root,REFUSED"
    })
    void shouldLetAdministratorsAloneNameAnotherUserThanThemselves(String principal, String flag, String outcome) {
        site.policy(ADMINISTRATORS).nodes(1, 4).submit("a", 1, 1000).iterate(0);
        site.requestBy(
                        principal,
                        "1",
                        RequestKind.MODIFY_JOB,
                        "a",
                        new NameValue("trigger", "EType=end,AType=exec,Action=/opt/x,Flags=" + flag))
                .iterate(10);
        assertThat(site.lastAnswers())
                .singleElement()
                .satisfies(answer -> assertThat(answer.getOutcome().name())
                        .as(answer.getMessage())
                        .isEqualTo(outcome));
        site.end("a", 20).iterate(20);
        String runAs = flag.equals("user") ? "ann" : flag.substring("user+".length());
        assertThat(firings())
                .extracting(TriggerFiring::getRunAs)
                .isEqualTo(outcome.equals("ACCEPTED") ? List.of(runAs) : List.of());
    }

    @Test
    void shouldNotRunTheProgramOfAReservationAsWhomAnOperatorNames() {
        site.policy(ADMINISTRATORS).nodes(1, 4).iterate(0);
        site.requestBy(
                        "opal",
                        "1",
                        RequestKind.CREATE_RESERVATION,
                        "new",
                        new NameValue("hostexp", "n1"),
                        new NameValue("duration", "1:00:00"),
                        new NameValue("trigger", "EType=start,AType=exec,Action=/opt/x,Flags=user+root"))
                .iterate(10);
        site.iterate(11);
        site.iterate(12);
        assertThat(firings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "user+",
                "user+Ann",
                "user+-u",
                "user+0",
                "user+a b",
                "user+a/../b",
                "user+aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "user+a.b",
                "user.user+a",
                "user+a.user+b"
            })
    void shouldTakeAsAUserOnlyWhatIsOne(String flags) {
        assertThat(TriggerText.read("EType=fail,AType=exec,Action=/x,Flags=\"" + flags + "\"")
                        .problem())
                .contains("flag");
    }

    private void sick(String policy) {
        site.policy(policy).node("n1", 4, NodeState.IDLE).iterate(0);
        site.fact(new GenericEvent(
                SchedulerFixture.CLUSTER, "sick", "node", "n1", "a \"fan\"\nstopped", at(1), null, true, null));
        site.iterate(1);
        site.iterate(2);
    }

    @Test
    void shouldHaveTheEventPostedToAnAddressAlone() {
        String trigger = "NODECFG[DEFAULT] TRIGGER=EType=gevent:sick,AType=http,Action=";
        sick(trigger + "http://desk/issue?n=$OID\n" + trigger + "\"POST http://desk/issue\"");

        assertThat(firings()).hasSize(2);
        Map<String, String> alone = settings(firings().get(0));
        assertThat(firings().get(0).getTarget()).isEqualTo("http://desk/issue?n=n1");
        assertThat(alone).containsEntry("method", "POST").containsEntry("content", "event");
        assertThat(firings().get(0).getBody()).isEqualTo("a \"fan\"\nstopped");
        assertThat(settings(firings().get(1))).containsOnlyKeys("method");
        assertThat(firings().get(1).getBody()).isNull();
    }

    @Test
    void shouldPublishWhatWasSaidWhereTheActionSaysNothing() {
        String trigger = "NODECFG[DEFAULT] TRIGGER=EType=gevent:sick,AType=event,Action=";
        sick(trigger + "hpc-events\n" + trigger + "\"hpc-events look at $OID\"");

        assertThat(firings()).extracting(TriggerFiring::getTarget).containsOnly("hpc-events");
        assertThat(firings()).extracting(TriggerFiring::getBody).containsExactly("a \"fan\"\nstopped", "look at n1");
    }

    @ParameterizedTest
    @CsvSource({
        "SEVERITY=1,info,INFO",
        "SEVERITY=2,warning,WARNING",
        "SEVERITY=4,error,ERROR",
        "REARM=1,warning,WARNING"
    })
    void shouldSayTheSeverityOfTheEvent(String attribute, String word, Severity severity) {
        sick("GEVENTCFG[sick] ACTION=record " + attribute + "\n"
                + "NODECFG[DEFAULT] TRIGGER=EType=gevent:sick,AType=snmp,Action=\"traps public 1.3.6.1 $OID\"");

        assertThat(firings()).singleElement().satisfies(firing -> {
            assertThat(firing.getSeverity()).isEqualTo(severity);
            assertThat(settings(firing)).containsEntry("severity", word);
        });
    }

    private static Map<String, String> settings(TriggerFiring firing) {
        return firing.getSettings().stream().collect(Collectors.toMap(NameValue::getName, NameValue::getValue));
    }
}

package io.weir.scheduler.core.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said about actions on events that cannot be carried out. */
class EventRulesTest {
    private static List<String> problems(String policy) {
        return SitePolicy.read(policy).problems().stream()
                .map(PolicyProblem::toString)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"FOO", "99", "SIG", "0", "KILL -9"})
    @Feature("NOTE-3")
    void shouldKnowWhatIsNoSignal(String name) {
        assertThat(problems("GEVENTCFG[a] ACTION=record,'signal:" + name + "'"))
                .containsExactly(
                        "ERROR line 1: GEVENTCFG[a]: 'SIGNAL:" + name
                                + "' is left out; behind SIGNAL: a signal, by name as in USR1 or by number up to 64, is possible");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":USR1", ":sigterm", ":64", ":RTMIN+3"})
    @Feature("NOTE-3")
    void shouldTakeSignalsByNameAndByNumber(String signal) {
        assertThat(problems("GEVENTCFG[a] ACTION=signal" + signal)).isEmpty();
    }

    @Test
    @Feature("NOTE-3")
    void shouldNotTakeAnEventWithoutItsName() {
        assertThat(problems("GEVENTCFG ACTION=notify\nGMETRICCFG INTERVAL=1:00"))
                .containsExactly(
                        "ERROR line 1: GEVENTCFG: says not of what; write GEVENTCFG[name] …",
                        "ERROR line 2: GMETRICCFG: says not of what; write GMETRICCFG[name] …");
        assertThat(SitePolicy.read("GEVENTCFG ACTION=notify").policy().events().byEvent())
                .isEmpty();
    }

    @Test
    @Feature("NOTE-3")
    void shouldSayWhatIsWrongWithAStepOfAnEscalation() {
        assertThat(problems("GEVENTCFG[a] ACTION=notify ESCALATE=0:10:notify;0:20:frob;soon:notify;0:30:signal:FOO"))
                .satisfiesExactly(
                        unknown -> assertThat(unknown)
                                .contains("'0:20:frob' of ESCALATE is left out; TIME:ACTION is needed")
                                .endsWith(
                                        "ACTION being one of NOTIFY, RECORD, EXECUTE, DISABLE, FAILING, RESERVE, OFF, ON,"
                                                + " RESET, PREEMPT, SIGNAL, OBJECTMESSAGE"),
                        noTime -> assertThat(noTime).contains("'soon:notify' of ESCALATE is left out; TIME:ACTION"),
                        noSignal -> assertThat(noSignal).contains("'0:30:signal:FOO' is left out; behind SIGNAL"));
        assertThat(problems("GEVENTCFG[a] ACTION=notify ESCALATE=" + "1:notify;".repeat(16) + "2:record"))
                .containsExactly(
                        "ERROR line 1: GEVENTCFG[a]: '2:record' of ESCALATE is left out; up to 16 steps are allowed");
    }

    @Test
    @Feature("NOTE-3")
    void shouldReportEachActionWhereItIsWritten() {
        assertThat(problems("GEVENTCFG[a] ACTION=notify:boss\nGEVENTCFG[a] ACTION+=record"))
                .singleElement()
                .asString()
                .startsWith("ERROR line 1: GEVENTCFG[a]: 'NOTIFY:boss' is left out");
    }

    @Test
    @Feature("NOTE-3")
    void shouldSayThatNothingIsDoneWithoutAnAction() {
        assertThat(problems("GEVENTCFG[foo] SEVERITY=2\nGEVENTCFG[temp>=10] SEVERITY=2\nGEVENTCFG[temp>=20] REARM=5"))
                .containsExactly(
                        "ERROR line 1: GEVENTCFG[foo]: has no ACTION, so nothing is done",
                        "ERROR line 2: GEVENTCFG[temp>=10]: has no ACTION, so nothing is done",
                        "WARNING line 3: GEVENTCFG[temp>=20]: has no ACTION, so its events are recorded and reach triggers,"
                                + " but nothing else is done");
        assertThat(problems("GEVENTCFG[temp>=20] REARM=5 HYSTERESIS=2")).noneMatch(text -> text.contains("ACTION"));
    }
}

package io.weir.scheduler.core.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which triggers of a configuration are none, and what is said about them where. */
class TriggerRulesTest {
    private static List<String> problems(String policy) {
        return SitePolicy.read(policy).problems().stream()
                .map(PolicyProblem::toString)
                .toList();
    }

    private static String ofNode(String trigger) {
        return "NODECFG[n1] TRIGGER=EType=fail,AType=" + trigger.strip().replaceFirst(" (.*)", ",Action=\"$1\"");
    }

    @Test
    @Feature("TRIG-1")
    void shouldReportEachTriggerWhereItIsWritten() {
        List<String> problems = problems("""
                NODECFG[DEFAULT] TRIGGER=EType=start,AType=mail,Action=x
                NODECFG[DEFAULT] TRIGGER=EType=fail,AType=mail,Action=x
                NODECFG[n1] TRIGGER=EType=fail,AType=mail
                NODECFG[n1] TRIGGER=EType=fail,AType=mail,Action=x,Name=a
                NODECFG[n1] TRIGGER=EType=fail,AType=mail,Action=y,Name=a
                NODECFG[n1] TRIGGER=EType=fail,AType=mail,Action=x,Flags=checkpoint
                """);

        assertThat(problems)
                .extracting(problem -> problem.substring(0, problem.indexOf(':')))
                .containsExactly("ERROR line 1", "ERROR line 3", "ERROR line 5", "WARNING line 6");
        assertThat(problems.get(2)).endsWith("no trigger: name a is that of another trigger of it");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "internal node:-:explode ! internal is 'node:-:explode'; one of node:ID:reserve[:time]",
                "internal node:-:reserve:soon ! internal is 'node:-:reserve:soon'; one of",
                "internal node:-:modify:x ! internal is 'node:-:modify:x'; one of",
                "internal job:-:cancel ! - is the object of the trigger, which is no job but a node",
                "internal sched:-:stop ! sched:-:pause or resume",
                "changeparam NOSUCHPARAM 3 ! unknown parameter",
                "changeparam NOSUCHPARAM $OID ! there is no parameter NOSUCHPARAM",
                "changeparam BACKFILLDEPTH abc ! BACKFILLDEPTH",
                "jobaction explode ! 'explode' is no action on jobs; cancel, requeue",
                "jobpreempt signal:FOO ! 'signal:FOO' is no action on jobs",
                "jobaction cancel;klass=x ! 'klass=x' says nothing about jobs; behind a semicolon class",
                "http ftp://x ! 'ftp://x' is no http:// or https:// address",
                "http $URL ! '$URL' is no http:// or https:// address",
                "snmp hello ! host[:port] community oid [text] is needed",
                "snmp h public up ! the oid as in 1.3.6",
                "dbupdate delete from x ! SOURCE being the name of a data source",
                "dbupdate d UPDATE t SET a=? ! has 1 question marks, and 0 values follow",
                "exec repair $OID ! the absolute path of a program",
                "event $EVENT ! the name of an event or topic is needed",
                "mail x\",Interval=\"TRUE ! state how often it fires, as in RearmTime=5:00",
            })
    @Feature("TRIG-3")
    void shouldRefuseActionsThatCanNeverBeCarriedOut(String trigger, String message) {
        String text = ofNode(trigger);

        assertThat(problems(text))
                .singleElement()
                .asString()
                .startsWith("ERROR line 1: NODECFG[n1] TRIGGER: no trigger: ")
                .contains(message.strip());
        assertThat(SitePolicy.read(text).policy().triggers().all()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "internal node:-:reserve:$HOW_LONG",
                "internal NODE:$OID:Modify:comment=$MESSAGE;os=x",
                "internal job:$JOBS:cancel",
                "internal sched:-:pause",
                "changeparam BACKFILLDEPTH $DEPTH",
                "changeparam NODECFG[$OID] COMMENT=$MESSAGE",
                "changeparam BACKFILLDEPTH 3",
                "jobaction signal:$SIG;class=$CLASS",
                "jobaction signal:sigusr1",
                "jobaction notify",
                "http https://desk/$OID?why=$MESSAGE",
                "snmp trap:162 public 1.3.6.1.4 $MESSAGE",
                "dbupdate d UPDATE t SET a='?' WHERE n=? | $OID",
                "exec /opt/repair $OID",
                "event fan $MESSAGE",
                "mail x\",Interval=\"TRUE\",RearmTime=\"1",
            })
    @Feature("TRIG-3")
    void shouldTakeWhatIsOnlyKnownWhenItFires(String trigger) {
        assertThat(problems(ofNode(trigger))).isEmpty();
    }
}

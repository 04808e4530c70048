package io.weir.scheduler.core.policy.language;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.policy.language.LineVerdict.Verdict;
import io.weir.scheduler.core.policy.language.value.AbsoluteTime;
import io.weir.scheduler.core.policy.language.value.BadValueException;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import org.junit.jupiter.api.Test;

class PolicySettingsTest {
    @Test
    @Feature({"CFG-1", "CFG-2"})
    void shouldReadEveryWayToWriteALine() {
        PolicySettings settings = PolicySettings.read("""
                # comment
                NodeAllocationPolicy=FIRSTAVAILABLE     # comment
                BACKFILLPOLICY = bestfit
                NODEACCESSPOLICY "singlejob" ...
                NODESETLIST a, b c,d
                RESERVATIONPOLICY[0] HIGHEST
                nodecfg[n1] features=fast,big comment="it's #1, of two" \\
                     OS='Linux "x"'
                ...
                  ...
                """);

        assertThat(settings.problems())
                .filteredOn(p -> p.level() != PolicyProblem.Level.INFO)
                .isEmpty();
        assertThat(settings.text("NODEALLOCATIONPOLICY")).isEqualTo("FIRSTAVAILABLE");
        assertThat(settings.text("BACKFILLPOLICY")).isEqualTo("BESTFIT");
        assertThat(settings.text("NODEACCESSPOLICY")).isEqualTo("SINGLEJOB");
        assertThat(settings.items("NODESETLIST")).containsExactly("a", "b", "c", "d");
        assertThat(settings.text("RESERVATIONPOLICY")).isEqualTo("HIGHEST");
        ObjectSettings node = settings.object("NODECFG", "n1");
        assertThat(node.items("FEATURES")).containsExactly("fast", "big");
        assertThat(node.text("COMMENT")).isEqualTo("it's #1, of two");
        assertThat(node.text("OS")).isEqualTo("Linux \"x\"");
        assertThat(node.origin("OS")).isEqualTo(new Origin("", 7));
    }

    @Test
    @Feature("CFG-1")
    void shouldReadWhatIsAlmostWrittenRight() {
        PolicySettings settings =
                PolicySettings.read("\uFEFFBACKFILLMETRIC =PE\rNODECFG[n1] RCMEM=+2G RCDISK=+50\r\nBACKFILLDEPTH 7\\");

        assertThat(settings.problems()).isEmpty();
        assertThat(settings.text("BACKFILLMETRIC")).isEqualTo("PE");
        assertThat(settings.object("NODECFG", "n1").count("RCMEM")).isEqualTo(2048);
        assertThat(settings.object("NODECFG", "n1").count("RCDISK")).isEqualTo(50);
        assertThat(settings.count("BACKFILLDEPTH")).isEqualTo(7);
    }

    @Test
    @Feature("CFG-1")
    void shouldNameTheNearestLegalValue() {
        PolicySettings settings = PolicySettings.read("""
                NODEALLOCATIONPOLICY PRIORTY
                NODEAVAILABILITYPOLICY UTILISED:MEM
                SRCFG[night] DAYS=Mon,Tu
                """);

        assertThat(settings.problems())
                .extracting(PolicyProblem::message)
                .satisfiesExactly(
                        message -> assertThat(message).endsWith("PLUGIN:name; did you mean PRIORITY?"),
                        message -> assertThat(message).endsWith("COMBINED; did you mean UTILIZED?"),
                        message -> assertThat(message).startsWith("'Tu' is not").endsWith("did you mean TUE?"));
    }

    @Test
    @Feature("CFG-2")
    void shouldKeepQuotedCommasTogether() {
        ObjectSettings node = PolicySettings.read("NODECFG[n1] VARIABLE='a=1,2',b VARIABLE=\"c=say \\\"hi\\\"\"")
                .object("NODECFG", "n1");

        assertThat(node.items("VARIABLE")).containsExactly("a=1,2", "b", "c=say \"hi\"");
    }

    @Test
    @Feature("CFG-2")
    void shouldMergeLinesOfOneObjectAndFallBackToItsDefault() {
        PolicySettings settings = PolicySettings.read("""
                NODECFG[n1] FEATURES=a PRIORITY=5
                NODECFG[n1] FEATURES+=b,c
                NODECFG[n1] FEATURES-=a
                NODECFG[n1] PRIORITY=6
                NODECFG[n2] FEATURES+=own
                NODECFG[n3] RCMEM=2G GRES=tape:2,matlab GRES-=tape
                NODECFG[default] FEATURES=all MAXLOAD=4.5 PRIORITY=1 TRIGGER=EType=fail,AType=cancel
                NODECFG[n3] TRIGGER=EType=end,AType=mail,Action="a, b"
                """);

        assertThat(settings.object("NODECFG", "n1").items("FEATURES")).containsExactly("b", "c");
        assertThat(settings.object("NODECFG", "n1").whole("PRIORITY")).isEqualTo(6);
        assertThat(settings.object("NODECFG", "n1").decimal("MAXLOAD")).isEqualTo(4.5);
        assertThat(settings.object("NODECFG", "n2").items("FEATURES")).containsExactly("all", "own");
        ObjectSettings n3 = settings.object("NODECFG", "n3");
        assertThat(n3.whole("RCMEM")).isEqualTo(2048);
        assertThat(n3.items("GRES")).containsExactly("matlab:1");
        assertThat(n3.items("FEATURES")).containsExactly("all");
        assertThat(n3.items("TRIGGER"))
                .containsExactly("EType=fail,AType=cancel", "EType=end,AType=mail,Action=\"a, b\"");
        assertThat(settings.object("NODECFG", "unheard-of").decimal("MAXLOAD")).isEqualTo(4.5);
        assertThat(settings.objects("NODECFG")).extracting(ObjectSettings::id).containsExactly("n1", "n2", "n3");
    }

    @Test
    @Feature({"CFG-1", "AVAIL-10"})
    void shouldReportEachProblemAndApplyTheRestOfTheLine() {
        PolicySettings settings = PolicySettings.read("""
                NODECFG[n1] RCPROC=many MAXLOAD=4 PRIORTY=3
                NODECFG[n2] PRIORITYF=5 * LOAD
                NODEAVAILABILITYPOLICY DEDICATED:PROC COMBINED:DISC
                JOBCFG[x] A=B
                ADMIN1 root operator
                NODECFG[n3] RCPROC
                ADMINCFG[7] USERS=root
                NODECFG[n 4] RCPROC=1
                NODECFG[n5] COMMENT='open
                NODECFG[n6] RCPROC+=4
                INCLUDE other.cfg
                MAILPROGRAM DEFAULT
                """);

        assertThat(settings.problems())
                .extracting(PolicyProblem::toString)
                .satisfiesExactly(
                        p -> assertThat(p).startsWith("ERROR line 1: NODECFG[n1] RCPROC: 'many' is not a number"),
                        p -> assertThat(p)
                                .isEqualTo("WARNING line 1: NODECFG[n1]: unknown attribute 'PRIORTY', ignored;"
                                        + " did you mean PRIORITY?"),
                        p -> assertThat(p)
                                .isEqualTo("WARNING line 2: NODECFG[n2]: unknown attribute '*', ignored;"
                                        + " a value with blanks has to be quoted"),
                        p -> assertThat(p).startsWith("WARNING line 2: NODECFG[n2]: unknown attribute 'LOAD'"),
                        p -> assertThat(p)
                                .isEqualTo("ERROR line 3: NODEAVAILABILITYPOLICY: 'DISC' is not a resource;"
                                        + " one of PROC, MEM, SWAP, DISK; did you mean DISK?"),
                        p -> assertThat(p).startsWith("WARNING line 4: JOBCFG[x]: unknown parameter, ignored"),
                        p -> assertThat(p)
                                .isEqualTo("WARNING line 5: ADMIN1: old name, accepted; write ADMINCFG[1] USERS="),
                        p -> assertThat(p).startsWith("WARNING line 6: NODECFG[n3]: attribute RCPROC has no value"),
                        p -> assertThat(p).startsWith("ERROR line 7: ADMINCFG[7]: takes an index from 1 to 4"),
                        p -> assertThat(p).startsWith("WARNING line 8: NODECFG[n: unknown parameter"),
                        p -> assertThat(p).startsWith("ERROR line 9: NODECFG[n5]: a quote is opened"),
                        p -> assertThat(p).startsWith("ERROR line 10: NODECFG[n6] RCPROC: is no list"),
                        p -> assertThat(p).startsWith("ERROR line 11: INCLUDE: is resolved when a file is read"),
                        p -> assertThat(p).startsWith("INFO line 12: MAILPROGRAM: accepted, has no effect yet"));
        assertThat(settings.verdicts())
                .extracting(LineVerdict::verdict)
                .containsExactly(
                        Verdict.BAD_VALUE,
                        Verdict.UNKNOWN,
                        Verdict.BAD_VALUE,
                        Verdict.UNKNOWN,
                        Verdict.DEPRECATED,
                        Verdict.UNKNOWN,
                        Verdict.BAD_VALUE,
                        Verdict.UNKNOWN,
                        Verdict.BAD_VALUE,
                        Verdict.BAD_VALUE,
                        Verdict.BAD_VALUE,
                        Verdict.NO_EFFECT);
        assertThat(settings.object("NODECFG", "n1").decimal("MAXLOAD")).isEqualTo(4.0);
        assertThat(settings.object("NODECFG", "n1").isSet("RCPROC")).isFalse();
        assertThat(settings.items("NODEAVAILABILITYPOLICY")).containsExactly("DEDICATED:PROC");
        assertThat(settings.object("ADMINCFG", "1").items("USERS")).containsExactly("root", "operator");
    }

    @Test
    @Feature("CFG-1")
    void shouldSayWhyItLeavesOutWhatOthersHave() {
        PolicySettings settings = PolicySettings.read("""
                GROUPCFG[chem] MAXJOB=5,10 MAXPROC[USER]=64 PLIST=fast PRIORITY=7
                SIMWORKLOADTRACEFILE jobs.trace
                LOGFILEMAXSIZE 1000000
                RMPORT[0] 15001
                QOSNAME[3] hi
                JOBMAXOVERRUN 60
                RESERVATIONTHRESHOLDTYPE BYPASS
                ATTRWEIGHT 1
                LOGLEVL 3
                NODECFG[n1] MAXJOBPERUSR=2
                """);

        assertThat(settings.problems())
                .extracting(PolicyProblem::toString)
                .satisfiesExactly(
                        p -> assertThat(p)
                                .isEqualTo(
                                        "WARNING line 1: GROUPCFG[chem]: unknown attribute 'MAXJOB', ignored; Weir limits"
                                                + " nobody's jobs in number or size; set such limits in the resource manager"),
                        p -> assertThat(p).contains("'MAXPROC[USER]', ignored; Weir limits nobody's jobs"),
                        p -> assertThat(p).contains("'PLIST', ignored; jobs go to partitions as"),
                        p -> assertThat(p).endsWith("ignored; simulations are run by weir simulate"),
                        p -> assertThat(p).endsWith("ignored; Weir's processes have settings of their own"),
                        p -> assertThat(p).contains("RMPORT[0]: unknown parameter, ignored; resource managers are"),
                        p -> assertThat(p).endsWith("ignored; write QOSCFG[name]"),
                        p -> assertThat(p)
                                .contains("ignored; write RESOURCELIMITPOLICY WALLTIME:EXTENDEDVIOLATION:CANCEL:time"),
                        p -> assertThat(p)
                                .endsWith("ignored; the jobs first in the queue get reservations, as many as"
                                        + " RESERVATIONDEPTH says"),
                        p -> assertThat(p).contains("ATTRWEIGHT: unknown parameter, ignored"),
                        p -> assertThat(p).endsWith("ignored; did you mean LOGLEVEL?"),
                        p -> assertThat(p).endsWith("ignored; did you mean MAXJOBPERUSER?"));
        assertThat(settings.object("GROUPCFG", "chem").whole("PRIORITY")).isEqualTo(7);
    }

    @Test
    @Feature("CFG-1")
    void shouldSayOfWhatAnUnknownParameterIsAnAttribute() {
        PolicySettings settings = PolicySettings.read("""
                HOSTLIST n1
                EnableProfiling TRUE
                """);

        assertThat(settings.problems())
                .extracting(PolicyProblem::toString)
                .satisfiesExactly(
                        p -> assertThat(p)
                                .contains("HOSTLIST: unknown parameter, ignored; it is an attribute of SRCFG, ")
                                .endsWith("; write SRCFG[…] HOSTLIST=…"),
                        p -> assertThat(p)
                                .contains("it is an attribute of NODECFG, ")
                                .endsWith("; write NODECFG[…] ENABLEPROFILING=…"));
    }

    @Test
    @Feature("CFG-1")
    void shouldRefuseWhatNoReservationCanHold() {
        PolicySettings settings = PolicySettings.read("""
                SRCFG[a] RESOURCES=PROCS:1;GRES=tape:1
                SRCFG[b] RESOURCES=PROCS:0;MEM=2G
                SRCFG[c] RESOURCES=PROCS:-1
                """);

        assertThat(settings.problems())
                .extracting(PolicyProblem::toString)
                .satisfiesExactly(
                        p -> assertThat(p)
                                .isEqualTo(
                                        "ERROR line 1: SRCFG[a] RESOURCES: 'GRES=tape:1' has to look like PROCS:n, MEM:n,"
                                                + " SWAP:n or DISK:n; a reservation can hold nothing else"),
                        p -> assertThat(p).startsWith("ERROR line 2: SRCFG[b] RESOURCES: '0' "));
        assertThat(settings.object("SRCFG", "a").items("RESOURCES")).containsExactly("PROCS:1");
        assertThat(settings.object("SRCFG", "b").items("RESOURCES")).containsExactly("MEM:2048");
        assertThat(settings.object("SRCFG", "c").items("RESOURCES")).containsExactly("PROCS:-1");
    }

    @Test
    @Feature("CFG-1")
    void shouldReadStandingReservationsFromTheirOldParameters() {
        PolicySettings settings = PolicySettings.read("""
                SRSTARTTIME[test] 8:00:00
                SRENDTIME[test]   17:00:00
                SRDAYS[test]      MON TUE WED
                SRTASKCOUNT[test] 20
                SRHOSTLIST[test]  node1 node2
                SRUSERLIST[test]  anna bob
                SRMAXTIME[test]   0:30:00
                """);

        assertThat(settings.problems())
                .hasSize(7)
                .allSatisfy(p -> assertThat(p.kind()).isEqualTo(PolicyProblem.Kind.DEPRECATED));
        assertThat(settings.problems().get(6).message()).isEqualTo("old name, accepted; write SRCFG TIMELIMIT=");
        ObjectSettings test = settings.object("SRCFG", "test");
        assertThat(test.seconds("STARTTIME")).isEqualTo(8 * 3600);
        assertThat(test.seconds("ENDTIME")).isEqualTo(17 * 3600);
        assertThat(test.items("DAYS")).containsExactly("Mon", "Tue", "Wed");
        assertThat(test.whole("TASKCOUNT")).isEqualTo(20);
        assertThat(test.items("HOSTLIST")).containsExactly("node1", "node2");
        assertThat(test.items("USERLIST")).containsExactly("anna", "bob");
        assertThat(test.text("TIMELIMIT")).isEqualTo("0:30:00");
    }

    @Test
    @Feature("CFG-1")
    void shouldNameTheFileALineComesFrom() {
        PolicySettings settings = PolicySettings.read("""
                #line 1 "site.cfg"
                NODEACCESSPOLICY SHARED
                #line 1 "nodes/rack1.cfg"
                NODECFG[n1] RCPROC=8
                NODECFG[n2] RCPROC=x
                #line 3 "site.cfg"
                NODEACCESSPOLICY SINGLEJOB
                """);

        assertThat(settings.problems())
                .extracting(PolicyProblem::toString)
                .satisfiesExactly(
                        p -> assertThat(p).startsWith("ERROR nodes/rack1.cfg:2: NODECFG[n2] RCPROC:"),
                        p -> assertThat(p)
                                .isEqualTo("WARNING site.cfg:3: NODEACCESSPOLICY: set before on site.cfg:1;"
                                        + " this line wins"));
        assertThat(settings.effective())
                .contains(
                        new PolicySettings.Effective("NODECFG[n1] RCPROC", "8", new Origin("nodes/rack1.cfg", 1), ""),
                        new PolicySettings.Effective("NODEACCESSPOLICY", "SINGLEJOB", new Origin("site.cfg", 3), ""),
                        new PolicySettings.Effective("BACKFILLPOLICY", "FIRSTFIT", null, ""));
    }

    @Test
    @Feature("CFG-2")
    void shouldReadTypedValues() {
        PolicySettings settings = PolicySettings.read("""
                NODESETISOPTIONAL no
                NODESETDELAY 90:00
                NODEDOWNSTATEDELAYTIME -1
                NODEDRAINSTATEDELAYTIME INFINITY
                NODESETTOLERANCE .5
                RESERVATIONDEPTH[urgent] unlimited
                NODEALLOCATIONPOLICY plugin:Best
                RESOURCELIMITPOLICY CPUTIME:always:cancel MEM:EXTENDEDVIOLATION:NOTIFY:1:00:00 DISK:ALWAYS
                FAILURESERVICE NONSTOP
                CLASSCFG[batch] RESFAILPOLICY=requeue* DEFAULT.NODESET=oneof:feature:b,a,b
                """);

        assertThat(settings.flag("NODESETISOPTIONAL")).isFalse();
        assertThat(settings.seconds("NODESETDELAY")).isEqualTo(5400);
        assertThat(settings.seconds("NODEDOWNSTATEDELAYTIME")).isEqualTo(-1);
        assertThat(settings.seconds("NODEDRAINSTATEDELAYTIME")).isEqualTo(PolicyValue.Interval.INFINITE);
        assertThat(settings.decimal("NODESETTOLERANCE")).isEqualTo(0.5);
        assertThat(settings.indexes("RESERVATIONDEPTH")).containsExactly("urgent");
        assertThat(settings.value("RESERVATIONDEPTH", "urgent"))
                .isEqualTo(new PolicyValue.Whole(PolicyValue.Whole.UNLIMITED));
        assertThat(settings.count("RESERVATIONDEPTH")).isEqualTo(1);
        assertThat(settings.text("NODEALLOCATIONPOLICY")).isEqualTo("PLUGIN:Best");
        assertThat(settings.items("RESOURCELIMITPOLICY"))
                .containsExactly("CPUTIME:ALWAYS:CANCEL", "MEM:EXTENDEDVIOLATION:NOTIFY:01:00:00");
        assertThat(settings.text("FAILURESERVICE")).isEqualTo("nonstop");
        assertThat(settings.object("CLASSCFG", "batch").text("RESFAILPOLICY")).isEqualTo("REQUEUE*");
        assertThat(settings.object("CLASSCFG", "batch").text("DEFAULT.NODESET")).isEqualTo("ONEOF:FEATURE:b,a");
    }

    @Test
    void shouldSayWhichResourceLimitsHaveNoEffect() {
        PolicySettings settings =
                PolicySettings.read("RESOURCELIMITPOLICY MEM:ALWAYS:CANCEL SWAP:ALWAYS:CANCEL PROC:ALWAYS:NOTIFY");

        assertThat(settings.problems())
                .extracting(PolicyProblem::toString)
                .satisfiesExactly(
                        p -> assertThat(p).contains("'SWAP:ALWAYS:CANCEL'", "has no effect yet; nobody measures"),
                        p -> assertThat(p).contains("'PROC:ALWAYS:NOTIFY'", "has no effect yet; nobody measures"));
    }

    @Test
    void shouldReadAbsoluteTimes() throws BadValueException {
        long noon = 1_700_049_600L; // 2023-11-15 12:00:00 UTC

        assertThat(AbsoluteTime.parse("14:00").resolve(noon)).isEqualTo(noon + 7200);
        assertThat(AbsoluteTime.parse("08:00").resolve(noon)).isEqualTo(noon + 20 * 3600);
        assertThat(AbsoluteTime.parse("+1:00:00").resolve(noon)).isEqualTo(noon + 3600);
        assertThat(AbsoluteTime.parse("1700000000").resolve(noon)).isEqualTo(1_700_000_000L);
        assertThat(AbsoluteTime.parse("12:00:01_11/15").resolve(noon)).isEqualTo(noon + 1);
        assertThat(AbsoluteTime.parse("0_11/15").resolve(noon)).isEqualTo(noon - 43_200 + 366 * 86_400L);
        assertThat(AbsoluteTime.parse("0_11/15/23").resolve(noon)).isEqualTo(noon - 43_200);
    }
}

package io.weir.scheduler.core;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.policy.language.RuntimeSettings;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.Severity;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class ConfigurationTest {
    @Test
    @Feature("CFG-1")
    void shouldTakeEffectBetweenTwoIterations() {
        SchedulerFixture fixture = new SchedulerFixture().nodes(4, 1).submit("1", 1, 3600);
        fixture.iterate(10);
        assertThat(fixture.job("1").getAllocation().get(0).getNodeId()).isEqualTo("n4");

        fixture.policy("NODEALLOCATIONPOLICY FIRSTAVAILABLE\nMAILPROGRAM DEFAULT\nBACKFILLPOLICY soon\n");
        assertThat(fixture.domain().getPolicyVersion())
                .as("until the next iteration")
                .isEmpty();
        fixture.submit("2", 1, 3600).iterate(20);

        assertThat(fixture.job("2").getAllocation().get(0).getNodeId()).isEqualTo("n1");
        assertThat(fixture.domain().getPolicyVersion()).isEqualTo("v1");
        assertThat(fixture.lastNotifications())
                .extracting(Notification::getEvent, Notification::getSeverity, Notification::getText)
                .contains(
                        Tuple.tuple(
                                "configchange",
                                Severity.INFO,
                                "policy version v1 in force; settings without effect yet: 1"),
                        Tuple.tuple(
                                "configproblem",
                                Severity.ERROR,
                                "ERROR line 3: BACKFILLPOLICY: 'soon' is not available; one of FIRSTFIT, BESTFIT,"
                                        + " GREEDY, PREEMPT, NONE"));
        assertThat(fixture.policy("").submit("3", 1, 60).iterate(30).job("3").getAllocation())
                .extracting(allocation -> allocation.getNodeId())
                .containsExactly("n3");
    }

    @Test
    @Feature({"CFG-1", "ALLOC-1"})
    void shouldScheduleWithAnEmptyConfiguration() {
        SchedulerFixture fixture = new SchedulerFixture().nodes(2, 1);
        fixture.submit("1", 1, 1, 3600, 0)
                .submit("2", 2, 1, 3600, 1)
                .submit("3", 1, 1, 7200, 2)
                .submit("4", 1, 1, 3600, 3)
                .iterate(10);

        assertThat(fixture.started()).containsExactly("1", "4");
        assertThat(fixture.job("1").getAllocation().get(0).getNodeId()).isEqualTo("n2");
        assertThat(fixture.reservedStart("2")).isEqualTo(3610);
        assertThat(fixture.job("3").getState()).isEqualTo(JobState.IDLE);
    }

    @Test
    @Feature("CFG-1")
    void shouldChangeASettingAtRunTimeUntilTheNextVersion() {
        SchedulerFixture fixture = new SchedulerFixture()
                .rebuildingAlways()
                .nodes(4, 1)
                .policy("NODEALLOCATIONPOLICY FIRSTAVAILABLE")
                .request("r1", RequestKind.MODIFY_CONFIG, "-", setting("NODEALLOCATIONPOLICY LASTAVAILABLE"))
                .request("r2", RequestKind.MODIFY_CONFIG, "-", setting("NODEALLOCATIONPOLICY SOMEHOW"))
                .submit("1", 1, 60)
                .iterate(10);

        assertThat(fixture.job("1").getAllocation().get(0).getNodeId()).isEqualTo("n4");
        assertThat(fixture.lastAnswers())
                .extracting(RequestResult::getRequestId, RequestResult::getOutcome)
                .containsExactly(Tuple.tuple("r1", RequestOutcome.ACCEPTED), Tuple.tuple("r2", RequestOutcome.REFUSED));
        assertThat(fixture.lastAnswers().get(1).getMessage())
                .startsWith("NODEALLOCATIONPOLICY: 'SOMEHOW' is not available");

        fixture.policy("NODEALLOCATIONPOLICY FIRSTAVAILABLE").submit("2", 1, 60).iterate(20);
        assertThat(fixture.job("2").getAllocation().get(0).getNodeId()).isEqualTo("n1");
    }

    /** Changes settings one after the other, and returns what was added to the policy version by them all. */
    private static String added(String... lines) {
        SchedulerFixture fixture =
                new SchedulerFixture().rebuildingAlways().nodes(1, 1).policy("").iterate(1);
        for (int i = 0; i < lines.length; i++) {
            fixture.request("r" + i, RequestKind.MODIFY_CONFIG, "-", setting(lines[i]))
                    .iterate(10 + i);
            assertThat(fixture.lastAnswers().get(0).getOutcome()).as(lines[i]).isEqualTo(RequestOutcome.ACCEPTED);
        }
        return fixture.policyText()
                .lines()
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .collect(joining("; "));
    }

    @Test
    @Feature("CFG-1")
    void shouldKeepOneLineOfWhatIsSetAgainAndAgain() {
        assertThat(added("BACKFILLDEPTH 7", "DEFERTIME 10", "backfilldepth=8", "BACKFILLDEPTH[0] 9"))
                .isEqualTo("BACKFILLDEPTH[0] 9; DEFERTIME 10");
        assertThat(added("QOSCFG[a] PRIORITY=1", "QOSCFG[b] PRIORITY=2", "QOSCFG[a] PRIORITY=3 QFLAGS=TRIGGER"))
                .isEqualTo("QOSCFG[a] PRIORITY=3 QFLAGS=TRIGGER; QOSCFG[b] PRIORITY=2");
    }

    @Test
    @Feature("CFG-1")
    void shouldKeepLinesThatStillSaySomething() {
        assertThat(added("NODECFG[n1] FEATURES=a OS=x", "NODECFG[n1] FEATURES+=b", "NODECFG[n1] FEATURES=c"))
                .isEqualTo("NODECFG[n1] FEATURES=a OS=x; NODECFG[n1] FEATURES=c");
        assertThat(added("NODECFG[n1] FEATURES=a", "NODECFG[n1] FEATURES+=b OS=x", "NODECFG[n1] FEATURES=c"))
                .isEqualTo("NODECFG[n1] FEATURES+=b OS=x; NODECFG[n1] FEATURES=c");
        assertThat(added("NODECFG[n1] FEATURES+=b", "NODECFG[n1] FEATURES+=c", "NODECFG[n1] FEATURES+=b"))
                .isEqualTo("NODECFG[n1] FEATURES+=b; NODECFG[n1] FEATURES+=c; NODECFG[n1] FEATURES+=b");
    }

    @Test
    @Feature("CFG-1")
    void shouldNotPileUpWhatIsAddedAndTakenAgainAndAgain() {
        String add = "NODECFG[n1] FEATURES+=b";
        String take = "NODECFG[n1] FEATURES-=b";
        assertThat(added(add, take, add, take, add, take, add)).isEqualTo(take + "; " + add);
        String trigger = "NODECFG[n1] TRIGGER=EType=fail,AType=mail,Action=x";
        assertThat(added(trigger, trigger)).isEqualTo(trigger);
    }

    @Test
    @Feature("CFG-1")
    void shouldSayThatASettingIsInForceAlready() {
        SchedulerFixture fixture = new SchedulerFixture().rebuildingAlways().nodes(1, 1);
        fixture.request("r1", RequestKind.MODIFY_CONFIG, "-", setting("BACKFILLDEPTH 7"))
                .iterate(1);
        fixture.request("r2", RequestKind.MODIFY_CONFIG, "-", setting("BACKFILLDEPTH 7"))
                .iterate(2);
        assertThat(fixture.lastAnswers().get(0).getMessage()).isEqualTo("in force already, nothing is changed");
        fixture.request("r3", RequestKind.MODIFY_CONFIG, "-", setting("# BACKFILLDEPTH 7"))
                .request("r4", RequestKind.MODIFY_CONFIG, "-", setting("BACKFILLDEPTH 7 \\"))
                .iterate(3);
        assertThat(fixture.lastAnswers())
                .extracting(RequestResult::getOutcome)
                .containsExactly(RequestOutcome.REFUSED, RequestOutcome.REFUSED);
    }

    @Test
    @Feature("CFG-1")
    void shouldKeepWhatIsPersistentUnderWhatIsNot() {
        RuntimeSettings lasting =
                RuntimeSettings.NONE.with("DEFERTIME 10", false).with("DEFERTIME 20", true);
        RuntimeSettings both = lasting.with("DEFERTIME 30", false).with("DEFERTIME 40", false);

        assertThat(lasting.lines()).containsExactly(new RuntimeSettings.Line("DEFERTIME 20", true));
        assertThat(both.lines())
                .containsExactly(
                        new RuntimeSettings.Line("DEFERTIME 20", true),
                        new RuntimeSettings.Line("DEFERTIME 40", false));
        assertThat(both.persistentOnly()).isEqualTo(lasting);
        assertThat(both.with("DEFERTIME 50", true).lines())
                .containsExactly(new RuntimeSettings.Line("DEFERTIME 50", true));
    }

    @Test
    @Feature("CFG-1")
    void shouldKeepAPersistentSettingBeyondTheNextVersion() {
        List<NameValue> persistent = new ArrayList<>(setting("NODEALLOCATIONPOLICY FIRSTAVAILABLE"));
        persistent.add(new NameValue("flags", "persistent"));
        SchedulerFixture fixture = new SchedulerFixture()
                .rebuildingAlways()
                .nodes(4, 1)
                .request("r1", RequestKind.MODIFY_CONFIG, "-", setting("BACKFILLPOLICY NONE"))
                .request("r2", RequestKind.MODIFY_CONFIG, "-", persistent)
                .iterate(10);
        assertThat(fixture.policyText()).contains("NONE").contains("FIRSTAVAILABLE");

        fixture.policy("BACKFILLMETRIC PE").submit("1", 1, 60).iterate(20);

        assertThat(fixture.policyText())
                .startsWith("BACKFILLMETRIC PE")
                .doesNotContain("NONE")
                .contains("FIRSTAVAILABLE");
        assertThat(fixture.job("1").getAllocation().get(0).getNodeId()).isEqualTo("n1");
    }

    @Test
    @Feature("CFG-2")
    void shouldGiveAJobTheTimeLimitOfItsClass() {
        SchedulerFixture fixture = new SchedulerFixture()
                .nodes(4, 1)
                .policy("CLASSCFG[DEFAULT] DEFAULT.WCLIMIT=2:00:00\nCLASSCFG[short] DEFAULT.WCLIMIT=10:00")
                .iterate(5)
                .submit("1", 1, 60, report -> report.setWalltimeSeconds(null).setJobClass("short"))
                .submit("2", 1, 60, report -> report.setWalltimeSeconds(null))
                .submit("3", 1, 60, report -> report.setWalltimeSeconds(null).setExtension("walltime=5:00"))
                .submit("4", 1, 60, report -> report.setJobClass("short"));

        assertThat(List.of(limit(fixture, "1"), limit(fixture, "2"), limit(fixture, "3"), limit(fixture, "4")))
                .containsExactly(600L, 7200L, 300L, 60L);
        fixture.policy("")
                .iterate(10)
                .submit("1", 1, 60, report -> report.setWalltimeSeconds(null).setJobClass("short"));
        assertThat(limit(fixture, "1")).isEqualTo(600L);
    }

    private static long limit(SchedulerFixture fixture, String job) {
        return fixture.job(job).getWalltimeSeconds();
    }

    private static List<NameValue> setting(String line) {
        return List.of(new NameValue("setting", line));
    }

    @Test
    @Feature({"SET-2", "CMD-3"})
    void shouldHoldAJobWhoseNodeSetCannotBeRead() {
        SchedulerFixture fixture = new SchedulerFixture().nodes(2, 1);
        fixture.submit("1", 1, 60, report -> report.setExtension("nodeset=SOMEOF:FEATURE:a"))
                .submit("2", 1, 60, report -> report.setExtension("colour=red"))
                .iterate(10);

        assertThat(fixture.started()).containsExactly("2");
        assertThat(fixture.job("1").getState()).isEqualTo(JobState.HOLD);
        assertThat(fixture.job("1").getReason()).startsWith("nodeset: 'SOMEOF' is not a node set policy");
        assertThat(fixture.job("2").getMessages()).containsExactly("unknown extension 'colour', ignored");

        fixture.submit("1", 1, 60, report -> report.setExtension("nodeset=ONEOF:ARCH"))
                .iterate(20);

        assertThat(fixture.started()).containsExactly("1");
    }
}

package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.RmCommand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Job priority, from policy text and facts to answers and starts. Times are seconds after the beginning. */
class PriorityTest {
    private static final long HOUR = 3600;
    private static final long FULL = 100 * HOUR;

    private long questions;

    /** A cluster of one node of {@code procs}, taken by a job that runs for a long time. */
    private static SchedulerFixture busy(String policy, int procs) {
        return new SchedulerFixture()
                .policy(policy)
                .nodes(1, procs)
                .submit("busy", procs, FULL)
                .iterate(0);
    }

    private Map<String, String> priority(SchedulerFixture weir, String job, long time) {
        String id = "q" + questions++;
        weir.request(id, RequestKind.SHOW_PRIORITY, job).iterate(time);
        Map<String, String> details = new LinkedHashMap<>();
        for (RequestResult result : weir.lastAnswers()) {
            if (result.getRequestId().equals(id)) {
                assertThat(result.getOutcome()).as(result.getMessage()).isEqualTo(RequestOutcome.ACCEPTED);
                result.getDetails().forEach(line -> details.put(line.getName(), line.getValue()));
            }
        }
        return details;
    }

    private void change(SchedulerFixture weir, RequestKind kind, String job, String name, String value, long time) {
        weir.request("q" + questions++, kind, job, List.of(new NameValue(name, value)))
                .iterate(time);
    }

    /** The magnitude of the smallest int is no int. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-2147483648",
                "2147483647",
                "-2147483647",
                "1000000001",
                "-1000000001",
                "--1",
                "1.5",
                "+",
                "1e3",
                "\u0661\u0662"
            })
    void shouldRefuseALevelBeyondTheHighest(String level) {
        SchedulerFixture weir = busy("", 1).submit("j", 1, 100);
        change(weir, RequestKind.SET_JOB_PRIORITY, "j", "priority", level, 10);

        assertThat(weir.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.REFUSED);
        assertThat(weir.lastAnswers().get(0).getMessage())
                .isEqualTo("priority is '" + level + "'; a number up to 1000000000, +N, -N or NONE is needed");
    }

    @Test
    @Feature("CFG-1")
    void shouldTakeNoFairshareWindowsThatCouldNotBeKept() {
        SchedulerFixture weir = busy("FSPOLICY DEDICATEDPS\nFSINTERVAL 0\nFSDEPTH 2147483647\nFSWEIGHT 10", 1);

        assertThat(weir.lastNotifications())
                .extracting(Notification::getText)
                .contains(
                        "ERROR line 2: FSINTERVAL: '0' is less than 00:00:01",
                        "ERROR line 3: FSDEPTH: '2147483647' is not a number from 1 to 10000");
    }

    /** The busy job's use in the two windows that count is charged, however long nothing was heard. */
    @Test
    void shouldChargeOnlyTheWindowsThatCountAfterALongSilence() {
        SchedulerFixture weir = busy(
                "FSPOLICY DEDICATEDPS\nFSINTERVAL 1\nFSDEPTH 2\nFSWEIGHT 1\nFSUSERWEIGHT 1\nUSERCFG[ann] FSTARGET=30",
                1);
        weir.submit("a", 1, HOUR);

        assertThat(priority(weir, "a", FULL - 1)).containsEntry("FS(User)", "-70 -70 1");
    }

    @Test
    @Feature("RSV-12")
    void JP1() {
        SchedulerFixture weir = busy("QUEUETIMEWEIGHT 20", 1).submit("a", 1, HOUR);

        assertThat(priority(weir, "a", 4 * HOUR + 20 * 60))
                .containsEntry("priority", "5200")
                .containsEntry("Serv(QTime)", "5200 260 20");
    }

    @Test
    @Feature("RSV-12")
    void JP2() {
        SchedulerFixture weir = busy("QUEUETIMEWEIGHT 0\nXFACTORWEIGHT 100", 1).submit("a", 1, HOUR);

        assertThat(priority(weir, "a", 4 * HOUR + 20 * 60))
                .containsEntry("priority", "533")
                .containsEntry("Serv(XFctr)", "533.333333 5.333333 100");
    }

    @Test
    @Feature({"RSV-4", "RSV-12"})
    void JP3() {
        SchedulerFixture weir = busy("QUEUETIMEWEIGHT 0\nXFACTORWEIGHT 1", 1)
                .submit("short", 1, HOUR)
                .submit("long", 1, 4 * HOUR);

        assertThat(priority(weir, "short", 8 * HOUR)).containsEntry("Serv(XFctr)", "9 9 1");
        assertThat(priority(weir, "long", 8 * HOUR)).containsEntry("Serv(XFctr)", "3 3 1");
    }

    @Test
    void JP4() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("""
                        FSPOLICY DEDICATEDPS
                        FSWEIGHT 100
                        FSUSERWEIGHT 10
                        FSGROUPWEIGHT 20
                        FSACCOUNTWEIGHT 30
                        FSQOSWEIGHT 40
                        QUEUETIMEWEIGHT 0
                        ENABLENEGJOBPRIORITY TRUE
                        USERCFG[ann] FSTARGET=50
                        ACCOUNTCFG[chem] FSTARGET=25
                        QOSCFG[high] FSTARGET=10+
                        """)
                .nodes(1, 100)
                .submit(
                        "1",
                        25,
                        FULL,
                        job -> job.setAccount("chem").setQos("high").setGroup("lab"))
                .submit("2", 10, FULL, job -> job.setAccount("chem").setGroup("lab"))
                .submit("3", 10, FULL, job -> job.setGroup("lab"))
                .submit("4", 55, FULL, job -> job.setUser("bob").setGroup("lab"))
                .iterate(0)
                .submit(
                        "a",
                        1,
                        HOUR,
                        job -> job.setAccount("chem").setQos("high").setGroup("lab"));

        assertThat(priority(weir, "a", HOUR))
                .containsEntry("FS(User)", "5000 5 10")
                .containsEntry("FS(Group)", "0 0 20")
                .containsEntry("FS(Account)", "-30000 -10 30")
                .containsEntry("FS(QOS)", "0 0 40")
                .containsEntry("FS", "-25000")
                .containsEntry("priority", "-25000");
    }

    @Test
    void JP5() {
        SchedulerFixture weir = new SchedulerFixture().policy("PEWEIGHT 1\nQUEUETIMEWEIGHT 0");
        for (int i = 0; i < 100; i++) {
            weir.node("n" + i, 4, NodeState.DOWN, node -> node.setMemoryMb(1024L));
        }
        weir.submit("a", 2, HOUR, job -> job.setRequirements(List.of(Requirements.of(2, 384))));

        assertThat(priority(weir, "a", 0)).containsEntry("Res(PE)", "3 3 1").containsEntry("priority", "3");
    }

    @Test
    @Feature("RSV-4")
    void shouldLetAShortJobOvertakeALongOneWhileBothWait() {
        SchedulerFixture weir = busy("QUEUETIMEWEIGHT 0\nXFACTORWEIGHT 100", 1)
                .submit("long", 1, 1, 4 * HOUR, 0)
                .submit("short", 1, 1, HOUR, HOUR)
                .iterate(HOUR);
        assertThat(weir.publishedReservations).containsOnlyKeys("long");

        // long: 1 + 80/240 min = 1.33; short: 1 + 20/60 = 1.33 at 1:20; short is ahead from then on.
        weir.iterate(HOUR + 21 * 60);

        assertThat(weir.publishedReservations).containsOnlyKeys("short");
    }

    @Test
    @Feature("RSV-12")
    void shouldWarnWhenNothingKeepsJobsFromStarving() {
        SchedulerFixture weir =
                new SchedulerFixture().policy("QUEUETIMEWEIGHT 0").iterate(0);
        assertThat(weir.lastNotifications())
                .filteredOn(n -> n.getEvent().equals("configproblem"))
                .extracting(Notification::getText)
                .singleElement()
                .asString()
                .contains("QUEUETIMEWEIGHT");

        weir.policy("QUEUETIMEWEIGHT 0\nXFACTORWEIGHT 1").iterate(1);
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).doesNotContain("configproblem");
    }

    /** A wide job of low weight against a stream of narrow ones of high class: with time it goes first. */
    @Test
    @Feature({"RSV-2", "RSV-12"})
    void shouldStartAnOldJobBeforeYoungOnesOfAHigherClass() {
        SchedulerFixture weir = busy("CLASSCFG[fast] PRIORITY=60", 2)
                .submit("wide", 2, HOUR)
                .submit("f1", 1, HOUR, job -> job.setJobClass("fast").setSubmitTime(SchedulerFixture.at(10)))
                .iterate(60);
        assertThat(weir.publishedReservations).containsOnlyKeys("f1");

        weir.submit("f2", 1, 2 * HOUR, job -> job.setJobClass("fast").setSubmitTime(SchedulerFixture.at(2 * HOUR)))
                .end("busy", 2 * HOUR)
                .iterate(2 * HOUR);

        assertThat(weir.started()).containsExactly("f1");
        assertThat(weir.publishedReservations).containsOnlyKeys("wide");
    }

    /** Depth 1 fills the hole with a job that delays the second in line; depth 10 does not. */
    @Test
    @Feature("RSV-13")
    void shouldGivePriorityMoreForceWithMoreDepth() {
        assertThat(diluted("RESERVATIONDEPTH 1")).containsExactly("filler");
        assertThat(diluted("RESERVATIONDEPTH 10")).isEmpty();
    }

    /** Returns what starts beside a running job of 3 of 4 processors, with two wide jobs and a narrow long one waiting. */
    private static List<String> diluted(String policy) {
        return new SchedulerFixture()
                .policy(policy)
                .nodes(1, 4)
                .submit("runs", 3, 2 * HOUR)
                .iterate(0)
                .submit("first", 3, 1, HOUR, 1)
                .submit("second", 4, 1, HOUR, 2)
                .submit("filler", 1, 1, 4 * HOUR, 3)
                .iterate(3)
                .started();
    }

    @Test
    void shouldRankSystemPriorityAboveEverything() {
        SchedulerFixture weir = busy("USERCFG[ann] PRIORITY=1000000", 1)
                .submit("a", 1, HOUR)
                .submit("b", 1, HOUR, job -> job.setUser("bob"))
                .submit("c", 1, HOUR, job -> job.setUser("bob"));
        change(weir, RequestKind.SET_JOB_PRIORITY, "b", "priority", "1", 10);
        assertThat(weir.publishedReservations).containsOnlyKeys("b");
        change(weir, RequestKind.SET_JOB_PRIORITY, "c", "priority", "2", 20);
        assertThat(weir.publishedReservations).containsOnlyKeys("c");
        change(weir, RequestKind.SET_JOB_PRIORITY, "b", "priority", "+5", 30);
        assertThat(weir.publishedReservations).containsOnlyKeys("b");
        assertThat(weir.job("b").getSystemPriority()).isEqualTo(6);
        change(weir, RequestKind.SET_JOB_PRIORITY, "b", "priority", "NONE", 40);
        change(weir, RequestKind.SET_JOB_PRIORITY, "c", "priority", "0", 50);
        assertThat(weir.publishedReservations).containsOnlyKeys("a");
        change(weir, RequestKind.SET_JOB_PRIORITY, "c", "priority", "high", 60);
        assertThat(weir.lastAnswers()).extracting(RequestResult::getOutcome).containsExactly(RequestOutcome.REFUSED);
    }

    @Test
    void shouldBoundPrioritiesAndKeepThemAboveZeroUnlessAllowed() {
        SchedulerFixture weir = busy(
                        "USERWEIGHT 100\nUSERCFG[ann] PRIORITY=100000000\nUSERCFG[bob] PRIORITY=-100000000", 1)
                .submit("a", 1, HOUR)
                .submit("b", 1, HOUR, job -> job.setUser("bob"));
        assertThat(priority(weir, "a", 0)).containsEntry("priority", "1000000000");
        assertThat(priority(weir, "b", 0)).containsEntry("priority", "1");

        weir.policy("USERWEIGHT 100\nUSERCFG[bob] PRIORITY=-100000000\nENABLENEGJOBPRIORITY TRUE");
        assertThat(priority(weir, "b", 0)).containsEntry("priority", "-1000000000");
    }

    @Test
    void shouldCutTowardZero() {
        SchedulerFixture weir =
                busy("QUEUETIMEWEIGHT -1\nENABLENEGJOBPRIORITY TRUE", 1).submit("a", 1, HOUR);
        assertThat(priority(weir, "a", 90)).containsEntry("priority", "-1");
        assertThat(priority(weir, "a", 119)).containsEntry("priority", "-1");
        assertThat(priority(weir, "a", 120)).containsEntry("priority", "-2");
    }

    @Test
    void shouldCapValues() {
        SchedulerFixture weir = busy("""
                        QUEUETIMECAP 10
                        QUEUETIMEWEIGHT 2
                        XFACTORCAP 1.5
                        XFACTORWEIGHT 10
                        PROCWEIGHT 1
                        WALLTIMEWEIGHT 1
                        RESCAP 100
                        RESWEIGHT 3
                        """, 2).submit("a", 2, HOUR);

        assertThat(priority(weir, "a", HOUR))
                .containsEntry("Serv(QTime)", "20 10 2")
                .containsEntry("Serv(XFctr)", "15 1.5 10")
                .containsEntry("Res", "300")
                .containsEntry("priority", "335");
    }

    @Test
    void shouldAddTheWeightsOfAQualityOfServiceAndTakeTheLeastLimitForTheXfactor() {
        SchedulerFixture weir = busy("XFMINWCLIMIT 1:00:00\nXFACTORWEIGHT 10\nQOSCFG[high] QTWEIGHT=2 XFWEIGHT=5", 1)
                .submit("a", 1, 60, job -> job.setQos("high"));

        assertThat(priority(weir, "a", HOUR))
                .containsEntry("Serv(QTime)", "180 60 3")
                .containsEntry("Serv(XFctr)", "30 2 15");
    }

    @Test
    void shouldGrowTowardTheTargetOfAQualityOfService() {
        SchedulerFixture weir = busy("QUEUETIMEWEIGHT 0\nTARGETQUEUETIMEWEIGHT 10\nQOSCFG[high] QTTARGET=2:00:00", 1)
                .submit("a", 1, HOUR, job -> job.setQos("high"));

        assertThat(priority(weir, "a", HOUR)).containsEntry("Targ(QTime)", "0.97656 0.097656 10");
        assertThat(priority(weir, "a", 2 * HOUR)).containsEntry("Targ(QTime)", "1000 100 10");
        assertThat(priority(weir, "a", 3 * HOUR)).containsEntry("Targ(QTime)", "1500 150 10");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0%", "0.0", "0+", "0-"})
    void shouldTakeATargetOfNothingForNoTarget(String target) {
        SchedulerFixture weir = busy("""
                        FSPOLICY DEDICATEDPS
                        FSWEIGHT 1
                        FSUSERWEIGHT 1
                        USERCFG[DEFAULT] FSTARGET=50
                        USERCFG[ann] FSTARGET=""" + target, 1).submit("a", 1, HOUR).iterate(60);

        assertThat(priority(weir, "a", HOUR)).containsEntry("FS", "0");
    }

    @Test
    void shouldReachTheTargetOfAQualityOfServiceBeyondTheCaps() {
        SchedulerFixture weir = busy("""
                        QUEUETIMECAP 60
                        XFACTORCAP 2
                        TARGETQUEUETIMEWEIGHT 10
                        TARGETXFACTORWEIGHT 10
                        QOSCFG[high] QTTARGET=2:00:00 XFTARGET=4
                        """, 1).submit("a", 1, HOUR, job -> job.setQos("high"));

        assertThat(priority(weir, "a", 3 * HOUR))
                .containsEntry("Serv(QTime)", "60 60 1")
                .containsEntry("Targ(QTime)", "1500 150 10")
                .containsEntry("Targ(XFctr)", "1000 100 10");
    }

    @Test
    void shouldCountNoTimeOnHold() {
        for (String policy : List.of("", "JOBPRIOACCRUALPOLICY ALWAYS")) {
            SchedulerFixture weir = busy(policy, 1).submit("a", 1, HOUR).iterate(60);
            weir.request("h", RequestKind.HOLD_JOB, "a").iterate(600);
            weir.request("r", RequestKind.RELEASE_JOB, "a").iterate(6000);

            assertThat(priority(weir, "a", 6600)).as(policy).containsEntry("priority", policy.isEmpty() ? "20" : "110");
        }
    }

    @Test
    void shouldCountNoTimeAfterARefusedStartUnderFullPolicy() {
        for (String policy : List.of("", "JOBPRIOACCRUALPOLICY FULLPOLICY")) {
            SchedulerFixture weir = new SchedulerFixture()
                    .policy("JOBRETRYTIME 10:00\n" + policy)
                    .nodes(1, 1)
                    .submit("a", 1, HOUR)
                    .iterateSilently(600)
                    .answer("a", CommandOutcome.REFUSED, 600)
                    .submit("busy", 1, FULL, job -> job.setSubmitTime(SchedulerFixture.at(600)))
                    .iterate(600);

            assertThat(priority(weir, "a", 2400)).as(policy).containsEntry("priority", policy.isEmpty() ? "40" : "30");
        }
    }

    @Test
    void shouldGiveAJobTheQualityOfServiceItMayUse() {
        SchedulerFixture weir = busy("""
                        USERCFG[ann] QLIST=low QDEF=low
                        GROUPCFG[lab] QLIST=high
                        ACCOUNTCFG[chem] QLIST=high&
                        CLASSCFG[closed] QLIST=low^
                        """, 1)
                .submit("plain", 1, HOUR)
                .submit("alone", 1, HOUR, job -> job.setQos("high"))
                .submit("group", 1, HOUR, job -> job.setQos("high").setGroup("lab"))
                .submit("and", 1, HOUR, job -> job.setQos("high").setAccount("chem"))
                .submit(
                        "both",
                        1,
                        HOUR,
                        job -> job.setQos("high").setGroup("lab").setAccount("chem"))
                .submit(
                        "closed",
                        1,
                        HOUR,
                        job -> job.setQos("high").setGroup("lab").setJobClass("closed"))
                .submit("bob", 1, HOUR, job -> job.setQos("any").setUser("bob"))
                .iterate(1);

        assertThat(weir.job("plain").getEffectiveQos()).isEqualTo("low");
        assertThat(weir.job("alone").getEffectiveQos()).isEqualTo("low");
        assertThat(weir.job("alone").getMessages()).containsExactly("may not use QOS high; uses low");
        assertThat(weir.job("group").getEffectiveQos()).isEqualTo("high");
        assertThat(weir.job("group").getMessages()).isEmpty();
        assertThat(weir.job("and").getEffectiveQos()).isEqualTo("low");
        assertThat(weir.job("both").getEffectiveQos()).isEqualTo("high");
        assertThat(weir.job("closed").getEffectiveQos()).isEqualTo("low");
        assertThat(weir.job("bob").getEffectiveQos()).isNull();
        assertThat(weir.job("bob").getMessages()).containsExactly("may not use QOS any; has none");

        weir.policy("").iterate(2);
        assertThat(weir.publishedJobs.get("alone").getEffectiveQos()).isEqualTo("high");
    }

    /** eve, of group g2, asks for the QoS vip. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "'', vip",
                "QOSCFG[vip] PRIORITY=1000, vip",
                "USERCFG[bob] QLIST=vip, none",
                "USERCFG[bob] QDEF=vip, none",
                "CLASSCFG[short] QLIST=vip, none",
                "USERCFG[bob] QLIST=vip|USERCFG[eve] PRIORITY=1, none",
                "USERCFG[bob] QLIST=vip|USERCFG[DEFAULT] QDEF=low, low",
                "USERCFG[eve] QDEF=low, low",
                "USERCFG[eve] QDEF=low QLIST=vip, vip",
                "USERCFG[eve] QDEF=low QLIST=vip&, vip",
                "USERCFG[eve] QDEF=vip, vip",
                "USERCFG[eve] QDEF=low|GROUPCFG[g2] QDEF=vip, vip",
                "USERCFG[eve] QDEF=low|GROUPCFG[g2] QLIST=vip&, low",
                "USERCFG[eve] QLIST=low^|GROUPCFG[g2] QDEF=vip, vip",
                "USERCFG[eve] QLIST=low^ QDEF=low|GROUPCFG[g2] QDEF=vip, low",
                "GROUPCFG[g1] QLIST=vip|GROUPCFG[DEFAULT] QDEF=low, low",
                "GROUPCFG[g1] QLIST=vip|GROUPCFG[DEFAULT] QLIST=vip, vip"
            })
    void shouldLeaveAQualityOfServiceToThoseItIsGivenTo(String policy, @Nullable String got) {
        SchedulerFixture weir = busy(policy.replace('|', '\n'), 1)
                .submit("j", 1, HOUR, job -> job.setQos("vip").setUser("eve").setGroup("g2"))
                .submit("m", 1, HOUR, job -> job.setUser("eve").setGroup("g2"))
                .iterate(1);
        change(weir, RequestKind.MODIFY_JOB, "m", "qos", "vip", 2);

        assertThat(weir.job("j").getEffectiveQos()).isEqualTo(got);
        assertThat(weir.job("j").getMessages()).hasSize("vip".equals(got) ? 0 : 1);
        assertThat(weir.job("m").getEffectiveQos()).isEqualTo(got);
        assertThat(weir.lastAnswers())
                .extracting(RequestResult::getOutcome)
                .containsExactly("vip".equals(got) ? RequestOutcome.ACCEPTED : RequestOutcome.REFUSED);
    }

    @Test
    void shouldChangeAJobOnRequest() {
        SchedulerFixture weir = busy("USERCFG[ann] QLIST=low,high QDEF=low", 1)
                .submit("a", 1, HOUR)
                .iterate(1);
        change(weir, RequestKind.MODIFY_JOB, "a", "qos", "high", 2);
        assertThat(weir.job("a").getEffectiveQos()).isEqualTo("high");
        change(weir, RequestKind.MODIFY_JOB, "a", "qos", "top", 3);
        assertThat(weir.lastAnswers()).extracting(RequestResult::getOutcome).containsExactly(RequestOutcome.REFUSED);
        change(weir, RequestKind.MODIFY_JOB, "a", "message", "ask bob", 4);
        assertThat(weir.job("a").getMessages()).containsExactly("ask bob");
        change(weir, RequestKind.MODIFY_JOB, "a", "wclimit", "+30:00", 5);
        assertThat(weir.lastCommands()).singleElement().satisfies(command -> {
            assertThat(command.getKind()).isEqualTo(CommandKind.MODIFY_JOB);
            assertThat(command.getWalltimeSeconds()).isEqualTo(5400);
        });
        change(weir, RequestKind.MODIFY_JOB, "a", "shoes", "brown", 6);
        assertThat(weir.lastAnswers())
                .extracting(RequestResult::getMessage)
                .singleElement()
                .asString()
                .contains("shoes");
    }

    @Test
    void shouldSuspendAndResumeOnRequest() {
        SchedulerFixture weir = busy("", 1).submit("a", 1, HOUR);
        weir.request("1", RequestKind.RESUME_JOB, "busy").iterate(1);
        assertThat(weir.lastAnswers()).extracting(RequestResult::getOutcome).containsExactly(RequestOutcome.REFUSED);
        weir.request("2", RequestKind.SUSPEND_JOB, "busy").iterate(2).answer("busy", CommandOutcome.DONE, 2);
        assertThat(weir.lastCommands())
                .singleElement()
                .satisfies(c -> assertThat(c.getKind()).isEqualTo(CommandKind.SUSPEND_JOB));
        weir.report("busy", JobState.SUSPENDED, Long.MAX_VALUE);
        weir.request("3", RequestKind.RESUME_JOB, "busy").iterate(3);
        assertThat(weir.lastCommands())
                .singleElement()
                .satisfies(c -> assertThat(c.getKind()).isEqualTo(CommandKind.RESUME_JOB));
    }

    @Test
    void shouldCountHowOftenAJobIsPassedOver() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("BYPASSWEIGHT 10")
                .nodes(1, 4)
                .submit("runs", 2, 10 * HOUR)
                .iterate(0)
                .submit("wide", 4, 1, HOUR, 1)
                .submit("s1", 1, 1, HOUR, 2)
                .submit("s2", 1, 1, HOUR, 3)
                .iterate(3);

        assertThat(weir.job("wide").getBypassCount()).isEqualTo(2);
        assertThat(weir.job("s1").getBackfilled()).isTrue();
        assertThat(priority(weir, "wide", 3)).containsEntry("Serv(Bypass)", "20 2 10");
    }

    /** A job with such a priority of its owner stands as one that came so many minutes earlier, or later. */
    @ParameterizedTest
    @CsvSource({
        "'', -100, 0, 10, late",
        "'', -100, 0, 5980, late",
        "'', -100, 0, 6060, early",
        "'', -100, -200, 10, early",
        "'', 0, 5, 200, late",
        "'', 0, 5, 400, early",
        "USERPRIOWEIGHT 0, -100, 0, 10, early",
        "USERPRIOWEIGHT 2, -100, 0, 11940, late",
        "USERPRIOWEIGHT 2, -100, 0, 12060, early",
        "USERPRIOCAP 10, -100, 0, 540, late",
        "USERPRIOCAP 10, -100, 0, 660, early",
        "USERPRIOCAP 10, 0, 100, 540, late",
        "USERPRIOCAP 10, 0, 100, 660, early",
        "SERVICEWEIGHT 0, -100, 0, 10, early",
        "ENABLENEGJOBPRIORITY TRUE, -100, 0, 5900, late",
    })
    void shouldRankAJobByItsOwnersPriority(String policy, int ofEarly, int ofLate, long apart, String first) {
        SchedulerFixture weir = busy(policy, 1)
                .submit("early", 1, HOUR, job -> job.setUserPriority(ofEarly).setSubmitTime(SchedulerFixture.at(1)))
                .iterate(1);
        long later = 1 + apart;
        weir.submit("late", 1, HOUR, job -> job.setUserPriority(ofLate).setSubmitTime(SchedulerFixture.at(later)))
                .iterate(later)
                .end("busy", later + 1)
                .iterate(later + 1);

        assertThat(weir.lastCommands()).extracting(RmCommand::getJobId).containsExactly(first);
    }

    @Test
    void shouldTellOfTheOwnersPriority() {
        SchedulerFixture weir = busy("", 1)
                .submit("a", 1, HOUR, job -> job.setUserPriority(-100))
                .submit("b", 1, HOUR)
                .iterate(0);

        assertThat(priority(weir, "a", 120))
                .containsEntry("Serv(UPrio)", "-100 -100 1")
                .containsEntry("priority", "-98");
        assertThat(priority(weir, "b", 120)).doesNotContainKey("Serv(UPrio)").containsEntry("priority", "2");
        assertThat(weir.job("a").getUserPriority()).isEqualTo(-100);
    }

    @Test
    void shouldForgetUseOlderThanTheDepth() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("""
                        FSPOLICY DEDICATEDPS
                        FSINTERVAL 1:00:00
                        FSDEPTH 2
                        FSDECAY 0.5
                        FSUSERWEIGHT 1
                        QUEUETIMEWEIGHT 0
                        ENABLENEGJOBPRIORITY TRUE
                        USERCFG[ann] FSTARGET=50
                        USERCFG[bob] FSTARGET=50
                        """)
                .nodes(1, 1)
                .submit("1", 1, 10 * HOUR)
                .iterate(SchedulerFixture.HOUR_ALIGNED)
                .end("1", SchedulerFixture.HOUR_ALIGNED + HOUR)
                .submit("2", 1, 100 * HOUR, job -> job.setUser("bob"))
                .submit("a", 1, HOUR)
                .iterate(SchedulerFixture.HOUR_ALIGNED + HOUR);
        long start = SchedulerFixture.HOUR_ALIGNED + HOUR;
        // ann used all of the hour before the present one, bob nothing yet.
        assertThat(priority(weir, "a", start)).containsEntry("FS(User)", "-50 -50 1");
        // half an hour of bob's counts as much as an hour of ann's, which is halved.
        assertThat(priority(weir, "a", start + HOUR / 2)).containsEntry("FS(User)", "0 0 1");
        // ann's hour is two windows old.
        assertThat(priority(weir, "a", start + HOUR)).containsEntry("FS(User)", "50 50 1");
    }

    /** Ann's job asks for one processor of the eight that it has to itself, bob's for all of them. */
    @Test
    @Feature("RSV-4")
    void shouldCountWhatJobsHaveToThemselvesAsUse() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("""
                        NODEACCESSPOLICY SINGLEJOB
                        FSPOLICY DEDICATEDPS
                        FSUSERWEIGHT 1
                        USAGEWEIGHT 1
                        USERCFG[DEFAULT] FSTARGET=50
                        """)
                .nodes(2, 8)
                .submit("1", 1, HOUR)
                .submit("2", 8, HOUR, job -> job.setUser("bob"))
                .iterate(0)
                .submit("a", 1, HOUR)
                .iterate(600);

        assertThat(priority(weir, "a", 600)).containsEntry("FS(User)", "0 0 1");
        assertThat(priority(weir, "1", 600)).containsEntry("Usage(Consumed)", "4800 4800 1");
    }

    @Test
    void shouldKeepUseAndOrderOverARebuild() {
        String policy = """
                FSPOLICY DEDICATEDPS
                FSINTERVAL 0:10:00
                FSUSERWEIGHT 7
                XFACTORWEIGHT 3
                USERCFG[DEFAULT] FSTARGET=50
                CLASSCFG[fast] PRIORITY=60
                """;
        assertThat(life(new SchedulerFixture().rebuildingAlways(), policy))
                .isEqualTo(life(new SchedulerFixture(), policy));
    }

    /** An answer with every component of the priority holds a thousand jobs. */
    @Test
    void shouldTellTheOrderOfALongQueue() {
        SchedulerFixture weir = busy("USERCFG[ann] PRIORITY=100\nCREDWEIGHT 1\nUSERWEIGHT 1\nQUEUETIMEWEIGHT 0\n", 1);
        for (int i = 0; i < 5_000; i++) {
            int number = i;
            weir.submit("j" + i, 1, FULL, job -> job.setUser(number == 4_999 ? "ann" : "bob"));
        }
        weir.request("brief", RequestKind.SHOW_PRIORITY, "ALL", List.of(new NameValue("form", "brief")))
                .iterate(0);

        List<String> words = new ArrayList<>();
        for (RequestResult result : weir.lastAnswers()) {
            assertThat(result.getMessage()).isEqualTo("5000 jobs wait");
            for (NameValue line : result.getDetails()) {
                words.addAll(List.of(line.getValue().split(" +")));
            }
        }
        assertThat(words).startsWith("5000", "100", "j4999", "1", "j0", "j1").endsWith("j4998");
        assertThat(words.stream().filter(word -> word.startsWith("j"))).hasSize(5_000);
    }

    private static List<Output> life(SchedulerFixture weir, String policy) {
        weir.policy(policy).nodes(2, 2);
        for (int i = 0; i < 30; i++) {
            String user = i % 3 == 0 ? "bob" : "ann";
            String jobClass = i % 4 == 0 ? "fast" : "slow";
            long submit = 100L * i;
            weir.submit(
                    "j" + i,
                    1 + i % 3,
                    300L + 50 * (i % 7),
                    job -> job.setUser(user).setJobClass(jobClass).setSubmitTime(SchedulerFixture.at(submit)));
            if (i % 5 == 3) {
                weir.request("q" + i, RequestKind.SHOW_PRIORITY, "ALL");
            }
            weir.iterate(submit);
        }
        return weir.outputs;
    }
}

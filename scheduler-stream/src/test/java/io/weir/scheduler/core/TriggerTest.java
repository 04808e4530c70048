package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.trigger.TriggerText;
import io.weir.scheduler.state.TriggerRecord;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Measurement;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.TriggerFiring;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class TriggerTest {
    private static final String TEMPERATURE = """
            NODECFG[DEFAULT] TRIGGER=EType=threshold,Threshold=gmetric[temp]>34,AType=internal,Action="node:-:reserve",RearmTime=30,FailOffset=2:00,Sets=temp_rsv
            NODECFG[DEFAULT] TRIGGER=EType=threshold,Threshold=gmetric[temp]>40,AType=internal,Action="node:-:evacuate",RearmTime=3:00,Requires=temp_rsv,Sets=node_evac
            NODECFG[DEFAULT] TRIGGER=EType=threshold,Threshold=gmetric[temp]<25,AType=internal,Action="node:-:release",RearmTime=30,Requires=temp_rsv,Unsets=temp_rsv.node_evac
            """;

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private void temperature(double value, long time) {
        site.node("n1", 4, NodeState.IDLE, node -> node.setMetrics(List.of(new Measurement("temp", value))));
        site.iterate(time);
    }

    private long reservations() {
        return site.publishedReservations.size();
    }

    private SortedMap<String, String> variables(String type, String id) {
        SortedMap<String, String> variables = new TreeMap<>();
        site.snapshot().stream()
                .filter(change -> change.value() instanceof TriggerRecord record
                        && record.getObjectType().equals(type)
                        && record.getObjectId().equals(id))
                .map(change -> (TriggerRecord) change.value())
                .forEach(record -> record.getVariables().forEach(v -> variables.put(v.getName(), v.getValue())));
        return variables;
    }

    private void answer(TriggerFiring firing, DeliveryOutcome outcome, Integer code, NameValue... values) {
        site.fact(DeliveryResult.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setDeliveryId(firing.getFiringId())
                .setChannel("exec")
                .setOutcome(outcome)
                .setAttempts(1)
                .setTime(at(0))
                .setKind("firing")
                .setTriggerId(firing.getTriggerId())
                .setCode(code)
                .setVariables(List.of(values))
                .build());
    }

    private TriggerFiring fired() {
        assertThat(site.lastFirings()).hasSize(1);
        return site.lastFirings().get(0);
    }

    /** Accounts that do not take a charge for the moment are one thing, a charge that they refuse is another. */
    @Test
    @Feature("CHG-9")
    void shouldTellOfChargesThatAreNotBooked() {
        for (DeliveryOutcome outcome : List.of(DeliveryOutcome.FAILED, DeliveryOutcome.DEAD)) {
            site.fact(DeliveryResult.newBuilder()
                    .setCluster(SchedulerFixture.CLUSTER)
                    .setDeliveryId("c/charge/7")
                    .setChannel("am")
                    .setOutcome(outcome)
                    .setAttempts(1)
                    .setTime(at(0))
                    .setKind("charge")
                    .setMessage("no space left")
                    .build());
        }
        site.iterate(1);
        assertThat(site.lastNotifications())
                .filteredOn(notice -> notice.getEvent().equals("amfailure"))
                .extracting(Notification::getText)
                .satisfiesExactlyInAnyOrder(
                        kept -> assertThat(kept).contains("is not booked yet by am: no space left; it is kept"),
                        lost -> assertThat(lost).contains("is not booked by am", "among the dead letters"));
    }

    @Test
    @Feature("TRIG-2")
    void TG1() {
        site.policy(TEMPERATURE);
        temperature(35, 0);
        temperature(36, 60);
        assertThat(reservations()).isZero();
        temperature(36, 120);
        assertThat(reservations()).isEqualTo(1);
        assertThat(variables("node", "n1")).containsEntry("temp_rsv", "TRUE");
    }

    @Test
    @Feature("TRIG-2")
    void shouldRestartTheClockOfAThresholdThatIsNotPassedAnyMore() {
        site.policy(TEMPERATURE);
        temperature(35, 0);
        temperature(33, 60);
        temperature(36, 90);
        temperature(36, 120);
        assertThat(reservations()).isZero();
        assertThat(site.lastResult.nextWake()).isEqualTo(at(210));
        site.iterate(210);
        assertThat(reservations()).isEqualTo(1);
    }

    @Test
    @Feature("TRIG-2")
    void TG2() {
        site.policy(TEMPERATURE).nodes(1, 4);
        site.adopt("j", 2, 1000, 0, "n1");
        temperature(41, 0);
        temperature(41, 10);
        assertThat(site.lastCommands()).isEmpty();
        assertThat(variables("node", "n1")).isEmpty();
    }

    @Test
    @Feature("TRIG-2")
    void TG3() {
        site.policy(TEMPERATURE);
        temperature(36, 0);
        site.iterate(120);
        assertThat(reservations()).isEqualTo(1);
        site.iterate(150);
        assertThat(reservations()).isEqualTo(1);
        assertThat(runs("node", "n1")).isEqualTo(2);
    }

    private long runs(String type, String id) {
        return site.snapshot().stream()
                .filter(change -> change.value() instanceof TriggerRecord record
                        && record.getObjectType().equals(type)
                        && record.getObjectId().equals(id))
                .flatMap(change -> ((TriggerRecord) change.value()).getInstances().stream())
                .mapToLong(instance -> instance.getRuns())
                .sum();
    }

    @Test
    @Feature("TRIG-2")
    void TG4() {
        site.policy(TEMPERATURE);
        temperature(36, 0);
        site.iterate(120);
        assertThat(reservations()).isEqualTo(1);
        temperature(24, 300);
        assertThat(reservations()).isZero();
        assertThat(variables("node", "n1")).isEmpty();
    }

    @Test
    @Feature("TRIG-4")
    void TG5() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=fail,AType=exec,Action=\"/opt/fix $OID\",Sets=!A.B,MultiFire=TRUE")
                .nodes(1, 4)
                .iterate(0);
        site.node("n1", 4, NodeState.DOWN).iterate(10);
        answer(fired(), DeliveryOutcome.FAILED, 1);
        site.iterate(20);
        assertThat(variables("node", "n1").keySet()).containsExactly("A");
        site.node("n1", 4, NodeState.IDLE).iterate(30);
        site.policy(
                "NODECFG[DEFAULT] TRIGGER=EType=fail,AType=exec,Action=\"/opt/fix $OID\",Sets=!A.B,Unsets=A,MultiFire=TRUE");
        site.iterate(40);
        site.node("n1", 4, NodeState.DOWN).iterate(50);
        answer(fired(), DeliveryOutcome.DELIVERED, 0, new NameValue("B", "7"), new NameValue("X", "8"));
        site.iterate(60);
        assertThat(variables("node", "n1")).containsOnlyKeys("B").containsEntry("B", "7");
    }

    @Test
    @Feature("TRIG-1")
    void TG6() {
        site.policy("""
                NODECFG[DEFAULT] TRIGGER=EType=gevent:ask,AType=exec,Action=/opt/ask,Sets=Var1,MultiFire=TRUE
                NODECFG[DEFAULT] TRIGGER=EType=gevent:go,AType=mail,Action=go,Requires=Var1:eq:45,MultiFire=TRUE
                """).nodes(1, 4).iterate(0);
        event("go", 1);
        site.iterate(1);
        assertThat(site.lastFirings()).as("not set").isEmpty();
        event("ask", 2);
        site.iterate(2);
        answer(fired(), DeliveryOutcome.DELIVERED, 0, new NameValue("Var1", "44"));
        site.iterate(3);
        assertThat(site.lastFirings()).as("44").isEmpty();
        event("ask", 4);
        site.iterate(4);
        answer(fired(), DeliveryOutcome.DELIVERED, 0, new NameValue("Var1", "45"));
        site.iterate(5);
        assertThat(fired().getActionType()).isEqualTo("mail");
    }

    private void event(String name, long time) {
        site.fact(new GenericEvent(SchedulerFixture.CLUSTER, name, "node", "n1", null, at(time), null, true, null));
    }

    @Test
    @Feature("TRIG-1")
    void TG7() {
        site.nodes(1, 4).iterate(0);
        site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(
                                new NameValue("hostexp", "^n1$"),
                                new NameValue("starttime", "+3600"),
                                new NameValue("duration", "1:00:00"),
                                new NameValue("trigger", "EType=start,AType=mail,Action=soon,Offset=-2:00"),
                                new NameValue("trigger", "EType=start,AType=mail,Action=begun,Offset=0:30")))
                .iterate(1);
        assertThat(site.lastAnswers())
                .singleElement()
                .satisfies(answer ->
                        assertThat(answer.getOutcome()).as(answer.getMessage()).isEqualTo(RequestOutcome.ACCEPTED));
        long start =
                site.publishedReservations.values().iterator().next().getStart().getEpochSecond() - SchedulerFixture.T0;
        site.iterate(start - 121);
        assertThat(site.lastFirings()).isEmpty();
        assertThat(site.lastResult.nextWake()).isEqualTo(at(start - 120));
        site.iterate(start - 120);
        assertThat(fired().getBody()).isEqualTo("soon");
        site.iterate(start);
        assertThat(site.lastFirings()).isEmpty();
        site.iterate(start + 30);
        assertThat(fired().getBody()).isEqualTo("begun");
    }

    @Test
    @Feature({"TRIG-4", "CAT-34"})
    void TG8() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=fail,AType=exec,Action=/opt/fix,MaxRetry=2")
                .nodes(1, 4)
                .iterate(0);
        site.node("n1", 4, NodeState.DOWN);
        for (int run = 1; run <= 3; run++) {
            site.iterate(10 * run);
            assertThat(fired().getAttempt()).isEqualTo(run);
            answer(fired(), DeliveryOutcome.FAILED, 1);
        }
        site.iterate(40);
        assertThat(site.lastFirings()).isEmpty();
        assertThat(site.lastNotifications()).extracting(Notification::getEvent).contains("trigfail");
    }

    @Test
    @Feature("TRIG-4")
    void shouldAttachWhatAProgramComplainedOfToItsObject() {
        site.policy("NODECFG[n1] TRIGGER=EType=fail,AType=exec,Action=/opt/fix,Flags=attacherror\n"
                        + "NODECFG[n2] TRIGGER=EType=fail,AType=exec,Action=/opt/fix")
                .nodes(2, 4)
                .iterate(0);
        for (String node : List.of("n1", "n2")) {
            site.node(node, 4, NodeState.DOWN).iterate(10);
            site.fact(DeliveryResult.newBuilder()
                    .setCluster(SchedulerFixture.CLUSTER)
                    .setDeliveryId(fired().getFiringId())
                    .setChannel("exec")
                    .setOutcome(DeliveryOutcome.DELIVERED)
                    .setAttempts(1)
                    .setTime(at(0))
                    .setKind("firing")
                    .setCode(0)
                    .setErrors("no such disk" + "!".repeat(5_000))
                    .build());
            site.iterate(20);
        }
        List<String> attached = site.outputs.stream()
                .map(Output::value)
                .filter(NodeStatus.class::isInstance)
                .map(NodeStatus.class::cast)
                .flatMap(node -> node.getMessages().stream().map(text -> node.getNodeId() + " " + text))
                .toList();
        assertThat(attached)
                .isNotEmpty()
                .allSatisfy(text -> assertThat(text)
                        .startsWith("n1 ")
                        .contains("NODECFG.n1.1: no such disk!!")
                        .hasSizeLessThan(1_100));
    }

    @Test
    @Feature("TRIG-5")
    void shouldSendAMailWhenANodeFails() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=fail,AType=mail,Action=\"node $OID failed at $TIME\"\n"
                        + "ADMINCFG[1] USERS=root,second")
                .nodes(1, 4)
                .iterate(0);
        site.node("n1", 4, NodeState.DOWN).iterate(10);
        assertThat(fired().getBody()).isEqualTo("node n1 failed at Mon Jan 12 13:46:50 1970");
        assertThat(fired().getRecipients()).containsExactly("root");
    }

    @Test
    @Feature("TRIG-1")
    void shouldPutInWhatWasSaidWithAnEvent() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=gevent:fan,AType=mail,Action=\"$OID: $MESSAGE ($COUNT)\"")
                .nodes(1, 4)
                .iterate(0);
        site.request("r", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("gevent", "fan:it's $OID; stopped")))
                .iterate(10);
        site.iterate(11);
        assertThat(fired().getBody()).isEqualTo("n1: it's $OID; stopped (1)");
    }

    @Test
    @Feature("TRIG-1")
    void shouldMakeNoTriggerOfWhatIsNone() {
        assertThat(SitePolicy.read("""
                        NODECFG[n1] TRIGGER=EType=hold,AType=mail,Action=x
                        NODECFG[n2] TRIGGER=EType=fail,AType=dance,Action=x
                        NODECFG[n3] TRIGGER=EType=fail,AType=mail
                        NODECFG[n4] TRIGGER=EType=fail,AType=mail,Action=x,Colour=red
                        SCHEDCFG[s] TRIGGER=EType=standing,AType=mail,Action=x
                        """).problems())
                .extracting(Object::toString)
                .anySatisfy(text -> assertThat(text).contains("EType hold does not exist for node"))
                .anySatisfy(text -> assertThat(text).contains("dance"))
                .anySatisfy(text -> assertThat(text).contains("action is missing"))
                .anySatisfy(text -> assertThat(text).contains("'colour' is no attribute"))
                .anySatisfy(text -> assertThat(text).contains("Period goes with"));
    }

    @Test
    @Feature("TRIG-1")
    void shouldMakeNoSecondTriggerOfAName() {
        String cool = "Name=cool,EType=fail,AType=mail,Action=x";
        assertThat(SitePolicy.read("NODECFG[n1] TRIGGER=" + cool + "\nNODECFG[n1] TRIGGER=" + cool
                                + "\nNODECFG[n2] TRIGGER=" + cool)
                        .problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.toString()).contains("NODECFG[n1]", "name cool"));

        site.policy("NODECFG[n1] TRIGGER=" + cool).nodes(2, 4).iterate(0);
        attach("a", "n1", cool);
        attach("b", "n1", cool.replace("cool", "warm"));
        attach("c", "n1", cool.replace("cool", "warm"));
        attach("d", "n2", cool);
        site.iterate(10);
        assertThat(site.lastAnswers())
                .extracting(answer -> answer.getRequestId() + " " + answer.getOutcome())
                .containsExactlyInAnyOrder("a REFUSED", "b ACCEPTED", "c REFUSED", "d ACCEPTED");
        site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(
                                new NameValue("hostexp", "^n2$"),
                                new NameValue("trigger", "Name=x,EType=start,AType=mail,Action=x"),
                                new NameValue("trigger", "Name=x,EType=end,AType=mail,Action=x")))
                .iterate(20);
        assertThat(site.lastAnswers())
                .singleElement()
                .satisfies(answer -> assertThat(answer.getMessage()).contains("name x stands for two"));
    }

    private void attach(String id, String node, String trigger) {
        site.request(id, RequestKind.MODIFY_NODE, node, List.of(new NameValue("trigger", trigger)));
    }

    @Test
    @Feature({"TRIG-3", "CAT-33"})
    void shouldChangeTheConfigurationSoThatJobsGoElsewhere() {
        site.policy("NODEALLOCATIONPOLICY PRIORITY\nNODECFG[n1] PRIORITY=5\n"
                        + "NODECFG[n1] TRIGGER=EType=gevent:sick,AType=changeparam,Action=\"NODECFG[n1] PRIORITY=-5\"\n"
                        + "NODECFG[n1] TRIGGER=EType=gevent:sick,AType=changeparam,Action=\"BACKFILLDEPTH 7\"")
                .nodes(2, 4)
                .submit("before", 1, 1_000)
                .iterate(0);
        assertThat(site.job("before").getAllocation().get(0).getNodeId()).isEqualTo("n1");
        event("sick", 10);
        site.submit("after", 1, 1_000).iterate(10);
        assertThat(site.policyText()).contains("BACKFILLDEPTH 7");
        assertThat(site.job("after").getAllocation().get(0).getNodeId()).isEqualTo("n2");
    }

    @Test
    @Feature({"TRIG-6", "TRIG-7", "TRIG-8"})
    void shouldKeepHostileValuesApartFromWhatTheyAreTextsOf() {
        String evil = "a'; DROP TABLE x;--\r\nBcc: all@site \"}$(reboot)&x=../..";
        site.policy("""
                NODECFG[DEFAULT] TRIGGER=EType=fail,AType=dbupdate,Action="site UPDATE t SET why=? WHERE n=? | $MESSAGE | $OID"
                NODECFG[DEFAULT] TRIGGER=EType=fail,AType=http,Action="POST https://h/x?why=$MESSAGE {'m': '$MESSAGE'}",Env=H_X=$MESSAGE
                NODECFG[DEFAULT] TRIGGER=EType=fail,AType=snmp,Action="trap:162 public 1.3.6.1 $MESSAGE"
                NODECFG[DEFAULT] TRIGGER=EType=fail,AType=exec,Action="/opt/fix --why $MESSAGE '$OID x' \\$HOME $NOBODY"
                NODECFG[DEFAULT] TRIGGER=EType=fail,AType=mail,Action="down: $MESSAGE|body $MESSAGE"
                """).nodes(1, 4).iterate(0);
        site.node("n1", 4, NodeState.DOWN, node -> node.setReason(evil)).iterate(10);
        SortedMap<String, TriggerFiring> firings = new TreeMap<>();
        site.lastFirings().forEach(firing -> firings.put(firing.getActionType(), firing));
        assertThat(firings).containsOnlyKeys("dbupdate", "http", "snmp", "exec", "mail");
        assertThat(firings.get("dbupdate").getSettings())
                .containsExactly(new NameValue("statement", "UPDATE t SET why=? WHERE n=?"));
        assertThat(firings.get("dbupdate").getArguments()).hasSize(2).last().isEqualTo("n1");
        assertThat(firings.get("http").getTarget())
                .startsWith("https://h/x?why=a%27%3B%20DROP")
                .doesNotContain("&")
                .doesNotContain("\"");
        assertThat(firings.get("http").getBody()).contains("\\\"}$(reboot)");
        assertThat(firings.get("http").getSettings().get(1).getValue()).doesNotContain("\r", "\n");
        assertThat(firings.get("snmp").getBody()).doesNotContain("\r", "\n");
        assertThat(firings.get("exec").getArguments())
                .hasSize(5)
                .startsWith("--why")
                .contains("n1 x", "$HOME", "$NOBODY");
        assertThat(firings.get("exec").getArguments().get(1)).contains("DROP").doesNotContain("\n");
        assertThat(firings.get("mail").getSettings().get(0).getValue()).doesNotContain("\r", "\n");
    }

    @Test
    @Feature({"TRIG-3", "TRIG-4"})
    void shouldMakeNoOtherChangeOfAValueThatLooksLikeOne() {
        site.policy("""
                NODECFG[n1] TRIGGER=EType=gevent:say,AType=internal,Action="node:-:modify:message=$MESSAGE"
                NODECFG[n1] TRIGGER=EType=gevent:set,AType=changeparam,Action="NODECFG[n2] COMMENT=$MESSAGE"
                NODECFG[n1] TRIGGER=EType=gevent:stop,AType=jobaction,Action="notify:$MESSAGE;user=ann"
                NODECFG[n1] TRIGGER=EType=gevent:run,AType=exec,Action="/opt/fix $MESSAGE"
                """).nodes(2, 4).iterate(0);
        site.submit("a", 1, 1_000)
                .runsOn("a", Long.MAX_VALUE, new NodeAllocation("n1", 1))
                .iterate(1);

        said("say", "hot;state=Drained", 10);
        site.iterate(10).iterate(11);
        assertThat(site.lastCommands()).isEmpty();
        assertThat(site.snapshot())
                .extracting(Change::value)
                .filteredOn(NodeStatus.class::isInstance)
                .extracting(status -> ((NodeStatus) status).getMarks().toString())
                .anyMatch(marks -> marks.contains("hot;state=Drained"));

        said("set", "x PRIORITY=-1 TRIGGER=\"EType=fail\"", 20);
        site.iterate(20).iterate(21);
        assertThat(site.policyText())
                .contains("NODECFG[n2] COMMENT=x_PRIORITY_-1_TRIGGER__EType_fail_")
                .doesNotContain(" PRIORITY=-1");

        said("stop", "hot;user=nobody", 30);
        site.iterate(30);
        assertThat(site.lastNotifications())
                .filteredOn(each -> each.getEvent().equals("jobnotify"))
                .singleElement()
                .satisfies(each -> assertThat(each.getText()).contains("hot;user=nobody"));

        said("run", "--force", 40);
        site.iterate(40);
        assertThat(site.lastFirings())
                .singleElement()
                .satisfies(each -> assertThat(each.getArguments()).containsExactly(" --force"));
    }

    private void said(String name, String message, long time) {
        site.fact(new GenericEvent(SchedulerFixture.CLUSTER, name, "node", "n1", message, at(time), null, true, null));
    }

    @Test
    void shouldChangeNoTriggerByARequestThatIsRefused() {
        NameValue mail = new NameValue("trigger", "EType=end,AType=mail,Action=over");
        site.policy("ADMINCFG[1] USERS=root").nodes(1, 4).submit("a", 1, 1000).iterate(0);
        site.request("1", RequestKind.MODIFY_JOB, "a", Collections.nCopies(11, mail))
                .request("2", RequestKind.MODIFY_JOB, "a", Collections.nCopies(10, mail))
                .request("3", RequestKind.MODIFY_JOB, "a", List.of(new NameValue("untrigger", "t1"), mail, mail))
                .request(
                        "4",
                        RequestKind.MODIFY_JOB,
                        "a",
                        List.of(new NameValue("untrigger", "t1"), new NameValue("untrigger", "t99")))
                .request("5", RequestKind.MODIFY_JOB, "a", List.of(new NameValue("untrigger", "t1"), mail))
                .iterate(10);

        assertThat(site.lastAnswers())
                .extracting(answer -> answer.getRequestId() + answer.getOutcome())
                .containsExactly("1REFUSED", "2ACCEPTED", "3REFUSED", "4REFUSED", "5ACCEPTED");
        assertThat(site.lastAnswers().get(1).getMessage()).startsWith("trigger t1 attached");
        assertThat(site.lastAnswers().get(4).getMessage()).isEqualTo("trigger t1 taken away, trigger t11 attached");
    }

    @Test
    @Feature("TRIG-1")
    void shouldLetOwnersHaveTriggersThatDoNotReachBeyondTheirJobs() {
        site.policy("QOSCFG[t] QFLAGS=TRIGGER\nUSERCFG[ann] QDEF=t QLIST=t\nADMINCFG[1] USERS=root")
                .nodes(1, 4)
                .submit("a", 1, 1000)
                .iterate(0);
        site.requestBy(
                        "ann",
                        "1",
                        RequestKind.MODIFY_JOB,
                        "a",
                        new NameValue("trigger", "EType=end,AType=mail,Action=over"))
                .requestBy(
                        "ann",
                        "2",
                        RequestKind.MODIFY_JOB,
                        "a",
                        new NameValue("trigger", "EType=end,AType=exec,Action=/bin/sh"))
                .requestBy(
                        "bob",
                        "3",
                        RequestKind.MODIFY_JOB,
                        "a",
                        new NameValue("trigger", "EType=end,AType=mail,Action=x"))
                .iterate(10);
        assertThat(site.lastAnswers())
                .extracting(answer -> answer.getRequestId() + answer.getOutcome())
                .containsExactlyInAnyOrder("1ACCEPTED", "2REFUSED", "3REFUSED");
        site.end("a", 20).iterate(20);
        assertThat(fired().getRecipients()).containsExactly("ann");
    }

    @Test
    @Feature("TRIG-4")
    void shouldTakeOnlyTheFirstAnswerToAFiringThatIsAwaited() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=fail,AType=exec,Action=/opt/fix,Sets=ok,Timeout=60")
                .nodes(1, 4)
                .iterate(0);
        site.node("n1", 4, NodeState.DOWN).iterate(10);
        TriggerFiring firing = fired();
        answer(TriggerFiring.newBuilder(firing).setFiringId("c/9/9").build(), DeliveryOutcome.DELIVERED, 0);
        site.iterate(20);
        assertThat(variables("node", "n1")).isEmpty();
        site.iterate(670);
        assertThat(site.lastNotifications()).extracting(Notification::getEvent).contains("trigfail");
        answer(firing, DeliveryOutcome.DELIVERED, 0);
        site.iterate(680);
        assertThat(variables("node", "n1")).as("a late answer").isEmpty();
    }

    @Test
    @Feature("TRIG-1")
    void shouldTellWhichTriggersThereAreAndWhereTheyStand() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=fail,AType=exec,Action=\"/opt/fix $OID\",Sets=ok.!bad")
                .nodes(1, 4)
                .iterate(0);
        site.node("n1", 4, NodeState.DOWN).iterate(10);
        answer(fired(), DeliveryOutcome.FAILED, 3);
        site.request("ask", RequestKind.SHOW_TRIGGERS, "ALL").iterate(20);
        assertThat(site.lastAnswers())
                .singleElement()
                .satisfies(answer -> assertThat(answer.getDetails())
                        .contains(
                                new NameValue("trigger", "NODECFG.DEFAULT.1"),
                                new NameValue("state", "CONFIGURED"),
                                new NameValue("object", "node:n1"),
                                new NameValue("state", "FAILURE"),
                                new NameValue("action", "/opt/fix $OID"),
                                new NameValue("output", "FAILED 3"),
                                new NameValue("variables", "bad=TRUE")));
        site.request("other", RequestKind.SHOW_TRIGGERS, "n2").iterate(30);
        assertThat(site.lastAnswers().get(0).getMessage()).isEqualTo("no triggers");
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireNoMoreTriggersThanAnIterationMay() {
        SchedulerFixture site =
                new SchedulerFixture().policy("NODECFG[DEFAULT] TRIGGER=EType=fail,AType=mail,Action=$OID");
        for (int i = 0; i < 1_200; i++) {
            site.node("s" + i, 1, NodeState.IDLE);
        }
        site.iterate(0);
        for (int i = 0; i < 1_200; i++) {
            site.node("s" + i, 1, NodeState.DOWN);
        }
        int fired = 0;
        for (int i = 1; i <= 3; i++) {
            site.iterate(i);
            assertThat(site.lastFirings()).hasSizeBetween(200, 500);
            fired += site.lastFirings().size();
        }
        assertThat(fired).isEqualTo(1_200);
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireWithAPeriodAndWhenAReservationIsReleased() {
        site.policy(
                        "SCHEDCFG[s] MODE=NORMAL\nSCHEDCFG[DEFAULT] TRIGGER=EType=epoch,Period=HOUR,Offset=10,AType=mail,Action=hour")
                .nodes(1, 4)
                .iterate(0);
        site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(
                                new NameValue("hostexp", "^n1$"),
                                new NameValue("trigger", "EType=cancel,AType=mail,Action=gone")))
                .iterate(1);
        String id = site.publishedReservations.keySet().iterator().next();
        site.request("x", RequestKind.RELEASE_RESERVATION, id).iterate(2);
        site.iterate(3);
        assertThat(fired().getBody()).isEqualTo("gone");
        site.iterate(SchedulerFixture.HOUR_ALIGNED + 10);
        assertThat(fired().getBody()).isEqualTo("hour");
    }

    /** What one attribute says already may be said by another, too. */
    @Test
    void shouldTakeATriggerThatSaysTwiceThatItFiresAgain() {
        for (String more : List.of("RearmTime=10,MultiFire=TRUE", "Interval=TRUE,MultiFire=TRUE", "MultiFire=FALSE")) {
            assertThat(TriggerText.read("EType=fail,AType=mail,Action=down," + more)
                            .problem())
                    .as(more)
                    .isNull();
        }
        assertThat(TriggerText.read("EType=fail,AType=mail,Action=down,RearmTime=10,MultiFire=perhaps")
                        .problem())
                .isEqualTo("multifire is 'perhaps'; TRUE or FALSE is needed");
    }

    @Test
    void shouldNotActOnMoreJobsThanItsRequestsFitAnIteration() {
        SchedulerFixture large = new SchedulerFixture();
        large.policy("NODECFG[DEFAULT] TRIGGER=EType=gevent:fan,AType=jobaction,Action=cancel,RearmTime=1")
                .node("n1", 600, NodeState.IDLE);
        for (int i = 0; i < 501; i++) {
            large.submit("j" + i, 1, 1_000);
        }
        large.iterate(0);
        large.fact(fan(1));
        large.iterate(1);

        assertThat(large.lastCommands()).isEmpty();
        assertThat(large.lastAnswers()).isEmpty();
        assertThat(large.snapshot().toString()).contains("there are 501 jobs on it; one action reaches 500");

        large.end("j0", 2).iterate(2);
        large.fact(fan(3));
        large.iterate(3);
        assertThat(large.lastAnswers()).isNotEmpty();
    }

    @Test
    void shouldFireForEventsOfOneSecondUnlessTheyAreOfOneInstant() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=gevent:fan,AType=mail,Action=down,MultiFire=TRUE")
                .node("n1", 4, NodeState.IDLE)
                .iterate(0);
        site.fact(fanAtMillis(1_200));
        site.iterate(1);
        answer(fired(), DeliveryOutcome.DELIVERED, 0);
        site.fact(fanAtMillis(1_200));
        site.iterate(2);
        assertThat(site.lastFirings()).as("heard of twice").isEmpty();

        site.fact(fanAtMillis(1_700));
        site.iterate(3);
        assertThat(fired().getActionType()).isEqualTo("mail");
    }

    private static GenericEvent fanAtMillis(long millis) {
        return new GenericEvent(
                SchedulerFixture.CLUSTER, "fan", "node", "n1", null, at(0).plusMillis(millis), null, true, null);
    }

    private static GenericEvent fan(long time) {
        return new GenericEvent(SchedulerFixture.CLUSTER, "fan", "node", "n1", null, at(time), null, true, null);
    }
}

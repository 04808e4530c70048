package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.TriggerFiring;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What a trigger waits for fires it once: it is not lost while an action is under way, and not taken for more than it is. */
@NullUnmarked
class TriggerOnceTest {
    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private List<TriggerFiring> fired() {
        return site.outputs.stream()
                .map(Output::value)
                .filter(TriggerFiring.class::isInstance)
                .map(TriggerFiring.class::cast)
                .toList();
    }

    private void answer(TriggerFiring firing, DeliveryOutcome outcome) {
        site.fact(DeliveryResult.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setDeliveryId(firing.getFiringId())
                .setChannel("action")
                .setOutcome(outcome)
                .setAttempts(1)
                .setTime(at(0))
                .setKind("firing")
                .setTriggerId(firing.getTriggerId())
                .build());
    }

    private void answerLast() {
        answer(fired().get(fired().size() - 1), DeliveryOutcome.DELIVERED);
    }

    private void event(String name, boolean active, long time) {
        site.fact(new GenericEvent(SchedulerFixture.CLUSTER, name, "node", "n1", null, at(time), null, active, null));
    }

    private void node(NodeState state, long time) {
        site.node("n1", 4, state).iterate(time);
    }

    private void batch(String id, long walltime) {
        site.submit(id, 2, walltime, report -> report.setJobClass("batch"));
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireAgainForWhatHappenedWhileItsActionWasUnderWay() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=fail,AType=exec,Action=/opt/repair,MultiFire=TRUE")
                .nodes(1, 4)
                .iterate(0);
        node(NodeState.DOWN, 10);
        node(NodeState.IDLE, 20);
        node(NodeState.DOWN, 30);
        assertThat(fired()).as("the repair is under way").hasSize(1);
        answerLast();
        site.iterate(40);
        site.iterate(41);
        assertThat(fired()).as("the node failed again since it began").hasSize(2);
        answerLast();
        site.iterate(50);
        site.iterate(60);
        assertThat(fired()).as("nothing happened since").hasSize(2);
    }

    @Test
    @Feature("TRIG-1")
    void shouldRetryBeforeItFiresForWhatHappenedInBetween() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=fail,AType=exec,Action=/opt/repair,MultiFire=TRUE,MaxRetry=1,"
                        + "RearmTime=5:00")
                .nodes(1, 4)
                .iterate(0);
        node(NodeState.DOWN, 10);
        node(NodeState.IDLE, 20);
        node(NodeState.DOWN, 30);
        answer(fired().get(0), DeliveryOutcome.FAILED);
        site.iterate(40);
        assertThat(fired()).extracting(TriggerFiring::getAttempt).containsExactly(1, 2);
        answerLast();
        site.iterate(50);
        site.iterate(339);
        assertThat(fired()).as("within RearmTime").hasSize(2);
        site.iterate(340);
        assertThat(fired()).extracting(TriggerFiring::getAttempt).containsExactly(1, 2, 1);
    }

    @Test
    @Feature("TRIG-1")
    void shouldNotFireAgainWhatFiresOnce() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=fail,AType=exec,Action=/opt/repair")
                .nodes(1, 4)
                .iterate(0);
        node(NodeState.DOWN, 10);
        node(NodeState.IDLE, 20);
        node(NodeState.DOWN, 30);
        answerLast();
        site.iterate(40);
        site.iterate(41);
        assertThat(fired()).hasSize(1);
    }

    @Test
    @Feature("TRIG-1")
    void shouldNotFireForAnEventThatIsHeardOfTwice() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=gevent:fan,AType=mail,Action=fan,MultiFire=TRUE")
                .nodes(1, 4)
                .iterate(0);
        event("fan", true, 10);
        site.iterate(10);
        answerLast();
        site.iterate(20);
        event("fan", true, 10);
        site.iterate(30);
        site.iterate(31);
        assertThat(fired()).as("the same event at the same instant").hasSize(1);
        event("fan", true, 40);
        site.iterate(40);
        assertThat(fired()).hasSize(2);
    }

    @Test
    @Feature("TRIG-1")
    void shouldNotTakeAReservationThatIsMadeLongerForOneThatStarts() {
        site.policy("RSVPROFILE[p] TRIGGER=EType=start,AType=mail,Action=start,MultiFire=TRUE\n"
                        + "RSVPROFILE[p] TRIGGER=EType=end,AType=mail,Action=end,Offset=-1:00")
                .nodes(1, 4)
                .iterate(0);
        site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(
                                new NameValue("hostexp", "^n1$"),
                                new NameValue("profile", "p"),
                                new NameValue("duration", "1:00:00")))
                .iterate(1);
        site.iterate(2);
        assertThat(fired()).extracting(TriggerFiring::getBody).containsExactly("start");
        answerLast();
        String id = site.publishedReservations.keySet().iterator().next();
        site.request("m", RequestKind.MODIFY_RESERVATION, id, List.of(new NameValue("duration", "2:00:00")))
                .iterate(100);
        assertThat(site.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        site.iterate(3_600);
        assertThat(fired()).as("it goes on").hasSize(1);
        site.iterate(7_200 - 58);
        assertThat(fired()).extracting(TriggerFiring::getBody).containsExactly("start", "end");
    }

    @Test
    @Feature("TRIG-1")
    void shouldNotAnnounceTheEndOfAJobThatIsOver() {
        site.policy("CLASSCFG[batch] TRIGGER=EType=end,AType=mail,Action=soon,Offset=-1:00")
                .nodes(1, 4)
                .iterate(0);
        batch("j", 1_000);
        site.iterate(10);
        site.end("j", 100).iterate(100);
        site.iterate(1_000);
        assertThat(fired()).isEmpty();
    }

    @Test
    @Feature("TRIG-1")
    void shouldAnnounceTheEndOfAJobWhereItIsNow() {
        site.policy("CLASSCFG[batch] TRIGGER=EType=end,AType=mail,Action=soon,Offset=-1:00,MultiFire=TRUE")
                .nodes(1, 4)
                .iterate(0);
        batch("j", 1_000);
        site.iterate(10);
        site.report("j", JobState.RUNNING, Long.MAX_VALUE).iterate(20);
        site.limit("j", 2_000).iterate(30);
        site.iterate(1_949);
        assertThat(fired()).as("it may run longer now").isEmpty();
        site.iterate(1_950);
        assertThat(fired()).hasSize(1);
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireForAHoldOfTheResourceManager() {
        site.policy("CLASSCFG[batch] TRIGGER=EType=hold,AType=mail,Action=held,MultiFire=TRUE")
                .nodes(1, 4)
                .iterate(0);
        site.submit("j", 99, 1_000, report -> report.setJobClass("batch")).iterate(10);
        site.report("j", JobState.HOLD, Long.MAX_VALUE).iterate(20);
        site.iterate(21);
        assertThat(fired()).hasSize(1);
        answerLast();
        site.request("h", RequestKind.HOLD_JOB, "j").iterate(30);
        site.iterate(31);
        assertThat(fired()).as("it was held before").hasSize(1);
    }

    @Test
    @Feature("TRIG-1")
    void shouldRaiseAnEventThatOnlyAnAttachedTriggerWaitsFor() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=fail,AType=event,Action=\"alarm on $OID\"")
                .nodes(1, 4)
                .iterate(0);
        site.request(
                        "t",
                        RequestKind.MODIFY_NODE,
                        "n1",
                        List.of(new NameValue("trigger", "EType=gevent:alarm,AType=mail,Action=heard")))
                .iterate(1);
        node(NodeState.DOWN, 10);
        site.iterate(11);
        site.iterate(12);
        assertThat(fired())
                .as("it is raised here, and no topic of that name is written to")
                .extracting(TriggerFiring::getActionType)
                .containsExactly("mail");
    }

    @Test
    @Feature("NOTE-3")
    void shouldNotEscalateThatAResourceManagerIsAwayThatIsBack() {
        site.policy("GEVENTCFG[rmdown] ACTION=notify ESCALATE=00:30:00:notify:manager\n"
                        + "ADMINCFG[1] USERS=ops\nADMINCFG[2] USERS=boss")
                .nodes(1, 4)
                .heartbeat(1, true, SchedulerFixture.EPOCH, 1)
                .iterate(1);
        site.iterate(5_000);
        site.iterate(5_001);
        site.heartbeat(2, true, SchedulerFixture.EPOCH, 5_002).iterate(5_002);
        for (long time = 5_300, beat = 3; time <= 8_000; time += 300) {
            site.heartbeat(beat++, true, SchedulerFixture.EPOCH, time).iterate(time);
        }
        assertThat(notices("rmdown")).extracting(Notification::getRecipients).containsExactly(List.of("ops"));
    }

    @Test
    @Feature("NOTE-3")
    void shouldNotEscalateThatANodeIsExpectedToFailThatIsResumed() {
        site.policy("GEVENTCFG[nodefailing] ACTION=notify ESCALATE=00:30:00:notify:manager\n"
                        + "ADMINCFG[1] USERS=ops\nADMINCFG[2] USERS=boss")
                .nodes(1, 4)
                .iterate(0);
        site.request("f", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("failing", "=fan")))
                .iterate(10);
        site.iterate(11);
        site.request("g", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("state", "Idle")))
                .iterate(100);
        assertThat(site.lastAnswers().get(0).getOutcome()).isEqualTo(RequestOutcome.ACCEPTED);
        site.iterate(3_600);
        assertThat(notices("nodefailing"))
                .extracting(Notification::getRecipients)
                .containsExactly(List.of("ops"));
    }

    @Test
    @Feature("TRIG-1")
    void shouldActOnBothOfTwoObjectsThatAreCalledTheSame() {
        site.policy("").nodes(2, 4).submit("n1", 99, 1_000).iterate(0);
        NameValue trigger = new NameValue("trigger", "EType=hold,AType=exec,Action=/opt/x,Flags=attacherror");
        site.request("j", RequestKind.MODIFY_JOB, "n1", List.of(trigger));
        site.request(
                "n",
                RequestKind.MODIFY_NODE,
                "n1",
                List.of(new NameValue("trigger", "EType=fail,AType=exec,Action=/opt/x,Flags=attacherror")));
        site.iterate(10);
        site.request("m", RequestKind.HOLD_JOB, "n1");
        site.iterate(11);
        node(NodeState.DOWN, 12);
        site.iterate(13);
        assertThat(fired()).extracting(TriggerFiring::getObjectType).containsExactlyInAnyOrder("job", "node");
        for (TriggerFiring firing : fired()) {
            site.fact(DeliveryResult.newBuilder()
                    .setCluster(SchedulerFixture.CLUSTER)
                    .setDeliveryId(firing.getFiringId())
                    .setChannel("action")
                    .setOutcome(DeliveryOutcome.FAILED)
                    .setAttempts(1)
                    .setTime(at(0))
                    .setKind("firing")
                    .setTriggerId(firing.getTriggerId())
                    .setErrors("no such thing")
                    .build());
        }
        site.iterate(20);
        assertThat(site.lastAnswers())
                .extracting(answer -> answer.getRequestId())
                .doesNotHaveDuplicates();
        assertThat(site.lastAnswers()).hasSize(2);
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireForAThresholdThatIsPassedAnewWhileItsActionIsUnderWay() {
        site.policy(
                        "NODECFG[DEFAULT] TRIGGER=EType=threshold,Threshold=cpuload>3,AType=mail,Action=busy,MultiFire=TRUE")
                .nodes(1, 4)
                .iterate(0);
        load(4, 10);
        assertThat(fired()).hasSize(1);
        load(1, 20);
        load(5, 30);
        answerLast();
        site.iterate(40);
        assertThat(fired()).hasSize(2);
        answerLast();
        site.iterate(50);
        site.iterate(60);
        assertThat(fired()).as("it stays passed").hasSize(2);
    }

    private void load(double load, long time) {
        site.node("n1", 4, NodeState.IDLE, node -> node.setLoad(load)).iterate(time);
    }

    private List<Notification> notices(String event) {
        return site.outputs.stream()
                .map(Output::value)
                .filter(Notification.class::isInstance)
                .map(Notification.class::cast)
                .filter(notice -> notice.getEvent().equals(event))
                .toList();
    }

    @Test
    @Feature("TRIG-1")
    void shouldNotTakeADeliveredNotificationForTheEndOfAnAction() {
        site.policy("NODECFG[DEFAULT] TRIGGER=EType=fail,AType=exec,Action=/opt/repair,MaxRetry=1")
                .nodes(1, 4)
                .iterate(0);
        node(NodeState.DOWN, 10);
        TriggerFiring first = fired().get(0);
        site.fact(DeliveryResult.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setDeliveryId(first.getFiringId())
                .setChannel("file")
                .setOutcome(DeliveryOutcome.DELIVERED)
                .setAttempts(1)
                .setTime(at(0))
                .build());
        site.iterate(11);

        answer(first, DeliveryOutcome.FAILED);
        site.iterate(12);
        site.iterate(13);
        assertThat(fired()).as("the action failed and is tried again").hasSize(2);
    }
}

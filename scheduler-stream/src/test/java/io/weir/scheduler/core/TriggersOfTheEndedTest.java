package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.state.TriggerRecord;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TriggerFiring;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What triggers still do when their object, or their time, is over. */
@NullUnmarked
class TriggersOfTheEndedTest {
    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private static String ofClass(String type, String more) {
        return "CLASSCFG[batch] TRIGGER=EType=" + type + ",AType=mail,Action=\"" + type + " $OID\"" + more + "\n";
    }

    /** Job j of class batch, with a limit of 1,000 s, starts at 0. */
    private void running(String policy) {
        site.policy("JOBCPURGETIME 1:00\n" + policy).nodes(1, 4);
        site.submit("j", 1, 1_000, report -> report.setJobClass("batch")).iterate(0);
        site.iterate(1);
    }

    private List<String> said() {
        return site.outputs.stream()
                .map(Output::value)
                .filter(TriggerFiring.class::isInstance)
                .map(firing -> ((TriggerFiring) firing).getBody())
                .toList();
    }

    private List<String> events() {
        return site.outputs.stream()
                .map(Output::value)
                .filter(Notification.class::isInstance)
                .map(notification -> ((Notification) notification).getEvent())
                .toList();
    }

    private List<String> known() {
        return site.snapshot().stream()
                .filter(change -> change.value() instanceof TriggerRecord)
                .map(change -> ((TriggerRecord) change.value()).getObjectId())
                .toList();
    }

    private void answer(DeliveryOutcome outcome) {
        TriggerFiring firing = site.lastFirings().get(0);
        site.fact(DeliveryResult.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setDeliveryId(firing.getFiringId())
                .setChannel(firing.getActionType())
                .setOutcome(outcome)
                .setAttempts(1)
                .setTime(at(0))
                .setKind("firing")
                .build());
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireAtTheEndOfAJobButNotLongAfterItsStart() {
        running(ofClass("start", ",Offset=10:00") + ofClass("end", ""));
        site.end("j", 300).iterate(300);
        assertThat(said()).containsExactly("end j");
        answer(DeliveryOutcome.DELIVERED);
        site.iterate(700);
        site.iterate(2_000);
        assertThat(said()).hasSize(1);
        assertThat(known()).isEmpty();
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireOnlyWhatWaitsForTheCancellationOfAJobThatIsCancelled() {
        running(ofClass("end", "") + ofClass("cancel", "") + ofClass("fail", "") + ofClass("end", ",Offset=1:00"));
        site.report("j", JobState.CANCELLED, Long.MAX_VALUE).iterate(300);
        site.iterate(400);
        assertThat(said()).containsExactly("cancel j");
    }

    @Test
    @Feature("TRIG-1")
    void shouldNotFireAheadOfAnEndThatDoesNotCome() {
        running(ofClass("end", ",Offset=-10:00"));
        site.report("j", JobState.CANCELLED, Long.MAX_VALUE).iterate(300);
        site.iterate(500);
        assertThat(said()).isEmpty();
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireForAStartThoughTheJobIsOverByTheNextIteration() {
        site.policy(ofClass("start", "") + ofClass("end", "")).nodes(1, 4);
        site.submit("j", 1, 1_000, report -> report.setJobClass("batch")).iterate(0);
        site.end("j", 1).iterate(1);
        assertThat(said()).containsExactlyInAnyOrder("start j", "end j");
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireInItsIntervalAsLongAsTheJobRuns() {
        running(ofClass("start", ",MultiFire=TRUE,RearmTime=20,Interval=TRUE"));
        for (int time = 2; time <= 30; time++) {
            if (!site.lastFirings().isEmpty()) {
                answer(DeliveryOutcome.DELIVERED);
            }
            site.iterate(time);
        }
        assertThat(said()).hasSize(2);
        site.end("j", 31).iterate(31);
        for (int time = 32; time <= 200; time++) {
            site.iterate(time);
        }
        assertThat(said()).hasSize(2);
    }

    @Test
    @Feature("TRIG-1")
    void shouldNotFireInItsIntervalWhenTheActionEndsAfterTheJob() {
        running(ofClass("start", ",MultiFire=TRUE,RearmTime=20,Interval=TRUE"));
        assertThat(said()).hasSize(1);
        site.end("j", 5);
        answer(DeliveryOutcome.DELIVERED);
        site.iterate(5);
        site.iterate(40);
        assertThat(said()).hasSize(1);
    }

    /** What nobody will set any more is not waited for: each job would leave something behind for ever. */
    @Test
    @Feature("TRIG-1")
    void shouldForgetAnEndThatWaitsForAVariable() {
        running(ofClass("end", ",Requires=never"));
        site.end("j", 300).iterate(300);
        site.iterate(301);
        site.iterate(2_000);
        assertThat(site.knows("j")).isFalse();
        assertThat(said()).isEmpty();
        assertThat(known()).isEmpty();
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireAtTheEndWhenAnotherTriggerOfTheJobSetsWhatItWaitsFor() {
        running(ofClass("end", ",Sets=told") + ofClass("end", ",Requires=told"));
        site.end("j", 300).iterate(300);
        assertThat(said()).hasSize(1);
        answer(DeliveryOutcome.DELIVERED);
        site.iterate(301);
        assertThat(said()).containsExactly("end j", "end j");
        answer(DeliveryOutcome.DELIVERED);
        site.iterate(302);
        site.iterate(2_000);
        assertThat(known()).isEmpty();
    }

    @Test
    @Feature("TRIG-1")
    void shouldForgetAReservationThatATriggerWithAThresholdCancelled() {
        site.nodes(1, 4).iterate(0);
        site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(
                                new NameValue("hostexp", "^n1$"),
                                new NameValue("acl", "user=ann"),
                                new NameValue(
                                        "trigger", "EType=threshold,Threshold=usage>=50,AType=cancel,RearmTime=1")))
                .iterate(1);
        site.submit("j", 4, 1_000, report -> report.setUser("ann")).iterate(10);
        for (int time = 11; time <= 40; time++) {
            site.iterate(time);
        }
        assertThat(site.publishedReservations.keySet()).noneMatch(id -> id.startsWith("system"));
        assertThat(known()).isEmpty();
        assertThat(events()).doesNotContain("trigfail");
    }

    /** An action that comes too late is not an action that failed. */
    @Test
    @Feature("TRIG-1")
    void shouldNotCallWhatExpiredAFailure() {
        site.policy(
                        "NODECFG[DEFAULT] TRIGGER=EType=fail,AType=mail,Action=down,MaxRetry=3,Sets=told.!missed,ExpireTime="
                                + at(5).getEpochSecond())
                .nodes(1, 4)
                .iterate(0);
        site.node("n1", 4, NodeState.DOWN).iterate(10);
        site.iterate(20);
        assertThat(said()).isEmpty();
        assertThat(events()).doesNotContain("trigfail");
        assertThat(site.snapshot().toString()).contains("expired before it fired", "\"variables\": [], \"instances\"");
    }
}

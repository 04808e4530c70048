package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.RmCommand;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every operation of AType internal, by what comes of it: the command to the resource manager, or the new state. */
@NullUnmarked
class InternalActionsTest {
    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    /** Two nodes; jobs a and b run on n1, far runs on n2, and wide waits. */
    private void begin() {
        site.nodes(2, 8).adopt("a", 2, 10_000, 0, "n1").adopt("b", 2, 10_000, 0, "n1");
        site.adopt("far", 2, 10_000, 0, "n2").submit("wide", 15, 10_000).iterate(1);
    }

    /** Has a trigger of n1 do {@code action} at {@code time}. */
    private void does(String action, long time) {
        site.policy("NODECFG[n1] TRIGGER=EType=gevent:go,AType=internal,Action=\"" + action + "\",MultiFire=TRUE")
                .iterate(time - 1);
        site.fact(new GenericEvent(SchedulerFixture.CLUSTER, "go", "node", "n1", "hot", at(time), null, true, null));
        site.iterate(time);
    }

    private List<String> commands() {
        return site.lastCommands().stream()
                .map(command -> command.getKind() + " "
                        + (command.getJobId() == null ? command.getObjectId() : command.getJobId())
                        + settings(command))
                .toList();
    }

    private static String settings(RmCommand command) {
        StringBuilder settings = new StringBuilder();
        command.getArguments()
                .forEach(setting -> settings.append(' ')
                        .append(setting.getName())
                        .append('=')
                        .append(setting.getValue()));
        return settings.toString();
    }

    private List<String> failures() {
        return site.outputs.stream()
                .map(Output::value)
                .filter(Notification.class::isInstance)
                .map(Notification.class::cast)
                .filter(notice -> notice.getEvent().equals("trigfail"))
                .map(Notification::getText)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "node:-:drain, DRAIN_NODE n1",
        "node:-:disable, DRAIN_NODE n1",
        "node:n2:drain, DRAIN_NODE n2",
        "node:-:resume, RESUME_NODE n1",
        "node:-:enable, RESUME_NODE n1",
        "node:-:modify:partition=p2, MODIFY_NODE n1 partition=p2",
        "node:-:modify:power=RESET, MODIFY_NODE n1 power=RESET",
        "node:-:evacuate, REQUEUE_JOB a;REQUEUE_JOB b",
        "node:n2:evacuate, REQUEUE_JOB far",
        "job:a:cancel, CANCEL_JOB a",
        "job:b:requeue, REQUEUE_JOB b"
    })
    @Feature({"TRIG-1", "CAT-33"})
    void shouldCommand(String action, String commands) {
        begin();
        does(action, 10);
        assertThat(commands()).containsExactly(commands.split(";", -1));
        assertThat(failures()).isEmpty();
    }

    private ReservationStatus reservation() {
        List<ReservationStatus> ofPeople = reservations();
        assertThat(ofPeople).hasSize(1);
        return ofPeople.get(0);
    }

    /** Those that are not of jobs. */
    private List<ReservationStatus> reservations() {
        return site.publishedReservations.values().stream()
                .filter(reservation -> reservation.getJobId() == null)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"reserve:1:00:00, 3600", "reserve:90, 90", "reserve:$PERIOD, 600"})
    @Feature("TRIG-1")
    void shouldReserveTheNodeForAsLongAsItSays(String operation, long seconds) {
        begin();
        site.request("v", RequestKind.MODIFY_NODE, "n1", List.of(new NameValue("variable", "PERIOD=10:00")))
                .iterate(5);
        does("node:-:" + operation, 10);
        assertThat(reservation().getStart()).isEqualTo(at(10));
        assertThat(reservation().getEnd()).isEqualTo(at(10 + seconds));
        assertThat(reservation().getAllocation())
                .extracting(node -> node.getNodeId())
                .containsExactly("n1");
    }

    @Test
    @Feature("TRIG-1")
    void shouldReserveUntilItIsReleasedAndOnlyOnce() {
        begin();
        does("node:-:reserve", 10);
        assertThat(reservation().getEnd()).isAfter(at(10 * 365 * 86_400L));
        String id = reservation().getReservationId();
        does("node:-:reserve", 20);
        assertThat(reservation().getReservationId()).isEqualTo(id);
        does("node:-:release", 30);
        assertThat(reservations()).isEmpty();
        does("node:-:release", 40);
        assertThat(failures()).as("there is nothing left to release").isEmpty();
    }

    @Test
    @Feature("TRIG-1")
    void shouldKeepJobsFromTheNodeThatItReserves() {
        begin();
        does("node:-:reserve", 10);
        site.submit("next", 4, 100).iterate(20);
        assertThat(site.job("next").getAllocation())
                .extracting(node -> node.getNodeId())
                .containsOnly("n2");
    }

    @Test
    @Feature("TRIG-1")
    void shouldHoldAJobAndReleaseIt() {
        begin();
        does("job:wide:hold", 10);
        assertThat(site.job("wide").getHolds()).isNotEmpty();
        does("job:wide:release", 20);
        assertThat(site.job("wide").getHolds()).isEmpty();
    }

    @Test
    @Feature("TRIG-1")
    void shouldModifyAJobByAllOfItsChanges() {
        begin();
        does("job:wide:modify:message=$OID is $MESSAGE;variable=seen=1", 10);
        assertThat(site.job("wide").getMessages()).contains("n1 is hot");
        assertThat(site.job("wide").getMarks().toString()).contains("seen");
    }

    private String reserve() {
        site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(
                                new NameValue("hostexp", "^n2$"),
                                new NameValue("duration", "1:00:00"),
                                new NameValue("flags", "ignjobrsv")))
                .iterate(5);
        return reservation().getReservationId();
    }

    @Test
    @Feature("TRIG-1")
    void shouldCancelAReservation() {
        begin();
        does("rsv:" + reserve() + ":cancel", 10);
        assertThat(reservations()).isEmpty();
    }

    @Test
    @Feature("TRIG-1")
    void shouldExtendAReservation() {
        begin();
        String id = reserve();
        assertThat(reservation().getEnd()).isEqualTo(at(3_605));
        does("rsv:" + id + ":extend:0:30:00", 10);
        assertThat(reservation().getEnd()).isEqualTo(at(5_405));
    }

    @Test
    @Feature("TRIG-1")
    void shouldModifyAReservation() {
        begin();
        does("rsv:" + reserve() + ":modify:comment=for $OID", 10);
        assertThat(reservation().getComment()).isEqualTo("for n1");
    }

    @Test
    @Feature("TRIG-1")
    void shouldPauseAndResumeTheScheduler() {
        begin();
        does("sched:-:pause", 10);
        site.submit("next", 1, 100).iterate(20);
        assertThat(site.started()).isEmpty();
        does("sched:-:resume", 30);
        site.iterate(31);
        assertThat(site.job("next").getState()).isIn(JobState.STARTING, JobState.RUNNING);
    }

    @Test
    @Feature("TRIG-1")
    void shouldTakeTheJobOfTheTriggerForADash() {
        site.policy("CLASSCFG[batch] TRIGGER=EType=start,AType=internal,Action=\"job:-:modify:message=begun\"\n"
                        + "CLASSCFG[batch] TRIGGER=EType=start,AType=internal,Action=\"job:-:requeue\",Offset=100")
                .nodes(1, 8)
                .submit("plain", 1, 1_000)
                .submit("j", 1, 1_000, job -> job.setJobClass("batch"))
                .iterate(1);
        site.iterate(2);
        assertThat(site.job("j").getMessages()).contains("begun");
        assertThat(site.job("plain").getMessages()).isEmpty();
        site.iterate(101);
        assertThat(commands()).containsExactly("REQUEUE_JOB j");
    }

    @Test
    @Feature("TRIG-1")
    void shouldTakeTheReservationOfTheTriggerForADash() {
        site.nodes(1, 8).iterate(0);
        site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(
                                new NameValue("hostexp", "^n1$"),
                                new NameValue("duration", "1:00:00"),
                                new NameValue(
                                        "trigger", "EType=start,AType=internal,Action=rsv:-:extend:10:00,Offset=50")))
                .iterate(1);
        site.iterate(51);
        assertThat(reservation().getEnd()).isEqualTo(at(4_201));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "node:n9:drain",
                "node:-:modify:colour=red",
                "job:nobody:cancel",
                "rsv:nothing:cancel",
                "rsv:nothing:extend:10:00"
            })
    @Feature({"TRIG-1", "CAT-34"})
    void shouldFailAtWhatCannotBeDone(String action) {
        begin();
        does(action, 10);
        site.iterate(11);
        assertThat(failures())
                .singleElement()
                .satisfies(text -> assertThat(text).startsWith("trigger NODECFG.n1.1 of node n1 failed"));
        assertThat(site.outputs.stream()
                        .filter(output -> output.value() instanceof RmCommand command && command.getObjectId() != null))
                .isEmpty();
    }

    @Test
    @Feature("TRIG-1")
    void shouldSayNothingOfNodesThatItDidNotTouch() {
        begin();
        does("node:-:modify:message=see $OID", 10);
        assertThat(site.outputs.stream()
                        .map(Output::value)
                        .filter(NodeStatus.class::isInstance)
                        .map(NodeStatus.class::cast)
                        .filter(node -> node.getMessages().stream().anyMatch(text -> text.contains("see n1"))))
                .isNotEmpty()
                .allSatisfy(node -> assertThat(node.getNodeId()).isEqualTo("n1"));
    }
}

package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the actions of GEVENTCFG that reach the node and the jobs on it command. */
@NullUnmarked
class EventActionsTest {
    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    /** Two nodes; jobs a and b run on n1, far on n2. */
    private void begin(String policy) {
        site.policy(policy).nodes(2, 8).adopt("a", 2, 10_000, 0, "n1").adopt("b", 2, 10_000, 0, "n1");
        site.adopt("far", 2, 10_000, 0, "n2").iterate(0);
    }

    private void event(String type, String id, boolean active, long time) {
        site.fact(new GenericEvent(SchedulerFixture.CLUSTER, "hot", type, id, "told", at(time), null, active, null));
    }

    private List<String> commands() {
        return site.lastCommands().stream().map(EventActionsTest::text).toList();
    }

    private static String text(RmCommand command) {
        StringBuilder text = new StringBuilder(
                command.getKind() + " " + (command.getJobId() == null ? command.getObjectId() : command.getJobId()));
        command.getArguments()
                .forEach(argument ->
                        text.append(' ').append(argument.getName()).append('=').append(argument.getValue()));
        return text.toString();
    }

    private List<String> notices(String event) {
        return site.lastNotifications().stream()
                .filter(notice -> notice.getEvent().equals(event))
                .map(Notification::getText)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"OFF", "ON", "RESET"})
    @Feature("NOTE-3")
    void shouldSwitchTheNode(String action) {
        begin("GEVENTCFG[hot] ACTION=" + action);
        event("node", "n1", true, 10);
        site.iterate(10);
        assertThat(commands()).containsExactly("MODIFY_NODE n1 power=" + action);
        site.iterate(11);
        assertThat(commands()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"OFF", "ON", "RESET"})
    @Feature("NOTE-3")
    void shouldSayWhyTheResourceManagerSwitchesNoNode(String action) {
        begin("GEVENTCFG[hot] ACTION=" + action);
        event("node", "n1", true, 10);
        site.iterate(10);
        RmCommand command = site.lastCommands().get(0);
        site.answer(command, CommandOutcome.REFUSED, 11).iterate(11);
        assertThat(notices("commandrefused"))
                .singleElement()
                .satisfies(text -> assertThat(text).contains(command.getCommandId(), "says the rm"));
        site.iterate(12);
        assertThat(notices("commandrefused")).isEmpty();
    }

    @Test
    @Feature("NOTE-3")
    void shouldSayNothingOfWhatTheResourceManagerDid() {
        begin("GEVENTCFG[hot] ACTION=OFF");
        event("node", "n1", true, 10);
        site.iterate(10);
        site.answer(site.lastCommands().get(0), CommandOutcome.DONE, 11).iterate(11);
        assertThat(notices("commandrefused")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"OFF", "ON", "RESET"})
    @Feature("NOTE-3")
    void shouldSayThatWhatIsNoNodeIsNotSwitched(String action) {
        begin("GEVENTCFG[jobhold] ACTION=" + action);
        site.submit("w", 99, 1_000).iterate(5);
        site.request("h", RequestKind.HOLD_JOB, "w").iterate(10);
        site.iterate(11);
        assertThat(site.outputs.stream()
                        .map(Output::value)
                        .filter(Notification.class::isInstance)
                        .map(Notification.class::cast)
                        .filter(notice -> notice.getEvent().equals("eventactionfailed"))
                        .map(Notification::getText))
                .containsExactly("action " + action + " of event jobhold does not fit job w");
    }

    @ParameterizedTest
    @CsvSource({"SIGNAL, TERM", "SIGNAL:USR1, USR1", "SIGNAL:9, 9"})
    @Feature("NOTE-3")
    void shouldSignalTheJobsOnTheNodeAndNoOthers(String action, String signal) {
        begin("GEVENTCFG[hot] ACTION=" + action);
        event("node", "n1", true, 10);
        site.iterate(10);
        assertThat(commands()).containsExactly("SIGNAL_JOB a signal=" + signal, "SIGNAL_JOB b signal=" + signal);
    }

    @Test
    @Feature("NOTE-3")
    void shouldTakeTheStepsOfAnEscalationOneAfterTheOther() {
        begin("GEVENTCFG[hot] ACTION=record ESCALATE=10:00:notify:manager;20:00:signal:USR1\nADMINCFG[2] USERS=lead");
        event("node", "n1", true, 0);
        event("node", "n2", true, 0);
        site.iterate(0);
        site.iterate(599);
        assertThat(notices("hot")).isEmpty();
        assertThat(commands()).isEmpty();
        site.iterate(600);
        assertThat(notices("hot")).hasSize(2);
        assertThat(commands()).isEmpty();
        event("node", "n2", false, 700);
        site.iterate(1_199);
        assertThat(commands()).isEmpty();
        site.iterate(1_200);
        assertThat(commands()).containsExactly("SIGNAL_JOB a signal=USR1", "SIGNAL_JOB b signal=USR1");
        assertThat(notices("hot")).isEmpty();
        site.iterate(1_201);
        site.iterate(9_000);
        assertThat(commands()).as("there are no more steps").isEmpty();
    }

    @Test
    @Feature("NOTE-3")
    void shouldRunAllActionsOfAnEventInTheirOrder() {
        begin("GEVENTCFG[hot] ACTION=signal:USR2,reset,preempt:cancel");
        event("node", "n1", true, 10);
        site.iterate(10);
        assertThat(commands())
                .containsExactly(
                        "SIGNAL_JOB a signal=USR2",
                        "SIGNAL_JOB b signal=USR2",
                        "MODIFY_NODE n1 power=RESET",
                        "CANCEL_JOB a",
                        "CANCEL_JOB b");
    }
}

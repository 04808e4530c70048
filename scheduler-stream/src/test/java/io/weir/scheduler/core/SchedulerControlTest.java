package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.state.Argument;
import io.weir.schemas.NameValue;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Operators pause, stop and step the scheduler; facts are taken in and requests answered all the while. */
@NullUnmarked
class SchedulerControlTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    @Test
    void shouldStartNothingWhilePaused() {
        weir.nodes(2, 1).rebuildingAlways();
        control("pause").iterate(0);
        assertThat(answer()).isEqualTo("scheduling paused");
        weir.submit("j", 1, HOUR).iterate(10);
        assertThat(weir.started()).isEmpty();
        assertThat(standing()).containsExactly("state=PAUSED", "since=" + SchedulerFixture.at(0), "by=ann");

        control("resume").iterate(20);

        assertThat(weir.started()).containsExactly("j");
        assertThat(standing()).isEmpty();
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).containsExactly("schedresume");
    }

    @Test
    void shouldWakeForTheSameWhilePausedAfterARestart() {
        weir.nodes(1, 1).submit("a", 1, HOUR).submit("b", 1, HOUR).iterate(0);
        control("pause").iterate(10);
        weir.iterate(20);
        assertThat(weir.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(HOUR));

        weir.rebuildingAlways().iterate(30);

        assertThat(weir.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(HOUR));
    }

    @Test
    @Feature("NOTE-3")
    void shouldRaiseAnEventOfTheScheduler() {
        weir.policy("GEVENTCFG[powercut] ACTION=notify\nADMINCFG[1] USERS=ops")
                .nodes(1, 1)
                .iterate(0);
        control("gevent", "gevent", "powercut:'row 3, half'").iterate(10);
        assertThat(answer()).isEqualTo("event powercut raised");
        weir.iterate(11);
        assertThat(weir.outputs.stream()
                        .map(Output::value)
                        .filter(Notification.class::isInstance)
                        .map(Notification.class::cast)
                        .filter(notice -> notice.getEvent().equals("powercut")))
                .singleElement()
                .satisfies(notice -> {
                    assertThat(notice.getObjectType()).isEqualTo("scheduler");
                    assertThat(notice.getText()).contains("row 3, half");
                    assertThat(notice.getRecipients()).containsExactly("ops");
                });

        control("gevent", "gevent", "2bad").iterate(12);
        assertThat(answer()).isEqualTo("gevent is '2bad'; NAME or NAME:'TEXT' is needed");
    }

    @Test
    void shouldEndRunningJobsAtTheirLimitWhilePaused() {
        weir.nodes(1, 1).submit("j", 1, 100).iterate(0);
        control("pause").iterate(10);
        weir.iterate(101);
        assertThat(weir.lastCommands()).hasSize(1);
        assertThat(weir.lastCommands().get(0).getReason()).isEqualTo("WALLCLOCK limit reached");
    }

    @Test
    void shouldSlideReservationsByWhatCameFreeMeanwhile() {
        weir.policy("RESERVATIONPOLICY HIGHEST")
                .nodes(2, 1)
                .adopt("a", 1, 10 * HOUR, 0, "n1")
                .adopt("b", 1, 2 * HOUR, 0, "n2")
                .submit("wide", 2, HOUR)
                .iterate(0);
        assertThat(weir.reservedStart("wide")).isEqualTo(10 * HOUR);
        control("pause").iterate(10);
        weir.end("a", 20).iterate(20);
        assertThat(weir.reservedStart("wide")).isEqualTo(10 * HOUR);
        control("resume").iterate(30);
        assertThat(weir.reservedStart("wide")).isEqualTo(2 * HOUR);
    }

    @Test
    void shouldResumeByItselfAtTheTimeGiven() {
        weir.nodes(1, 1);
        control("pause").iterate(0);
        control("resume", "at", "+0:05:00").submit("j", 1, HOUR).iterate(1);
        assertThat(answer()).isEqualTo("scheduling resumes at " + SchedulerFixture.at(301));
        assertThat(weir.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(301));
        weir.rebuildingAlways().iterate(300);
        assertThat(weir.started()).isEmpty();
        weir.iterate(301);
        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    void shouldStopAfterAnIterationAndStepFromThereOn() {
        weir.nodes(3, 1);
        control("stop", "iteration", "2").submit("a", 1, HOUR).iterate(0);
        assertThat(weir.started()).containsExactly("a");
        weir.submit("b", 1, HOUR).iterate(1);
        assertThat(weir.started()).containsExactly("b");
        assertThat(standing()).startsWith("state=STOPPED");
        weir.submit("c", 1, HOUR).iterate(2);
        assertThat(weir.started()).isEmpty();

        control("step").iterate(3);
        assertThat(weir.started()).containsExactly("c");
        assertThat(standing()).startsWith("state=STOPPED");
        control("stop").iterate(4);
        assertThat(outcome()).isEqualTo(RequestOutcome.REFUSED);
    }

    @Test
    void shouldStopAtTheEndOfThisIterationByDefault() {
        weir.nodes(2, 1).submit("a", 1, HOUR);
        control("stop").iterate(0);
        assertThat(weir.started()).containsExactly("a");
        weir.submit("b", 1, HOUR).iterate(1);
        assertThat(weir.started()).isEmpty();
    }

    @Test
    void shouldExplainThatSchedulingIsPaused() {
        weir.nodes(1, 1);
        control("pause").submit("j", 1, HOUR).iterate(0);
        assertThat(weir.publishedExplanations.get("j").getConstraint()).isEqualTo("Scheduler");
        weir.request("why", RequestKind.EXPLAIN_JOB, "j").iterate(1);
        assertThat(answer()).isEqualTo("job j waits because scheduling is paused");
        control("resume").iterate(2);
        assertThat(weir.publishedExplanations).doesNotContainKey("j");
    }

    @Test
    void shouldKeepMessagesForEverybody() {
        control("message", "text", "maintenance on Friday").iterate(0);
        control("message", "text", "and on Monday").rebuildingAlways().iterate(1);
        control("unmessage", "index", "1").iterate(2);
        assertThat(standing()).containsExactly("message=and on Monday");
        control("unmessage", "index", "2").iterate(3);
        assertThat(outcome()).isEqualTo(RequestOutcome.REFUSED);
        assertThat(weir.domain().getStanding()).extracting(Argument::getValue).containsExactly("and on Monday");
    }

    @Test
    void shouldLetAdministratorsAloneSetTheLogLevel() {
        control("loglevel", "level", "5").iterate(0);
        assertThat(outcome()).isEqualTo(RequestOutcome.ACCEPTED);
        assertThat(answer()).isEqualTo("the log level of the process that serves the API is 5");
        for (String wrong : List.of("10", "-1", "debug", "")) {
            control("loglevel", "level", wrong).iterate(1);
            assertThat(outcome()).as(wrong).isEqualTo(RequestOutcome.REFUSED);
            assertThat(answer()).isEqualTo("level is '" + wrong + "'; a whole number from 0 to 9 is needed");
        }
        weir.requestBy(
                        "bob",
                        "b1",
                        RequestKind.CONTROL_SCHEDULER,
                        "-",
                        new NameValue("action", "loglevel"),
                        new NameValue("level", "9"))
                .iterate(2);
        assertThat(outcome()).isEqualTo(RequestOutcome.REFUSED);
        assertThat(answer()).contains("needs level 1");
    }

    @Test
    void shouldRefuseWhatItDoesNotUnderstand() {
        control("dance").iterate(0);
        assertThat(outcome()).isEqualTo(RequestOutcome.REFUSED);
        control("pause").iterate(1);
        control("resume", "at", "tomorrow").iterate(2);
        assertThat(answer()).contains("at is 'tomorrow'");
        control("step", "count", "0").iterate(3);
        assertThat(answer()).contains("count is '0'");
    }

    private List<String> standing() {
        List<String> texts = new ArrayList<>();
        for (NameValue value : weir.lastResult.standing()) {
            texts.add(value.getName() + "=" + value.getValue());
        }
        return texts;
    }

    private String answer() {
        return weir.lastAnswers().get(0).getMessage();
    }

    private RequestOutcome outcome() {
        return weir.lastAnswers().get(0).getOutcome();
    }

    private int requests;

    private SchedulerFixture control(String action, String... argument) {
        List<NameValue> arguments = new ArrayList<>(List.of(new NameValue("action", action)));
        if (argument.length == 2) {
            arguments.add(new NameValue(argument[0], argument[1]));
        }
        return weir.request("c" + requests++, RequestKind.CONTROL_SCHEDULER, "-", arguments);
    }
}

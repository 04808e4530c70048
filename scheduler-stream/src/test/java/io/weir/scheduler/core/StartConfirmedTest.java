package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobState;
import io.weir.schemas.Notification;
import io.weir.schemas.TriggerFiring;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Triggers and events of a job's start go by what its resource manager does, not by what was decided. */
@NullUnmarked
class StartConfirmedTest {
    private static final String POLICY = "QOSCFG[t] QFLAGS=TRIGGER\nUSERCFG[ann] QDEF=t QLIST=t\n"
            + "GEVENTCFG[jobstart] ACTION=notify\nADMINCFG[1] USERS=root";
    private static final String TRIGGERS = "checkpointable=true"
            + ";trig=EType=start&AType=mail&Action=begun"
            + ";trig=EType=preempt&AType=mail&Action=stopped"
            + ";trig=EType=checkpoint&AType=mail&Action=saved"
            + ";trig=EType=end&AType=mail&Action=over";

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private void begin() {
        site.policy(POLICY)
                .nodes(1, 4)
                .submit("j", 2, 1_000, job -> job.setExtension(TRIGGERS))
                .iterateSilently(0);
        assertThat(site.job("j").getState()).isEqualTo(JobState.STARTING);
    }

    private List<String> fired() {
        return said(TriggerFiring.class).stream().map(TriggerFiring::getBody).toList();
    }

    private List<String> told() {
        return said(Notification.class).stream()
                .map(Notification::getEvent)
                .filter("jobstart"::equals)
                .toList();
    }

    private <R> List<R> said(Class<R> type) {
        return site.outputs.stream()
                .map(Output::value)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    @Test
    @Feature({"TRIG-1", "NOTE-3"})
    void shouldSayNothingOfAStartThatIsRefused() {
        begin();
        site.answer("j", CommandOutcome.REFUSED, 1).iterateSilently(1);
        site.iterateSilently(2);
        assertThat(fired()).isEmpty();
        assertThat(told()).isEmpty();
    }

    @Test
    @Feature({"TRIG-1", "NOTE-3"})
    void shouldTellOfTheStartOnceItIsConfirmed() {
        begin();
        site.iterateSilently(1);
        assertThat(fired()).isEmpty();
        site.answer("j", CommandOutcome.DONE, 2).iterateSilently(2);
        site.iterateSilently(3);
        assertThat(fired()).containsExactly("begun");
        assertThat(told()).hasSize(1);
    }

    @Test
    @Feature({"TRIG-1", "NOTE-3"})
    void shouldTellOfBothEndsOfAJobThatIsOverBeforeItsStartIsConfirmed() {
        begin();
        site.end("j", 1).iterateSilently(1);
        site.iterateSilently(2);
        assertThat(fired()).containsExactly("begun", "over");
        assertThat(told()).hasSize(1);
    }

    @Test
    @Feature("TRIG-1")
    void shouldTellOfAJobThatLeftItsNodesThatItWasStopped() {
        begin();
        site.answer("j", CommandOutcome.DONE, 1).iterateSilently(1);
        site.report("j", JobState.IDLE, 1).iterateSilently(2);
        site.iterateSilently(2);
        assertThat(fired()).containsExactly("begun", "stopped", "saved");
    }
}

package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TriggerFiring;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Triggers that jobs are submitted with: those of a QoS with QFLAGS TRIGGER fire, of the others the job says why not. */
@NullUnmarked
class JobTriggersTest {
    private static final String POLICY = "QOSCFG[t] QFLAGS=TRIGGER\nQOSCFG[plain] PRIORITY=1\n"
            + "USERCFG[ann] QDEF=plain QLIST=t,plain\nADMINCFG[1] USERS=root";

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();

    private void run(String qos, String extension) {
        site.policy(POLICY)
                .nodes(1, 4)
                .submit("j", 2, 1_000, job -> job.setQos(qos).setExtension(extension))
                .iterate(0);
        site.iterate(1);
        site.end("j", 100).iterate(100);
        site.iterate(101);
    }

    private List<String> said() {
        return site.outputs.stream()
                .map(Output::value)
                .filter(TriggerFiring.class::isInstance)
                .map(TriggerFiring.class::cast)
                .map(firing -> firing.getTriggerId() + " to " + firing.getRecipients() + ": " + firing.getBody())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "trig=EType=end&AType=mail&Action=over",
                "x=TRIG:EType=end&AType=mail&Action=over",
                "x=\"TRIG:EType=end,AType=mail,Action=over;RESTARTABLE:TRUE\"",
                "walltime=1000;trig:EType=end,AType=mail,Action=over"
            })
    @Feature("TRIG-1")
    void shouldFireWhereTheQosMayHaveTriggers(String extension) {
        run("t", extension);
        assertThat(said()).containsExactly("trig.1@job:j to [ann]: over");
        assertThat(site.job("j").getMessages()).isEmpty();
    }

    @Test
    @Feature("TRIG-1")
    void shouldFireEachOfSeveralAtItsTime() {
        run("t", "trig=EType=start&AType=mail&Action=begun;trig=EType=end&AType=mail&Action=over");
        assertThat(said()).containsExactly("trig.1@job:j to [ann]: begun", "trig.2@job:j to [ann]: over");
    }

    @Test
    @Feature("TRIG-1")
    void shouldNotFireWhereTheQosMayHaveNone() {
        run("plain", "trig=EType=end&AType=mail&Action=over");
        assertThat(said()).isEmpty();
        assertThat(site.job("j").getMessages())
                .singleElement()
                .satisfies(text -> assertThat(text).contains("trig is ignored", "QFLAGS=TRIGGER"));
    }

    @Test
    @Feature("TRIG-1")
    void shouldNotFireForJobsWithoutAQos() {
        site.policy("QOSCFG[t] QFLAGS=TRIGGER\nADMINCFG[1] USERS=root")
                .nodes(1, 4)
                .submit("j", 2, 1_000, job -> job.setExtension("trig=EType=start&AType=mail&Action=begun"))
                .iterate(0);
        site.iterate(1);
        assertThat(said()).isEmpty();
        assertThat(site.job("j").getMessages())
                .singleElement()
                .satisfies(text -> assertThat(text).contains("trig", "QFLAGS"));
    }

    @Test
    @Feature("TRIG-1")
    void shouldTakeBackWhatItSaidWhenAnOperatorGivesTheJobAnotherQos() {
        site.policy(POLICY)
                .node("n1", 1, NodeState.IDLE)
                .submit(
                        "j",
                        2,
                        1_000,
                        job -> job.setQos("plain").setExtension("trig=EType=hold&AType=mail&Action=held"))
                .iterate(0);
        assertThat(site.job("j").getMessages()).hasSize(1);
        site.request("q", RequestKind.MODIFY_JOB, "j", List.of(new NameValue("qos", "t")))
                .iterate(10);
        assertThat(site.job("j").getMessages()).isEmpty();
        site.request("h", RequestKind.HOLD_JOB, "j").iterate(20);
        site.iterate(21);
        assertThat(said()).containsExactly("trig.1@job:j to [ann]: held");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "trig=EType=end                                     | atype is missing",
                "trig=EType=end&AType=dance&Action=x                | dance",
                "trig=EType=epoch&Period=DAY&AType=mail&Action=x    | EType epoch does not exist for job",
                "trig=EType=end&AType=exec&Action=/bin/sh           | AType exec is the operators'",
                "trig=EType=end&AType=internal&Action=node:n1:drain | AType internal is for job:-:",
                "trig=EType=end&AType=mail&Action=x&BlockTime=10    | BlockTime is the operators'"
            })
    @Feature("TRIG-1")
    void shouldSayWhatIsWrongWithATriggerThatItLeavesOut(String extension, String problem) {
        run("t", extension);
        assertThat(said()).isEmpty();
        assertThat(site.lastCommands()).isEmpty();
        assertThat(site.job("j").getMessages())
                .singleElement()
                .satisfies(text ->
                        assertThat(text).startsWith("trig: ").contains(problem).endsWith("; ignored"));
    }

    @Test
    @Feature("TRIG-1")
    void shouldSayThatAJobHasMoreTriggersThanItMay() {
        run("t", "trig=EType=end&AType=mail&Action=over;".repeat(11));
        assertThat(said()).hasSize(10);
        assertThat(site.job("j").getMessages())
                .singleElement()
                .satisfies(text -> assertThat(text).startsWith("trig: ").contains("10"));
    }
}

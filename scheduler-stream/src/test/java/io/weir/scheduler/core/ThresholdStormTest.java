package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.JobState;
import io.weir.schemas.Measurement;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.TriggerFiring;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ten thousand thresholds that are passed at once: jobs go on starting, and every trigger fires in its turn. */
@NullUnmarked
class ThresholdStormTest {
    private static final int NODES = 10_000;

    /** Firings of one iteration. */
    private static final int MOST = 500;

    private static SchedulerFixture site(boolean backwards) {
        SchedulerFixture site = new SchedulerFixture()
                .policy("NODECFG[DEFAULT] TRIGGER=EType=threshold,Threshold=gmetric[temp]>34,AType=mail,"
                        + "Action=\"$OID $VALUE\"");
        temperature(site, 20, backwards);
        return site.iterate(0);
    }

    private static void temperature(SchedulerFixture site, double value, boolean backwards) {
        for (int i = 0; i < NODES; i++) {
            int number = backwards ? NODES - 1 - i : i;
            site.node(
                    name(number), 1, NodeState.IDLE, node -> node.setMetrics(List.of(new Measurement("temp", value))));
        }
    }

    private static String name(int number) {
        return String.format("s%05d", number);
    }

    private static List<String> fired(boolean backwards) {
        SchedulerFixture site = site(backwards);
        temperature(site, 36, backwards);
        List<String> fired = new ArrayList<>();
        for (int i = 1; i <= NODES / MOST; i++) {
            String job = "j" + i;
            site.submit(job, 3, 1_000).iterate(i);
            assertThat(site.job(job).getState()).isIn(JobState.STARTING, JobState.RUNNING);
            assertThat(site.lastFirings()).hasSize(MOST);
            site.lastFirings().stream().map(TriggerFiring::getBody).forEach(fired::add);
            if (i < NODES / MOST) {
                assertThat(site.lastResult.nextWake()).isEqualTo(at(i + 1));
            }
        }
        site.iterate(NODES / MOST + 1);
        assertThat(site.lastFirings()).isEmpty();
        return fired;
    }

    @Test
    @Feature({"TRIG-1", "TRIG-2"})
    void shouldFireEveryTriggerOverTheIterationsThatFollow() {
        List<String> expected =
                IntStream.range(0, NODES).mapToObj(i -> name(i) + " 36").toList();
        assertThat(fired(false)).isEqualTo(expected);
        assertThat(fired(true)).as("whatever comes first in the report").isEqualTo(expected);
    }

    @Test
    @Feature("TRIG-2")
    void shouldNotFireForNodesThatCoolDownBeforeTheirTurn() {
        SchedulerFixture site = site(false);
        temperature(site, 36, false);
        site.iterate(1);
        assertThat(site.lastFirings()).hasSize(MOST);
        temperature(site, 30, false);
        site.iterate(2);
        assertThat(site.lastFirings()).isEmpty();
    }

    /** What every node of a cluster asks for costs more than requests may in a second. */
    @ParameterizedTest
    @CsvSource({"node:-:reserve, 600", "node:-:drain, 2000"})
    @Feature("TRIG-4")
    void shouldActOnEveryNodeWhateverItCosts(String action, int nodes) {
        SchedulerFixture site = new SchedulerFixture()
                .policy("NODECFG[DEFAULT] TRIGGER=EType=threshold,Threshold=gmetric[temp]>34,AType=internal,Action=\""
                        + action + "\"");
        report(site, nodes, 20.0);
        site.iterate(0);
        report(site, nodes, 41.0);
        for (int now = 1; now <= 60; now++) {
            site.iterate(now);
        }

        assertThat(site.outputs.stream()
                        .map(Output::value)
                        .filter(RequestResult.class::isInstance)
                        .map(RequestResult.class::cast))
                .hasSize(nodes)
                .allMatch(result -> result.getOutcome() == RequestOutcome.ACCEPTED);
    }

    private static void report(SchedulerFixture site, int nodes, double temperature) {
        for (int i = 1; i <= nodes; i++) {
            site.node(
                    "n" + i, 4, NodeState.IDLE, node -> node.setMetrics(List.of(new Measurement("temp", temperature))));
        }
    }
}

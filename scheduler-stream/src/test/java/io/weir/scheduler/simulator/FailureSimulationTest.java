package io.weir.scheduler.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.trace.TraceJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes fail under a random workload, by each policy in turn: no job is lost, none started twice, no node given more than it
 * has, and another core decides the same. {@code -Dweir.failures.nodes=1000} takes another number of nodes.
 */
@NullUnmarked
class FailureSimulationTest {
    private static final int NODES = Integer.getInteger("weir.failures.nodes", 40);
    private static final FailureModel MODEL = new FailureModel(Duration.ofHours(20), Duration.ofHours(1), 0.8, 7);

    @ParameterizedTest
    @ValueSource(strings = {"CANCEL", "FAIL", "HOLD", "IGNORE", "NOTIFY", "REQUEUE", "MIGRATE", "REQUEUE*"})
    void shouldLoseNoJobWhateverFails(String policy) {
        FailureFigures figures = figures(policy, "");

        assertThat(figures.isSound()).as("%s", figures).isTrue();
        assertThat(figures.struck()).isGreaterThan(NODES / 2);
        assertThat(figures.lostNodeSeconds()).isPositive();
        assertThat(figures.unfinished()).isZero();
        assertThat(figures.completed() + figures.ended()).isEqualTo(figures.jobs());
    }

    @Test
    void shouldGiveOtherNodesToJobsThatGoOn() {
        FailureFigures figures = figures("IGNORE", "JOBREALLOCATE TRUE\nNODEDOWNSTATEDELAYTIME 1:00:00");

        assertThat(figures.isSound()).as("%s", figures).isTrue();
        assertThat(figures.resumed()).isPositive();
        assertThat(figures.ended()).isZero();
        assertThat(figures.wastedProcSeconds()).isLessThan(figures("IGNORE", "").wastedProcSeconds());
    }

    @Test
    void shouldKnowTheClassOfAJob() {
        List<TraceJob> inQueue3 = jobs().stream()
                .map(job -> new TraceJob(
                        job.id(),
                        job.number(),
                        job.sequence(),
                        job.submit(),
                        job.procs(),
                        job.estimate(),
                        job.run(),
                        1,
                        2,
                        3))
                .toList();
        String site = "CLASSCFG[q3] RESFAILPOLICY=CANCEL";

        FailureFigures figures = new FailureSimulation(
                        new ClusterModel(NODES, 8), inQueue3, 1_700_000_000L, site, MODEL, "REQUEUE")
                .run();

        assertThat(figures.ended()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"REQUEUE", "HOLD"})
    void shouldGiveUpOnAJobWhoseNodesFailMoreOftenThanItRuns(String policy) {
        TraceJob year = new TraceJob("1", 1, 0, 0, 8, 31_536_000, 31_536_000, -1, -1, -1);
        TraceJob hour = new TraceJob("2", 2, 1, 0, 8, 3_600, 60, -1, -1, -1);
        FailureModel often = new FailureModel(Duration.ofHours(1), Duration.ofMinutes(1), 1, 7);

        FailureFigures figures =
                new FailureSimulation(new ClusterModel(2, 8), List.of(year, hour), 0, "", often, policy).run();

        assertThat(figures.unfinished()).isOne();
        assertThat(figures.completed()).isOne();
        assertThat(figures.isSound()).as("%s", figures).isTrue();
    }

    @Test
    void shouldFailTheSameNodesAtTheSameInstantsWithTheSameSeed() {
        FailureModel.Draws one = MODEL.draws(3);
        FailureModel.Draws same = MODEL.draws(3);
        double sum = 0;
        for (int i = 0; i < 20_000; i++) {
            long up = one.up();
            assertThat(same.up()).isEqualTo(up);
            assertThat(same.down()).isEqualTo(one.down());
            sum += up;
        }
        assertThat(sum / 20_000).as("mean").isBetween(0.95 * 72_000, 1.05 * 72_000);
    }

    private static FailureFigures figures(String policy, String site) {
        return new FailureSimulation(new ClusterModel(NODES, 8), jobs(), 1_700_000_000L, site, MODEL, policy).run();
    }

    private static List<TraceJob> jobs() {
        Random random = new Random(3);
        List<TraceJob> jobs = new ArrayList<>();
        long submit = 0;
        for (int i = 1; i <= 8 * NODES; i++) {
            submit += random.nextInt(40_000 / NODES);
            int procs = random.nextInt(10) == 0 ? 8 * (1 + random.nextInt(NODES / 3)) : 1 + random.nextInt(16);
            long run = 60 + random.nextInt(20_000);
            jobs.add(new TraceJob(
                    String.valueOf(i), i, i - 1, submit, procs, run + random.nextInt(5_000), run, -1, -1, -1));
        }
        return jobs;
    }
}

package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.SchedulerFixture;
import io.weir.schemas.TaskRequirement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thousands of jobs can start at once: they do so in several iterations, and none ahead of its turn. */
@NullUnmarked
class MassStartTest {
    private static final int NODES = 1_500;
    private static final int JOBS = 3_000;
    private static final int MOST_ITERATIONS = 100;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BACKFILLPOLICY FIRSTFIT",
                "BACKFILLPOLICY NONE",
                "BACKFILLPOLICY BESTFIT",
                "RESERVATIONPOLICY HIGHEST\nNODEALLOCATIONPOLICY LASTAVAILABLE",
                "RESERVATIONDEPTH 0"
            })
    void shouldStartJobsByAndByAtOneInstant(String policy) {
        SchedulerFixture weir = waiting(policy);

        List<String> started = new ArrayList<>();
        int iterations = 0;
        do {
            weir.iterate(0);
            assertThat(weir.started()).as("started by iteration %d", iterations).isNotEmpty();
            started.addAll(weir.started());
            iterations++;
        } while (weir.isPlanUnfinished() && iterations < MOST_ITERATIONS);

        assertThat(iterations).isBetween(2, MOST_ITERATIONS - 1);
        assertThat(started).hasSize(JOBS - 1).doesNotContain("wide").doesNotHaveDuplicates();
    }

    @Test
    void shouldGoOnAtOnceAndSayHowFarItIs() {
        SchedulerFixture weir = waiting("EXPLAINDEPTH 4000");

        weir.iterate(0);

        assertThat(weir.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(0).plusMillis(1));
        assertThat(weir.publishedExplanations.get("j" + (JOBS - 1)).getMessage())
                .startsWith("has room; jobs ahead of it are planned first");
    }

    /** Nothing really starts: the next iteration would begin with the same jobs again. */
    @Test
    void shouldNotDividePassesWhereNothingIsCarriedOut() {
        SchedulerFixture weir = waiting("SCHEDCFG MODE=MONITOR");

        weir.iterate(0);

        assertThat(weir.isPlanUnfinished()).isFalse();
    }

    /** However many nodes are idle: only those are counted that are looked at. */
    @Test
    void shouldStartAsManyOnALargeClusterWhereTheFirstNodesAreTaken() {
        SchedulerFixture weir = large("NODEALLOCATIONPOLICY FIRSTAVAILABLE");

        weir.iterate(0);

        assertThat(weir.started()).hasSize(300);
    }

    /** A job of several tasks takes the first node that has room for all. */
    @ParameterizedTest
    @ValueSource(strings = {"FIRSTAVAILABLE", "LASTAVAILABLE"})
    void shouldStartAsManyOnALargeClusterWhereEachTakesOneNode(String policy) {
        SchedulerFixture weir =
                new SchedulerFixture().policy("NODEALLOCATIONPOLICY " + policy).nodes(5_000, 2);
        for (int i = 0; i < 300; i++) {
            weir.submit(
                    "j" + i,
                    2,
                    500,
                    job -> job.setRequirements(List.of(TaskRequirement.newBuilder()
                            .setTasks(2)
                            .setFewestNodes(true)
                            .build())));
        }

        weir.iterate(0);

        assertThat(weir.started()).hasSize(300);
    }

    @Test
    void shouldStartFewerWhereAllNodesAreLookedAt() {
        SchedulerFixture weir = large("NODEALLOCATIONPOLICY MINRESOURCE");

        weir.iterate(0);

        assertThat(weir.started()).hasSizeBetween(20, 100);
    }

    /** Every size that is tried is another look at the nodes. */
    @Test
    void shouldStartFewerWhereSizesAreTried() {
        SchedulerFixture weir = new SchedulerFixture().policy("EXPLAINDEPTH 0").nodes(5_000, 2);
        for (int i = 0; i < 300; i++) {
            List<String> hosts = List.of("n" + (2 * i + 1), "n" + (2 * i + 2));
            weir.submit(
                    "j" + i,
                    1,
                    500,
                    job -> job.setRequirements(List.of(TaskRequirement.newBuilder()
                            .setTasks(1)
                            .setLeastNodes(1)
                            .setMostNodes(5_000)
                            .setMoldable(true)
                            .setHosts(hosts)
                            .build())));
        }

        weir.iterate(0);

        assertThat(weir.started()).hasSizeBetween(2, 10);
        assertThat(weir.job("j0").getAllocation()).hasSize(2);
    }

    private static SchedulerFixture large(String policy) {
        SchedulerFixture weir = new SchedulerFixture().policy(policy).nodes(5_000, 2);
        for (int i = 0; i < 300; i++) {
            weir.submit("j" + i, 1, 500);
        }
        return weir;
    }

    /** One job ahead of all others asks for more than there is now, unless it would keep back everyone behind it. */
    private static SchedulerFixture waiting(String policy) {
        SchedulerFixture weir =
                new SchedulerFixture().policy(policy).nodes(NODES, 2).iterate(0);
        weir.submit("runs", 1, 1_000).iterate(0);
        if (!policy.contains("NONE")) {
            weir.submit("wide", 2 * NODES, 1_000);
        }
        for (int i = 1; i < JOBS; i++) {
            weir.submit("j" + i, 1, 500);
        }
        return weir;
    }
}

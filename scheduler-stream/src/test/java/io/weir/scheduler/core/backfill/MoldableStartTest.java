package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.SchedulerFixture;
import io.weir.schemas.TaskRequirement;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A moldable job starts as soon as the fewest nodes it asks for are free, on as many as are free then. */
@NullUnmarked
class MoldableStartTest {
    private static final String FOREVER = "RESERVATIONDEPTH 5";

    @ParameterizedTest
    @CsvSource({"1, 2, 0", "2, 2, 2", "3, 3, 3", "4, 4, 4", "5, 4, 4", "8, 4, 4"})
    void shouldTakeAsManyNodesAsAreFree(int free, int most, int nodes) {
        SchedulerFixture weir = new SchedulerFixture().policy(FOREVER).nodes(free, 4);
        submit(weir, "j", 2, 2, most, 100);

        weir.iterate(0);

        assertThat(weir.job("j").getAllocation())
                .hasSize(nodes)
                .allSatisfy(node -> assertThat(node.getProcs()).isOne());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BACKFILLPOLICY FIRSTFIT",
                "BACKFILLPOLICY BESTFIT",
                "BACKFILLPOLICY GREEDY",
                "BACKFILLPOLICY NONE",
                "NODEALLOCATIONPOLICY MINRESOURCE",
                "NODEALLOCATIONPOLICY LASTAVAILABLE",
                "NODEACCESSPOLICY SINGLEJOB"
            })
    void shouldDoSoUnderEachPolicy(String policy) {
        SchedulerFixture weir = new SchedulerFixture().policy(policy).nodes(7, 4);
        submit(weir, "j", 2, 2, 5, 100);

        weir.iterate(0);

        assertThat(weir.job("j").getAllocation()).hasSize(5);
    }

    @Test
    void shouldGiveEachNodeTheTasksThatEachOfTheFewestHas() {
        SchedulerFixture weir = new SchedulerFixture().policy(FOREVER).nodes(3, 4);
        submit(weir, "j", 6, 2, 8, 100);

        weir.iterate(0);

        assertThat(weir.job("j").getAllocation())
                .hasSize(3)
                .allSatisfy(node -> assertThat(node.getProcs()).isEqualTo(3));
        assertThat(weir.lastDecisions().get(0).getProcs()).isEqualTo(9);
    }

    @Test
    void shouldLeaveNodesThatAreReservedForAnotherBeforeItEnds() {
        SchedulerFixture weir = new SchedulerFixture().policy(FOREVER).nodes(4, 1);
        weir.adopt("a", 1, 50, 0, "n1");
        weir.submit("wide", 4, 100);
        submit(weir, "short", 1, 1, 4, 50);
        submit(weir, "long", 1, 1, 4, 51);

        weir.iterate(0);

        assertThat(weir.started()).containsExactly("short");
        assertThat(weir.job("short").getAllocation()).hasSize(3);
    }

    @Test
    void shouldTakeWhatIsFreeWhenItsReservationComesDue() {
        SchedulerFixture weir = new SchedulerFixture().policy(FOREVER).nodes(3, 1);
        List.of("n1", "n2", "n3").forEach(node -> weir.adopt("on" + node, 1, 50, 0, node));
        submit(weir, "j", 2, 2, 3, 100);
        weir.iterate(0);
        assertThat(weir.reservedStart("j")).isEqualTo(50);

        List.of("n1", "n2", "n3").forEach(node -> weir.end("on" + node, 50));
        weir.iterate(50);

        assertThat(weir.job("j").getAllocation()).hasSize(3);
    }

    @Test
    void shouldKeepToWhatItsClassAllows() {
        SchedulerFixture weir =
                new SchedulerFixture().policy("CLASSCFG[batch] MAX.PROC=3").nodes(8, 1);
        weir.submit("j", 2, 100, job -> job.setJobClass("batch").setRequirements(List.of(moldable(2, 2, 8))));

        weir.iterate(0);

        assertThat(weir.job("j").getAllocation()).hasSize(3);
    }

    /** Billions of tasks are more than a job may have, however few nodes there are. */
    @Test
    void shouldBearARangeWithoutMeasure() {
        SchedulerFixture weir = new SchedulerFixture().policy(FOREVER).nodes(300, 1);
        submit(weir, "j", 1, 0, 10_000_000, 100);
        weir.submit("many", 10_000_000, 100, job -> job.setRequirements(List.of(moldable(10_000_000, 1, 10_000_000))));

        weir.iterate(0);

        assertThat(weir.started()).containsExactly("j");
        assertThat(weir.job("j").getAllocation()).hasSize(300);
    }

    private static void submit(SchedulerFixture weir, String id, int tasks, int least, int most, long walltime) {
        weir.submit(id, tasks, walltime, job -> job.setRequirements(List.of(moldable(tasks, least, most))));
    }

    private static TaskRequirement moldable(int tasks, int least, int most) {
        return TaskRequirement.newBuilder()
                .setTasks(tasks)
                .setLeastNodes(least)
                .setMostNodes(most)
                .setMoldable(true)
                .build();
    }
}

package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.TaskRequirement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes whose processors go to jobs by two, as those of cores with two threads. Jobs may run an hour. */
class ProcUnitTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    private SchedulerFixture node(String id, int procs) {
        return weir.node(id, procs, NodeState.IDLE, node -> node.setProcUnit(2));
    }

    private List<NodeAllocation> allocation(String job) {
        return weir.job(job).getAllocation();
    }

    @Test
    @Feature("ALLOC-5")
    void shouldGiveWholeUnits() {
        node("n1", 8)
                .submit("a", 1, HOUR)
                .submit("b", 3, HOUR)
                .submit("c", 1, HOUR)
                .iterate(0);

        assertThat(weir.started()).containsExactly("a", "b", "c");
        assertThat(allocation("a")).containsExactly(new NodeAllocation("n1", 2));
        assertThat(allocation("b")).containsExactly(new NodeAllocation("n1", 4));
        assertThat(allocation("c")).containsExactly(new NodeAllocation("n1", 2));
    }

    @Test
    @Feature("ALLOC-5")
    void shouldStartNoMoreJobsAtOnceThanThereAreUnits() {
        node("n1", 4);
        for (String job : List.of("a", "b", "c")) {
            weir.submit(job, 1, HOUR);
        }
        weir.iterate(0);

        assertThat(weir.started()).containsExactly("a", "b");
        assertThat(weir.reservedStart("c")).isEqualTo(HOUR);

        weir.end("a", 10).iterate(10);
        assertThat(weir.started()).containsExactly("c");
    }

    @Test
    @Feature("ALLOC-5")
    void shouldFillANodeToItsLastProcessor() {
        node("n1", 4).submit("a", 4, HOUR).iterate(0);

        assertThat(allocation("a")).containsExactly(new NodeAllocation("n1", 4));
    }

    @Test
    @Feature("ALLOC-14")
    void shouldStartNothingAheadThatTakesTheUnitOfAReservedJob() {
        node("n1", 4).submit("first", 2, 100).iterate(0);
        weir.submit("wide", 3, HOUR)
                .submit("long", 1, HOUR)
                .submit("short", 1, 90)
                .iterate(1);

        assertThat(weir.started()).containsExactly("short");
        assertThat(weir.reservedStart("wide")).isEqualTo(100);
    }

    @Test
    @Feature("REQ-7")
    void shouldCountTasksOfSeveralRequirementsTogether() {
        node("n1", 4)
                .submit("j", 4, HOUR, job -> job.setRequirements(List.of(part(1), part(3))))
                .iterate(0);

        assertThat(allocation("j")).containsExactly(new NodeAllocation("n1", 4));
    }

    private static TaskRequirement part(int tasks) {
        return TaskRequirement.newBuilder().setTasks(tasks).build();
    }

    @Test
    @Feature("ALLOC-5")
    void shouldGiveSingleProcessorsWhereUnitsDoNotDivideTheNode() {
        node("n1", 3).submit("a", 1, HOUR).submit("b", 2, HOUR).iterate(0);

        assertThat(weir.started()).containsExactly("a", "b");
        assertThat(allocation("a")).containsExactly(new NodeAllocation("n1", 1));
    }

    @Test
    @Feature("ALLOC-5")
    void shouldKeepToTheUnitsAfterARestart() {
        weir.rebuildingAlways();
        node("n1", 4)
                .submit("a", 1, HOUR)
                .submit("b", 1, HOUR)
                .submit("c", 1, HOUR)
                .iterate(0);

        assertThat(weir.started()).containsExactly("a", "b");
    }
}

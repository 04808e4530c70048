package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.TaskRequirement;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Jobs that take something of each node they use, however few of their tasks lie there. Nodes have 4 processors and 8,000 MB. */
class NodeMinimumTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    private SchedulerFixture nodes(int count) {
        for (int i = 1; i <= count; i++) {
            node("n" + i, 0);
        }
        return weir;
    }

    private SchedulerFixture node(String id, long gpus) {
        return weir.node(
                id,
                4,
                NodeState.IDLE,
                node -> node.setMemoryMb(8_000).setGres(gpus == 0 ? List.of() : List.of(new NameCount("gpu", gpus))));
    }

    private static TaskRequirement memory(int tasks, long megabytes) {
        return TaskRequirement.newBuilder()
                .setTasks(tasks)
                .setNodeMemoryMb(megabytes)
                .build();
    }

    private static TaskRequirement gpus(int tasks, long each) {
        return TaskRequirement.newBuilder()
                .setTasks(tasks)
                .setNodeGres(List.of(new NameCount("gpu", each)))
                .build();
    }

    private static TaskRequirement procs(int tasks, int least) {
        return TaskRequirement.newBuilder().setTasks(tasks).setNodeProcs(least).build();
    }

    private static Consumer<JobReport.Builder> asking(TaskRequirement... requirements) {
        return job -> job.setRequirements(Arrays.asList(requirements));
    }

    private SchedulerFixture submit(String job, long seconds, TaskRequirement... requirements) {
        int tasks =
                Arrays.stream(requirements).mapToInt(TaskRequirement::getTasks).sum();
        return weir.submit(job, tasks, seconds, asking(requirements));
    }

    private List<Integer> tasksOf(String job) {
        JobStatus status = weir.job(job);
        return status.getPlacements().stream().map(TaskPlacement::getTasks).toList();
    }

    @Test
    @Feature("REQ-1")
    void shouldTakeTheMemoryOfANodeOnceForAllTasksThere() {
        nodes(2);
        submit("j", HOUR, memory(4, 6_000)).iterate(0);

        assertThat(tasksOf("j")).containsExactly(4);
    }

    @Test
    @Feature("REQ-1")
    void shouldTakeItOfEachNode() {
        nodes(2);
        submit("wide", HOUR, memory(6, 6_000)).iterate(0);
        assertThat(tasksOf("wide")).containsExactlyInAnyOrder(4, 2);

        submit("more", HOUR, memory(1, 2_001))
                .submit("little", 1, HOUR, asking(memory(1, 2_000)))
                .iterate(1);
        assertThat(weir.started()).containsExactly("little");
    }

    @Test
    @Feature("REQ-1")
    void shouldTakeWhatTasksTakeWhereThatIsMore() {
        nodes(1);
        TaskRequirement both = TaskRequirement.newBuilder()
                .setTasks(3)
                .setMemoryMb(2_000)
                .setNodeMemoryMb(3_000)
                .build();
        submit("j", HOUR, both).submit("k", 1, HOUR, asking(memory(1, 2_001))).iterate(0);

        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    @Feature("REQ-1")
    void shouldTakeGenericResourcesOfANodeOnce() {
        node("n1", 2);
        submit("four", HOUR, gpus(4, 2)).iterate(0);
        assertThat(tasksOf("four")).containsExactly(4);

        weir.end("four", 10);
        submit("one", HOUR, gpus(2, 1));
        submit("other", HOUR, gpus(2, 1));
        submit("third", HOUR, gpus(1, 1)).iterate(10);
        assertThat(weir.started()).containsExactly("one", "other");
    }

    @Test
    @Feature("REQ-1")
    void shouldTakeProcessorsThatItsTasksLeaveIdle() {
        nodes(1);
        submit("j", HOUR, procs(1, 3))
                .submit("two", 2, HOUR)
                .submit("one", 1, HOUR)
                .iterate(0);

        assertThat(weir.started()).containsExactly("j", "one");
        assertThat(weir.job("j").getAllocation()).containsExactly(new NodeAllocation("n1", 3));
    }

    @Test
    @Feature("REQ-1")
    void shouldNeverStartWhereNoNodeHasAsMuch() {
        nodes(2);
        submit("j", HOUR, memory(1, 8_001));
        submit("k", HOUR, procs(1, 5));
        submit("l", HOUR, gpus(1, 1)).iterate(0);

        assertThat(weir.started()).isEmpty();
    }

    @Test
    @Feature("ALLOC-14")
    void shouldPlanWithWhatIsTakenOfEachNode() {
        nodes(1);
        submit("first", 100, memory(1, 5_000)).iterate(0);
        submit("wide", HOUR, memory(3, 4_000));
        submit("long", HOUR, memory(1, 4_500));
        submit("short", 90, memory(1, 3_000)).iterate(1);

        assertThat(weir.reservedStart("wide")).isEqualTo(100);
        assertThat(weir.started()).containsExactly("short");
    }

    @Test
    @Feature("ALLOC-14")
    void shouldReserveIdleProcessorsToo() {
        nodes(1);
        submit("first", 100, procs(1, 2)).iterate(0);
        submit("second", HOUR, procs(1, 3));
        submit("long", HOUR, procs(2, 0));
        submit("behind", HOUR, procs(1, 0)).iterate(1);

        assertThat(weir.reservedStart("second")).isEqualTo(100);
        assertThat(weir.started()).containsExactly("behind");
    }

    @Test
    @Feature("REQ-7")
    void shouldTakeItForEachRequirementThatUsesANode() {
        nodes(1);
        submit("j", HOUR, memory(1, 4_500), memory(1, 4_500)).iterate(0);
        assertThat(weir.started()).isEmpty();

        submit("k", HOUR, memory(1, 4_000), memory(1, 4_000)).iterate(1);
        assertThat(weir.started()).containsExactly("k");
    }

    @Test
    @Feature("REQ-1")
    void shouldHoldItAfterARestart() {
        weir.rebuildingAlways();
        nodes(1);
        submit("j", HOUR, memory(2, 5_000)).iterate(0);
        submit("k", HOUR, memory(1, 4_000));
        submit("l", HOUR, memory(1, 3_000)).iterate(1);

        assertThat(weir.started()).containsExactly("l");
    }
}

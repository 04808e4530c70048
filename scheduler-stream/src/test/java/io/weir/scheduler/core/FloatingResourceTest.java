package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeState;
import io.weir.schemas.TaskRequirement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Generic resources that belong to no node are planned for as nodes are: one licence here, on three nodes. */
class FloatingResourceTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture()
            .policy("RESERVATIONDEPTH 5")
            .node("n1", 1, NodeState.IDLE)
            .node("n2", 1, NodeState.IDLE)
            .node("n3", 1, NodeState.IDLE)
            .node("GLOBAL", 1, NodeState.IDLE, node -> node.setGres(List.of(new NameCount("matlab", 1L))));

    @Test
    @Feature({"RSV-3", "CAT-27"})
    void shouldPromiseAFloatingResourceOnceAtATime() {
        weir.adopt("R1", 1, HOUR, 0, "n1").adopt("R2", 1, HOUR, 0, "n2").adopt("R3", 1, HOUR, 0, "n3");
        submit("a", HOUR, 1);
        submit("b", HOUR, 1);
        submit("c", HOUR, 0);
        weir.iterate(0);

        assertThat(weir.reservedStart("a")).isEqualTo(HOUR);
        assertThat(weir.reservedStart("b"))
                .as("a node is free, the licence is not")
                .isEqualTo(2 * HOUR);
        assertThat(weir.reservedStart("c")).isEqualTo(HOUR);
    }

    @Test
    @Feature("RSV-3")
    void shouldLetNobodyAheadWhoWouldTakeAPromisedResource() {
        weir.adopt("R1", 1, HOUR, 0, "n1").adopt("R2", 1, HOUR, 0, "n2");
        wide("wide", 2);
        submit("long", 2 * HOUR, 1);
        submit("short", HOUR, 1);
        weir.iterate(0);

        assertThat(weir.reservedStart("wide")).isEqualTo(HOUR);
        assertThat(weir.started()).as("it gives the licence back in time").containsExactly("short");
    }

    @Test
    @Feature("RSV-5")
    void shouldKeepPromisesUnderHighest() {
        weir.policy("RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 5");
        weir.adopt("R1", 1, HOUR, 0, "n1").adopt("R2", 1, HOUR, 0, "n2").adopt("R3", 1, 2 * HOUR, 0, "n3");
        submit("a", HOUR, 1);
        submit("b", HOUR, 1);
        weir.iterate(0);
        assertThat(weir.reservedStart("b")).isEqualTo(2 * HOUR);

        weir.end("R1", 600).iterate(600);
        assertThat(weir.started()).containsExactly("a");
        assertThat(weir.reservedStart("b")).isEqualTo(600 + HOUR);
    }

    @Test
    @Feature({"RSV-3", "CAT-27"})
    void shouldPromiseAResourceThatComesFreeToAJobThatHasNodes() {
        submit("first", HOUR, 1);
        weir.iterate(0);
        submit("second", HOUR, 1);
        submit("third", HOUR, 1);
        weir.iterate(60);

        assertThat(weir.started()).as("two nodes are idle, the licence is not").isEmpty();
        assertThat(weir.reservedStart("second")).isEqualTo(HOUR);
        assertThat(weir.reservedStart("third")).isEqualTo(2 * HOUR);
    }

    @Test
    @Feature({"RSV-3", "CAT-27"})
    void shouldKeepAResourceForTheJobAheadFromJobsOfOtherPartitions() {
        weir.policy("RESERVATIONDEPTH 1")
                .node("c1", 4, NodeState.IDLE, node -> node.setPartition("cpu"))
                .node("g1", 4, NodeState.IDLE, node -> node.setPartition("gpu"))
                .node("GLOBAL", 1, NodeState.IDLE, node -> node.setGres(List.of(new NameCount("matlab", 2L))));
        licensed("first", 1, HOUR, "cpu");
        weir.iterate(0);
        licensed("wide", 2, HOUR, "gpu");
        licensed("late", 1, HOUR, "cpu");
        weir.iterate(60);

        assertThat(weir.started())
                .as("it would hold a licence past the promise")
                .isEmpty();
        assertThat(weir.reservedStart("wide")).isEqualTo(HOUR);
    }

    @Test
    @Feature("CAT-27")
    void shouldTakeWhatANodeHasOfItsOwn() {
        submit("first", HOUR, 1);
        weir.iterate(0);
        weir.node("n4", 2, NodeState.IDLE, node -> node.setGres(List.of(new NameCount("matlab", 2L))));
        request("second", 2, HOUR, 1);
        weir.iterate(60);

        assertThat(weir.started()).as("the one that floats is taken").containsExactly("second");
    }

    private void licensed(String id, int tasks, long walltime, String partition) {
        weir.submit(
                id,
                tasks,
                walltime,
                job -> job.setPartitions(List.of(partition))
                        .setRequirements(List.of(requirement(tasks, 1).build())));
    }

    private static TaskRequirement.Builder requirement(int tasks, long licences) {
        return TaskRequirement.newBuilder()
                .setTasks(tasks)
                .setProcsPerTask(1)
                .setGres(licences == 0 ? List.of() : List.of(new NameCount("matlab", licences)));
    }

    private void submit(String id, long walltime, long licences) {
        request(id, 1, walltime, licences);
    }

    /** Asks for nodes that are busy, and for the licence. */
    private void wide(String id, int tasks) {
        TaskRequirement plain =
                TaskRequirement.newBuilder().setTasks(tasks).setProcsPerTask(1).build();
        TaskRequirement licensed = TaskRequirement.newBuilder()
                .setTasks(1)
                .setProcsPerTask(1)
                .setGres(List.of(new NameCount("matlab", 1L)))
                .build();
        weir.submit(id, tasks + 1, HOUR, job -> job.setRequirements(List.of(plain, licensed)));
    }

    private void request(String id, int tasks, long walltime, long licences) {
        weir.submit(
                id,
                tasks,
                walltime,
                job -> job.setRequirements(List.of(requirement(tasks, licences).build())));
    }
}

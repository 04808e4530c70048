package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.CommandKind;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/**
 * A rack of 200 nodes fails at once, with 10,000 jobs in the queue: one iteration requeues what ran there, gives back the
 * healthy nodes of these jobs and starts others on them. Prints how long that takes, and the failure of one node.
 */
@NullUnmarked
class RackFailureTest {
    private static final int NODES = 1_000;
    private static final int RACK = 200;
    private static final int QUEUED = 10_000;

    private final SchedulerFixture weir = new SchedulerFixture();

    @Test
    @Feature("FAIL-21")
    void shouldAnswerTheFailureOfARackInOneIteration() {
        weir.policy("NODEALLOCRESFAILUREPOLICY REQUEUE\nRESERVATIONDEPTH 4");
        for (int i = 1; i <= NODES; i++) {
            weir.node(name(i), 8, NodeState.IDLE);
        }
        for (int i = 0; i < NODES / 4; i++) {
            weir.submit("r" + i, 32, 36_000);
        }
        weir.iterate(0);
        for (int i = 0; i < QUEUED; i++) {
            weir.submit("q" + i, 8 + i % 64, 3_600 + i);
        }
        weir.iterate(1);
        assertThat(weir.started()).isEmpty();

        long one = failure(List.of(name(NODES)), 2);
        assertThat(requeued()).hasSize(1);

        List<String> rack = new ArrayList<>();
        for (int i = 1; i <= RACK; i++) {
            rack.add(name(4 * i - 3));
        }
        long all = failure(rack, 3);

        assertThat(requeued()).hasSize(RACK);
        assertThat(weir.started()).as("on the healthy nodes of these jobs").isNotEmpty();
        assertThat(weir.lastCommands().stream()
                        .filter(command -> command.getKind() == CommandKind.START_JOB)
                        .flatMap(command -> command.getAllocation().stream())
                        .map(NodeAllocation::getNodeId))
                .doesNotContainAnyElementsOf(rack);
        System.out.println("one node fails: " + one / 1_000_000 + " ms; a rack of " + RACK + ": " + all / 1_000_000
                + " ms, " + requeued().size() + " jobs requeued, "
                + weir.started().size() + " started");
    }

    private long failure(List<String> nodes, long time) {
        nodes.forEach(node -> weir.node(node, 8, NodeState.DOWN));
        long began = System.nanoTime();
        weir.iterateSilently(time);
        return System.nanoTime() - began;
    }

    private List<String> requeued() {
        return weir.lastCommands().stream()
                .filter(command -> command.getKind() == CommandKind.REQUEUE_JOB)
                .map(RmCommand::getJobId)
                .toList();
    }

    private static String name(int number) {
        return "n" + (10_000 + number);
    }
}

package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.placement.PlannedShare;
import io.weir.scheduler.core.placement.PlannedShares;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.schemas.NodeAllocation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two nodes; what is taken begins at 100 and lasts 50 s. */
class PlannedSharesTest {
    private final TestCluster cluster = new TestCluster().nodes(2, 8);
    private final PlannedShares planned = new PlannedShares(cluster.nodes);
    private final Job mixed = cluster.waiting("mixed", null, 50, Requirement.ofProcs(3, 1), Requirement.ofProcs(2, 2));
    private final Job other = cluster.waiting("other", 1, 50);

    private void take(Job job, TaskShare... shares) {
        planned.take(job, List.of(shares), 100, 150);
    }

    private List<PlannedShare> at(int position) {
        return planned.beside(other, position, 100, 101);
    }

    @Test
    void shouldAddUpWhatAJobIsToHoldOfANode() {
        take(mixed, new TaskShare(0, 0, 2), new TaskShare(1, 0, 1), new TaskShare(0, 1, 2));

        assertThat(at(0)).containsExactly(new PlannedShare(mixed, procs(6), 100, 150));
        assertThat(at(1)).containsExactly(new PlannedShare(mixed, procs(1), 100, 150));
    }

    @Test
    void shouldLeaveOutSlotsThatAreNotMet() {
        take(mixed, new TaskShare(0, 0, 1));

        assertThat(planned.beside(other, 0, 0, 100)).isEmpty();
        assertThat(planned.beside(other, 0, 0, 101)).hasSize(1);
        assertThat(planned.beside(other, 0, 149, 200)).hasSize(1);
        assertThat(planned.beside(other, 0, 150, 200)).isEmpty();
        assertThat(at(1)).isEmpty();
    }

    @Test
    void shouldLeaveOutTheSlotOfTheJobItself() {
        take(other, new TaskShare(0, 0, 1));

        assertThat(at(0)).isEmpty();
        assertThat(planned.beside(mixed, 0, 100, 101)).hasSize(1);
    }

    @Test
    void shouldLeaveOutJobsThatHoldSomethingThereAlready() {
        take(mixed, new TaskShare(0, 0, 1));
        Job running = TestJob.running("mixed", 0, report -> {}, new NodeAllocation("n1", 1));
        cluster.nodes.hold("mixed", running.shares());

        assertThat(at(0)).isEmpty();
    }

    @Test
    void shouldForgetWhatIsGivenBack() {
        take(mixed, new TaskShare(0, 0, 1), new TaskShare(0, 1, 1));
        take(cluster.waiting("next", 1, 50), new TaskShare(0, 0, 1));

        planned.giveBack(mixed, List.of(new TaskShare(0, 0, 1), new TaskShare(0, 1, 1)));
        assertThat(at(0)).extracting(share -> share.job().id()).containsExactly("next");
        planned.clear();
        assertThat(at(0)).isEmpty();
    }

    private static Capacity procs(int procs) {
        return new Capacity(procs, 0, 0, 0);
    }
}

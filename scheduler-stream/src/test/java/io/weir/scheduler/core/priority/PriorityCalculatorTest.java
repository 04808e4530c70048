package io.weir.scheduler.core.priority;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.NodeAllocation;
import java.util.List;
import org.junit.jupiter.api.Test;

class PriorityCalculatorTest {
    private static final SitePolicy FAIRSHARE =
            TestCluster.policy("FSPOLICY DEDICATEDPS", "FSWEIGHT 1", "FSUSERWEIGHT 10", "USERCFG[DEFAULT] FSTARGET=50");

    private final JobTable jobs = new JobTable();
    private final FairshareLedger ledger = new FairshareLedger();
    private final PriorityCalculator priorities = new PriorityCalculator(FAIRSHARE, ClusterCapacity.NONE, ledger);

    PriorityCalculatorTest() {
        ledger.configure(FAIRSHARE.fairshare());
    }

    private void waiting(String id, String user) {
        jobs.put(TestJob.waiting(id, report -> report.setUser(user)));
    }

    private void rank(long now) {
        priorities.charged();
        jobs.queue().rank(priorities, now);
    }

    @Test
    void shouldWorkOutFairshareAnewOnceItWasChargedThoughNoTimeWentBy() {
        waiting("j1", "ann");
        waiting("j2", "bob");
        ledger.charge(List.of(), 0);
        rank(100);
        assertThat(jobs.queue().get(0).id()).isEqualTo("j1");

        ledger.charge(TestJob.running("r", 0, report -> report.setUser("ann"), new NodeAllocation("n1", 1)), 100);
        rank(100);

        assertThat(jobs.queue().get(0).id()).isEqualTo("j2");
    }

    @Test
    void shouldForgetUsersThatHaveNoWaitingJob() {
        waiting("stays", "bob");
        for (int i = 0; i < 5_000; i++) {
            waiting("j", "u" + i);
            rank(i);
            jobs.remove("j");
        }

        assertThat(priorities.shares()).isLessThan(1_100);
    }

    @Test
    void shouldKeepUsersThatHaveWaitingJobs() {
        for (int i = 0; i < 2_500; i++) {
            waiting("j" + i, "u" + i);
        }
        rank(0);
        rank(1);
        rank(2);

        assertThat(priorities.shares()).isEqualTo(2_500);
    }
}

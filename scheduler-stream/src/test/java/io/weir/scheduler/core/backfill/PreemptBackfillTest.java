package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.plan.TestCluster;
import org.junit.jupiter.api.Test;

class PreemptBackfillTest {
    @Test
    void shouldReserveNothingForABlockedJob() {
        TestCluster cluster = new TestCluster().nodes(2, 1).running("r", 1, "n1", 0, 100);
        cluster.waiting("wide", 2, 50);
        cluster.waiting("long", 1, 1000);

        assertThat(new PassFixture(cluster).run(new PreemptBackfill())).containsExactly("backfill long");
    }
}

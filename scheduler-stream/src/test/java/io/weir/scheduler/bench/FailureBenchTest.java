package io.weir.scheduler.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class FailureBenchTest {
    @Test
    void shouldRequeueWhatRanOnTheRackAndStartNothingThere() {
        IterationBench site =
                new IterationBench(new MixedCluster(40), 400, "RESERVATIONDEPTH 4\n" + FailureBench.POLICY, 1);

        List<FailureBench.Cost> costs = new FailureBench(site, 40).run(16, 3);

        assertThat(costs).extracting(FailureBench.Cost::failed).containsExactly(0, 1, 16);
        assertThat(costs).extracting(FailureBench.Cost::misplaced).containsOnly(0);
        assertThat(costs.get(0).requeued()).isZero();
        assertThat(costs.get(1).requeued()).isPositive();
        assertThat(costs.get(2).requeued()).isGreaterThan(costs.get(1).requeued());
        assertThat(costs.get(2).millis()).isPositive();
    }
}

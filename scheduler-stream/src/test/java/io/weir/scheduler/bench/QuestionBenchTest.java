package io.weir.scheduler.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class QuestionBenchTest {
    @Test
    void shouldChargeEveryRequestThatItMeasures() {
        List<QuestionBench.Cost> costs = new QuestionBench(new IterationBench(
                        new MixedCluster(30),
                        300,
                        "RESERVATIONDEPTH 1\nNODECFG[DEFAULT] ENABLEPROFILING=TRUE\n" + QuestionBench.FAILURE_SERVICE,
                        1))
                .run(1);

        assertThat(costs)
                .extracting(QuestionBench.Cost::name)
                .contains("changeparam by a trigger", "replace a node where none is idle");
        assertThat(costs)
                .allSatisfy(cost -> assertThat(cost.looks()).as(cost.name()).isPositive());
    }
}

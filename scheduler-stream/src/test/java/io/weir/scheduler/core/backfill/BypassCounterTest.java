package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.weir.scheduler.core.plan.TestCluster;
import org.junit.jupiter.api.Test;

class BypassCounterTest {
    private final TestCluster cluster = new TestCluster().nodes(1, 1);
    private final RecordedActions actions = new RecordedActions(cluster);

    @Test
    void shouldCountOnlyStartsBehindAJob() {
        BypassCounter counter = new BypassCounter(true);
        counter.started();
        counter.passed(cluster.waiting("first", 1, 10), false);
        counter.started();
        counter.passed(cluster.waiting("second", 1, 10), false);
        counter.started();
        counter.passed(cluster.waiting("last", 1, 10), false);

        counter.report(actions);

        assertThat(actions.bypasses).containsExactly(entry("first", 2), entry("second", 1));
    }

    @Test
    void shouldReportEachStartOnceOverContinuedPasses() {
        BypassCounter counter = new BypassCounter(true);
        counter.passed(cluster.waiting("first", 1, 10), false);
        counter.started();
        counter.report(actions);
        actions.bypasses.clear();

        counter.report(actions);
        assertThat(actions.bypasses).isEmpty();
        counter.started();
        counter.report(actions);

        assertThat(actions.bypasses).containsExactly(entry("first", 1));
    }

    @Test
    void shouldCountForTheFirstReservedJobsAloneWhereTheCountWeighsNothing() {
        BypassCounter counter = new BypassCounter(false);
        counter.passed(cluster.waiting("unreserved", 1, 10), false);
        for (int i = 0; i < 12; i++) {
            counter.passed(cluster.waiting("reserved" + i, 1, 10), true);
        }
        counter.started();

        counter.report(actions);

        assertThat(actions.bypasses).hasSize(10).containsKeys("reserved0", "reserved9");
    }
}

package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.weir.scheduler.core.job.Job;
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
    void shouldCountAJobThatStartsAfterTheWalkByItsPlaceInTheQueue() {
        Job second = cluster.waiting("second", 1, 10);
        Job fourth = cluster.waiting("fourth", 1, 10);
        BypassCounter counter = new BypassCounter(true);
        counter.passed(cluster.waiting("first", 1, 10), true);
        counter.setAside(second);
        counter.passed(cluster.waiting("third", 1, 10), false);
        counter.setAside(fourth);
        counter.passed(cluster.waiting("fifth", 1, 10), false);
        counter.startedAside(fourth);
        counter.report(actions);
        assertThat(actions.bypasses).containsExactly(entry("first", 1), entry("second", 1), entry("third", 1));
        actions.bypasses.clear();

        counter.startedAside(second);
        counter.report(actions);

        assertThat(actions.bypasses).containsExactly(entry("first", 1));
    }

    @Test
    void shouldCountJobsThatStartAfterTheWalkWhereTheCountWeighsNothing() {
        Job aside = cluster.waiting("aside", 1, 10);
        BypassCounter counter = new BypassCounter(false);
        counter.passed(cluster.waiting("ahead", 1, 10), true);
        counter.setAside(aside);
        counter.passed(cluster.waiting("behind", 1, 10), true);
        counter.startedAside(aside);

        counter.report(actions);

        assertThat(actions.bypasses).containsExactly(entry("ahead", 1));
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

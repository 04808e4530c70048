package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.policy.SitePolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UniformClusterCheckTest {
    private final TestCluster cluster = new TestCluster().nodes(3, 2);
    private final UniformClusterCheck check = new UniformClusterCheck();

    private boolean countable(SitePolicy policy) {
        return check.countable(cluster.jobs, cluster.nodes, policy);
    }

    @Test
    void shouldCountProcessorsOfLikeNodesForJobsThatOnlyAskForProcessors() {
        cluster.waiting("job", 4, 60);

        assertThat(countable(SitePolicy.DEFAULT)).isTrue();
    }

    @Test
    void shouldFollowNodesWhileAJobAsksForMemory() {
        cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(1, 10));

        assertThat(countable(SitePolicy.DEFAULT)).isFalse();
    }

    @Test
    void shouldFollowNodesOfSeveralPartitions() {
        cluster.node("other", 2, 0, "elsewhere");

        assertThat(countable(SitePolicy.DEFAULT)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NODEACCESSPOLICY SINGLEJOB",
                "NODEALLOCATIONPOLICY CONTIGUOUS",
                "QOSCFG[x] QFLAGS=DEDICATED",
                "CLASSCFG[x] MAX.NODE=1",
                "QOSCFG[x] QFLAGS=USERESERVED",
                "NODECFG[n1] MAXPROC=1",
                "JOBNODEMATCHPOLICY EXACTPROC",
                "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE"
            })
    void shouldFollowNodesWhereAPolicyTellsThemApart(String line) {
        assertThat(countable(TestCluster.policy(line))).isFalse();
    }

    @Test
    void shouldGoByThePolicyInForce() {
        SitePolicy exclusive = TestCluster.policy("NODEACCESSPOLICY SINGLEJOB");

        assertThat(countable(SitePolicy.DEFAULT)).isTrue();
        assertThat(countable(exclusive)).isFalse();
        assertThat(countable(exclusive)).isFalse();
        assertThat(countable(SitePolicy.DEFAULT)).isTrue();
    }

    @Test
    void shouldCountProcessorsWhereAQualityOfServiceOnlyHasAPriority() {
        assertThat(countable(TestCluster.policy("QOSCFG[x] PRIORITY=1"))).isTrue();
    }

    /** Load hides processors of single nodes, and they come back when no job ends. */
    @Test
    void shouldFollowNodesWhoseLoadTakesProcessorsAway() {
        SitePolicy adjusting = TestCluster.policy("NODELOADPOLICY ADJUSTPROCS");
        cluster.nodes.configure(adjusting);
        assertThat(countable(adjusting)).isTrue();

        SitePolicy limited = TestCluster.policy("NODELOADPOLICY ADJUSTPROCS", "NODEMAXLOAD 2");
        cluster.nodes.configure(limited);
        assertThat(countable(limited)).isFalse();

        SitePolicy busy = TestCluster.policy("NODEMAXLOAD 2");
        cluster.nodes.configure(busy);
        assertThat(countable(busy)).isTrue();
    }
}

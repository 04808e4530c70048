package io.weir.scheduler.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.schemas.JobReport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NodeAccessTest {
    private static final SitePolicy SITE = TestCluster.policy(
            "CLASSCFG[forced] FORCENODEACCESSPOLICY=SINGLEUSER NODEACCESSPOLICY=SINGLEGROUP",
            "CLASSCFG[usual] NODEACCESSPOLICY=SINGLEGROUP",
            "QOSCFG[alone] QFLAGS=DEDICATED",
            "QOSCFG[other] PRIORITY=1");

    /** The strongest word first: the class's force, the quality of service, the job, the class. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "forced, alone, UNIQUEUSER, SINGLEUSER",
                "usual, alone, UNIQUEUSER, SINGLEJOB",
                "usual, other, UNIQUEUSER, UNIQUEUSER",
                "usual, -, uniqueuser, UNIQUEUSER",
                "usual, -, nonsense, SINGLEGROUP",
                "usual, -, -, SINGLEGROUP",
                "plain, -, -, -",
                "-, -, -, -"
            })
    void shouldGoByTheStrongestWord(
            @Nullable String jobClass, @Nullable String qos, @Nullable String own, @Nullable NodeAccessPolicy policy) {
        Job job = job(report -> report.setJobClass(jobClass).setQos(qos).setNodeAccess(own));

        assertThat(NodeAccess.anywhere(SITE, job)).isEqualTo(policy);
    }

    @Test
    void shouldTakeTheNodesWordWhereNothingIsSaidOfTheJob() {
        TestCluster cluster = new TestCluster().nodes(1, 1);
        SitePolicy site = TestCluster.policy("NODECFG[n1] ACCESS=SINGLEACCOUNT");
        cluster.nodes.configure(site);

        assertThat(NodeAccess.policy(site, job(report -> {}), cluster.nodes.at(0)))
                .isEqualTo(NodeAccessPolicy.SINGLEACCOUNT);
        assertThat(NodeAccess.policy(site, job(report -> report.setNodeAccess("SHARED")), cluster.nodes.at(0)))
                .isEqualTo(NodeAccessPolicy.SHARED);
    }

    @ParameterizedTest
    @CsvSource({
        "SHARED, SHARED, true",
        "SHARED, SHAREDONLY, true",
        "SHAREDONLY, SHAREDONLY, true",
        "SHAREDONLY, SINGLEUSER, false",
        "SHARED, SINGLEJOB, false",
        "SHARED, SINGLETASK, false",
        "SHARED, SINGLEUSER, false",
        "SHARED, SINGLEGROUP, true",
        "SHARED, SINGLEACCOUNT, false",
        "SHARED, UNIQUEUSER, true"
    })
    void shouldShareANodeWhereBothWordsAllowIt(NodeAccessPolicy one, NodeAccessPolicy two, boolean together) {
        Job anns = job(report -> report.setUser("ann").setGroup("g").setAccount("a"));
        Job bobs = job(report -> report.setUser("bob").setGroup("g").setAccount("b"));

        assertThat(NodeAccess.together(anns, one, bobs, two)).isEqualTo(together);
        assertThat(NodeAccess.together(anns, two, bobs, one)).isEqualTo(together);
    }

    @ParameterizedTest
    @CsvSource({"SINGLEUSER, true", "SINGLEGROUP, true", "SINGLEACCOUNT, true", "UNIQUEUSER, false"})
    void shouldLookAtWhomJobsBelongTo(NodeAccessPolicy policy, boolean together) {
        Job job = job(report -> report.setUser("ann").setGroup("g").setAccount("a"));

        assertThat(NodeAccess.together(job, policy, job, NodeAccessPolicy.SHARED))
                .isEqualTo(together);
    }

    /** Nobody is the same as nobody. */
    @ParameterizedTest
    @CsvSource({"SINGLEUSER, false", "SINGLEGROUP, false", "SINGLEACCOUNT, false", "UNIQUEUSER, true"})
    void shouldNotTakeJobsWithoutNamesForTheSame(NodeAccessPolicy policy, boolean together) {
        Job job = job(report -> report.setUser(null));

        assertThat(NodeAccess.together(job, policy, job, NodeAccessPolicy.SHARED))
                .isEqualTo(together);
    }

    @ParameterizedTest
    @EnumSource(NodeAccessPolicy.class)
    void shouldGiveWholeNodesToSingleJobsAndTasks(NodeAccessPolicy policy) {
        assertThat(NodeAccess.exclusive(policy))
                .isEqualTo(policy == NodeAccessPolicy.SINGLEJOB || policy == NodeAccessPolicy.SINGLETASK);
    }

    @ParameterizedTest
    @CsvSource({
        "SHARED, false",
        "SHAREDONLY, false",
        "SINGLEJOB, false",
        "SINGLETASK, false",
        "SINGLEUSER, true",
        "SINGLEGROUP, true",
        "SINGLEACCOUNT, true",
        "UNIQUEUSER, true"
    })
    void shouldKnowWhetherItMattersToWhomAJobBelongs(NodeAccessPolicy policy, boolean personal) {
        assertThat(NodeAccess.personal(policy)).isEqualTo(personal);
    }

    private static Job job(Consumer<JobReport.Builder> more) {
        return TestJob.waiting("j", more);
    }
}

package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.timeline.TaskNeed;
import io.weir.schemas.NodeAllocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Nodes n1 to n3 have two processors each; the plan begins at 0. */
class AccessViewsTest {
    private final TestCluster cluster = new TestCluster().nodes(3, 2);
    private final AccessViews views = new AccessViews(cluster.access, cluster.nodes, cluster.placement);
    private final PlanKeyTable keys;
    private final NodeAvailabilityPlan availability;

    private final Job anns = job("a", "ann", null);
    private final Job bobs = job("b", "bob", null);
    private final Job carls = job("c", "carl", null);
    private final Job inside = job("d", "ann", "r");

    AccessViewsTest() {
        NodeSets sets = new NodeSets(cluster.nodes);
        keys = new PlanKeyTable(cluster.nodes, cluster.placement, sets);
        NodeBuckets buckets = new NodeBuckets(cluster.jobs, cluster.nodes, cluster.placement, cluster.access, keys);
        availability = new NodeAvailabilityPlan(cluster.jobs, cluster.nodes, cluster.placement, keys, buckets);
    }

    @Test
    void shouldShowNodesAsTheyAreWithoutReservations() {
        reset();

        assertThat(views.number(anns)).isEqualTo(views.number(bobs));
        for (int position = 0; position < 3; position++) {
            assertThat(views.of(anns, availability).line(position)).isEqualTo(position);
        }
        assertThat(views.confine()).isFalse();
    }

    @Test
    void shouldKeepReservedNodesFromThoseOutside() {
        cluster.reserved("r", "USER==ann", 100, 200, 2, "n1");
        reset();

        assertThat(free(bobs, 0, 99)).isEqualTo(2);
        assertThat(free(bobs, 0, 100)).isZero();
        assertThat(free(bobs, 0, 200)).isEqualTo(2);
        assertThat(views.of(bobs, availability).line(1)).isEqualTo(1);
        assertThat(free(anns, 0, 150)).isEqualTo(2);
        assertThat(views.of(anns, availability).line(0)).isZero();
        assertThat(views.confine()).isFalse();
    }

    @Test
    void shouldKeepAllElseFromAJobThatHasToStayInside() {
        cluster.reserved("r", "USER==ann", 100, 200, 2, "n1");
        reset();

        assertThat(free(inside, 0, 99)).isZero();
        assertThat(free(inside, 0, 150)).isEqualTo(2);
        assertThat(free(inside, 0, 200)).isZero();
        assertThat(free(inside, 1, 150)).isZero();
        assertThat(views.confine()).isTrue();
    }

    @Test
    void shouldLookAtEveryReservationOfANode() {
        cluster.reserved("q", "USER==bob", 100, 200, 1, "n2", "n3").reserved("r", "USER==ann", 150, 250, 1, "n1", "n2");
        reset();

        assertThat(free(carls, 0, 175)).isEqualTo(1);
        assertThat(free(carls, 1, 125)).isEqualTo(1);
        assertThat(free(carls, 1, 175)).isZero();
        assertThat(free(carls, 1, 225)).isEqualTo(1);
        assertThat(free(carls, 2, 175)).isEqualTo(1);
        assertThat(free(anns, 1, 175)).isEqualTo(1);
        assertThat(free(anns, 0, 175)).isEqualTo(2);
        assertThat(free(bobs, 1, 175)).isEqualTo(1);
        assertThat(free(bobs, 2, 175)).isEqualTo(2);
    }

    /** The same reservations are closed to both, so they see one timeline. */
    @Test
    void shouldShowANodeAlikeToAllFromWhomTheSameIsKept() {
        cluster.reserved("q", "USER==bob", 100, 200, 1, "n1").reserved("r", "USER==ann", 100, 200, 1, "n2");
        reset();
        AccessView carl = views.of(carls, availability);
        AccessView bob = views.of(bobs, availability);

        assertThat(bob.line(1)).isEqualTo(carl.line(1)).isNotEqualTo(1);
        assertThat(bob.line(0)).isZero();
        assertThat(carl.line(0)).isNotZero();
    }

    /** Held until 120; a reservation keeps what is left of its part until then. */
    @Test
    void shouldNotKeepTwiceWhatAJobOfTheReservationHolds() {
        Job running = TestJob.running(
                "x", 0, report -> report.setUser("ann").setWalltimeSeconds(120L), new NodeAllocation("n1", 2));
        cluster.jobs.put(running);
        cluster.nodes.hold("x", running.shares());
        cluster.reserved("r", "USER==ann", 100, 200, 2, "n1");
        reset();

        assertThat(free(bobs, 0, 110)).isZero();
        assertThat(free(bobs, 0, 150)).isZero();
        assertThat(free(bobs, 0, 200)).isEqualTo(2);
    }

    /** A reservation of part of a node leaves nobody outside of it the whole; what lies outside of it is nobody's. */
    @Test
    void shouldShowWhoeverSharesANodeThatItIsNotHisAlone() {
        cluster.reserved("r", "USER==ann", 100, 200, 1, "n1");
        reset();

        assertThat(present(bobs, 99)).isEqualTo(TaskNeed.PRESENCE);
        assertThat(present(bobs, 100)).isLessThan(TaskNeed.PRESENCE);
        assertThat(present(bobs, 200)).isEqualTo(TaskNeed.PRESENCE);
        assertThat(present(anns, 150)).isEqualTo(TaskNeed.PRESENCE);
        assertThat(present(inside, 150)).isEqualTo(TaskNeed.PRESENCE);
    }

    private int present(Job job, int instant) {
        return availability.lines().at(views.of(job, availability).line(0)).free(NodeResources.PRESENCE, instant);
    }

    @Test
    void shouldIgnoreReservedNodesThatAreNotKnown() {
        cluster.reserved("r", "USER==ann", 100, 200, 2, "n9", "n3");
        reset();

        assertThat(free(bobs, 2, 150)).isZero();
    }

    @Test
    void shouldTellJobsApartByTheirAccessAlone() {
        cluster.reserved("r", "USER==ann", 100, 200, 2, "n1");
        reset();

        assertThat(views.number(anns)).isEqualTo(1);
        assertThat(views.number(bobs)).isEqualTo(2);
        assertThat(views.number(carls)).isEqualTo(2);
        assertThat(views.number(job("e", "ann", null))).isEqualTo(1);
    }

    @Test
    void shouldTellJobsApartByTheirOwnersWherePlacementDependsOnThem() {
        cluster.placement.personal = true;
        reset();

        assertThat(views.number(anns)).isEqualTo(1);
        assertThat(views.number(bobs)).isEqualTo(2);
        assertThat(views.number(carls)).isEqualTo(3);
        assertThat(views.of(bobs, availability)).isSameAs(views.of(carls, availability));
    }

    @Test
    void shouldNumberAJobAnewWherePlacementDependsOnOwnersFromNowOn() {
        reset();
        long mark = views.mark(anns);
        assertThat(views.number(mark)).isEqualTo(views.number(anns));

        cluster.placement.personal = true;
        assertThat(views.number(mark)).isEqualTo(-1);
        assertThat(views.number(anns)).isEqualTo(1);
        cluster.placement.personal = false;
        assertThat(views.number(anns)).isZero();
    }

    @Test
    void shouldReadAccessListsAgainWhenReservationsChange() {
        cluster.reserved("r", "USER==ann", 100, 200, 2, "n1");
        reset();
        long mark = views.mark(inside);
        assertThat(views.confine()).isTrue();
        assertThat(free(bobs, 0, 150)).isZero();

        reset();
        assertThat(views.number(mark)).isEqualTo(1);

        cluster.reserved("r", "USER==bob", 100, 200, 2, "n1");
        reset();
        assertThat(views.number(mark)).isEqualTo(-1);
        assertThat(views.confine()).isFalse();
        assertThat(free(bobs, 0, 150)).isEqualTo(2);
        assertThat(free(carls, 0, 150)).isZero();
    }

    @Test
    void shouldShowTheSameAgainWhenThePlanBeginsAnew() {
        cluster.reserved("r", "USER==ann", 100, 200, 2, "n1");
        for (int plan = 1; plan <= 2; plan++) {
            reset();
            assertThat(free(bobs, 0, 150)).isZero();
            assertThat(free(anns, 0, 150)).isEqualTo(2);
            assertThat(free(bobs, 1, 150)).as("n2 and n3 are counted together").isEqualTo(4);
        }
    }

    @Test
    void shouldFollowAReservationToOtherNodes() {
        cluster.reserved("r", "USER==ann", 100, 200, 2, "n1");
        reset();
        assertThat(free(bobs, 0, 150)).isZero();

        cluster.reserved("r", "USER==ann", 100, 200, 2, "n2");
        reset();

        assertThat(free(bobs, 0, 150)).as("n1 and n3 are counted together").isEqualTo(4);
        assertThat(free(bobs, 1, 150)).isZero();
    }

    /** Of the kinds that were numbered before none is known any more. */
    @Test
    void shouldNumberKindsAnewWheneverReservationsChange() {
        cluster.reserved("r", "USER==ann", 100, 200, 2, "n1");
        reset();
        assertThat(views.number(anns)).isEqualTo(1);
        assertThat(views.number(bobs)).isEqualTo(2);
        long mark = views.mark(bobs);

        cluster.reserved("r", "USER==bob", 100, 200, 2, "n1");
        reset();
        assertThat(views.number(bobs)).isEqualTo(1);
        cluster.reserved("r", "USER==ann", 100, 200, 2, "n1");
        reset();

        assertThat(views.number(mark)).isEqualTo(-1);
        assertThat(views.number(bobs)).isEqualTo(1);
        assertThat(free(bobs, 0, 150)).isZero();
        assertThat(free(anns, 0, 150)).isEqualTo(2);
    }

    @Test
    void shouldNumberKindsAnewUnderAnotherPolicy() {
        cluster.reserved("r", "USER==ann", 100, 200, 2, "n1");
        reset();
        long mark = views.mark(bobs);

        views.reset(TestCluster.policy("RESERVATIONPOLICY NEVER"));

        assertThat(views.number(mark)).isEqualTo(-1);
    }

    private void reset() {
        views.reset(SitePolicy.DEFAULT);
        keys.refresh(SitePolicy.DEFAULT);
        availability.reset(0, 0, SitePolicy.DEFAULT);
    }

    private int free(Job job, int position, int instant) {
        availability.look(views.of(job, availability));
        return availability.line(position).free(NodeResources.PROCS, instant);
    }

    private static Job job(String id, String user, @Nullable String reservation) {
        return TestJob.waiting(id, report -> report.setUser(user).setReservation(reservation));
    }
}

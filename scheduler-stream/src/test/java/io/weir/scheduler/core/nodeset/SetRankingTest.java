package io.weir.scheduler.core.nodeset;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.scheduler.core.policy.nodeset.NodeSetAttribute;
import io.weir.scheduler.core.policy.nodeset.NodeSetPlus;
import io.weir.scheduler.core.policy.nodeset.NodeSetPolicy;
import io.weir.scheduler.core.policy.nodeset.NodeSetPriority;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class SetRankingTest {
    private final SetScene scene = new SetScene();
    private boolean sharedMemory;

    @Test
    void shouldTakeTheFirstSetUnderFirstFit() {
        features(NodeSetPriority.FIRSTFIT);
        assertThat(best(1)).isEqualTo("b");
    }

    @Test
    void shouldTakeTheSetThatHoldsLeastUnderBestFit() {
        features(NodeSetPriority.BESTFIT);
        assertThat(best(1)).isEqualTo("a");
    }

    @Test
    void shouldTakeTheSetThatHoldsMostUnderWorstFit() {
        features(NodeSetPriority.WORSTFIT);
        assertThat(best(1)).isEqualTo("c");
    }

    @Test
    void shouldTakeTheSetWithTheFewestAvoidedNodesUnderAffinity() {
        features(NodeSetPriority.AFFINITY);
        scene.drawn("b1", NodeAffinity.NEGATIVE).drawn("a1", NodeAffinity.NEGATIVE);
        assertThat(best(1)).isEqualTo("c");
    }

    @Test
    void shouldTakeTheFastestSetUnderBestResource() {
        scene.speeds(500, 750, 800).priority(NodeSetPriority.BESTRESOURCE);
        scene.by(NodeSetPolicy.ONEOF, NodeSetAttribute.PROCSPEED);
        assertThat(best(1)).isEqualTo("800");
        assertThat(ranking(1).fastestFirst()).isTrue();
    }

    @Test
    void shouldTakeTheSetThatWastesTheLeastSpeedUnderMinimalLoss() {
        scene.speeds(500, 600, 800, 820).tolerance(0.25).priority(NodeSetPriority.MINLOSS);
        scene.by(NodeSetPolicy.ONEOF, NodeSetAttribute.PROCSPEED, "500", "800");
        assertThat(best(2)).isEqualTo("800");
    }

    @Test
    void shouldTakeTheSlowestOfSetsThatWasteEquallyLittle() {
        scene.speeds(500, 500, 800, 800).tolerance(0.1).priority(NodeSetPriority.MINLOSS);
        scene.by(NodeSetPolicy.ONEOF, NodeSetAttribute.PROCSPEED, "800", "500");
        assertThat(best(2)).isEqualTo("500");
    }

    @Test
    void shouldTakeTheFirstSetUnderFirstOfWhateverThePriority() {
        features(NodeSetPriority.WORSTFIT);
        scene.by(NodeSetPolicy.FIRSTOF, NodeSetAttribute.FEATURE, "b", "a", "c");
        assertThat(best(1)).isEqualTo("b");
    }

    @Test
    void shouldTakeTheSmallestSetWhereJobsAreDelayed() {
        features(NodeSetPriority.WORSTFIT);
        scene.plus(NodeSetPlus.DELAY);
        assertThat(best(1)).isEqualTo("a");
    }

    @Test
    void shouldTakeTheFirstSetWhereMinimalLossHasNoSpeedToCompare() {
        features(NodeSetPriority.MINLOSS);
        assertThat(best(1)).isEqualTo("b");
    }

    @Test
    void shouldTakeTheSmallestMachineOfSharedMemoryUnderMinimalLoss() {
        features(NodeSetPriority.MINLOSS);
        sharedMemory = true;
        assertThat(best(1)).isEqualTo("a");
    }

    @Test
    void shouldTakeTheFirstSpeedWhereMinimalLossHasNoTolerance() {
        scene.speeds(500, 800).priority(NodeSetPriority.MINLOSS);
        scene.by(NodeSetPolicy.ONEOF, NodeSetAttribute.PROCSPEED, "800", "500");
        assertThat(best(1)).isEqualTo("800");
    }

    @Test
    void shouldTakeEqualSetsInTheOrderInWhichCandidatesShowThem() {
        scene.node("n1", 1, "x").node("n2", 1, "y").node("n3", 1, "x").busy("n1");
        scene.by(NodeSetPolicy.ONEOF, NodeSetAttribute.FEATURE).priority(NodeSetPriority.FIRSTFIT);
        assertThat(best(1)).isEqualTo("y");
    }

    /** Sets a of one task, b of two and c of three, listed as b, a, c. */
    private void features(NodeSetPriority priority) {
        scene.node("a1", 1, "a").node("b1", 2, "b").node("c1", 3, "c");
        scene.by(NodeSetPolicy.ONEOF, NodeSetAttribute.FEATURE, "b", "a", "c").priority(priority);
    }

    private String best(int tasks) {
        SetRanking ranking = ranking(tasks);
        SetFamily family = scene.sets.family(scene.rules());
        int best = 0;
        for (int set = 1; set < family.size(); set++) {
            best = ranking.better(set, best) ? set : best;
        }
        return family.name(best);
    }

    private SetRanking ranking(int tasks) {
        SetFamily family = scene.sets.family(scene.rules());
        SetTally tally = new SetTally();
        tally.count(family, scene.candidates(), new BitSet());
        return SetRanking.of(scene.rules(), family, tally, tasks, sharedMemory);
    }
}

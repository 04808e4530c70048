package io.weir.scheduler.core.nodeset;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.scheduler.core.policy.nodeset.NodeSetAttribute;
import io.weir.scheduler.core.policy.nodeset.NodeSetPlus;
import io.weir.scheduler.core.policy.nodeset.NodeSetPolicy;
import io.weir.scheduler.core.policy.nodeset.NodeSetPriority;
import org.junit.jupiter.api.Test;

class NodeSetsTest {
    private final SetScene scene = new SetScene();

    @Test
    void shouldTakeSetsInTheOrderInWhichNodesAtHandShowThem() {
        scene.node("n1", 1, "a", "b").node("n2", 2, "b").node("n3", 2, "a");
        scene.by(NodeSetPolicy.FIRSTOF, NodeSetAttribute.FEATURE);

        assertThat(scene.place(SetUse.ONE_SET, 2)).containsExactly("n1", "n3");
        assertThat(scene.busy("n1").place(SetUse.ONE_SET, 2)).containsExactly("n2", "n2");
    }

    @Test
    void shouldGrowSpeedSetsOnlyFromSpeedsAtHand() {
        scene.speeds(500, 750, 800).tolerance(0.5).by(NodeSetPolicy.ONEOF, NodeSetAttribute.PROCSPEED);
        scene.priority(NodeSetPriority.FIRSTFIT);

        assertThat(scene.place(SetUse.ONE_SET, 2)).containsExactly("n1-500", "n2-750");
        assertThat(scene.busy("n1-500").place(SetUse.ONE_SET, 2)).containsExactly("n2-750", "n3-800");
    }

    @Test
    void shouldFallBackToTheNextSetWhenTasksCannotLieInTheBest() {
        scene.node("a1", 3, "a").node("b1", 2, "b").node("b2", 2, "b");
        scene.by(NodeSetPolicy.ONEOF, NodeSetAttribute.FEATURE, "a", "b");

        assertThat(scene.exactNode().place(SetUse.ONE_SET, SetScene.requirement(2, 2)))
                .containsExactly("b1", "b2");
    }

    /** Groups of tasks may share a node unless the site says otherwise. */
    @Test
    void shouldNeedAsManyNodesAsAreAskedForOnlyWhereTasksLieOnSoMany() {
        scene.node("a1", 3, "a").node("b1", 1, "b").by(NodeSetPolicy.ONEOF, NodeSetAttribute.FEATURE, "a", "b");

        assertThat(scene.capacities(SetScene.requirement(2, 2)).get(0).usable()).isTrue();
        assertThat(scene.place(SetUse.ONE_SET, SetScene.requirement(2, 2))).isNotEmpty();
        scene.exactNode();
        assertThat(scene.capacities(SetScene.requirement(2, 2)).get(0).usable()).isFalse();
        assertThat(scene.place(SetUse.ONE_SET, SetScene.requirement(2, 2))).isEmpty();
    }

    @Test
    void shouldUseANodeForOneSetOfASpan() {
        scene.node("n1", 2, "a", "b").node("n2", 2, "b").node("n3", 2, "c");
        scene.by(NodeSetPolicy.ONEOF, NodeSetAttribute.FEATURE, "a", "b", "c").plus(NodeSetPlus.SPANEVENLY);

        assertThat(scene.place(SetUse.ONE_SET, 6)).isEmpty();
        assertThat(scene.place(SetUse.EVEN_SPAN, 6)).containsExactly("n1", "n1", "n2", "n2", "n3", "n3");
        assertThat(scene.busy("n2").place(SetUse.EVEN_SPAN, 6)).isEmpty();
        scene.exactNode();
        assertThat(scene.place(SetUse.EVEN_SPAN, SetScene.requirement(4, 2))).containsExactly("n1", "n1", "n3", "n3");
        assertThat(scene.place(SetUse.EVEN_SPAN, SetScene.requirement(4, 3))).isEmpty();
    }

    @Test
    void shouldAvoidTheSetWithTheFewestNodesToAvoidWhenAllHaveSome() {
        scene.node("a1", 1, "a").node("a2", 1, "a").node("b1", 1, "b").node("b2", 1, "b");
        scene.drawn("a1", NodeAffinity.NEGATIVE)
                .drawn("a2", NodeAffinity.NEGATIVE)
                .drawn("b1", NodeAffinity.NEGATIVE);
        scene.priority(NodeSetPriority.AFFINITY);

        assertThat(scene.place(SetUse.ONE_SET, 2)).containsExactly("b1", "b2");
    }

    @Test
    void shouldFillTheFastestNodesOfTheBestSetFirst() {
        scene.speed("slow1", 2, 750).speed("slow2", 2, 750).speed("fast", 2, 900);
        scene.by(NodeSetPolicy.ONEOF, NodeSetAttribute.PROCSPEED).tolerance(0.5);
        scene.priority(NodeSetPriority.BESTRESOURCE);

        assertThat(scene.place(SetUse.ONE_SET, 3)).containsExactly("fast", "fast", "slow1");
        scene.exactNode();
        assertThat(scene.place(SetUse.ONE_SET, SetScene.requirement(3, 3))).containsExactly("slow1", "slow2", "fast");
    }

    @Test
    void shouldSayWhySetsAreNotUsable() {
        scene.node("a1", 3, "a").node("b1", 1, "b").node("c1", 0, "c").node("d1", 4, "d");
        scene.by(NodeSetPolicy.ONEOF, NodeSetAttribute.FEATURE, "a", "b", "c", "d");

        assertThat(scene.capacities(4))
                .containsExactly(
                        new SetCapacity("a", 3, 1, SetCapacity.Shortfall.TASKS),
                        new SetCapacity("b", 1, 1, SetCapacity.Shortfall.TASKS),
                        new SetCapacity("c", 0, 0, SetCapacity.Shortfall.EMPTY),
                        new SetCapacity("d", 4, 1, SetCapacity.Shortfall.NONE));
    }

    @Test
    void shouldDescribeWhatEachSetLacks() {
        scene.node("a1", 3, "a").node("b1", 4, "b").node("c1", 0, "c");
        scene.by(NodeSetPolicy.ONEOF, NodeSetAttribute.FEATURE, "a", "b", "c");

        assertThat(scene.describe(4))
                .isEqualTo("ONEOF:FEATURE:a,b,c (site, optional): a holds only 3 of 4 tasks;"
                        + " b holds 4 tasks on 1 nodes; c has no node for a task");
    }

    @Test
    void shouldSeeNodesThatChange() {
        scene.node("n1", 2, "a");
        scene.by(NodeSetPolicy.ONEOF, NodeSetAttribute.FEATURE, "a");
        assertThat(scene.place(SetUse.ONE_SET, 2)).hasSize(2);

        scene.nodes.remove("n1");
        scene.node("n1", 2, "b");

        assertThat(scene.place(SetUse.ONE_SET, 2)).isEmpty();
    }
}

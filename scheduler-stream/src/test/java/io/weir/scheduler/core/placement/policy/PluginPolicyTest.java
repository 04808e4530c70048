package io.weir.scheduler.core.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.placement.plugin.PluginAllocation;
import io.weir.scheduler.core.placement.plugin.PluginAllocationDraft;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.AllocationPlugin;
import io.weir.scheduler.state.AdvisedNode;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class PluginPolicyTest {
    private static final String CONFIGURED = "NODEALLOCPLUGIN[mine] CLASS=site.Racks";

    private final PolicyScene scene = new PolicyScene().nodes("a", "b", "c");

    @Test
    void shouldTakeTheNodesThePluginChoseInItsOrder() {
        scene.site(CONFIGURED);
        answered(new AdvisedNode("b", 1), new AdvisedNode("a", 1));
        assertThat(scene.choose(scene.policy("PLUGIN:mine"), 2)).containsExactly("b", "a");
    }

    @Test
    void shouldTakeNoNodeThatThePluginLeftOut() {
        scene.site(CONFIGURED);
        answered(new AdvisedNode("b", 1), new AdvisedNode("a", 1));
        assertThat(scene.choose(scene.policy("PLUGIN:mine"), 3)).isEmpty();
    }

    @Test
    void shouldGiveANodeNoMoreTasksThanThePluginSaid() {
        scene.site(CONFIGURED).tasks("a", 4).tasks("b", 4);
        answered(new AdvisedNode("b", 1), new AdvisedNode("a", 4));
        assertThat(scene.choose(scene.policy("PLUGIN:mine"), 3)).containsExactly("b", "a");
    }

    @Test
    void shouldTakeNodesAsLastAvailableWithoutAnAnswer() {
        scene.site(CONFIGURED);
        assertThat(scene.order(scene.policy("PLUGIN:mine"))).containsExactly("c", "b", "a");
    }

    @Test
    void shouldTakeNodesAsLastAvailableWhereThePluginIsNotConfigured() {
        assertThat(scene.order(scene.policy("PLUGIN:other"))).containsExactly("c", "b", "a");
    }

    @Test
    void shouldDependOnTheMomentOfTheDecision() {
        assertThat(scene.policy("PLUGIN:mine").repeatable()).isFalse();
        assertThat(scene.policy("PLUGIN:mine").indifferent()).isFalse();
    }

    private void answered(AdvisedNode... choices) {
        AllocationPlugin settings =
                SitePolicy.read(CONFIGURED).policy().allocation().plugins().get("mine");
        PluginAllocationDraft draft = new PluginAllocationDraft(scene.request(1), settings);
        scene.pluginAllocations.put(new PluginAllocation(
                draft.key(),
                draft.identity(),
                "q",
                List.of(),
                0,
                60,
                1,
                PluginAllocation.State.ANSWERED,
                List.of(choices)));
    }
}

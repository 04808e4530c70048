package io.weir.scheduler.core.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.AllocationChoice;
import io.weir.scheduler.core.policy.node.AllocationPolicyKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@NullUnmarked
class NodeAllocationPoliciesTest {
    @ParameterizedTest
    @EnumSource(value = AllocationPolicyKind.class, mode = EnumSource.Mode.EXCLUDE, names = "PLUGIN")
    void shouldBeChosenByTheParameter(AllocationPolicyKind kind) {
        SitePolicy.Reading reading = SitePolicy.read("NODEALLOCATIONPOLICY " + kind);
        assertThat(reading.problems()).isEmpty();
        assertThat(reading.policy().allocation().policy()).isEqualTo(AllocationChoice.of(kind));
    }

    @Test
    void shouldGiveEachKindAPolicyOfItsOwn() {
        PolicyScene scene = new PolicyScene();
        List<Class<?>> types = new ArrayList<>();
        for (AllocationPolicyKind kind : AllocationPolicyKind.values()) {
            types.add(scene.policy(kind == AllocationPolicyKind.PLUGIN ? "PLUGIN:mine" : kind.name())
                    .getClass());
        }
        assertThat(types).doesNotHaveDuplicates();
    }

    @Test
    void shouldTakeLocalForThePluginOfThatName() {
        assertThat(new PolicyScene().policy("LOCAL")).isInstanceOf(PluginPolicy.class);
    }

    @ParameterizedTest
    @EnumSource(AllocationPolicyKind.class)
    void shouldNotTakeAnyProcessorsWhereItDoesNotTakeAnyNodes(AllocationPolicyKind kind) {
        NodeAllocationPolicy policy =
                new PolicyScene().policy(kind == AllocationPolicyKind.PLUGIN ? "PLUGIN:mine" : kind.name());
        assertThat(policy.takesAnyNodes() || !kind.takesAnyProcessors()).isTrue();
    }
}

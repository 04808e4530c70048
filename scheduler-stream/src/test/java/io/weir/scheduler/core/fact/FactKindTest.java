package io.weir.scheduler.core.fact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.schemas.NodeStatus;
import io.weir.schemas.bound.FactBounds;
import io.weir.schemas.bound.Fields;
import java.util.Arrays;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;

class FactKindTest {
    @Test
    void shouldHaveAKindForEachRecordWithBounds() {
        assertThat(Arrays.stream(FactKind.values()).map(kind -> kind.type().getSimpleName()))
                .containsExactlyInAnyOrderElementsOf(
                        FactBounds.all().stream().map(Fields::name).toList());
    }

    @Test
    void shouldRefuseARecordThatIsNoFact() {
        NodeStatus output = (NodeStatus) SpecificData.newInstance(NodeStatus.class, NodeStatus.getClassSchema());

        assertThatThrownBy(() -> FactKind.of(output))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("NodeStatus");
    }
}

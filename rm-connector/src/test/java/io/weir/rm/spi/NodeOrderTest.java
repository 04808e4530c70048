package io.weir.rm.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.schemas.CommandKind;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class NodeOrderTest {
    @Test
    void shouldTellTheKindsThatAreAboutANode() {
        assertThat(NodeOrder.of(CommandKind.DRAIN_NODE)).contains(NodeOrder.DRAIN);
        assertThat(NodeOrder.of(CommandKind.RESUME_NODE)).contains(NodeOrder.RESUME);
        assertThat(NodeOrder.require(CommandKind.MODIFY_NODE)).isEqualTo(NodeOrder.MODIFY);
        assertThat(Arrays.stream(CommandKind.values())
                        .filter(kind -> NodeOrder.of(kind).isPresent()))
                .allMatch(kind -> kind.name().endsWith("_NODE"))
                .hasSize(NodeOrder.values().length);
    }

    @Test
    void shouldRefuseAKindThatIsAboutSomethingElse() {
        assertThat(NodeOrder.of(CommandKind.REMOVE_NODES)).isEmpty();
        assertThatThrownBy(() -> NodeOrder.require(CommandKind.RESUME_JOB))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("RESUME_JOB is not about a node");
    }
}

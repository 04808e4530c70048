package io.weir.scheduler.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.node.Capacity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeConditionTest {
    private static final Capacity NODE = new Capacity(8, 4096, 2048, 1024);

    @ParameterizedTest
    @CsvSource({
        "procs>=8, true",
        "procs>=9, false",
        "proc<=8, true",
        "procs<=7, false",
        "procs>7, true",
        "procs>8, false",
        "procs<9, true",
        "procs<8, false",
        "procs==8, true",
        "procs=7, false",
        "' Memory >= 4096 ', true",
        "mem>4096, false",
        "swap<2048, false",
        "swap<=2048, true",
        "disk==1024, true",
        "disk>1024, false"
    })
    void shouldCompareAConfiguredAmount(String text, boolean holds) {
        assertThat(NodeCondition.read(text).holds(NODE)).isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource({"procs>1, CPU", "mem>1, MEMORY", "swap>1, MEMORY", "disk>1, DISK"})
    void shouldNameWhatANodeLacks(String text, RejectionReason reason) {
        assertThat(NodeCondition.read(text).reason()).isEqualTo(reason);
    }

    @Test
    void shouldHoldForEveryNodeWhenTheTextIsNoCondition() {
        assertThat(NodeCondition.read("fast").holds(new Capacity(0, 0, 0, 0))).isTrue();
    }

    @Test
    void shouldTakeALetterThatOnlyFoldsToSwapForProcessors() {
        assertThat(NodeCondition.read("\u017fwap>=8").holds(NODE)).isTrue();
        assertThat(NodeCondition.read("\u017fwap>=9").holds(NODE)).isFalse();
    }
}

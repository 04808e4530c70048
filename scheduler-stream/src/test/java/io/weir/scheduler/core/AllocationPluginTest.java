package io.weir.scheduler.core;

import static io.weir.scheduler.core.NodeAllocationTest.nodesOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.Notification;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A site's own way of choosing nodes. */
@NullUnmarked
class AllocationPluginTest {
    private static final String CLASS = " CLASS=io.weir.scheduler.core.SamplePlugin ARGS=";

    @Test
    @Feature("ALLOC-27")
    void shouldTakeTheNodesThePluginNames() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("NODEALLOCATIONPOLICY PLUGIN:even\nNODEALLOCPLUGIN[even]" + CLASS + "even")
                .nodes(6, 4);
        weir.submit("j", 2, 100).submit("k", 2, 100).iterate(0);
        assertThat(nodesOf(weir, "j")).containsExactlyInAnyOrder("n1", "n3");
        assertThat(nodesOf(weir, "k")).containsExactlyInAnyOrder("n1", "n3");
        assertThat(weir.lastNotifications()).noneMatch(n -> n.getEvent().equals("allocpluginfailure"));
    }

    @Test
    @Feature("ALLOC-27")
    void shouldServeLocalByThePluginOfThatName() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("NODEALLOCATIONPOLICY LOCAL\nNODEALLOCPLUGIN[local]" + CLASS + "even")
                .nodes(6, 4);
        weir.submit("j", 1, 100).iterate(0);
        assertThat(nodesOf(weir, "j")).containsExactly("n1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"throw", "stranger", "greedy", "error", "hang TIMEOUT=1", "busy TIMEOUT=1"})
    @Feature("ALLOC-27")
    void shouldFallBackWhenThePluginBreaksTheRules(String how) {
        SamplePlugin.stop = false;
        SchedulerFixture weir = new SchedulerFixture()
                .policy("NODEALLOCATIONPOLICY PLUGIN:bad\nNODEALLOCPLUGIN[bad]" + CLASS + how)
                .nodes(4, 1);
        weir.submit("j", 1, 100).iterate(0);
        assertThat(nodesOf(weir, "j")).containsExactly("n4");
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).contains("allocpluginfailure");
        SamplePlugin.stop = true;
    }

    @Test
    void shouldWaitWhenThePluginWantsNoNode() {
        SchedulerFixture weir = new SchedulerFixture()
                .policy("NODEALLOCATIONPOLICY PLUGIN:none\nNODEALLOCPLUGIN[none]" + CLASS + "none")
                .nodes(4, 1);
        weir.submit("j", 1, 100).iterate(0);
        assertThat(nodesOf(weir, "j")).isEmpty();
    }
}

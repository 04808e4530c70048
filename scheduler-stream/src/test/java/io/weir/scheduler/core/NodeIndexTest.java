package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.NameCount;
import io.weir.schemas.NodeState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The place of a node in the order of nodes, as its resource manager or the site gives it. */
class NodeIndexTest {
    private static final long HOUR = 3600;

    @Test
    void shouldFollowAnIndexThatTheResourceManagerChanges() {
        SchedulerFixture weir = new SchedulerFixture().policy("NODEALLOCATIONPOLICY FIRSTAVAILABLE");
        place(weir, "a", 1);
        place(weir, "b", 2);
        place(weir, "c", 3);
        weir.submit("holds", 1, HOUR).iterate(0);
        assertThat(nodeOf(weir, "holds")).isEqualTo("a");

        place(weir, "b", 9);
        weir.submit("next", 1, HOUR).iterate(1);
        place(weir, "a", 7);
        weir.end("holds", 2).submit("then", 1, HOUR).iterate(2);

        assertThat(nodeOf(weir, "next")).isEqualTo("c");
        assertThat(nodeOf(weir, "then")).as("7 comes before 9").isEqualTo("a");
    }

    @Test
    void shouldKeepTheIndexOfANodeThatIsReportedWithout() {
        SchedulerFixture weir =
                new SchedulerFixture().policy("NODEALLOCATIONPOLICY CONTIGUOUS\nNODEFAILURERESERVETIME 0");
        place(weir, "a", 4);
        place(weir, "b", 5);
        weir.node("a", 1, NodeState.DOWN).node("a", 1, NodeState.IDLE);

        weir.submit("j", 2, HOUR).iterate(0);

        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    void shouldFormRunsByTheIndexInForce() {
        SchedulerFixture weir = new SchedulerFixture().policy("NODEALLOCATIONPOLICY CONTIGUOUS");
        place(weir, "a", 1);
        place(weir, "b", 3);
        weir.submit("j", 2, HOUR).iterate(0);
        assertThat(weir.started()).isEmpty();

        place(weir, "b", 2);
        weir.iterate(7200);

        assertThat(weir.started()).containsExactly("j");
    }

    @Test
    void shouldTakeFloatingResourcesFromAPseudoNodeWithoutProcessors() {
        SchedulerFixture weir = new SchedulerFixture().nodes(2, 4);
        weir.node("GLOBAL", 0, NodeState.IDLE, node -> node.setGres(List.of(new NameCount("lic", 2L))));

        weir.submit("j", 1, HOUR, job -> job.setExtension("gres=lic:2"));
        weir.submit("k", 1, HOUR, job -> job.setExtension("gres=lic:1")).iterate(0);

        assertThat(weir.started()).containsExactly("j");
        assertThat(weir.reservedStart("k")).isEqualTo(HOUR);
    }

    private static void place(SchedulerFixture weir, String id, int index) {
        weir.node(id, 1, NodeState.IDLE, node -> node.setIndex(index));
    }

    private static String nodeOf(SchedulerFixture weir, String job) {
        return NodeAllocationTest.nodesOf(weir, job).get(0);
    }
}

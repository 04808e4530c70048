package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.output.OutputKind;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** A resource manager that is not heard of any more: its nodes take no jobs, and those that run go on. */
@NullUnmarked
class SilentManagerTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    @Test
    @Feature("CAT-2")
    void shouldPutTheNodesOfASilentResourceManagerDown() {
        weir.policy("NODECFG[DEFAULT] ENABLEPROFILING=TRUE").hello(1).nodes(2, 1);
        weir.heartbeat(1, true, 1, 0).submit("j", 1, HOUR).iterate(1);
        assertThat(weir.lastResult.nextWake()).isEqualTo(SchedulerFixture.at(300));

        weir.submit("next", 1, HOUR, job -> job.setExtension("nokill")).iterateSilently(299);
        assertThat(node("n1").getState()).isEqualTo(NodeState.IDLE);
        weir.submit("late", 1, HOUR).iterateSilently(300);

        assertThat(node("n1").getState()).isEqualTo(NodeState.DOWN);
        assertThat(node("n2").getReason()).startsWith("node not reporting");
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).contains("rmdown");
        assertThat(weir.lastCommands()).extracting(command -> command.getKind()).doesNotContain(CommandKind.CANCEL_JOB);
        assertThat(weir.job("j").getState()).isEqualTo(JobState.RUNNING);
        assertThat(weir.started()).isEmpty();
    }

    /** Whatever takes a node down, the event says so, with the states and why; the return as well. */
    @Test
    @Feature("CAT-2")
    void shouldTellOfEachNodeThatGoesDownWithItAndOfItsReturn() {
        shouldPutTheNodesOfASilentResourceManagerDown();
        assertThat(weir.lastNotifications())
                .filteredOn(notification -> notification.getEvent().equals("nodedown"))
                .extracting(Notification::getObjectId, Notification::getText)
                .containsExactly(
                        tuple(
                                "n1",
                                "node n1: IDLE to DOWN: node not reporting to the scheduler, resource manager rm"
                                        + " unreachable"),
                        tuple(
                                "n2",
                                "node n2: IDLE to DOWN: node not reporting to the scheduler, resource manager rm"
                                        + " unreachable"));

        weir.nodes(2, 1).heartbeat(3, true, 1, 402).iterate(403);
        assertThat(weir.lastNotifications())
                .filteredOn(notification -> notification.getEvent().equals("nodeup"))
                .extracting(Notification::getObjectId)
                .containsExactly("n1", "n2");
    }

    @Test
    @Feature("CAT-2")
    void shouldTakeItsNodesBackWhenItListsThemAgain() {
        shouldPutTheNodesOfASilentResourceManagerDown();

        weir.heartbeat(2, false, 1, 400).iterate(401);
        assertThat(weir.lastCommands()).extracting(command -> command.getKind()).contains(CommandKind.FULL_POLL);
        weir.nodes(2, 1).heartbeat(3, true, 1, 402).iterate(403);

        assertThat(node("n1").getState()).isEqualTo(NodeState.IDLE);
        assertThat(weir.job("j").getState()).isEqualTo(JobState.RUNNING);
    }

    @Test
    @Feature("CAT-2")
    void shouldGoByTheClockOfTheResourceManagerWhereThatIsTheOnlyOne() {
        weir.hello(1).nodes(1, 1).heartbeat(1, true, 1, 10).iterate(10);

        assertThat(weir.lastResult.nextWake()).isNull();
    }

    /** Whatever is the matter with them: the first thing that is known to have failed is the resource manager. */
    @Test
    @Feature("CAT-2")
    void shouldCallAllNodesOfASilentResourceManagerBatchFailure() {
        weir.policy("NODECFG[DEFAULT] ENABLEPROFILING=TRUE").hello(1).nodes(3, 1);
        weir.heartbeat(1, true, 1, 0).iterate(1);
        weir.iterate(300);

        for (String node : List.of("n1", "n2", "n3")) {
            weir.request("q" + node, RequestKind.SHOW_NODE, node).iterate(301);
            assertThat(weir.lastAnswers().get(0).getDetails())
                    .as(node)
                    .contains(
                            new NameValue("category", "BatchFailure"),
                            new NameValue("categorySource", "SILENCE"),
                            new NameValue(
                                    "categorySince", SchedulerFixture.at(300).toString()));
        }
    }

    private NodeStatus node(String id) {
        return weir.outputs.stream()
                .filter(output -> output.kind() == OutputKind.NODE)
                .map(output -> (NodeStatus) output.value())
                .filter(node -> node.getNodeId().equals(id))
                .reduce((before, after) -> after)
                .orElseThrow();
    }
}

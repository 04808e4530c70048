package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Jobs that need nodes that are down: when they are planned for, and what that means for others. */
@NullUnmarked
class DownNodePlanningTest {
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long NOON = 12 * HOUR;

    private final SchedulerFixture weir = new SchedulerFixture();

    @Test
    @Feature("TRANS-7")
    void TR1() {
        weir.policy("NODEDOWNSTATEDELAYTIME 10:00").nodes(1, 1).iterate(NOON - 30 * MINUTE);
        weir.node("n1", 1, NodeState.DOWN).iterate(NOON - 20 * MINUTE);
        weir.submit("p", 1, HOUR).iterate(NOON);
        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + 10 * MINUTE));

        weir.iterate(NOON + 5 * MINUTE);
        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + 15 * MINUTE));
    }

    @Test
    void shouldGiveUpAReservationAtOnceOnANodeThatIsNoLongerAwaited() {
        weir.policy("NODEDRAINSTATEDELAYTIME 3:00:00\nNODEDOWNSTATEDELAYTIME -1")
                .node("n1", 1, NodeState.DRAINED)
                .node("n2", 2, NodeState.DOWN)
                .iterate(NOON);
        weir.submit("p", 1, HOUR).iterate(NOON);
        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + 3 * HOUR));

        weir.node("n1", 1, NodeState.DOWN).iterate(NOON + 1);

        assertThat(weir.publishedReservations).isEmpty();
    }

    @Test
    @Feature("TRANS-2")
    void TR4() {
        fourNodes("-1");
        weir.submit("small", 1, 5 * HOUR).iterate(NOON + 1);

        assertThat(weir.publishedReservations).isEmpty();
        assertThat(weir.started()).containsExactly("small");
    }

    @Test
    @Feature({"TRANS-1", "TRANS-6"})
    void TR5() {
        fourNodes("1:00:00");
        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + HOUR));

        weir.submit("long", 1, 90 * MINUTE).iterate(NOON);
        assertThat(weir.started()).isEmpty();
        weir.submit("short", 1, HOUR).iterate(NOON);
        assertThat(weir.started()).containsExactly("short");
    }

    @Test
    @Feature("TRANS-3")
    void TR6() {
        fourNodes("1:00:00");
        weir.iterate(NOON + 30 * MINUTE);

        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + 90 * MINUTE));
        weir.submit("long", 1, 61 * MINUTE).iterate(NOON + 30 * MINUTE);
        assertThat(weir.started()).isEmpty();
    }

    @Test
    @Feature("TRANS-1")
    void TR7() {
        fourNodes("1:00:00");
        weir.iterate(NOON + 30 * MINUTE);

        weir.node("n4", 1, NodeState.IDLE).iterate(NOON + 31 * MINUTE);

        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + HOUR));
    }

    @Test
    @Feature("TRANS-3")
    void startsNothingOnANodeThatIsStillDown() {
        fourNodes("1:00:00");
        weir.end("b", NOON + HOUR).iterate(NOON + HOUR);

        assertThat(weir.started()).isEmpty();
        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + 2 * HOUR));
    }

    @Test
    @Feature("TRANS-6")
    void plansForANodeThatIsDownWhenItsJobHasEndedAndTheDelayIsOver() {
        weir.policy("NODEDOWNSTATEDELAYTIME 1:00:00\nNODEALLOCRESFAILUREPOLICY IGNORE")
                .nodes(1, 2)
                .submit("kept", 1, 30 * MINUTE)
                .iterate(NOON);
        weir.node("n1", 2, NodeState.DOWN).submit("p", 2, HOUR).iterate(NOON + MINUTE);
        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + 61 * MINUTE));
    }

    @Test
    @Feature("TRANS-6")
    void plansForANodeThatIsDownAtOnceButNeverForNow() {
        weir.policy("NODEDOWNSTATEDELAYTIME 0").nodes(1, 1).iterate(NOON);
        weir.node("n1", 1, NodeState.DOWN).submit("p", 1, HOUR).iterate(NOON + 1);
        assertThat(weir.started()).isEmpty();
        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + 2));
        weir.iterate(NOON + 100);
        assertThat(weir.started()).isEmpty();
        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + 101));
    }

    @Test
    @Feature("TRANS-1")
    void plansForADrainedNodeAsFarAheadAsTheSiteSays() {
        weir.policy("NODEDRAINSTATEDELAYTIME 2:00:00").nodes(2, 1).iterate(NOON);
        weir.node("n2", 1, NodeState.DRAINED).submit("p", 2, HOUR).iterate(NOON);
        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + 2 * HOUR));

        weir.iterate(NOON + MINUTE);
        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + MINUTE + 2 * HOUR));
        weir.policy("NODEDRAINSTATEDELAYTIME -1").iterate(NOON + 2 * MINUTE);
        assertThat(weir.publishedReservations).isEmpty();
        weir.policy("").iterate(NOON + 3 * MINUTE);
        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + 3 * MINUTE + 3 * HOUR));
    }

    @Test
    @Feature("TRANS-1")
    void plansForADrainingNodeWhenItsJobsHaveEndedAndTheDelayIsOver() {
        weir.policy("NODEDRAINSTATEDELAYTIME 1:00:00")
                .nodes(1, 2)
                .submit("long", 1, 3 * HOUR)
                .iterate(NOON);
        weir.node("n1", 2, NodeState.DRAINING)
                .submit("p", 2, HOUR)
                .submit("q", 1, HOUR)
                .policy("NODEDRAINSTATEDELAYTIME 1:00:00\nRESERVATIONDEPTH 2")
                .iterate(NOON);
        assertThat(weir.started()).isEmpty();
        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + 3 * HOUR));
        assertThat(weir.publishedReservations.get("q").getStart()).isEqualTo(SchedulerFixture.at(NOON + HOUR));
    }

    @Test
    @Feature("TRANS-6")
    void expectsANodeBackWhenItsMaintenanceEnds() {
        weir.policy("NODEDOWNSTATEDELAYTIME 3:00:00").nodes(2, 1).iterate(NOON);
        keep("n2", "subtype", "hwmain", "acl", "USER==root");
        weir.node("n2", 1, NodeState.DOWN).submit("p", 2, HOUR).iterate(NOON);
        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + HOUR));

        weir.iterate(NOON + 10 * MINUTE);
        assertThat(reserved()).as("fixed, not from now").isEqualTo(SchedulerFixture.at(NOON + HOUR));

        weir.iterate(NOON + HOUR);
        assertThat(weir.started()).as("never on a node that is down").isEmpty();
        assertThat(reserved()).as("the delay again").isEqualTo(SchedulerFixture.at(NOON + 4 * HOUR));

        weir.node("n2", 1, NodeState.IDLE).iterate(NOON + HOUR + MINUTE);
        assertThat(weir.started()).containsExactly("p");
    }

    @Test
    @Feature("TRANS-6")
    void expectsANodeUnderASystemReservationBackThoughSuchNodesAreNotPlannedFor() {
        weir.policy("NODEDOWNSTATEDELAYTIME -1\nNODEDRAINSTATEDELAYTIME -1")
                .nodes(2, 1)
                .iterate(NOON);
        weir.node("n2", 1, NodeState.DRAINED).submit("p", 2, HOUR).iterate(NOON);
        assertThat(weir.publishedReservations).isEmpty();

        keep("n2");
        weir.iterate(NOON + 1);
        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + HOUR));

        weir.iterate(NOON + HOUR);
        assertThat(weir.publishedReservations)
                .as("nobody knows when it is back")
                .isEmpty();
    }

    @Test
    @Feature("TRANS-6")
    void waitsForTheDelayOfANodeThatIsReservedForUsers() {
        weir.policy("NODEDOWNSTATEDELAYTIME 3:00:00").nodes(2, 1).iterate(NOON);
        keep("n2", "acl", "USER==root");
        weir.node("n2", 1, NodeState.DOWN).submit("p", 2, HOUR).iterate(NOON);
        assertThat(reserved()).isEqualTo(SchedulerFixture.at(NOON + 3 * HOUR));
    }

    /** Reserves a node until one o'clock. */
    private void keep(String node, String... more) {
        List<NameValue> arguments = new ArrayList<>();
        arguments.add(new NameValue("hostexp", node));
        arguments.add(new NameValue("duration", "1:00:00"));
        for (int i = 0; i < more.length; i += 2) {
            arguments.add(new NameValue(more[i], more[i + 1]));
        }
        weir.request("keep", RequestKind.CREATE_RESERVATION, "new", arguments).iterate(NOON);
        assertThat(weir.publishedReservations).isNotEmpty();
    }

    /** Job p needs all four nodes, of which n3 is busy for an hour and n4 is down. */
    private void fourNodes(String delay) {
        weir.policy("NODEDOWNSTATEDELAYTIME " + delay + "\nNODECFG[n3] PRIORITY=5\nNODEALLOCATIONPOLICY PRIORITY")
                .nodes(3, 1)
                .submit("b", 1, HOUR)
                .iterate(NOON);
        weir.node("n4", 1, NodeState.DOWN).submit("p", 4, HOUR).iterate(NOON);
    }

    private Instant reserved() {
        return weir.publishedReservations.get("p").getStart();
    }
}

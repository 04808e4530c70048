package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.output.Output;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** A pass that goes on with the plan of the last one decides as one that plans everything anew. */
@NullUnmarked
class ContinuedPassTest {

    /** The node has to have room for two tasks of the job, which has only one: what it leaves may be taken by others. */
    @Test
    void shouldPlanAnewWhenOthersTookRoomThatAJobNeedsBesidesItsOwn() {
        assertThat(decisions(new SchedulerFixture()))
                .isEqualTo(decisions(new SchedulerFixture().forgettingThePlanAlways()))
                .anyMatch(text -> text.contains("MOVE_RESERVATION"));
    }

    /** A job of three tasks, two on a node at most: one node has room for two of them when the other is free. */
    @Test
    void shouldPlanAnewWhenOthersTookRoomThatAJobOfAnUnevenNumberOfTasksNeeds() {
        assertThat(uneven(new SchedulerFixture())).isEqualTo(uneven(new SchedulerFixture().forgettingThePlanAlways()));
    }

    /** A job that has to stay inside a reservation and has none of its own starts when that begins. */
    @Test
    void shouldLookAgainAtAJobWhenTheReservationBeginsInWhichItHasToStay() {
        for (String policy : List.of("BACKFILLPOLICY NONE", "RESERVATIONPOLICY NEVER")) {
            for (boolean rebuilding : new boolean[] {false, true}) {
                SchedulerFixture site = rebuilding ? new SchedulerFixture().rebuildingAlways() : new SchedulerFixture();
                site.policy(policy).nodes(2, 2);
                site.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "new",
                        List.of(
                                new NameValue("h", "n1"),
                                new NameValue("a", "USER==ann"),
                                new NameValue("s", "+100"),
                                new NameValue("d", "1:00:00")));
                site.submit("j", 1, 600, report -> report.setUser("ann").setExtension("advres"))
                        .iterate(0);
                assertThat(site.iterate(99).started()).isEmpty();

                assertThat(site.iterate(100).started())
                        .as("%s, rebuilt before every input: %s", policy, rebuilding)
                        .containsExactly("j");
            }
        }
    }

    private static List<String> uneven(SchedulerFixture site) {
        site.policy("BACKFILLPOLICY FIRSTFIT").node("n0", 4, NodeState.IDLE).node("n1", 2, NodeState.IDLE);
        site.adopt("running", 1, 72, 0, "n0").adopt("other", 2, 72, 0, "n1");
        site.submit("waits", 3, 11, report -> report.setExtension("tpn=2")).iterate(0);
        assertThat(site.reservedStart("waits")).isEqualTo(72);
        site.submit("fills", 1, 121).iterate(60);
        assertThat(site.started()).containsExactly("fills");
        site.iterate(60);
        site.iterate(61);
        return site.outputs.stream().map(Output::value).map(String::valueOf).toList();
    }

    private static List<String> decisions(SchedulerFixture site) {
        site.policy("BACKFILLPOLICY FIRSTFIT").node("n0", 8, NodeState.IDLE).adopt("running", 4, 72, 0, "n0");
        site.submit("waits", 1, 11, report -> report.setProcsPerTask(4).setExtension("tpn=2+"))
                .iterate(0);
        assertThat(site.reservedStart("waits")).isEqualTo(72);
        site.submit("fills", 4, 121).iterate(60);
        assertThat(site.started()).containsExactly("fills");
        site.iterate(60);
        site.iterate(61);
        return site.outputs.stream().map(Output::value).map(String::valueOf).toList();
    }
}

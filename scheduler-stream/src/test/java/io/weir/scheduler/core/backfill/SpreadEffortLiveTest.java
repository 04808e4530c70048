package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.SchedulerFixture;
import io.weir.schemas.NodeState;
import io.weir.schemas.TaskRequirement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reservations for all jobs, of which some of several requirements cost more than all may. */
class SpreadEffortLiveTest {
    private static final int NODES = 100;

    @Test
    void shouldReserveAlikeHoweverThePlanCameAbout() {
        SchedulerFixture live = crowded(new SchedulerFixture());
        SchedulerFixture rebuilt = crowded(new SchedulerFixture().rebuildingAlways());
        for (int i = 0; i < 6; i++) {
            int second = 10 * i;
            for (SchedulerFixture each : List.of(live, rebuilt)) {
                each.submit("later" + second, 1, 100 + second, job -> job.setUser("u" + second));
                if (second == 20) {
                    spread(each, "spread-later", 3, "bob");
                }
                each.iterate(second);
            }
            assertThat(rebuilt.publishedJobs).isEqualTo(live.publishedJobs);
            assertThat(rebuilt.publishedReservations).isEqualTo(live.publishedReservations);
        }

        assertThat(live.publishedReservations.keySet())
                .as("another user's job, and one of one requirement")
                .contains("modest", "wide")
                .as("not all of them")
                .doesNotContain("spread5");
    }

    private static SchedulerFixture crowded(SchedulerFixture weir) {
        weir.policy("RESERVATIONDEPTH INFINITY");
        for (int i = 1; i <= NODES; i++) {
            weir.node("n" + i, 8, NodeState.IDLE, node -> node.setMemoryMb(1_000L));
            weir.adopt("r" + i, 7, 1_000 + 7 * i, 0, "n" + i);
        }
        for (int i = 0; i < 6; i++) {
            spread(weir, "spread" + i, 64, "ann");
        }
        weir.submit("modest", 1, 7200, job -> job.setUser("bob").setRequirements(requirements(2, 60)));
        weir.submit("wide", 300, 7200, job -> job.setUser("bob"));
        return weir;
    }

    private static void spread(SchedulerFixture weir, String id, int requirements, String user) {
        weir.submit(id, 1, 5, job -> job.setUser(user).setRequirements(requirements(requirements, 720 / requirements)));
    }

    private static List<TaskRequirement> requirements(int count, int tasks) {
        List<TaskRequirement> requirements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            requirements.add(TaskRequirement.newBuilder()
                    .setTasks(tasks)
                    .setProcsPerTask(1)
                    .setMemoryMb(1L + i % 3)
                    .build());
        }
        return requirements;
    }
}

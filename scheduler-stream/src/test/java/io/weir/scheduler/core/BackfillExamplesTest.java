package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.NodeState;
import io.weir.schemas.TaskRequirement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Backfill and reservation groups by their worked examples. Times are seconds after T0. */
class BackfillExamplesTest {
    private static final long HOUR = 3600;

    private SchedulerFixture weir = new SchedulerFixture();

    /** BF3 under FIRSTFIT: J1 takes the three reserved nodes, whose hole it fits exactly, J2 the free one, J3 waits. */
    @Test
    @Feature("RSV-3")
    void BF3() {
        holes("");

        weir.iterate(0);

        assertThat(weir.started()).containsExactly("J1", "J2");
        assertThat(weir.job("J1").getAllocation().stream().map(a -> a.getNodeId()))
                .containsExactly("n6", "n7", "n8");
        assertThat(weir.job("J2").getAllocation().stream().map(a -> a.getNodeId()))
                .containsExactly("n5");
        assertThat(weir.reservedStart("J0")).isEqualTo(HOUR);
    }

    /** BF3 under BESTFIT by processors: J3 alone fills the wide window. */
    @Test
    @Feature("RSV-3")
    void BF3BestFit() {
        holes("BACKFILLPOLICY BESTFIT\nBACKFILLMETRIC PROCS");

        weir.iterate(0);

        assertThat(weir.started()).containsExactly("J3");
        assertThat(weir.reservedStart("J0")).isEqualTo(HOUR);
    }

    @Test
    void shouldFillTheWideWindowWithTheJobsThatTogetherAreLargest() {
        holes("BACKFILLPOLICY GREEDY\nBACKFILLMETRIC SECONDS");

        weir.iterate(0);

        // J1 and J2 together are longer than J3 alone, and four processors wide.
        assertThat(weir.started()).containsExactlyInAnyOrder("J1", "J2");
    }

    /** QG1: 8 reservations for the first group, 2 for the second, 1 for the best of any other. */
    @Test
    @Feature({"RSV-14", "RSV-15"})
    void QG1() {
        weir.policy("RESERVATIONDEPTH[0] 8\nRESERVATIONQOSLIST[0] highprio,interactive,debug\n"
                        + "RESERVATIONDEPTH[1] 2\nRESERVATIONQOSLIST[1] batch\n")
                .nodes(1, 1)
                .adopt("R", 1, 10 * HOUR, 0, "n1");
        String[] first = {"highprio", "interactive", "debug"};
        for (int i = 0; i < 10; i++) {
            String qos = first[i % 3];
            weir.submit("a" + i, 1, HOUR, job -> job.setQos(qos));
        }
        for (int i = 0; i < 5; i++) {
            weir.submit("b" + i, 1, HOUR, job -> job.setQos("batch"));
        }
        weir.submit("c0", 1, HOUR, job -> job.setQos("other")).submit("c1", 1, HOUR);

        weir.iterate(0);

        assertThat(weir.publishedReservations.keySet())
                .containsExactly("a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "b0", "b1", "c0");
    }

    @Test
    @Feature("RSV-15")
    void shouldReserveNothingForJobsOfNoGroup() {
        weir.policy("RESERVATIONDEPTH[DEFAULT] 2\nRESERVATIONQOSLIST[DEFAULT] batch\n")
                .nodes(1, 1)
                .adopt("R", 1, HOUR, 0, "n1")
                .submit("a", 1, HOUR)
                .submit("b", 1, HOUR, job -> job.setQos("batch"));

        weir.iterate(0);

        assertThat(weir.publishedReservations.keySet()).containsExactly("b");
    }

    /** NV1: no reservations, and a wide job starves behind a stream of small ones. */
    @Test
    @Feature("RSV-8")
    void NV1() {
        weir.policy("RESERVATIONPOLICY NEVER").nodes(2, 1).adopt("R", 1, HOUR, 0, "n1");
        weir.submit("wide", 2, HOUR).submit("s1", 1, 2 * HOUR).submit("s2", 1, 2 * HOUR);

        weir.iterate(0);
        assertThat(weir.started()).containsExactly("s1");
        assertThat(weir.publishedReservations).isEmpty();

        weir.end("R", HOUR).iterate(HOUR);
        assertThat(weir.started()).containsExactly("s2");
        assertThat(weir.publishedReservations).isEmpty();
    }

    @Test
    void shouldNotLetAJobWithoutBackfillOvertakeAnyone() {
        weir.policy("QOSCFG[last] QFLAGS=NOBF").nodes(2, 1).adopt("R", 1, HOUR, 0, "n1");
        weir.submit("wide", 2, HOUR)
                .submit("never", 1, HOUR, job -> job.setQos("last"))
                .submit("ahead", 1, HOUR);

        weir.iterate(0);

        assertThat(weir.started()).containsExactly("ahead");
    }

    @Test
    void shouldLookAtOnlySoManyJobsAfterTheFirstBlockedOne() {
        weir.policy("BACKFILLDEPTH 2").nodes(2, 1).adopt("R", 1, HOUR, 0, "n1");
        weir.submit("wide", 2, HOUR)
                .submit("long1", 1, 5 * HOUR)
                .submit("long2", 1, 5 * HOUR)
                .submit("short", 1, HOUR);

        weir.iterate(0);

        assertThat(weir.started()).isEmpty();
    }

    @Test
    void shouldCountHowOftenAJobIsOvertaken() {
        weir.policy("BYPASSWEIGHT 1\nQUEUETIMEWEIGHT 0").nodes(3, 1).adopt("R", 1, HOUR, 0, "n1");
        weir.submit("wide", 3, HOUR).submit("s1", 1, HOUR).submit("s2", 1, HOUR);

        weir.iterate(0);

        assertThat(weir.started()).containsExactly("s1", "s2");
        assertThat(weir.job("wide").getBypassCount()).isEqualTo(2);
        assertThat(weir.job("s1").getBackfilled()).isTrue();
    }

    @Test
    @Feature("RSV-3")
    void shouldReserveNothingForWhatTheNodesCouldNeverHold() {
        weir.node("small", 2, NodeState.IDLE, node -> node.setMemoryMb(1000)).adopt("R", 2, HOUR, 0, "small");
        weir.submit("huge", 1, HOUR, job -> job.setRequirements(List.of(memory(2000))));
        weir.submit("fits", 1, HOUR, job -> job.setRequirements(List.of(memory(1000))));

        weir.heartbeat(1, true, SchedulerFixture.EPOCH, 0).iterate(0);

        assertThat(weir.publishedReservations.keySet()).containsExactly("fits");
        assertThat(weir.job("huge").getMessages()).isNotEmpty();
    }

    @Test
    void shouldReserveNodesThatHoldEveryResourceOfEveryTask() {
        weir.node("a", 4, NodeState.IDLE, node -> node.setMemoryMb(1000));
        weir.node("b", 4, NodeState.IDLE, node -> node.setMemoryMb(4000).setFeatures(List.of("fast")));
        weir.adopt("R", 4, HOUR, 0, "b");
        weir.submit(
                "J",
                2,
                HOUR,
                job -> job.setRequirements(List.of(TaskRequirement.newBuilder(memory(2000))
                        .setTasks(2)
                        .setProcsPerTask(2)
                        .setFeatures(List.of("fast"))
                        .build())));

        weir.iterate(0);

        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("J")).isEqualTo(HOUR);
        assertThat(weir.publishedReservations.get("J").getPlacements())
                .singleElement()
                .satisfies(placement -> {
                    assertThat(placement.getNodeId()).isEqualTo("b");
                    assertThat(placement.getTasks()).isEqualTo(2);
                });
    }

    /** Eight nodes, four of them busy for an hour; the top job needs these and three of the idle ones. */
    private void holes(String policy) {
        weir.policy(policy).nodes(8, 1);
        for (int i = 1; i <= 4; i++) {
            weir.adopt("R" + i, 1, HOUR, 0, "n" + i);
        }
        weir.submit("J0", 7, 2 * HOUR)
                .submit("J1", 3, HOUR)
                .submit("J2", 1, 5 * HOUR)
                .submit("J3", 4, HOUR);
    }

    private static TaskRequirement memory(long megabytes) {
        return TaskRequirement.newBuilder()
                .setTasks(1)
                .setProcsPerTask(1)
                .setMemoryMb(megabytes)
                .build();
    }
}

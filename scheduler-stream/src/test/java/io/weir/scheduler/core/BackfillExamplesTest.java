package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.TaskRequirement;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** BF3 where every node is followed, because there are classes, or node sets. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CLASSCFG[other] PRIORITY=1",
                "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETISOPTIONAL TRUE"
            })
    @Feature("RSV-3")
    void BF3ByNode(String policy) {
        holes(policy);

        weir.iterate(0);

        assertThat(weir.started()).containsExactly("J1", "J2");
        assertThat(weir.reservedStart("J0")).isEqualTo(HOUR);
        assertThat(weir.publishedReservations.get("J0").getPlacements()).hasSize(7);
    }

    /** BF3 under BESTFIT by processors: J3 alone fills the wide window. */
    @ParameterizedTest
    @ValueSource(strings = {"", "CLASSCFG[other] PRIORITY=1"})
    @Feature("RSV-3")
    void BF3BestFit(String more) {
        holes("BACKFILLPOLICY BESTFIT\nBACKFILLMETRIC PROCS\n" + more);

        weir.iterate(0);

        assertThat(weir.started()).containsExactly("J3");
        assertThat(weir.reservedStart("J0")).isEqualTo(HOUR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "CLASSCFG[other] PRIORITY=1"})
    void shouldFillTheWideWindowWithTheJobsThatTogetherAreLargest(String more) {
        holes("BACKFILLPOLICY GREEDY\nBACKFILLMETRIC SECONDS\n" + more);

        weir.iterate(0);

        // J1 and J2 together are longer than J3 alone, and four processors wide.
        assertThat(weir.started()).containsExactlyInAnyOrder("J1", "J2");
    }

    /** Two nodes are free for 1,000 s; c takes both, a and b one each. */
    @Test
    @Feature("RSV-3")
    void shouldFillAWindowWithJobsThatFitIntoItTogether() {
        weir.policy("BACKFILLPOLICY GREEDY\nNODEACCESSPOLICY SINGLEJOB").nodes(3, 8);
        weir.submit("r", 1, 1000).iterate(0);
        weir.submit("top", 24, 100)
                .submit("a", 2, 100)
                .submit("b", 2, 100)
                .submit("c", 9, 100)
                .iterate(1);

        assertThat(weir.started()).containsExactly("c");
    }

    /** Node n2 is free, with 8,000 MB. */
    @Test
    @Feature("RSV-3")
    void shouldFillAWindowWithJobsWhoseMemoryIsThere() {
        weir.policy("BACKFILLPOLICY GREEDY")
                .node("n1", 8, NodeState.IDLE, node -> node.setMemoryMb(8_000L))
                .node("n2", 8, NodeState.IDLE, node -> node.setMemoryMb(8_000L))
                .adopt("r", 8, 1000, 0, "n1");
        weir.submit("top", 16, 100)
                .submit("a", 1, 100, memory(1, 5_000))
                .submit("b", 1, 100, memory(1, 3_000))
                .submit("c", 6, 100, memory(6, 1_333))
                .iterate(0);

        assertThat(weir.started()).containsExactly("c");
    }

    private static Consumer<JobReport.Builder> memory(int tasks, long megabytes) {
        return job -> job.setRequirements(List.of(TaskRequirement.newBuilder()
                .setTasks(tasks)
                .setMemoryMb(megabytes)
                .build()));
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

    /** It goes behind those it may not overtake; its reservation stays where it is, and slides with theirs. */
    @ParameterizedTest
    @ValueSource(strings = {"CURRENTHIGHEST", "HIGHEST"})
    @Feature("RSV-3")
    void shouldPlanAJobWithoutBackfillBehindThoseAheadOfIt(String reservations) {
        weir.policy("QOSCFG[last] QFLAGS=NOBF\nRESERVATIONDEPTH 5\nRESERVATIONPOLICY " + reservations);
        weir.nodes(4, 1).adopt("R", 1, 1000, 0, "n1");
        weir.submit("wide", 4, 1000)
                .submit("never", 1, 500, job -> job.setQos("last"))
                .submit("ahead", 1, 100);

        weir.iterate(0);
        assertThat(weir.started()).containsExactly("ahead");
        assertThat(weir.reservedStart("wide")).isEqualTo(1000);
        assertThat(weir.reservedStart("never")).isEqualTo(2000);
        weir.iterate(1);
        weir.iterate(2);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("never")).isEqualTo(2000);

        weir.end("ahead", 100).end("R", 400).iterate(400);
        assertThat(weir.started()).containsExactly("wide");
        assertThat(weir.reservedStart("never")).isEqualTo(1400);
        weir.end("wide", 500).iterate(500);
        assertThat(weir.started()).containsExactly("never");
    }

    /** A place that comes free before those ahead of it can start is not for such a job, whether it fits at once or later. */
    @ParameterizedTest
    @ValueSource(strings = {"CURRENTHIGHEST", "HIGHEST"})
    @Feature("RSV-3")
    void shouldLeaveRoomThatComesFreeSoonerToOthersThanAJobWithoutBackfill(String reservations) {
        weir.policy("QOSCFG[last] QFLAGS=NOBF\nRESERVATIONDEPTH 5\nRESERVATIONPOLICY " + reservations);
        weir.nodes(4, 1).adopt("R1", 1, 200, 0, "n1").adopt("R2", 1, 200, 0, "n2");
        weir.adopt("R3", 1, 1000, 0, "n3").adopt("R4", 1, 1000, 0, "n4");
        weir.submit("wide", 3, 1000).submit("never", 1, 500, job -> job.setQos("last"));

        weir.iterate(0);

        assertThat(weir.reservedStart("wide")).isEqualTo(1000);
        assertThat(weir.reservedStart("never")).isEqualTo(1000);
        weir.end("R1", 200).end("R2", 200).iterate(200);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("never")).isEqualTo(1000);
        weir.end("R3", 1000).end("R4", 1000).iterate(1000);
        assertThat(weir.started()).containsExactly("wide", "never");
    }

    /** Who comes ahead of it later goes around its reservation, like around any other that lasts. */
    @Test
    @Feature("RSV-3")
    void shouldKeepTheReservationOfAJobWithoutBackfillWhenAnotherComesAheadOfIt() {
        weir.policy(
                "QOSCFG[last] QFLAGS=NOBF\nQOSCFG[first] PRIORITY=1000\nRESERVATIONDEPTH 5\nRESERVATIONPOLICY HIGHEST");
        weir.node("n1", 4, NodeState.IDLE).adopt("R1", 3, 1000, 0, "n1").adopt("R2", 1, 3000, 0, "n1");
        weir.submit("wide", 3, 1000)
                .submit("never", 1, 500, job -> job.setQos("last"))
                .iterate(0);
        assertThat(weir.reservedStart("never")).isEqualTo(2000);

        weir.submit("top", 4, 1000, job -> job.setQos("first")).iterate(10);
        weir.end("R1", 500).iterate(500);

        assertThat(weir.started()).containsExactly("wide");
        assertThat(weir.reservedStart("top")).isEqualTo(3000);
        assertThat(weir.reservedStart("never"))
                .as("it does not slide ahead of the other either")
                .isEqualTo(2000);
        weir.end("wide", 1500).iterate(1500);
        assertThat(weir.started()).isEmpty();
        weir.iterate(2000);
        assertThat(weir.started()).containsExactly("never");
    }

    /** Where nobody knows when those ahead of it can start such a job gets no reservation. */
    @ParameterizedTest
    @ValueSource(strings = {"CURRENTHIGHEST", "HIGHEST"})
    @Feature("RSV-3")
    void shouldReserveNothingForAJobWithoutBackfillBehindOthersThatHaveNothing(String reservations) {
        weir.policy(
                "QOSCFG[last] QFLAGS=NOBF\nQOSCFG[plain] PRIORITY=1\nRESERVATIONPOLICY " + reservations
                        + "\nRESERVATIONDEPTH[0] 0\nRESERVATIONQOSLIST[0] plain\nRESERVATIONDEPTH[1] 5\nRESERVATIONQOSLIST[1] last");
        weir.nodes(2, 1).adopt("R", 1, 1000, 0, "n1");
        weir.submit("wide", 2, 1000, job -> job.setQos("plain")).submit("never", 1, 500, job -> job.setQos("last"));

        weir.iterate(0).iterate(1);

        assertThat(weir.started()).isEmpty();
        assertThat(weir.publishedReservations).isEmpty();
        weir.end("R", 50).iterate(50);
        assertThat(weir.started()).containsExactly("wide");
        weir.end("wide", 60).iterate(60);
        assertThat(weir.started()).containsExactly("never");
    }

    /** While room is kept for wide jobs a narrow one waits for the end of that, or for those ahead of it. */
    @ParameterizedTest
    @CsvSource({
        "CURRENTHIGHEST, 36000, 1300",
        "HIGHEST, 36000, 1300",
        "CURRENTHIGHEST, 1100, 1100",
        "HIGHEST, 1100, 1100"
    })
    @Feature("RSV-3")
    void shouldPlanANarrowJobForTheEndOfTheTimeOfWideOnes(String reservations, long blockedUntil, long narrow) {
        weir.policy("BFCHUNKSIZE 3\nBFCHUNKDURATION 0:05:00\nRESERVATIONDEPTH 5\nRESERVATIONPOLICY " + reservations);
        weir.node("n1", 4, NodeState.IDLE).adopt("a", 2, blockedUntil, 0, "n1");
        weir.adopt("b", 1, 2 * HOUR, 0, "n1").iterate(0);
        weir.submit("wide", 3, HOUR).iterate(400);

        weir.end("b", 1000).submit("narrow", 1, 500).iterate(1000);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("narrow")).isEqualTo(narrow);
        weir.iterate(1001);
        assertThat(weir.started()).isEmpty();
        assertThat(weir.reservedStart("narrow")).isEqualTo(narrow);

        if (narrow == blockedUntil) {
            weir.end("a", narrow);
        }
        weir.iterate(narrow);
        assertThat(weir.started()).contains("narrow");
    }

    /** A job whose reservation has come is not passed over for one that fills a window better. */
    @ParameterizedTest
    @CsvSource({"BESTFIT, CURRENTHIGHEST", "GREEDY, CURRENTHIGHEST", "BESTFIT, HIGHEST", "GREEDY, HIGHEST"})
    @Feature("RSV-3")
    void shouldStartReservedJobsBeforeWindowsAreFilled(String backfill, String reservations) {
        weir.policy("BACKFILLMETRIC PROCSECONDS\nRESERVATIONDEPTH 2\nBACKFILLPOLICY " + backfill
                + "\nRESERVATIONPOLICY " + reservations);
        weir.node("n1", 4, NodeState.IDLE).adopt("Y", 1, 5000, 0, "n1").adopt("X", 2, 1000, 0, "n1");
        weir.submit("whole", 4, 1000).submit("J", 3, 1000).iterate(0);
        assertThat(weir.reservedStart("J")).isEqualTo(1000);
        weir.submit("B", 2, 3900).iterate(10);

        weir.end("X", 1000).iterate(1000);

        assertThat(weir.started()).containsExactly("J");
    }

    /** A job that comes later with a higher priority is not put behind for the reservation that another has from before. */
    @ParameterizedTest
    @ValueSource(strings = {"FIRSTFIT", "BESTFIT", "GREEDY"})
    @Feature("RSV-3")
    void shouldStartTheJobOfHigherPriorityThoughAnotherIsReserved(String backfill) {
        weir.policy("QUEUETIMEWEIGHT 0\nRESERVATIONDEPTH 3\nUSERCFG[u2] PRIORITY=20\nUSERCFG[u3] PRIORITY=99\n"
                + "BACKFILLPOLICY " + backfill);
        weir.node("n1", 4, NodeState.IDLE).adopt("Y", 2, 500, 0, "n1").adopt("X", 1, 300, 0, "n1");
        weir.submit("whole", 4, 200, job -> job.setUser("u3"))
                .submit("low", 2, 100, job -> job.setUser("u1"))
                .iterate(10);
        assertThat(weir.reservedStart("low")).isEqualTo(300);

        weir.submit("high", 2, 100, job -> job.setUser("u2")).end("X", 100).iterate(100);

        assertThat(weir.started()).containsExactly("high");
    }

    /** A job that no node could ever hold is nobody's turn. */
    @ParameterizedTest
    @ValueSource(strings = {"", "DEFERTIME 0", "RESERVATIONDEPTH 0"})
    @Feature("RSV-3")
    void shouldKeepTheTurnOfJobsBehindOneThatNothingCouldHold(String more) {
        weir.policy("BACKFILLPOLICY GREEDY\nBACKFILLMETRIC PROCSECONDS\n" + more);
        weir.node("n1", 4, NodeState.IDLE);
        weir.submit("never", 1, 100, job -> job.setProcsPerTask(8))
                .submit("first", 3, 500)
                .submit("large", 1, 5000, job -> job.setProcsPerTask(4));

        weir.iterate(0);

        assertThat(weir.started()).containsExactly("first");
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

    @ParameterizedTest
    @ValueSource(strings = {"FIRSTFIT", "BESTFIT", "GREEDY"})
    void shouldCountOnlyJobsAheadAsOvertaken(String backfill) {
        weir.policy("BACKFILLPOLICY " + backfill + "\nBYPASSWEIGHT 1\nQUEUETIMEWEIGHT 0")
                .nodes(4, 1)
                .adopt("R1", 1, HOUR, 0, "n1")
                .adopt("R2", 1, HOUR, 0, "n2");
        weir.submit("wide", 4, HOUR).submit("fits", 1, HOUR).submit("behind", 3, HOUR);

        weir.iterate(0);

        assertThat(weir.started()).containsExactly("fits");
        assertThat(weir.job("wide").getBypassCount()).isEqualTo(1);
        assertThat(weir.job("behind").getBypassCount()).isZero();
    }

    /** BESTFIT starts the larger job, which stands behind one that fits, too. */
    @Test
    void shouldCountAJobThatFitsAndIsNotChosenAsOvertaken() {
        weir.policy("BACKFILLPOLICY BESTFIT\nBYPASSWEIGHT 1\nQUEUETIMEWEIGHT 0")
                .nodes(4, 1)
                .adopt("R1", 1, HOUR, 0, "n1")
                .adopt("R2", 1, HOUR, 0, "n2");
        weir.submit("wide", 4, HOUR).submit("small", 1, HOUR).submit("large", 2, HOUR);

        weir.iterate(0);

        assertThat(weir.started()).containsExactly("large");
        assertThat(weir.job("wide").getBypassCount()).isEqualTo(1);
        assertThat(weir.job("small").getBypassCount()).isEqualTo(1);
    }

    /** A job behind the depth starts in the reservation it kept: those that were not even tried are overtaken, too. */
    @Test
    void shouldCountJobsBehindTheBackfillDepthAsOvertaken() {
        weir.policy("""
                        BACKFILLDEPTH 1
                        RESERVATIONPOLICY HIGHEST
                        RESERVATIONDEPTH 9
                        BYPASSWEIGHT 1
                        QUEUETIMEWEIGHT 0
                        USERCFG[top] PRIORITY=100
                        """)
                .nodes(4, 1)
                .adopt("R1", 1, 100, 0, "n1")
                .adopt("R2", 1, 100, 0, "n2")
                .adopt("R3", 1, 1_000, 0, "n3");
        weir.submit("kept", 3, 100);
        weir.iterate(0);
        for (String id : List.of("a", "b", "c")) {
            weir.submit(id, 4, 50, job -> job.setUser("top"));
        }
        weir.iterate(1);

        weir.end("R1", 100).end("R2", 100).iterate(100);

        assertThat(weir.started()).containsExactly("kept");
        for (String id : List.of("a", "b", "c")) {
            assertThat(weir.job(id).getBypassCount()).as(id).isEqualTo(1);
        }
    }

    @Test
    @Feature("RSV-3")
    void shouldReserveNothingForWhatTheNodesCouldNeverHold() {
        weir.node("small", 2, NodeState.IDLE, node -> node.setMemoryMb(1000)).adopt("R", 2, HOUR, 0, "small");
        weir.heartbeat(1, true, SchedulerFixture.EPOCH, 0);
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

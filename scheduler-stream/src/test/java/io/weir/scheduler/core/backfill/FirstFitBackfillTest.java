package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.plan.TestCluster;
import org.junit.jupiter.api.Test;

class FirstFitBackfillTest {
    /** Four nodes, two of them busy until 100. */
    private final TestCluster cluster =
            new TestCluster().nodes(4, 1).running("r1", 1, "n1", 0, 100).running("r2", 1, "n2", 0, 100);

    @Test
    void shouldStartJobsInTurnWhileTheyFit() {
        cluster.waiting("a", 1, 500);
        cluster.waiting("b", 1, 500);

        assertThat(new PassFixture(cluster).run(new FirstFitBackfill())).containsExactly("start a", "start b");
    }

    @Test
    void shouldBackfillWhatIsOverBeforeTheReservationAndNothingElse() {
        cluster.waiting("wide", 4, 500);
        cluster.waiting("late", 1, 101);
        cluster.waiting("short", 1, 100);

        assertThat(new PassFixture(cluster).run(new FirstFitBackfill()))
                .containsExactly("reserve wide 100", "backfill short");
    }

    @Test
    void shouldReserveForAsManyBlockedJobsAsTheDepthAllows() {
        cluster.waiting("first", 4, 50);
        cluster.waiting("second", 4, 50);
        cluster.waiting("third", 4, 50);

        assertThat(new PassFixture(cluster, "RESERVATIONDEPTH 2").run(new FirstFitBackfill()))
                .containsExactly("reserve first 100", "reserve second 150");
    }

    @Test
    void shouldReserveForEveryJobUnderConservativeBackfill() {
        cluster.waiting("first", 4, 50);
        cluster.waiting("second", 2, 101);
        cluster.waiting("third", 2, 100);

        assertThat(new PassFixture(cluster, "RESERVATIONDEPTH INFINITY").run(new FirstFitBackfill()))
                .containsExactly("reserve first 100", "reserve second 150", "backfill third");
    }

    @Test
    void shouldReportAJobThatNothingCouldHoldAndGoOn() {
        cluster.waiting("wide", 4, 50);
        cluster.waiting("never", 5, 50);
        cluster.waiting("short", 1, 50);

        assertThat(new PassFixture(cluster).run(new FirstFitBackfill()))
                .containsExactly("reserve wide 100", "impossible never", "backfill short");
    }

    @Test
    void shouldTryNoMoreJobsThanTheBackfillDepthBehindABlockedOne() {
        cluster.waiting("wide", 4, 50);
        cluster.waiting("wide2", 4, 50);
        cluster.waiting("wide3", 4, 50);
        cluster.waiting("short", 1, 50);

        assertThat(new PassFixture(cluster, "BACKFILLDEPTH 2").run(new FirstFitBackfill()))
                .containsExactly("reserve wide 100");
        assertThat(new PassFixture(cluster, "BACKFILLDEPTH 3").run(new FirstFitBackfill()))
                .containsExactly("reserve wide 100", "backfill short");
    }

    @Test
    void shouldReserveForAJobWhoseStartFailsAfterAll() {
        cluster.waiting("a", 1, 50);
        PassFixture fixture = new PassFixture(cluster);
        fixture.actions.refused.add("a");

        assertThat(fixture.run(new FirstFitBackfill())).containsExactly("reserve a 1");
    }

    @Test
    void shouldKeepNodesForAJobThatWaitsForAPlugIn() {
        cluster.waiting("asking", 2, 50);
        cluster.waiting("next", 1, 50);
        PassFixture fixture = new PassFixture(cluster);
        fixture.actions.awaited.add("asking");

        assertThat(fixture.run(new FirstFitBackfill())).containsExactly("reserve next 50");
    }

    @Test
    void shouldCountHowManyJobsStartedBeforeABlockedOne() {
        cluster.waiting("wide", 4, 500);
        cluster.waiting("s1", 1, 100);
        cluster.waiting("s2", 1, 100);
        PassFixture fixture = new PassFixture(cluster);

        fixture.run(new FirstFitBackfill());

        assertThat(fixture.actions.bypasses).containsExactly(java.util.Map.entry("wide", 2));
    }

    @Test
    void shouldGoOnBehindTheJobsAlreadySeen() {
        cluster.waiting("wide", 4, 500);
        PassFixture fixture = new PassFixture(cluster);
        FirstFitBackfill strategy = new FirstFitBackfill();
        PlanningPass pass = fixture.pass(strategy);

        cluster.waiting("short", 1, 90);
        pass.resume(new PlanningPass.Moment(
                10,
                null,
                false,
                Long.MIN_VALUE,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                fixture.starts,
                fixture.rooms,
                fixture.actions));
        strategy.plan(pass);

        assertThat(fixture.actions.steps).containsExactly("reserve wide 100", "backfill short");
    }

    @Test
    void shouldCountFromThePresentInAContinuedPass() {
        cluster.waiting("wide", 4, 500);
        PassFixture fixture = new PassFixture(cluster);
        FirstFitBackfill strategy = new FirstFitBackfill();
        PlanningPass pass = fixture.pass(strategy);

        cluster.waiting("late", 1, 91);
        pass.resume(new PlanningPass.Moment(
                10,
                null,
                false,
                Long.MIN_VALUE,
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                fixture.starts,
                fixture.rooms,
                fixture.actions));
        strategy.plan(pass);

        assertThat(fixture.actions.steps).containsExactly("reserve wide 100");
    }

    @Test
    void shouldStartNoJobThatIsNotEligibleYet() {
        cluster.jobs.put(cluster.waiting("later", 1, 50).edit().notBefore(1).done());
        cluster.jobs.put(cluster.waiting("now", 1, 50).edit().notBefore(0).done());

        assertThat(new PassFixture(cluster).run(new FirstFitBackfill())).containsExactly("start now");
    }

    @Test
    void shouldKeepRoomThatCameFreeForWideJobsWhileItsTimeLasts() {
        cluster.waiting("wide", 4, 500);
        cluster.waiting("narrow", 1, 100);
        cluster.waiting("wider", 2, 100);
        PassFixture fixture = new PassFixture(cluster, "BFCHUNKSIZE 2");

        fixture.pass(
                new FirstFitBackfill(),
                new PlanningPass.Moment(
                        0,
                        null,
                        false,
                        1,
                        Integer.MAX_VALUE,
                        Integer.MAX_VALUE,
                        fixture.starts,
                        fixture.rooms,
                        fixture.actions));

        assertThat(fixture.actions.steps).containsExactly("reserve wide 100", "backfill wider");
    }

    @Test
    void shouldKeepNoRoomForWideJobsOnceItsTimeIsOver() {
        cluster.waiting("wide", 4, 500);
        cluster.waiting("narrow", 1, 100);
        PassFixture fixture = new PassFixture(cluster, "BFCHUNKSIZE 2");

        fixture.pass(
                new FirstFitBackfill(),
                new PlanningPass.Moment(
                        0,
                        null,
                        false,
                        0,
                        Integer.MAX_VALUE,
                        Integer.MAX_VALUE,
                        fixture.starts,
                        fixture.rooms,
                        fixture.actions));

        assertThat(fixture.actions.steps).containsExactly("reserve wide 100", "backfill narrow");
    }

    @Test
    void shouldStartAJobThatMayNotOvertakeInItsTurnAlone() {
        cluster.waiting("first", "strict", 50, Requirement.ofProcs(1, 1));
        cluster.waiting("wide", 4, 50);
        cluster.waiting("behind", "strict", 50, Requirement.ofProcs(1, 1));

        assertThat(new PassFixture(cluster, "QOSCFG[strict] QFLAGS=NOBF", "RESERVATIONPOLICY NEVER")
                        .run(new FirstFitBackfill()))
                .containsExactly("start first");
    }

    @Test
    void shouldPlanAJobThatMayNotOvertakeBehindThoseAheadOfIt() {
        cluster.waiting("first", 3, 50);
        cluster.waiting("second", 4, 50);
        cluster.waiting("behind", "strict", 50, Requirement.ofProcs(1, 1));

        assertThat(new PassFixture(cluster, "QOSCFG[strict] QFLAGS=NOBF", "RESERVATIONDEPTH 5")
                        .run(new FirstFitBackfill()))
                .containsExactly("reserve first 100", "reserve second 150", "reserve behind 200");
    }

    @Test
    void shouldPlanANarrowJobForTheEndOfTheTimeOfWideOnes() {
        cluster.waiting("wide", 3, 500);
        cluster.waiting("narrow", 1, 30);
        PassFixture fixture = new PassFixture(cluster, "BFCHUNKSIZE 2", "RESERVATIONDEPTH 5");

        fixture.pass(
                new FirstFitBackfill(),
                new PlanningPass.Moment(
                        0,
                        null,
                        false,
                        40,
                        Integer.MAX_VALUE,
                        Integer.MAX_VALUE,
                        fixture.starts,
                        fixture.rooms,
                        fixture.actions));

        assertThat(fixture.actions.steps).containsExactly("reserve wide 100", "reserve narrow 40");
    }

    @Test
    void shouldPlanADueJobAheadOfOthersOnlyWhereItWouldBeLateBehindThem() {
        cluster.waiting("wide", 4, 500);
        strict(cluster.due("patient", 1, 50, 650));
        strict(cluster.due("urgent", 1, 50, 649));

        assertThat(new PassFixture(cluster, "QOSCFG[strict] QFLAGS=NOBF").run(new FirstFitBackfill()))
                .containsExactly("reserve wide 100", "reserve patient 600", "reserve urgent 1");
    }

    private void strict(Job job) {
        cluster.jobs.put(job.edit().effectiveQos("strict").done());
    }
}

package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.output.Output;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random lives of a small cluster with reservations, deadlines, nodes that come and go, and jobs that are suspended: a
 * scheduler that goes on with its plans decides as one that is restored before every input.
 */
@NullUnmarked
class ReservedLivesPropertyTest {
    private static final int LIVES = Integer.getInteger("weir.reserved.lives", 12);
    private static final int STEPS = 60;

    private static final String SITE = """
            NODECFG[n2] CHARGERATE=0.5
            NODECFG[n5] CHARGERATE=2
            SRCFG[s] PERIOD=DAY DEPTH=2 STARTTIME=15:00:00 ENDTIME=18:00:00 TASKCOUNT=7 RESOURCES=PROCS:1
            SRCFG[s] USERLIST=ann
            SRCFG[x] PERIOD=DAY DEPTH=2 TASKCOUNT=3 RESOURCES=PROCS:1 FLAGS=EXCLUSIVE,SPACEFLEX USERLIST=bob
            """;

    private static final String PREEMPTION = """
            QOSCFG[hi] PRIORITY=1000 QFLAGS=PREEMPTOR
            USERCFG[bob] JOBFLAGS=PREEMPTEE
            QOSWEIGHT 1
            """;

    private static final String[] WISHES = {
        null, null, null, "advres", "advres", "tpn=1", "naccesspolicy=singlejob", "qos=hi", "deadline"
    };

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BACKFILLPOLICY FIRSTFIT",
                "BACKFILLPOLICY NONE",
                "RESERVATIONPOLICY NEVER",
                "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 3",
                "BACKFILLPOLICY BESTFIT\nNODEALLOCATIONPOLICY LASTAVAILABLE",
                "BACKFILLPOLICY GREEDY\nBACKFILLDEPTH 3\nQOSCFG[hi] FLAGS=DEDICATED",
                PREEMPTION,
                PREEMPTION + "RESERVATIONDEPTH 10\nRESERVATIONSLICE 2\nJOBPREEMPTMINACTIVETIME 2:00",
                PREEMPTION + "BACKFILLPOLICY NONE",
                "SRCFG[o] PERIOD=INFINITY TASKCOUNT=4 RESOURCES=PROCS:1 USERLIST=ann,bob OWNER=USER:ann FLAGS=OWNERPREEMPT",
                PREEMPTION + "SRCFG[o] HOSTLIST=n[1-4] USERLIST=ann,bob OWNER=USER:ann FLAGS=OWNERPREEMPT"
            })
    void shouldDecideAsOneThatIsRestored(String policy) {
        for (int seed = 1; seed <= LIVES; seed++) {
            List<Output> lived = new Life(new SchedulerFixture(), seed).outputs(policy);
            List<Output> restored = new Life(new SchedulerFixture().rebuildingAlways(), seed).outputs(policy);

            assertThat(lived).as("%s, life %d", policy, seed).isEqualTo(restored);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BACKFILLPOLICY FIRSTFIT",
                "BACKFILLPOLICY FIRSTFIT\nRESERVATIONDEPTH 10\nRESERVATIONSLICE 2",
                "BACKFILLPOLICY NONE",
                "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 3",
                "BACKFILLPOLICY BESTFIT"
            })
    void shouldDecideAsOneThatIsRestoredWhereFewStartAtOnce(String policy) {
        for (int seed = 1; seed <= LIVES; seed++) {
            List<Output> lived = new Life(new SchedulerFixture().limitingStarts(1), seed).outputs(policy);
            List<Output> restored =
                    new Life(new SchedulerFixture().limitingStarts(1).rebuildingAlways(), seed).outputs(policy);

            assertThat(lived).as("%s, life %d", policy, seed).isEqualTo(restored);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BACKFILLPOLICY FIRSTFIT\nRESERVATIONDEPTH 10\nRESERVATIONSLICE 2",
                "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 10",
                "BACKFILLPOLICY BESTFIT\nRESERVATIONDEPTH 10",
                PREEMPTION + "RESERVATIONDEPTH 10\nRESERVATIONSLICE 2"
            })
    void shouldDecideAsOneThatIsRestoredWhereFewReservationsAreMade(String policy) {
        for (int seed = 1; seed <= LIVES; seed++) {
            List<Output> lived = new Life(new SchedulerFixture().limitingReservations(3, 2), seed).outputs(policy);
            List<Output> restored = new Life(
                            new SchedulerFixture().limitingReservations(3, 2).rebuildingAlways(), seed)
                    .outputs(policy);

            assertThat(lived).as("%s, life %d", policy, seed).isEqualTo(restored);
        }
    }

    private static final class Life {
        private final SchedulerFixture site;
        private final Random random;
        private final List<String> running = new ArrayList<>();
        private long now;

        Life(SchedulerFixture site, int seed) {
            this.site = site;
            random = new Random(seed);
        }

        List<Output> outputs(String policy) {
            site.policy(policy + "\n" + SITE).nodes(6, 2);
            for (int step = 0; step < STEPS; step++) {
                happens(step);
                now += random.nextInt(4) == 0 ? random.nextInt(5_000) : random.nextInt(60);
                site.iterate(now);
                running.addAll(site.started());
            }
            return site.outputs;
        }

        private void happens(int step) {
            String node = "n" + (1 + random.nextInt(6));
            String user = random.nextBoolean() ? "ann" : "bob";
            switch (random.nextInt(9)) {
                case 0 -> site.node(node, 2, one(NodeState.DOWN, NodeState.DRAINED, NodeState.BUSY));
                case 1 -> site.node(node, 2, NodeState.IDLE);
                case 2 -> reserve(step, user);
                case 3, 4, 5 -> submit(step, user);
                default -> goesOn();
            }
        }

        private void reserve(int step, String user) {
            site.request(
                    "r" + step,
                    RequestKind.CREATE_RESERVATION,
                    "new",
                    List.of(
                            new NameValue("t", String.valueOf(1 + random.nextInt(4))),
                            new NameValue("R", "PROCS:1"),
                            new NameValue("h", "n[1-4]"),
                            new NameValue("a", "USER==" + user),
                            new NameValue("s", "+" + random.nextInt(2_000)),
                            new NameValue("d", "1:30:00")));
        }

        private void submit(int step, String user) {
            String wish = one(WISHES);
            String extension = "deadline".equals(wish) ? "deadline=+" + (600 + 7 * step) : wish;
            site.submit(
                    "j" + step,
                    1 + random.nextInt(3),
                    600 + random.nextInt(3_000),
                    job -> job.setUser(user).setExtension(extension));
        }

        /** The resource manager says something of a job that was started. */
        private void goesOn() {
            if (running.isEmpty()) {
                return;
            }
            String id = one(running.toArray(String[]::new));
            switch (site.job(id).getState()) {
                case STARTING, RUNNING, SUSPENDED -> {
                    switch (random.nextInt(5)) {
                        case 0 ->
                            site.runs(
                                    id,
                                    report ->
                                            report.setState(JobState.SUSPENDED).setProcsReleased(true));
                        case 1 -> site.runs(id, report -> report.setState(JobState.SUSPENDED));
                        case 2 -> {
                            running.removeIf(id::equals);
                            site.report(id, JobState.COMPLETED, Long.MAX_VALUE);
                        }
                        default -> site.runs(id, JobReport.Builder::clearProcsReleased);
                    }
                }
                default -> running.removeIf(id::equals);
            }
        }

        @SafeVarargs
        private <T> T one(T... of) {
            return of[random.nextInt(of.length)];
        }
    }
}

package io.weir.scheduler.core;

import static io.weir.scheduler.core.NodeAllocationTest.nodesOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What priority functions know of the past, kept over a rebuild. */
@NullUnmarked
class NodeHistoryTest {
    private static final String PRIORITY = "NODEALLOCATIONPOLICY PRIORITY\nNODEAVAILABILITYPOLICY DEDICATED\n";

    private SchedulerFixture weir;
    private int jobs;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Feature({"PRIO-3", "PRIO-36"})
    void PF5(boolean rebuilding) {
        begin(rebuilding, "x");
        for (int i = 0; i < 3; i++) {
            run("a", "solver", 400, JobState.COMPLETED);
            run("b", "solver", 800, JobState.COMPLETED);
        }
        worth("a", "100*APPLAFFINITY", 150);
        worth("b", "100*APPLAFFINITY", 75);
        worth("c", "100*APPLAFFINITY", 100);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Feature("PRIO-4")
    void APPFAILRATE(boolean rebuilding) {
        begin(rebuilding, "x");
        run("a", "solver", 400, JobState.COMPLETED);
        run("a", "solver", 400, JobState.FAILED);
        run("a", "solver", 400, JobState.FAILED);
        run("a", "solver", 400, JobState.COMPLETED);
        run("a", "other", 400, JobState.COMPLETED);
        worth("a", "100*APPFAILRATE", 50);
        worth("b", "100*APPFAILRATE", 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Feature("PRIO-18")
    void MTBF(boolean rebuilding) {
        begin(rebuilding, "x");
        weir.iterate(1800).node("a", 4, NodeState.DOWN).iterate(1800);
        weir.iterate(2400).node("a", 4, NodeState.IDLE).iterate(2400);
        now = 3600;
        weir.iterate(now);
        worth("a", "MTBF", 3000);
        worth("b", "MTBF", 3600);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Feature("PRIO-29")
    void USAGE(boolean rebuilding) {
        begin(rebuilding, "x");
        run("a", "solver", 250, JobState.COMPLETED);
        now = 1000;
        weir.iterate(now);
        worth("a", "USAGE", 25);
        worth("b", "USAGE", 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTellHowANodeSpentItsTime(boolean rebuilding) {
        begin(rebuilding, "x");
        weir.node("d", 4, NodeState.DOWN).iterate(0);
        run("a", "solver", 600, JobState.COMPLETED);
        weir.iterate(1800).node("a", 4, NodeState.DOWN).iterate(1800);
        weir.iterate(2400)
                .node("a", 4, NodeState.IDLE)
                .node("d", 4, NodeState.IDLE)
                .iterate(2400);

        assertThat(asked("a", 3600))
                .containsExactly(
                        "node=a",
                        "totalSeconds=3600",
                        "upSeconds=3000",
                        "busySeconds=600",
                        "failures=1",
                        "secondsBetweenFailures=3000",
                        "category=Idle",
                        "categorySource=STATE",
                        "categoryCause=nothing runs on it");
        assertThat(asked("d", 3600))
                .startsWith("node=d", "totalSeconds=3600", "upSeconds=1200", "busySeconds=0", "failures=0");
        assertThat(asked("nobody", 3600)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotCountANodeBusyThatIsDown(boolean rebuilding) {
        begin(rebuilding, "x");
        weir.submit("j", 4, 100_000, job -> job.setHosts(List.of("a"))).iterate(0);
        weir.iterate(100).node("a", 4, NodeState.DOWN).iterate(100);
        weir.iterate(3000).node("a", 4, NodeState.IDLE).iterate(3000);

        assertThat(asked("a", 3600)).contains("totalSeconds=3600", "upSeconds=700", "busySeconds=700");
    }

    @Test
    void shouldTellTheLoadRaisedByWhatWasStartedSince() {
        weir = new SchedulerFixture().node("a", 4, NodeState.IDLE, node -> node.setLoad(0.5));
        weir.submit("j", 2, 100).iterate(0);

        assertThat(asked("a", 0)).contains("assumedLoad=2.5");
    }

    @Test
    @Feature("TRANS-6")
    void shouldTellFromWhenOnJobsArePlannedOnANodeThatIsDown() {
        weir = new SchedulerFixture()
                .policy("NODEDOWNSTATEDELAYTIME 0:10:00\nNODEDRAINSTATEDELAYTIME -1")
                .node("a", 4, NodeState.IDLE)
                .node("b", 4, NodeState.DOWN)
                .node("c", 4, NodeState.DRAINED);
        weir.iterate(0);

        assertThat(asked("a", 30)).noneMatch(detail -> detail.startsWith("plannedFrom"));
        assertThat(asked("b", 30)).contains("plannedFrom=" + SchedulerFixture.at(630));
        assertThat(asked("c", 30)).contains("plannedFrom=");
    }

    private List<String> asked(String node, long time) {
        weir.request("q" + node, RequestKind.SHOW_NODE, node).iterate(time);
        return weir.lastAnswers().get(0).getDetails().stream()
                .map(detail -> detail.getName() + "=" + detail.getValue())
                .toList();
    }

    /** Dedicated batch nodes first, then the desktop that is used least: 1004, 1002, -52, -100.5. */
    @Test
    @Feature("PRIO-33")
    void PF2() {
        weir = new SchedulerFixture();
        now = 0;
        weir.policy("""
                NODEALLOCATIONPOLICY PRIORITY
                NODECFG[DEFAULT] PRIORITYF='-LOAD - 5*USAGE'
                NODECFG[batch1] PRIORITY=1000 PRIORITYF='PRIORITY + APROCS'
                NODECFG[batch2] PRIORITY=1000 PRIORITYF='PRIORITY + APROCS'
                """);
        weir.node("desktop1", 4, NodeState.IDLE, node -> node.setLoad(0.5));
        weir.node("desktop2", 4, NodeState.IDLE, node -> node.setLoad(2.0));
        weir.node("batch1", 4, NodeState.IDLE);
        weir.node("batch2", 2, NodeState.IDLE);
        weir.iterate(0);
        run("desktop1", "solver", 200, JobState.COMPLETED);
        run("desktop2", "solver", 100, JobState.COMPLETED);
        now = 1000;
        weir.iterate(now);

        for (String expected : new String[] {"batch1", "batch2", "desktop2", "desktop1"}) {
            String id = "j" + expected;
            weir.submit(id, 1, 100).iterate(now);
            assertThat(nodesOf(weir, id)).containsExactly(expected);
            weir.node(expected, 4, NodeState.DRAINED);
        }
    }

    private long now;

    private void begin(boolean rebuilding, String extra) {
        weir = rebuilding ? new SchedulerFixture().rebuildingAlways() : new SchedulerFixture();
        now = 0;
        weir.policy(PRIORITY);
        for (String id : new String[] {"a", "b", "c", extra}) {
            weir.node(id, 4, NodeState.IDLE);
        }
        weir.iterate(0);
    }

    /** Runs a job of {@code application} with a limit of 1000 s for {@code seconds} on {@code node}. */
    private void run(String node, String application, long seconds, JobState end) {
        String id = "r" + jobs++;
        weir.submit(id, 1, 1000, job -> job.setExtension("hostlist=" + node + ",application=" + application))
                .iterate(now);
        JobStatus known = weir.job(id);
        assertThat(nodesOf(weir, id)).containsExactly(node);
        now += seconds;
        weir.fact(JobReport.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setJobId(id)
                .setQueueSequence(known.getQueueSequence())
                .setUser(known.getUser())
                .setState(end)
                .setTasks(1)
                .setWalltimeSeconds(1000L)
                .setSubmitTime(known.getSubmitTime())
                .setStartTime(known.getStartTime())
                .setEndTime(SchedulerFixture.at(now))
                .setExtension(known.getExtension())
                .setExitCode(end == JobState.FAILED ? 1 : 0)
                .setAsOfCommand(Long.MAX_VALUE)
                .build());
        weir.iterate(now);
    }

    /** Checks that {@code function} gives {@code expected} on {@code node} to a job of the application solver. */
    private void worth(String node, String function, double expected) {
        for (double little : new double[] {-0.1, 0.1}) {
            weir.policy(PRIORITY + "NODECFG[" + node + "] PRIORITYF='" + function + "'\nNODECFG[x] PRIORITYF='"
                    + (expected + little) + "'\n");
            String id = "w" + jobs++;
            weir.submit(id, 1, 1000, job -> job.setHosts(List.of(node, "x")).setApplication("solver"))
                    .iterate(now);
            assertThat(nodesOf(weir, id))
                    .as("%s of %s against %s", function, node, expected + little)
                    .containsExactly(little < 0 ? node : "x");
            weir.report(id, JobState.CANCELLED, Long.MAX_VALUE).iterate(now);
        }
    }
}

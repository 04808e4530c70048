package io.weir.rm.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.runtime.Backoff;
import io.weir.rm.runtime.ConnectorRunner;
import io.weir.rm.runtime.FakeScheduler;
import io.weir.rm.runtime.InMemoryLog;
import io.weir.rm.runtime.RunnerConfig;
import io.weir.rm.runtime.RunnerListener;
import io.weir.schemas.Heartbeat;
import io.weir.topics.Topics;
import io.weir.trace.JobRun;
import io.weir.trace.TraceJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runner and the simulated resource manager together, in lock step with a scheduler in memory. */
class LockStepTest {
    private static final ClusterShape SHAPE = new ClusterShape(4, 4);
    private static final RunnerConfig CONFIG = new RunnerConfig(
            "c1", "rm", Duration.ofSeconds(1), new Backoff(Duration.ofMillis(1), Duration.ofMillis(1)));

    @TempDir
    Path directory;

    @Test
    void shouldRunWorkloadWithSameStartsAsFirstComeFirstServed() {
        Workload workload = new GeneratedWorkload(300, 7, 1.2, 5_000).on(SHAPE.processors());
        InMemoryLog log = new InMemoryLog();
        FakeScheduler scheduler = new FakeScheduler(log, "rm");

        ConnectorRunner.Ending ending = run(workload, FailureScript.NONE, log, "ledger.log");

        assertThat(ending).isEqualTo(ConnectorRunner.Ending.FINISHED);
        assertThat(scheduler.complaints()).isEmpty();
        LedgerReport report = LedgerReport.read(directory.resolve("ledger.log"));
        assertThat(report.isComplete()).isTrue();
        assertThat(report.runs()).containsExactlyElementsOf(firstComeFirstServed(workload));
    }

    @Test
    void shouldSendOneHeartbeatPerInstant() {
        Workload workload = new GeneratedWorkload(50, 3, 1.0, 1_000).on(SHAPE.processors());
        InMemoryLog log = new InMemoryLog();
        new FakeScheduler(log, "rm");

        run(workload, FailureScript.NONE, log, "ledger.log");

        assertThat(log.heartbeats())
                .extracting(Heartbeat::getRmTime)
                .doesNotHaveDuplicates()
                .isSorted();
    }

    @Test
    void shouldWaitForCommandsThatArriveAfterTheIteration() {
        Workload workload = new GeneratedWorkload(60, 4, 1.2, 1_000).on(SHAPE.processors());
        InMemoryLog log = new InMemoryLog();
        log.holdBackCommands();
        new FakeScheduler(log, "rm");

        run(workload, FailureScript.NONE, log, "ledger.log");

        assertThat(LedgerReport.read(directory.resolve("ledger.log")).runs())
                .containsExactlyElementsOf(firstComeFirstServed(workload));
    }

    @Test
    void shouldKeepAllStartsWhereverTheConnectorIsKilled() throws IOException {
        Workload workload = new GeneratedWorkload(12, 5, 1.5, 300).on(SHAPE.processors());
        List<JobRun> expected = firstComeFirstServed(workload);
        int kills = 0;
        for (int append = 0; ; append++) {
            InMemoryLog log = new InMemoryLog();
            FakeScheduler scheduler = new FakeScheduler(log, "rm");
            Path ledger = directory.resolve("ledger-" + append + ".log");
            log.killAfter(append);
            boolean killed = false;
            try {
                run(workload, FailureScript.NONE, log, ledger.getFileName().toString());
            } catch (InMemoryLog.Killed e) {
                killed = true;
                kills++;
                tear(ledger, append);
                run(workload, FailureScript.NONE, log, ledger.getFileName().toString());
            }
            LedgerReport report = LedgerReport.read(ledger);
            assertThat(report.problems()).as("killed at append %d", append).isEmpty();
            assertThat(report.runs()).as("killed at append %d", append).containsExactlyElementsOf(expected);
            assertThat(scheduler.complaints()).as("killed at append %d", append).isEmpty();
            if (!killed) {
                break;
            }
        }
        assertThat(kills).isGreaterThan(60);
    }

    @Test
    void shouldKeepAllStartsThroughManyKills() {
        long seed = 20_260_101;
        Random random = new Random(seed);
        Workload workload = new GeneratedWorkload(200, 6, 1.3, 2_000).on(SHAPE.processors());
        InMemoryLog log = new InMemoryLog();
        FakeScheduler scheduler = new FakeScheduler(log, "rm");
        int kills = 0;
        boolean finished = false;
        while (!finished) {
            log.killAfter(1 + random.nextInt(150));
            try {
                run(workload, FailureScript.NONE, log, "ledger.log");
                finished = true;
            } catch (InMemoryLog.Killed e) {
                kills++;
            }
        }
        LedgerReport report = LedgerReport.read(directory.resolve("ledger.log"));
        assertThat(report.isComplete())
                .as("seed %d: %s", seed, report.problems())
                .isTrue();
        assertThat(report.runs()).as("seed %d", seed).containsExactlyElementsOf(firstComeFirstServed(workload));
        assertThat(scheduler.complaints()).isEmpty();
        assertThat(kills).isGreaterThan(5);
    }

    @Test
    void shouldGoOnUnderNewEpochWhenTheLogWasAway() {
        Workload workload = new GeneratedWorkload(40, 8, 1.2, 1_000).on(SHAPE.processors());
        InMemoryLog log = new InMemoryLog();
        FakeScheduler scheduler = new FakeScheduler(log, "rm");
        log.awayAfter(77);

        ConnectorRunner.Ending ending = run(workload, FailureScript.NONE, log, "ledger.log");

        assertThat(ending).isEqualTo(ConnectorRunner.Ending.FINISHED);
        assertThat(log.facts(Topics.RM_HEARTBEATS).stream().filter(hello -> hello.getNumber() == 0))
                .hasSize(2);
        assertThat(scheduler.complaints()).isEmpty();
        assertThat(LedgerReport.read(directory.resolve("ledger.log")).runs())
                .containsExactlyElementsOf(firstComeFirstServed(workload));
    }

    @Test
    void shouldPlayScriptedFailures() {
        Workload workload = new GeneratedWorkload(40, 9, 1.2, 1_000).on(SHAPE.processors());
        FailureScript script = new FailureScriptParser(0, name -> true).parse("""
            AT +300 NODE n0002 DOWN FOR 500
            START JOB 3 REFUSE 2
            COMMAND 6 REFUSE "no licence"
            COMMAND 8 LOSE
            COMMAND 9 FAIL 3
            POLL 4 FAIL 2
            """);
        InMemoryLog log = new InMemoryLog();
        FakeScheduler scheduler = new FakeScheduler(log, "rm");

        ConnectorRunner.Ending ending = run(workload, script, log, "ledger.log");

        assertThat(ending).isEqualTo(ConnectorRunner.Ending.FINISHED);
        assertThat(scheduler.complaints()).isEmpty();
        LedgerReport report = LedgerReport.read(directory.resolve("ledger.log"));
        assertThat(report.isComplete()).as("%s", report).isTrue();
        assertThat(report.runs()).hasSize(40);
        assertThat(log.facts(Topics.RESULTS))
                .filteredOn(result -> "no licence".equals(result.getMessage()))
                .hasSize(1);
    }

    @Test
    void shouldEndWhenNobodyKnowsALaterInstant() {
        Workload workload = new Workload(0, List.of(new TraceJob("1", 1, 0, 0, 4, 10, 10, -1, -1, -1)));
        FailureScript script = new FailureScriptParser(0, name -> true).parse("""
            AT 0 NODE n0001 DOWN
            AT 0 NODE n0002 DOWN
            AT 0 NODE n0003 DOWN
            AT 0 NODE n0004 DOWN
            """);
        InMemoryLog log = new InMemoryLog();
        new FakeScheduler(log, "rm");

        ConnectorRunner.Ending ending = run(workload, script, log, "ledger.log");

        assertThat(ending).isEqualTo(ConnectorRunner.Ending.FINISHED);
        assertThat(LedgerReport.read(directory.resolve("ledger.log")).unfinished())
                .containsExactly("1");
    }

    @Test
    void shouldFinishAnEmptyWorkloadWithOneHeartbeat() {
        InMemoryLog log = new InMemoryLog();
        new FakeScheduler(log, "rm");

        run(new Workload(0, List.of()), FailureScript.NONE, log, "ledger.log");

        assertThat(log.heartbeats()).hasSize(1);
    }

    private ConnectorRunner.Ending run(Workload workload, FailureScript script, InMemoryLog log, String ledger) {
        SimulatedConfig config =
                new SimulatedConfig(SHAPE, workload, script, true, 1, false, false, NodeFailureEffect.END_JOBS);
        try (SimulatedResourceManager rm =
                SimulatedResourceManager.open("c1", config, directory.resolve(ledger), System::nanoTime)) {
            return new ConnectorRunner(CONFIG, rm, log, RunnerListener.NONE).run();
        }
    }

    /** Leaves half a line behind, as a kill in the middle of a write does. */
    private static void tear(Path ledger, int seed) throws IOException {
        byte[] bytes = Files.readAllBytes(ledger);
        if (seed % 3 == 0) {
            Files.writeString(ledger, new String(bytes, java.nio.charset.StandardCharsets.UTF_8) + "17\tSTART\t3\t");
        }
    }

    /** The schedule by counting processors: at an instant all ends, then all submissions, then one pass. */
    private static List<JobRun> firstComeFirstServed(Workload workload) {
        List<JobRun> runs = new ArrayList<>();
        PriorityQueue<long[]> ends = new PriorityQueue<>(Comparator.comparingLong(end -> end[0]));
        int free = SHAPE.processors();
        long now = Long.MIN_VALUE;
        for (TraceJob job : workload.jobs()) {
            now = Math.max(now, job.submit());
            while (!ends.isEmpty() && (ends.element()[0] <= now || free < job.procs())) {
                long[] end = ends.remove();
                now = Math.max(now, end[0]);
                free += (int) end[1];
            }
            long end = now + job.occupied();
            free -= job.procs();
            ends.add(new long[] {end, job.procs()});
            runs.add(new JobRun(job.number(), job.sequence(), job.submit(), now, end, job.procs()));
        }
        return runs;
    }
}

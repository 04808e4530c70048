package io.weir.rm.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.trace.JobRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerReportTest {
    private final List<LedgerEntry> entries = new ArrayList<>(List.of(
            LedgerEntry.event(0, Effect.OPEN, "", "nodes=1 procs=4 jobs=2 base=0 workload=x script=0"),
            LedgerEntry.event(0, Effect.SUBMIT, "10", "3 10 0"),
            LedgerEntry.event(5, Effect.SUBMIT, "9", "2 9 1")));

    @TempDir
    Path directory;

    @Test
    void shouldTellRunsInOrderOfSubmission() {
        add(start(5, "10", 1, "60 n0001:3"), end(20, "10"), start(20, "9", 2, "60 n0001:2"), end(25, "9"));

        LedgerReport report = LedgerReport.of(entries);

        assertThat(report.isComplete()).isTrue();
        assertThat(report.runs()).containsExactly(new JobRun(10, 0, 0, 5, 20, 3), new JobRun(9, 1, 5, 20, 25, 2));
    }

    @Test
    void shouldFindSecondStart() {
        add(start(5, "10", 1, "60 n0001:3"), start(6, "10", 2, "60 n0001:3"));

        assertThat(LedgerReport.of(entries).problems()).containsExactly("line 5: job 10 was started before, at 5");
    }

    @Test
    void shouldAllowSecondStartAfterRequeue() {
        add(
                start(5, "10", 1, "60 n0001:3"),
                new LedgerEntry(6, Effect.REQUEUE, "10", 2, "c/2", ""),
                start(7, "10", 3, "60 n0001:3"),
                end(8, "10"));

        LedgerReport report = LedgerReport.of(entries);

        assertThat(report.problems()).isEmpty();
        assertThat(report.runs()).extracting(JobRun::start).containsExactly(7L);
    }

    @Test
    void shouldFindCommandCarriedOutTwice() {
        add(start(5, "10", 1, "60 n0001:3"), end(6, "10"), start(7, "9", 1, "60 n0001:2"));

        assertThat(LedgerReport.of(entries).problems())
                .containsExactly("line 6: command c/1 was carried out before, at line 4");
    }

    @Test
    void shouldFindOverCommitment() {
        add(start(5, "10", 1, "60 n0001:3"), start(7, "9", 2, "60 n0001:2"));

        assertThat(LedgerReport.of(entries).problems())
                .containsExactly("line 5: node n0001 has 4 processors, 5 are in use");
    }

    /** Where nodes are given whole a job gets more than it asked for; where it shares them it does not. */
    @Test
    void shouldAllowMoreThanAskedForOnNodesOfItsOwnAlone() {
        add(start(5, "10", 1, "60 n0001:4"), end(6, "10"), start(6, "9", 2, "60 n0001:2"));
        assertThat(LedgerReport.of(entries).problems()).isEmpty();

        entries.subList(3, entries.size()).clear();
        add(start(5, "9", 1, "60 n0001:3"));
        assertThat(LedgerReport.of(entries).problems()).isEmpty();

        entries.subList(3, entries.size()).clear();
        add(LedgerEntry.event(5, Effect.SUBMIT, "8", "1 8 2"), start(5, "8", 1, "60 n0001:1"));
        add(start(5, "9", 2, "60 n0001:3"));
        assertThat(LedgerReport.of(entries).problems())
                .containsExactly(
                        "line 6: job 9 asked for 2 processors and got 3, on nodes that it does not have to itself");
        assertThat(LedgerReport.of(entries, Set.of("9")).problems()).isEmpty();
    }

    @Test
    void shouldFindLessThanAskedFor() {
        add(start(5, "10", 1, "60 n0001:2"));

        assertThat(LedgerReport.of(entries).problems())
                .containsExactly("line 4: job 10 asked for 3 processors and got 2");
    }

    @Test
    void shouldFindStartOnNodeThatIsDown() {
        add(LedgerEntry.event(5, Effect.NODE, "n0001", "DOWN"), start(5, "10", 1, "60 n0001:3"));

        assertThat(LedgerReport.of(entries).problems())
                .containsExactly("line 5: node n0001 is down, job 10 starts there");
    }

    @Test
    void shouldNameJobsThatAreLost() {
        entries.remove(2);
        add(start(5, "10", 1, "60 n0001:3"));

        assertThat(LedgerReport.of(entries).unfinished())
                .containsExactly("10", "and 1 jobs that were not submitted yet");
    }

    @Test
    void shouldNameJobsThatNeverRan() {
        add(new LedgerEntry(
                5, Effect.CANCEL, "9", 1, "c/1", ExitReason.cancelled(false).format()));

        assertThat(LedgerReport.of(entries).neverStarted()).containsExactly("9");
    }

    @Test
    void shouldWriteCsvByJobNumberAndJudge() throws IOException {
        add(start(5, "10", 1, "60 n0001:3"), end(20, "10"), start(20, "9", 2, "60 n0001:2"), end(25, "9"));
        Path file = directory.resolve("ledger.log");
        try (Ledger ledger = Ledger.open(file, false).ledger()) {
            entries.forEach(ledger::append);
            ledger.sync();
        }
        Path csv = directory.resolve("starts.csv");

        assertThat(judge(file.toString(), csv.toString())).isZero();
        assertThat(csv).hasContent("job_id,submit,start,end,procs\n9,5,20,25,2\n10,0,5,20,3\n");
        assertThat(judge()).isEqualTo(2);
        assertThat(judge("/nowhere")).isEqualTo(2);
        Files.writeString(file, "");
        assertThat(judge(file.toString())).isEqualTo(1);
    }

    private static int judge(String... args) {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
        return LedgerMain.run(List.of(args), nowhere, nowhere);
    }

    private void add(LedgerEntry... more) {
        entries.addAll(List.of(more));
    }

    private static LedgerEntry start(long time, String job, long number, String placement) {
        return new LedgerEntry(time, Effect.START, job, number, "c/" + number, placement);
    }

    private static LedgerEntry end(long time, String job) {
        return LedgerEntry.event(time, Effect.END, job, ExitReason.COMPLETED.format());
    }
}

package io.weir.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.audit.AuditReport;
import io.weir.scheduler.audit.AuditReport.ClusterReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ReplayCommandTest {
    @Test
    void shouldRefuseToCompareFromAnIterationThatThereIsNot() {
        assertThat(ReplayCommand.nothingCompared(report(5), 6))
                .contains("--from-iteration 6: there is nothing to compare; the last iteration is 5");
        assertThat(ReplayCommand.nothingCompared(report(5), 5)).isEmpty();
        assertThat(ReplayCommand.nothingCompared(report(3, 5), 5)).isEmpty();
        assertThat(ReplayCommand.nothingCompared(report(), 1)).isEmpty();
    }

    @Test
    void shouldNotCallIdenticalWhatWasNotCompared() {
        StringWriter text = new StringWriter();

        assertThat(ReplayCommand.print(report(3, 5), 5, new PrintWriter(text))).isZero();

        assertThat(text.toString().lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("cluster c1: 3 ").endsWith(": nothing to compare"),
                        line -> assertThat(line).startsWith("cluster c2: 5 ").endsWith(": identical"));
    }

    @Test
    void shouldRefuseIterationsBeforeTheFirst() {
        StringWriter err = new StringWriter();
        BrokerAccess.OfDirectory none = directory -> {
            throw new AssertionError("nothing is opened");
        };
        CommandLine command = new CommandLine(new ReplayCommand(none, none));
        command.setErr(new PrintWriter(err));

        assertThat(command.execute("--verify", "--from-iteration", "-1", "--data", "x"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--from-iteration -1: iterations are counted from 1");
    }

    private static AuditReport report(long... iterations) {
        List<ClusterReport> clusters = new ArrayList<>();
        for (long last : iterations) {
            clusters.add(new ClusterReport(
                    "c" + (clusters.size() + 1),
                    last,
                    0,
                    0,
                    0,
                    0,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()));
        }
        return new AuditReport(clusters, List.of());
    }
}

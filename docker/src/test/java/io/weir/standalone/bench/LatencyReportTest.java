package io.weir.standalone.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.standalone.bench.LatencyReport.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatencyReportTest {
    private static final MachineUse USE = new MachineUse(20, 10, 0, 1);

    @Test
    void shouldSayWhenTheLastJobWasSubmittedThatWaitedTooLong() {
        LatencyReport report =
                report(new Point(-3, 9000), new Point(1, 4000), new Point(2.5, 101), new Point(2.6, 100));

        assertThat(report.calmAfterSeconds(100)).hasValue(2.5);
    }

    @Test
    void shouldBeCalmAtOnceWhenNoJobWaitedTooLong() {
        assertThat(report(new Point(0.1, 20), new Point(0.2, 30)).calmAfterSeconds(100))
                .hasValue(0);
    }

    @Test
    void shouldNotCallItCalmWhileOnlyJobsFromBeforeHaveStarted() {
        assertThat(report(new Point(-3, 18_000), new Point(-2, 19_000)).calmAfterSeconds(100))
                .isEmpty();
        assertThat(report(new Point(0.1, 18_000), new Point(0.2, 19_000)).calmAfterSeconds(100))
                .isEmpty();
    }

    private static LatencyReport report(Point... series) {
        return new LatencyReport(1000, USE, series.length, 1, 1, 1, 1, List.of(series));
    }
}

package io.weir.scheduler.reduction;

import static io.weir.scheduler.reduction.TrackedMetric.Outcome.LATE;
import static io.weir.scheduler.reduction.TrackedMetric.Outcome.OVER;
import static io.weir.scheduler.reduction.TrackedMetric.Outcome.RAISED;
import static io.weir.scheduler.reduction.TrackedMetric.Outcome.REPEATED;
import static io.weir.scheduler.reduction.TrackedMetric.Outcome.SAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.weir.scheduler.core.event.MetricCondition;
import io.weir.scheduler.core.event.MetricOperator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrackedMetricTest {
    @Test
    void GE3() {
        assertThat(outcomes(condition(0, 0, 0), 149, 151, 152, 149, 155))
                .containsExactly(SAME, RAISED, SAME, OVER, RAISED);
    }

    @Test
    void shouldNotFlapWithinTheHysteresis() {
        assertThat(outcomes(condition(5, 0, 0), 151, 149, 151, 146, 145, 149))
                .containsExactly(RAISED, SAME, SAME, SAME, OVER, SAME);
    }

    @Test
    void shouldReportAgainAfterTheRearmTime() {
        assertThat(outcomes(condition(0, 0, 2), 151, 151, 151, 151, 151))
                .containsExactly(RAISED, SAME, REPEATED, SAME, REPEATED);
    }

    @Test
    void shouldNotBeRaisedByAPeakThatSmoothingLevels() {
        assertThat(outcomes(condition(0, 60, 0), 100, 100, 400, 100, 100)).containsOnly(SAME);
    }

    @Test
    void shouldBeRaisedByWhatLasts() {
        assertThat(outcomes(condition(0, 2, 0), 100, 400, 400)).containsExactly(SAME, RAISED, SAME);
    }

    @Test
    void shouldSmoothByTimeWhateverTheRate() {
        MetricCondition condition = condition(0, 10, 0);
        TrackedMetric often = TrackedMetric.first(0, 0);
        for (int i = 1; i <= 100; i++) {
            often.take(condition, 100, i * 100L);
        }
        TrackedMetric once = TrackedMetric.first(0, 0);
        once.take(condition, 100, 10_000);

        assertThat(often.average()).isCloseTo(once.average(), within(1e-9));
        assertThat(once.average()).isCloseTo(100 * (1 - Math.exp(-1)), within(1e-9));
    }

    @Test
    void shouldPassOverWhatComesLate() {
        MetricCondition condition = condition(0, 0, 0);
        TrackedMetric metric = TrackedMetric.first(100, 1_000);

        assertThat(metric.take(condition, 200, 999)).isEqualTo(LATE);
        assertThat(metric.isActive()).isFalse();
    }

    @Test
    void shouldGoOnAfterARestart() {
        MetricCondition condition = condition(5, 0, 0);
        TrackedMetric before = TrackedMetric.first(100, 0);
        before.take(condition, 151, 1_000);
        TrackedMetric after = TrackedMetric.from(before.toRecord(condition.name()), Long.MAX_VALUE);

        assertThat(after.take(condition, 152, 2_000)).isEqualTo(SAME);
        assertThat(after.take(condition, 100, 3_000)).isEqualTo(OVER);
    }

    private static MetricCondition condition(double hysteresis, long smoothingSeconds, long rearmSeconds) {
        return new MetricCondition(
                "cputemp>150", "cputemp", MetricOperator.ABOVE, 150, hysteresis, smoothingSeconds, rearmSeconds);
    }

    /** Returns what each value changes, one a second. */
    private static List<TrackedMetric.Outcome> outcomes(MetricCondition condition, double... values) {
        TrackedMetric metric = TrackedMetric.first(values[0], 0);
        List<TrackedMetric.Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            outcomes.add(metric.take(condition, values[i], i * 1_000L));
        }
        return outcomes;
    }
}

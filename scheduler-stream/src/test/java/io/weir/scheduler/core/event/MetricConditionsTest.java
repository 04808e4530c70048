package io.weir.scheduler.core.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.PolicySettings;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricConditionsTest {
    @ParameterizedTest
    @MethodSource("conditions")
    void shouldReadMetricOperatorAndLimit(String name, String metric, MetricOperator operator, double limit) {
        MetricCondition condition = only("GEVENTCFG[" + name + "] ACTION=notify");

        assertThat(condition.name()).isEqualTo(name);
        assertThat(condition.metric()).isEqualTo(metric);
        assertThat(condition.operator()).isEqualTo(operator);
        assertThat(condition.limit()).isEqualTo(limit);
    }

    static Stream<Arguments> conditions() {
        return Stream.of(
                Arguments.of("temp>50", "temp", MetricOperator.ABOVE, 50.0),
                Arguments.of("temp>=50.5", "temp", MetricOperator.AT_LEAST, 50.5),
                Arguments.of("fan.1<100", "fan.1", MetricOperator.BELOW, 100.0),
                Arguments.of("margin<=-3", "margin", MetricOperator.AT_MOST, -3.0),
                Arguments.of("raid==2", "raid", MetricOperator.EQUAL, 2.0),
                Arguments.of("raid<>0", "raid", MetricOperator.DIFFERENT, 0.0));
    }

    @Test
    void shouldReadHysteresisSmoothingAndRearmTime() {
        MetricCondition condition = only("GEVENTCFG[temp>50] ACTION=notify HYSTERESIS=5 SMOOTHING=30 REARM=00:20:00");

        assertThat(condition.hysteresis()).isEqualTo(5);
        assertThat(condition.smoothingSeconds()).isEqualTo(30);
        assertThat(condition.rearmSeconds()).isEqualTo(1_200);
    }

    @Test
    void shouldLeavePlainEventsAlone() {
        PolicySettings settings = PolicySettings.read("GEVENTCFG[nodedown] ACTION=notify");

        assertThat(MetricConditions.of(settings)).isEqualTo(MetricConditions.NONE);
        assertThat(errors(settings)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "temp>",
                ">50",
                "temp>hot",
                "temp=50",
                "temp=>10",
                "temp>>10",
                "temp>1e400",
                "temp>1e16",
                "temp>NaN"
            })
    void shouldReportWhatIsNoCondition(String name) {
        PolicySettings settings = PolicySettings.read("GEVENTCFG[" + name + "] ACTION=notify");

        assertThat(MetricConditions.of(settings)).isEqualTo(MetricConditions.NONE);
        assertThat(errors(settings)).singleElement().asString().contains("'" + name + "'");
    }

    @Test
    void shouldLeaveOutWhatIsTooMany() {
        String text = String.join(
                "\n",
                IntStream.rangeClosed(1, MetricConditions.MOST + 1)
                        .mapToObj(i -> "GEVENTCFG[temp>" + i + "] ACTION=notify")
                        .toList());
        PolicySettings settings = PolicySettings.read(text);

        assertThat(MetricConditions.of(settings).names()).hasSize(MetricConditions.MOST);
        assertThat(errors(settings)).hasSize(1);
    }

    @Test
    void shouldBeginAtTheLimitAndEndBehindTheHysteresis() {
        MetricCondition above = only("GEVENTCFG[temp>50] ACTION=notify HYSTERESIS=5");

        assertThat(above.begins(50)).isFalse();
        assertThat(above.begins(50.1)).isTrue();
        assertThat(above.lasts(45.1)).isTrue();
        assertThat(above.lasts(45)).isFalse();
    }

    @Test
    void shouldTurnTheHysteresisAroundBelowALimit() {
        MetricCondition below = only("GEVENTCFG[fan<=100] ACTION=notify HYSTERESIS=20");

        assertThat(below.begins(100)).isTrue();
        assertThat(below.lasts(120)).isTrue();
        assertThat(below.lasts(120.5)).isFalse();
    }

    private static MetricCondition only(String text) {
        return MetricConditions.of(PolicySettings.read(text)).byMetric().values().stream()
                .flatMap(java.util.List::stream)
                .reduce((one, other) -> {
                    throw new AssertionError("several conditions in " + text);
                })
                .orElseThrow();
    }

    private static java.util.List<PolicyProblem> errors(PolicySettings settings) {
        return settings.problems().stream()
                .filter(problem -> problem.level() == PolicyProblem.Level.ERROR)
                .toList();
    }
}

package io.weir.scheduler.core.placement.priority;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.placement.priority.PriorityFunction.Term;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@NullUnmarked
class PriorityFunctionTest {
    @Test
    void shouldKnowTwentyNineComponents() {
        assertThat(NodePriorityComponent.values()).hasSize(29);
    }

    @Test
    void shouldReadCoefficientsOnEitherSide() {
        assertThat(read("SPEED + .01 * AMEM - 10 * JOBCOUNT + APROCS*2 - 5LOAD").terms())
                .containsExactly(
                        new Term(1, NodePriorityComponent.SPEED, ""),
                        new Term(.01, NodePriorityComponent.AMEM, ""),
                        new Term(-10, NodePriorityComponent.JOBCOUNT, ""),
                        new Term(2, NodePriorityComponent.APROCS, ""),
                        new Term(-5, NodePriorityComponent.LOAD, ""));
    }

    @ParameterizedTest
    @CsvSource({"- -5,5", "+-5,-5", "---5,-5", "5,5", ".01,0.01", "1e3 + 2.5E-1,1000.25", "-1,-1"})
    void shouldMultiplyRunsOfSigns(String text, double constant) {
        PriorityFunction function = read(text);
        assertThat(function.terms()).isEmpty();
        assertThat(function.constant()).isEqualTo(constant);
    }

    @Test
    void shouldAddCoefficientsOfOneComponent() {
        assertThat(read("load + 2*Load - FEATURE[a] + FEATURE[A] - FEATURE[a]").terms())
                .containsExactly(
                        new Term(3, NodePriorityComponent.LOAD, ""),
                        new Term(-2, NodePriorityComponent.FEATURE, "a"),
                        new Term(1, NodePriorityComponent.FEATURE, "A"));
    }

    @Test
    void shouldReadAnythingButABracketAsIndex() {
        assertThat(read("-GMETRIC[temp.core-1 + x]").terms())
                .containsExactly(new Term(-1, NodePriorityComponent.GMETRIC, "temp.core-1 + x"));
        assertThat(read("ARCH[x86_64] + ARCH").terms())
                .containsExactly(
                        new Term(1, NodePriorityComponent.ARCH, "x86_64"), new Term(1, NodePriorityComponent.ARCH, ""));
    }

    @Test
    void shouldTakeTheAliasOfReservationAffinity() {
        assertThat(read("RESAFFINITY").terms()).containsExactly(new Term(1, NodePriorityComponent.RSVAFFINITY, ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "1e999*LOAD~1~1e999",
                "SPEED*1e400~7~1e400",
                "LOAD + BOGUS~8~BOGUS",
                "LOAD + FEATURE~8~FEATURE",
                "GMETRIC[temp~8~[temp",
                "2 * 3~5~3",
                "LOAD / 2~6~/",
                "LOAD * AMEM~8~AMEM",
                "(LOAD)~1~(LOAD)",
                "LOAD[x]~1~LOAD[x]",
                "LOAD LOAD~6~LOAD",
                "LOAD +~7~''",
                "''~1~''"
            })
    void shouldRefuseAFunctionWithPositionAndToken(String text, int position, String token) {
        PriorityFunction.Reading reading = PriorityFunction.read(text);
        assertThat(reading.function()).isNull();
        assertThat(reading.problems()).hasSize(1);
        assertThat(reading.problems().get(0).position()).isEqualTo(position);
        assertThat(reading.problems().get(0).token()).isEqualTo(token);
    }

    @Test
    void shouldDropOnlyTheTermWhoseRandomComesFirst() {
        PriorityFunction.Reading reading = PriorityFunction.read("LOAD - RANDOM*100 + 7");
        assertThat(reading.function()).isEqualTo(read("LOAD + 7"));
        assertThat(reading.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.token()).isEqualTo("RANDOM*100"));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.01, 0.5, 0.99999})
    void shouldBoundWhatRandomContributes(double draw) {
        assertThat(read("1000000*RANDOM").value(term -> draw, true)).isBetween(0.0, 32768.0);
        assertThat(read("-1000000*RANDOM").value(term -> draw, true)).isBetween(-32768.0, 0.0);
        assertThat(read("100*RANDOM").value(term -> draw, true)).isEqualTo(100 * draw);
    }

    @Test
    void shouldDropDynamicComponentsForTheFuture() {
        PriorityFunction function = read("PRIORITY + APROCS + PREF + 3");
        List<NodePriorityComponent> asked = new ArrayList<>();
        assertThat(function.value(
                        term -> {
                            asked.add(term.component());
                            return 10;
                        },
                        false))
                .isEqualTo(23);
        assertThat(asked).containsExactly(NodePriorityComponent.PRIORITY, NodePriorityComponent.PREF);
        assertThat(function.value(term -> 10, true)).isEqualTo(33);
    }

    private static PriorityFunction read(String text) {
        PriorityFunction.Reading reading = PriorityFunction.read(text);
        assertThat(reading.problems()).isEmpty();
        return reading.function();
    }
}

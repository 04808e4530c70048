package io.weir.scheduler.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.policy.job.AccrualPolicy;
import io.weir.scheduler.core.policy.job.FairshareSettings;
import io.weir.scheduler.core.policy.job.PriorityWeight;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.parameter.Parameter;
import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry;
import io.weir.scheduler.core.policy.language.value.ValueType;
import io.weir.scheduler.core.policy.node.AllocationSettings;
import io.weir.scheduler.core.policy.node.AvailabilitySettings;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.policy.node.PartitionPolicy;
import io.weir.scheduler.core.policy.node.TaskDistribution;
import io.weir.scheduler.core.policy.nodeset.NodeSetAttribute;
import io.weir.scheduler.core.policy.nodeset.NodeSetPolicy;
import io.weir.scheduler.core.policy.nodeset.NodeSetPriority;
import io.weir.scheduler.core.policy.nodeset.NodeSetSettings;
import io.weir.scheduler.core.policy.reservation.ReallocationPolicy;
import io.weir.scheduler.core.policy.reservation.ReservationPolicy;
import io.weir.scheduler.core.policy.reservation.ReservationSettings;
import io.weir.scheduler.core.policy.scheduler.BackfillMetric;
import io.weir.scheduler.core.policy.scheduler.BackfillPolicy;
import io.weir.scheduler.core.policy.scheduler.BackfillSettings;
import io.weir.scheduler.core.policy.scheduler.SchedulerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RegisterTest {
    static Stream<Arguments> enums() {
        return Stream.of(
                Arguments.of("NODEACCESSPOLICY", NodeAccessPolicy.class),
                Arguments.of("TASKDISTRIBUTIONPOLICY", TaskDistribution.class),
                Arguments.of("PARALLOCATIONPOLICY", PartitionPolicy.class),
                Arguments.of("RESERVATIONPOLICY", ReservationPolicy.class),
                Arguments.of("RSVREALLOCPOLICY", ReallocationPolicy.class),
                Arguments.of("BACKFILLPOLICY", BackfillPolicy.class),
                Arguments.of("BACKFILLMETRIC", BackfillMetric.class),
                Arguments.of("NODESETPOLICY", NodeSetPolicy.class),
                Arguments.of("NODESETATTRIBUTE", NodeSetAttribute.class),
                Arguments.of("NODESETPRIORITYTYPE", NodeSetPriority.class),
                Arguments.of("JOBPRIOACCRUALPOLICY", AccrualPolicy.class));
    }

    @ParameterizedTest
    @MethodSource("enums")
    @Feature("CFG-1")
    void shouldTakeExactlyTheConstantsOfTheModel(String name, Class<? extends Enum<?>> type) {
        Parameter parameter = ParameterRegistry.get().require(name);

        assertThat(java.util.Objects.requireNonNull(parameter.type())
                        .description()
                        .split(", "))
                .containsExactlyInAnyOrder(
                        Stream.of(type.getEnumConstants()).map(Enum::name).toArray(String[]::new));
    }

    @Test
    @Feature("CFG-1")
    void shouldHaveTheModelsDefaults() {
        StringBuilder text = new StringBuilder();
        for (Parameter parameter : ParameterRegistry.get().parameters()) {
            if (!parameter.isObject() && parameter.standard() != null) {
                text.append(parameter.name())
                        .append(" '")
                        .append(parameter.standard())
                        .append("'\n");
            }
        }

        SitePolicy.Reading reading = SitePolicy.read(text.toString());

        assertThat(reading.problems())
                .filteredOn(problem -> problem.level() == PolicyProblem.Level.ERROR)
                .isEmpty();
        SitePolicy written = reading.policy();
        assertThat(written.scheduler()).isEqualTo(SchedulerSettings.DEFAULT);
        assertThat(written.availability()).isEqualTo(AvailabilitySettings.DEFAULT);
        assertThat(written.allocation()).isEqualTo(AllocationSettings.DEFAULT);
        assertThat(written.nodeSets()).isEqualTo(NodeSetSettings.DEFAULT);
        assertThat(written.reservations()).isEqualTo(ReservationSettings.DEFAULT);
        assertThat(written.backfill()).isEqualTo(BackfillSettings.DEFAULT);
        assertThat(written.fairshare()).isEqualTo(FairshareSettings.DEFAULT);
        for (PriorityWeight weight : PriorityWeight.values()) {
            assertThat(written.priority().weight(weight)).as(weight.name()).isEqualTo(weight.byDefault());
        }
    }

    @Test
    void shouldNeverFailWhateverIsWritten() {
        for (Parameter parameter : ParameterRegistry.get().parameters()) {
            for (String value :
                    new String[] {"", "=", "= =", "[", "x", "-1", "a=b", "A+=", "'", "\"\\", "999999999999"}) {
                assertThatCode(() -> {
                            SitePolicy.read(parameter.name() + " " + value);
                            SitePolicy.read(parameter.name() + "[x] " + value);
                            SitePolicy.read(parameter.name() + "[DEFAULT]=" + value);
                            parameter
                                    .attributes()
                                    .forEach(attribute -> SitePolicy.read(
                                            parameter.name() + "[1] " + attribute.name() + "=" + value));
                        })
                        .as(parameter.name() + " " + value)
                        .doesNotThrowAnyException();
            }
        }
    }

    /** One text has a line for every parameter and attribute, so that thousands of values take seconds. */
    @Test
    void shouldNeverFailOnAlmostLegalValues() {
        List<String> patterns = ValueVariations.patterns();
        int most = ParameterRegistry.get().parameters().stream()
                .flatMap(RegisterTest::slots)
                .mapToInt(slot -> slot.words().size())
                .max()
                .orElseThrow();
        for (int word = 0; word < most; word++) {
            for (String pattern : patterns) {
                List<String> lines = new ArrayList<>();
                for (Parameter parameter : ParameterRegistry.get().parameters()) {
                    int number = word;
                    slots(parameter)
                            .filter(slot -> number < slot.words().size())
                            .forEach(slot -> lines.add(slot.line()
                                    + pattern.replace("W", slot.words().get(number))));
                }
                assertReadable(lines);
            }
        }
    }

    private static void assertReadable(List<String> lines) {
        try {
            SitePolicy.read(String.join("\n", lines));
        } catch (RuntimeException e) {
            lines.forEach(
                    line -> assertThatCode(() -> SitePolicy.read(line)).as(line).doesNotThrowAnyException());
            throw new AssertionError("These fail together only: " + lines, e);
        }
    }

    /** Where a value may stand: how its line begins, and the words that may be meant. */
    private record Slot(String line, List<String> words) {}

    private static Stream<Slot> slots(Parameter parameter) {
        ValueType type = parameter.type();
        if (type != null) {
            return Stream.of(new Slot(parameter.name() + " ", ValueVariations.words(type, parameter.standard())));
        }
        String index = parameter.name().equals("ADMINCFG") ? "[1] " : "[x] ";
        return parameter.attributes().stream()
                .map(attribute -> new Slot(
                        parameter.name() + index + attribute.name() + "=",
                        ValueVariations.words(attribute.type(), attribute.standard())));
    }
}

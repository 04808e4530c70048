package io.weir.monitoring.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.monitoring.format.Formats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The examples of the manual, as they stand there. */
class WorkedExamplesTest {

    private static final Pattern EXAMPLE =
            Pattern.compile("### (\\S+)\\n.*?```\\n(.*?)```\\n```\\n(.*?)```", Pattern.DOTALL);
    private static final Instant NOW = Instant.parse("2026-03-02T00:00:00Z");

    @TestFactory
    Stream<DynamicTest> shouldBecomeTheFactsOfTheManual() throws IOException {
        return examples().stream()
                .map(example -> DynamicTest.dynamicTest(example.group(1), () -> {
                    assertThat(facts(example.group(1), example.group(2)))
                            .containsExactlyInAnyOrderElementsOf(
                                    example.group(3).lines().toList());
                }));
    }

    @TestFactory
    Stream<DynamicTest> shouldBeToldApartByAuto() throws IOException {
        return examples().stream()
                .filter(example ->
                        Set.of("influx", "telegraf", "ldms", "alertmanager").contains(example.group(1)))
                .map(example -> DynamicTest.dynamicTest(example.group(1), () -> {
                    assertThat(facts("auto", example.group(2)))
                            .containsExactlyInAnyOrderElementsOf(
                                    example.group(3).lines().toList());
                }));
    }

    @Test
    void shouldHaveAnExampleOfEachFormat() throws IOException {
        Set<String> shown = new TreeSet<>();
        examples().forEach(example -> shown.add(example.group(1)));
        Set<String> formats = new TreeSet<>(Formats.names());
        formats.remove("auto");

        assertThat(shown).isEqualTo(formats);
    }

    private static List<MatchResult> examples() throws IOException {
        return EXAMPLE.matcher(Files.readString(Path.of("docs/monitoring-source.md")))
                .results()
                .toList();
    }

    private static List<String> facts(String format, String message) {
        byte[] bytes = format.endsWith("_proto")
                ? Base64.getMimeDecoder().decode(message)
                : message.getBytes(StandardCharsets.UTF_8);
        Facts facts =
                FactMakerTest.maker().make(Formats.named(format).orElseThrow().read(bytes), NOW);
        assertThat(facts.reason()).isEmpty();
        List<String> lines = new ArrayList<>();
        facts.metrics()
                .forEach(metric -> lines.add(metric.getNodeId() + " " + metric.getMetric() + " " + metric.getValue()
                        + " " + metric.getTime()));
        facts.events()
                .forEach(event -> lines.add(event.getObjectId() + " " + event.getName() + " "
                        + (event.getActive() ? "begins" : "ends") + " " + event.getTime()));
        return lines;
    }
}

package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TopicsTest {

    /** The catalogue is contract. Where this test fails on purpose, change {@code catalogue.txt} and say why. */
    @Test
    void shouldBeTheCatalogueThatIsWrittenDown() throws IOException {
        String actual = Topics.all().stream().map(TopicsTest::line).collect(Collectors.joining("\n", "", "\n"));

        try (var golden = TopicsTest.class.getResourceAsStream("/catalogue.txt")) {
            assertThat(golden).isNotNull();
            assertThat(actual).isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void shouldListEveryConstant() {
        List<Object> constants = Arrays.stream(Topics.class.getFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .map(field -> {
                    try {
                        return field.get(null);
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                })
                .toList();

        assertThat(constants).containsExactlyInAnyOrderElementsOf(Topics.all());
    }

    @Test
    void shouldHaveOneTypePerTopicAndOneTopicPerType() {
        assertThat(Topics.all()).extracting(Topic::name).doesNotHaveDuplicates();
        assertThat(Topics.all()).extracting(Topic::type).doesNotHaveDuplicates();
    }

    @Test
    void shouldSayTheSameOfKeysAsTheRecords() {
        for (Topic<?> topic : Topics.all()) {
            String first = topic.key().split("[ ,]", 2)[0];
            assertThat(topic.schema().getDoc()).as(topic.name()).contains("Key: " + first);
        }
    }

    @Test
    void shouldFindTopicsByName() {
        assertThat(Topics.byName("rm.nodes")).contains(Topics.RM_NODES);
        assertThat(Topics.byName("weir.rm.nodes")).isEmpty();
    }

    @Test
    void shouldKnowWhatTheSchedulerReads() {
        assertThat(Topics.schedulerInputs())
                .extracting(Topic::name)
                .containsExactly(
                        "rm.nodes",
                        "rm.jobs",
                        "rm.heartbeats",
                        "monitoring.events",
                        "requests",
                        "policy",
                        "results",
                        "delivery-results",
                        "plugin-answers");
    }

    private static String line(Topic<?> topic) {
        return String.join(
                " | ",
                topic.name(),
                topic.type().getSimpleName(),
                topic.key(),
                topic.role().name(),
                topic.cleanup().policy(),
                topic.retention().map(Duration::toString).orElse("forever"),
                topic.description());
    }
}

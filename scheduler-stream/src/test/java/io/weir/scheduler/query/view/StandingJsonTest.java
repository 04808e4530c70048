package io.weir.scheduler.query.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class StandingJsonTest {
    @Test
    void shouldSayInEveryViewOfTheSchedulerThatThereAreNoIterations() {
        ObjectNode queue = JsonNodeFactory.instance.objectNode().put("cluster", "kth");
        queue.set("scheduler", StandingJson.of(null));

        assertThat(StandingJson.halted(StandingJson.of(null), "it fails")
                        .path("halted")
                        .asText())
                .isEqualTo("it fails");
        assertThat(StandingJson.halted(queue, "it fails")
                        .at("/scheduler/halted")
                        .asText())
                .isEqualTo("it fails");
        assertThat(queue.has("halted")).isFalse();
    }

    @Test
    void shouldLeaveOtherViewsAlone() {
        assertThat(StandingJson.halted(JsonNodeFactory.instance.arrayNode(), "it fails"))
                .isEmpty();
    }
}

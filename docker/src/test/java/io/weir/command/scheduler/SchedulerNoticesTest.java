package io.weir.command.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class SchedulerNoticesTest {
    private final ObjectNode scheduler = JsonNodeFactory.instance.objectNode().put("state", "RUNNING");

    @Test
    void shouldSayNothingWhileItSchedules() {
        assertThat(SchedulerNotices.state(scheduler)).isEmpty();
    }

    /** Then nothing can be published that says so itself. */
    @Test
    void shouldSayThatIterationsFailThoughTheLastOneWasFine() {
        scheduler.put("halted", "ArithmeticException: integer overflow");

        assertThat(SchedulerNotices.state(scheduler))
                .isEqualTo("nothing is decided any more, as iterations fail: ArithmeticException: integer overflow;"
                        + " mschedctl -r has them tried again");
    }
}

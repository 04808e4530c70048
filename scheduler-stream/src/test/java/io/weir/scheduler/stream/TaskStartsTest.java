package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.Test;

class TaskStartsTest {
    private static final TaskId TASK = new TaskId(0, 1);

    private final TaskStarts starts = new TaskStarts();

    @Test
    void shouldRefuseToInitialiseATaskTwiceInAThread() {
        starts.register(TASK);

        assertThatThrownBy(() -> starts.register(TASK))
                .isInstanceOf(StreamRestartException.class)
                .hasMessageContaining("Task 0_1 was initialised again in the same thread");
    }

    @Test
    void shouldLetAThreadInitialiseSeveralTasks() {
        starts.register(TASK);

        assertThatCode(() -> starts.register(new TaskId(0, 2))).doesNotThrowAnyException();
    }

    @Test
    void shouldLetATaskMoveToAnotherThreadAndBack() {
        starts.register(TASK);
        CompletableFuture.runAsync(() -> starts.register(TASK), task -> new Thread(task).start())
                .join();

        assertThatCode(() -> starts.register(TASK)).doesNotThrowAnyException();
    }
}

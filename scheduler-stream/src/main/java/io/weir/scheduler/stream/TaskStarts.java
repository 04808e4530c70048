package io.weir.scheduler.stream;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.processor.TaskId;

/**
 * Lets a thread initialise a task once. Kafka Streams 4.3 revives a corrupted task and then asks for a rebalance; the
 * rebalance throws the revived task away, and with it the note that its inputs have to be read again from the committed
 * positions. What the aborted transaction had taken in would be lost without a trace. Thread-safe; one for each start of
 * the stream.
 */
final class TaskStarts {
    private final Map<TaskId, Long> threads = new ConcurrentHashMap<>();

    /**
     * Notes that the calling thread initialises {@code task}.
     *
     * @throws StreamRestartException when it has done so before
     */
    void register(TaskId task) {
        long thread = Thread.currentThread().getId();
        Long before = threads.put(task, thread);
        if (before != null && before == thread) {
            throw new StreamRestartException(
                    "Task " + task
                            + " was initialised again in the same thread: its consumer may stand past what was committed",
                    null);
        }
    }
}

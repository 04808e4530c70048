package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.service.Readiness;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.junit.jupiter.api.Test;

class StreamRunnerTest {
    private final StreamGroup nobody = new StreamGroup(
            Admin.create(Map.of(
                    "bootstrap.servers", "127.0.0.1:9", "default.api.timeout.ms", "1000", "request.timeout.ms", "500")),
            "weir-scheduler",
            "scheduler-1");

    /** Kafka Streams opens what is stored when it starts, before any thread of it runs whose failure would be judged. */
    @Test
    void shouldSayWhatToDoWhenTheStoredStateCannotBeOpenedAtTheStart() {
        ProcessorStateException damaged = new ProcessorStateException(
                "Error opening store entities at location /state/weir-scheduler/0_0/rocksdb/entities");
        try (StreamRunner runner = new StreamRunner(
                () -> {
                    throw damaged;
                },
                new FailurePolicy(() -> Instant.EPOCH, "scheduler-1"),
                new Readiness().declare("stream"),
                failure -> {},
                Duration.ofSeconds(1),
                nobody)) {
            assertThatThrownBy(runner::start)
                    .hasMessageContaining("remove the directory named after application.id")
                    .hasCause(damaged);
        }
    }
}

package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WaitingTasksTest {
    private long nanos;
    private final WaitingTasks tasks = new WaitingTasks(() -> nanos);

    private static SlurmJob job(String json) throws JsonProcessingException {
        return SlurmJob.of(new ObjectMapper().readTree(json));
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    void shouldKeepTheRecordOfTasksThatHaveNone() throws JsonProcessingException {
        SlurmJob all = job("{\"job_id\":7,\"array_job_id\":7,\"array_task_string\":\"1-9\"}");
        tasks.read(all);
        tasks.read(job("{\"job_id\":9,\"array_job_id\":7,\"array_task_id\":3}"));
        tasks.read(job("{\"job_id\":8}"));

        assertThat(tasks.of("7")).contains(all);
        assertThat(tasks.of("8")).isEmpty();
        tasks.forget("7");
        assertThat(tasks.of("7")).isEmpty();
    }

    @Test
    void shouldTrustARecordForHalfAMinuteAndWhatIsStartedByItForSeconds() throws JsonProcessingException {
        tasks.read(job("{\"job_id\":7,\"array_job_id\":7,\"array_task_string\":\"1-9\"}"));
        assertThat(tasks.fresh("7")).isPresent();

        pass(Duration.ofSeconds(4));
        assertThat(tasks.of("7")).isPresent();
        assertThat(tasks.fresh("7")).isEmpty();
        tasks.listed();
        assertThat(tasks.fresh("7")).isPresent();

        pass(Duration.ofSeconds(27));
        tasks.listed();
        assertThat(tasks.of("7")).isEmpty();
        assertThat(tasks.fresh("7")).isEmpty();
    }
}

package io.weir.command.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class QueuePrioritiesTest {
    private static Slurm.Job job(String id, long priority) {
        return new Slurm.Job(id, "PENDING", "Priority", 0, priority, 0);
    }

    @Test
    void shouldKnowPrioritiesOfJobsAndOfTasksByTheirArray() {
        String text = new QueuePriorities("")
                .with(List.of(job("7", 10), job("9_[1-4]", 20)))
                .text();

        assertThat(text).isEqualTo("7 10\n9 20\n");
        QueuePriorities read = new QueuePriorities(text);
        assertThat(read.of("7")).hasValue(10);
        assertThat(read.of("9_[2-4]")).hasValue(20);
        assertThat(read.of("9_1")).hasValue(20);
        assertThat(read.of("8")).isEmpty();
    }

    @Test
    void shouldKeepWhatATakeoverThatWasBrokenOffWrote() {
        assertThat(new QueuePriorities("7 10\n")
                        .with(List.of(job("7", 99), job("6", 40)))
                        .text())
                .isEqualTo("7 10\n6 40\n");
    }

    @Test
    void shouldPutTheHighestPriorityFirstAndJobsThatCameLaterBehind() {
        assertThat(new QueuePriorities("7 10\n8 30\n")
                        .ordered(List.of(job("100", 0), job("11", 0), job("7", 0), job("9_[1-3]", 0), job("8", 0))))
                .extracting(Slurm.Job::id)
                .containsExactly("8", "7", "9_[1-3]", "11", "100");
    }

    @Test
    void shouldPassOverWhatItDidNotWrite() {
        assertThat(new QueuePriorities("\n7\nx 1\n8 5\n9 99999999999999999999\n").text())
                .isEqualTo("8 5\n");
    }
}

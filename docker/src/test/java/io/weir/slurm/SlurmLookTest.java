package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlurmLookTest {
    private static final String QUEUE = """
            5|PENDING|2026-01-01T00:00:09|(null)
            6|PENDING|2026-01-01T00:00:01|solver:1
            7|PENDING|2026-01-01T00:00:02|solver:1
            8|RUNNING|2026-01-01T00:00:00|solver:1
            9|PENDING|2026-01-01T00:00:03|(null)
            """;

    private static String node(String name, String state, int allocated) {
        return "NodeName=" + name + " CPUAlloc=" + allocated + " CPUTot=2 State=" + state + " ThreadsPerCore=1\n";
    }

    private static String solvers(int free) {
        return "LicenseName=solver Total=2 Used=" + (2 - free) + " Free=" + free + " Reserved=0 Remote=no\n";
    }

    @Test
    void shouldTakeJobsInTheOrderInWhichTheyEnteredTheQueue() {
        SlurmLook look = SlurmLook.of(QUEUE, node("n1", "MIXED", 1) + node("n2", "IDLE", 0), solvers(2));

        assertThat(look.free()).isEqualTo(3);
        assertThat(look.couldRun()).containsExactlyInAnyOrder(6L, 7L, 9L);
        assertThat(look.waitsForLicences()).isFalse();
    }

    @Test
    void shouldPassOverJobsWithoutALicence() {
        String idle = node("n1", "IDLE", 0);

        assertThat(SlurmLook.of(QUEUE, idle, solvers(1)).couldRun()).containsExactlyInAnyOrder(6L, 9L);
        assertThat(SlurmLook.of(QUEUE, idle, solvers(0)).couldRun()).containsExactlyInAnyOrder(9L, 5L);
        assertThat(SlurmLook.of(QUEUE, idle, solvers(0)).waitsForLicences()).isTrue();
    }

    @Test
    void shouldCountNoNodeThatTakesNoJobs() {
        String nodes = node("n1", "IDLE+DRAIN", 0)
                + node("n2", "DOWN+NOT_RESPONDING", 0)
                + node("n3", "MAINT", 0)
                + node("n4", "IDLE*", 0)
                + node("n5", "IDLE+MAINTENANCE", 0)
                + node("n6", "ALLOCATED", 2);

        assertThat(SlurmLook.of(QUEUE, nodes, solvers(2)).couldRun()).isEmpty();
    }
}

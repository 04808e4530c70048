package io.weir.scheduler.stream.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RivalConnectorsTest {
    private final RivalConnectors rivals = new RivalConnectors();

    @Test
    void shouldNameTheOtherOnceWhereTwoReportTheSameInTurns() {
        assertThat(rivals.reported("node n1", "a")).isEmpty();
        assertThat(rivals.reported("node n1", "b")).isEmpty();
        assertThat(rivals.reported("node n1", "a")).contains("b");
        assertThat(rivals.reported("node n1", "b")).isEmpty();
        assertThat(rivals.reported("node n1", "c")).isEmpty();
        assertThat(rivals.reported("node n1", "b")).contains("c");
    }

    @Test
    void shouldTakeNoneForARivalThatTookOverForGood() {
        for (String connector : new String[] {"a", "a", "b", "b", "c", "c"}) {
            assertThat(rivals.reported("node n1", connector)).isEmpty();
        }
        assertThat(rivals.reported("node n2", "a")).isEmpty();
    }

    @Test
    void shouldRememberTheLatestObjects() {
        rivals.reported("job 0", "a");
        rivals.reported("job 0", "b");
        for (int job = 1; job < RivalConnectors.REMEMBERED; job++) {
            rivals.reported("job " + job, "a");
        }
        assertThat(rivals.reported("job 0", "a")).contains("b");

        rivals.reported("job 0", "c");
        for (int job = 1; job <= RivalConnectors.REMEMBERED; job++) {
            rivals.reported("job " + job, "a");
        }
        assertThat(rivals.reported("job 0", "a")).isEmpty();
    }
}

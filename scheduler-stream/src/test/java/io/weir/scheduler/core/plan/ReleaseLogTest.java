package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReleaseLogTest {
    private final ReleaseLog log = new ReleaseLog();

    @Test
    void shouldKeepHoweverManyReleasesInOrder() {
        for (int i = 0; i < 40; i++) {
            log.add(i, 100 + i, 200 + i);
        }

        assertThat(log.size()).isEqualTo(40);
        for (int i = 0; i < 40; i++) {
            assertThat(log.line(i)).isEqualTo(i);
            assertThat(log.from(i)).isEqualTo(100 + i);
            assertThat(log.to(i)).isEqualTo(200 + i);
        }
    }

    @Test
    void shouldBeEmptyForEachPlanAndTellPlansApart() {
        log.add(1, 2, 3);
        long first = log.plan();

        log.clear();

        assertThat(log.size()).isZero();
        assertThat(log.plan()).isNotEqualTo(first);
    }
}

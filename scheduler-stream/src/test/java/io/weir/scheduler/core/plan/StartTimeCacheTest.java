package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StartTimeCacheTest {
    private final ReleaseLog releases = new ReleaseLog();
    private final StartTimeCache cache = new StartTimeCache();

    @Test
    void shouldBoundRequestsThatAskForAtLeastAsMuch() {
        cache.after(releases).learn(false, 4, 100, 50);

        assertThat(cache.after(releases).earliest(false, 4, 100)).isEqualTo(50);
        assertThat(cache.after(releases).earliest(false, 5, 200)).isEqualTo(50);
        assertThat(cache.after(releases).earliest(false, 3, 100)).isZero();
        assertThat(cache.after(releases).earliest(false, 4, 99)).isZero();
    }

    @Test
    void shouldBoundStartsInsideOneSetByThoseAnywhereButNotTheOtherWayRound() {
        cache.after(releases).learn(false, 1, 10, 30);
        cache.after(releases).learn(true, 1, 10, 70);

        assertThat(cache.earliest(true, 1, 10)).isEqualTo(70);
        assertThat(cache.earliest(false, 1, 10)).isEqualTo(30);
        assertThat(cache.later(true, 1, 10, 69)).isTrue();
        assertThat(cache.later(false, 1, 10, 30)).isFalse();
    }

    @Test
    void shouldForgetStartsThatAReleaseMayHaveMadePossible() {
        cache.after(releases).learn(false, 1, 100, 500);

        releases.add(0, 300, 400);

        assertThat(cache.after(releases).earliest(false, 1, 100))
                .as("a start whose interval ends before the release is as impossible as before")
                .isEqualTo(201);
    }

    @Test
    void shouldForgetEverythingWithANewPlan() {
        cache.after(releases).learn(false, 1, 100, 500);

        releases.clear();

        assertThat(cache.after(releases).earliest(false, 1, 100)).isZero();
    }

    @Test
    void shouldForgetStartsInsideOneSetAsWell() {
        cache.after(releases).learn(true, 1, 100, 500);

        releases.add(0, 300, 400);
        assertThat(cache.after(releases).earliest(true, 1, 100)).isEqualTo(201);

        releases.clear();
        assertThat(cache.after(releases).earliest(true, 1, 100)).isZero();
    }
}

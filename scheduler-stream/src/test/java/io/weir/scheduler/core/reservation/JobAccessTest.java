package io.weir.scheduler.core.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JobAccessTest {
    @Test
    void shouldSayWhatEachReservationMeans() {
        JobAccess access = new JobAccess(true, "-*+");

        assertThat(access.allowed(0)).isFalse();
        assertThat(access.allowed(1)).isTrue();
        assertThat(access.allowed(2)).isTrue();
        assertThat(access.within(0)).isFalse();
        assertThat(access.within(1)).isTrue();
        assertThat(access.within(2)).isFalse();
    }
}

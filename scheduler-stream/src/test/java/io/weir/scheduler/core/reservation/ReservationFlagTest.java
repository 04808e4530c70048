package io.weir.scheduler.core.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReservationFlagTest {
    @ParameterizedTest
    @EnumSource(ReservationFlag.class)
    void shouldKnowEveryFlagByItsName(ReservationFlag flag) {
        assertThat(ReservationFlag.known(flag.name())).isTrue();
    }

    @Test
    void shouldNotKnowOtherWords() {
        assertThat(ReservationFlag.known("byname")).isFalse();
        assertThat(ReservationFlag.known("ADVRES")).isFalse();
    }
}

package io.weir.scheduler.core.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SaturationTest {
    private static final long MOST = Long.MAX_VALUE;
    private static final long HALF = 4_611_686_018_427_387_904L;

    private final Saturation hundred = new Saturation(100);

    @ParameterizedTest
    @CsvSource({"40, 60, 100", "40, 61, 100", "-40, -60, -100", "-40, -61, -100", "150, -60, 90", "-1, 0, -1"})
    void shouldAddUpToItsLimit(long one, long other, long sum) {
        assertThat(hundred.sum(one, other)).isEqualTo(sum);
    }

    @ParameterizedTest
    @CsvSource({"9, 11, 99", "10, 10, 100", "10, 11, 100", "-9, 11, -99", "10, -11, -100", "-10, -11, 100", "0, 7, 0"})
    void shouldMultiplyUpToItsLimit(long one, long other, long product) {
        assertThat(hundred.product(one, other)).isEqualTo(product);
    }

    @Test
    void shouldStopWhereALongOverflows() {
        assertThat(hundred.sum(MOST, 1)).isEqualTo(100);
        assertThat(hundred.sum(-MOST, -2)).isEqualTo(-100);
        assertThat(Saturation.OF_LONG.sum(MOST, 1)).isEqualTo(MOST);
        assertThat(Saturation.OF_LONG.sum(MOST - 1, 1)).isEqualTo(MOST);
        assertThat(Saturation.OF_LONG.sum(-MOST, -MOST)).isEqualTo(-MOST);
        assertThat(Saturation.OF_LONG.sum(MOST, -MOST)).isZero();
    }

    /** Also where the product has the sign it ought to have, or none of its lower bits. */
    @Test
    void shouldStopWhereAProductOverflowsALong() {
        assertThat(Saturation.OF_LONG.product(HALF, 2)).isEqualTo(MOST);
        assertThat(Saturation.OF_LONG.product(HALF, 4)).isEqualTo(MOST);
        assertThat(Saturation.OF_LONG.product(HALF, 5)).isEqualTo(MOST);
        assertThat(Saturation.OF_LONG.product(HALF, -3)).isEqualTo(-MOST);
        assertThat(Saturation.OF_LONG.product(-HALF, -3)).isEqualTo(MOST);
        assertThat(hundred.product(-HALF, 4)).isEqualTo(-100);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void shouldRefuseALimitThatIsNotPositive(long limit) {
        assertThatThrownBy(() -> new Saturation(limit)).isInstanceOf(IllegalArgumentException.class);
    }
}

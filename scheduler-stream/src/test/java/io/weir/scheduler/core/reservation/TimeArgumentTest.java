package io.weir.scheduler.core.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeArgumentTest {
    private static final long NOW = Instant.parse("2026-03-06T14:00:00Z").getEpochSecond();

    @ParameterizedTest
    @CsvSource({
        "now, 2026-03-06T14:00:00Z",
        "08:00, 2026-03-07T08:00:00Z",
        "14:00, 2026-03-06T14:00:00Z",
        "15, 2026-03-06T15:00:00Z",
        "15:30:05, 2026-03-06T15:30:05Z",
        "24:00, 2026-03-07T00:00:00Z",
        "15:59:59, 2026-03-06T15:59:59Z",
        "14:00_03/06, 2026-03-06T14:00:00Z",
        "00:00_01/01/70, 1970-01-01T00:00:00Z",
        "9999999999, 2100-01-01T00:00:00Z",
        "08:00_04, 2026-04-01T08:00:00Z",
        "08:00_12/24, 2026-12-24T08:00:00Z",
        "08:00_01/02, 2027-01-02T08:00:00Z",
        "08:00_02/29, 2028-02-29T08:00:00Z",
        "08:00_01/02/26, 2026-01-02T08:00:00Z",
        "08:00_01/02/2028, 2028-01-02T08:00:00Z",
        "+1:00:00, 2026-03-06T15:00:00Z",
        "-30:00, 2026-03-06T13:30:00Z",
        "+INFINITY, 2100-01-01T00:00:00Z",
        "INFINITY, 2100-01-01T00:00:00Z",
        "1772800000, 2026-03-06T12:26:40Z"
    })
    void shouldReadAnInstant(String text, String expected) {
        assertThat(TimeArgument.instant(text, NOW))
                .isEqualTo(Instant.parse(expected).getEpochSecond());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "soon",
                "25:00",
                "08:60",
                "08:00:60",
                "00:00_01/01/0100",
                "999999999a",
                "/00000000",
                ":00000000",
                "08:00_13/01",
                "08:00_02/30",
                "+x",
                "12345678901"
            })
    void shouldRefuseWhatIsNoInstant(String text) {
        assertThat(TimeArgument.instant(text, NOW)).isEqualTo(TimeArgument.INVALID);
    }

    @ParameterizedTest
    @CsvSource({"90, 90", "1:30, 90", "5:00:00, 18000", "1:00:00:00, 86400", "infinity, 4102444800", "x, -1"})
    void shouldReadAnInterval(String text, long seconds) {
        assertThat(TimeArgument.duration(text)).isEqualTo(seconds);
    }

    @Test
    void shouldTakeTheNextLeapDayWhenThisOneHasPassed() {
        long march = Instant.parse("2028-03-01T00:00:00Z").getEpochSecond();

        assertThat(TimeArgument.instant("08:00_02/29", march))
                .isEqualTo(Instant.parse("2032-02-29T08:00:00Z").getEpochSecond());
    }

    @Test
    void shouldTakeTwoDigitYearsAsPosixDoes() {
        long now = 1_700_000_000;

        assertThat(TimeArgument.instant("00:00:00_12/31/99", now)).isEqualTo(946_598_400);
        assertThat(TimeArgument.instant("00:00:00_01/01/69", now)).isEqualTo(TimeArgument.INVALID);
        assertThat(TimeArgument.instant("00:00:00_01/01/68", now)).isEqualTo(3_092_601_600L);
        assertThat(TimeArgument.instant("00:00:00_01/01/2099", now)).isEqualTo(4_070_908_800L);
        assertThat(TimeArgument.instant("00:00:00_01/01/1899", now)).isEqualTo(TimeArgument.INVALID);
    }
}

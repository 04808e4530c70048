package io.weir.scheduler.core.reservation.standing;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.policy.reservation.StandingConfig;
import io.weir.scheduler.core.policy.reservation.StandingConfig.Period;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StandingCalendarTest {
    private static final long HOUR = 3600;
    private static final int WEEKDAYS = 0x1f;
    private static final int ALL = StandingConfig.ALL_DAYS;

    /** 2026-03-06 is a Friday: the weekend takes no place among the two instances. */
    @Test
    void SR1() {
        StandingCalendar office = new StandingCalendar(Period.DAY, WEEKDAYS, 9 * HOUR, 17 * HOUR, 2);

        assertThat(office.slots(at("2026-03-06T08:00:00Z")))
                .containsExactly(
                        slot("2026-03-06T09:00:00Z", "2026-03-06T17:00:00Z"),
                        slot("2026-03-09T09:00:00Z", "2026-03-09T17:00:00Z"));
        assertThat(office.slots(at("2026-03-06T16:59:59Z")))
                .hasSameElementsAs(office.slots(at("2026-03-06T08:00:00Z")));
        assertThat(office.slots(at("2026-03-06T17:00:00Z")))
                .containsExactly(
                        slot("2026-03-09T09:00:00Z", "2026-03-09T17:00:00Z"),
                        slot("2026-03-10T09:00:00Z", "2026-03-10T17:00:00Z"));
    }

    @Test
    void shouldFillWholeDaysByDefault() {
        assertThat(new StandingCalendar(Period.DAY, ALL, 0, StandingCalendar.END_OF_PERIOD, 1)
                        .slots(at("2026-03-06T08:00:00Z")))
                .containsExactly(slot("2026-03-06T00:00:00Z", "2026-03-07T00:00:00Z"));
    }

    @Test
    void shouldCrossMidnight() {
        StandingCalendar night = new StandingCalendar(Period.DAY, ALL, 22 * HOUR, 6 * HOUR, 1);

        assertThat(night.slots(at("2026-03-06T02:00:00Z")))
                .containsExactly(slot("2026-03-05T22:00:00Z", "2026-03-06T06:00:00Z"));
        assertThat(night.slots(at("2026-03-06T06:00:00Z")))
                .containsExactly(slot("2026-03-06T22:00:00Z", "2026-03-07T06:00:00Z"));
    }

    @Test
    void shouldCountWeeksFromSunday() {
        StandingCalendar monday = new StandingCalendar(Period.WEEK, ALL, 32 * HOUR, 40 * HOUR, 2);

        assertThat(monday.slots(at("2026-03-06T08:00:00Z")))
                .containsExactly(
                        slot("2026-03-09T08:00:00Z", "2026-03-09T16:00:00Z"),
                        slot("2026-03-16T08:00:00Z", "2026-03-16T16:00:00Z"));
    }

    @Test
    void shouldStayForEver() {
        assertThat(new StandingCalendar(Period.INFINITY, ALL, 0, StandingCalendar.END_OF_PERIOD, 2)
                        .slots(at("2026-03-06T08:00:00Z")))
                .containsExactly(slot("2026-03-06T08:00:00Z", "2100-01-01T00:00:00Z"));
    }

    private static InstancePeriod slot(String start, String end) {
        return new InstancePeriod(at(start), at(end));
    }

    @Test
    void shouldGiveTheFirstSlotsOnly() {
        StandingCalendar office = new StandingCalendar(Period.DAY, WEEKDAYS, 9 * HOUR, 17 * HOUR, 1000);
        long now = at("2026-03-06T08:00:00Z");

        assertThat(office.slots(now, 3)).isEqualTo(office.slots(now).subList(0, 3));
        assertThat(office.slots(now, 0)).isEmpty();
        assertThat(office.slots(now, 2_000)).hasSize(1000);
    }

    private static long at(String instant) {
        return Instant.parse(instant).getEpochSecond();
    }
}

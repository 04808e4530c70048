package io.weir.scheduler.core.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.ReservationType;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReservationTableTest {
    private final ReservationTable table = new ReservationTable();

    @Test
    void shouldHoldOneReservationOfEachJobInTheOrderOfTheirIds() {
        Reservation b = of("b", 10);
        Reservation a = of("a", 20);
        table.put(b);
        table.put(a);

        assertThat(table.get("b")).isSameAs(b);
        assertThat(table.all()).containsExactly(a, b);
        assertThat(table.size()).isEqualTo(2);
    }

    @Test
    void shouldPutANewVersionInThePlaceOfTheOld() {
        table.put(of("a", 10));
        Reservation later = of("a", 20);
        table.put(later);

        assertThat(table.all()).containsExactly(later);
    }

    @Test
    void shouldForgetWhatIsRemoved() {
        table.put(of("a", 10));
        table.remove("a");

        assertThat(table.get("a")).isNull();
        assertThat(table.size()).isZero();
    }

    @Test
    void shouldFindAReservationByTheIdItHasNow() {
        Reservation first = of("a", 10);
        table.put(first);
        Reservation renamed = first.named("a.rsv");
        table.put(renamed);

        assertThat(table.withId("a")).isNull();
        assertThat(table.withId("a.rsv")).isSameAs(renamed);
        table.remove("a");
        assertThat(table.withId("a.rsv")).isNull();
    }

    private static Reservation of(String job, long start) {
        return new Reservation(job, job, ReservationType.PRIORITY, 1, start, start + 10, List.of(), 1);
    }
}

package io.weir.scheduler.core.reservation.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.TermsEdit;
import io.weir.scheduler.core.reservation.standing.InstancePeriod;
import io.weir.schemas.ReservationType;
import java.util.List;
import org.junit.jupiter.api.Test;

class InstanceIndexTest {
    private final AdministrativeReservation a = of("a", 300, 400);
    private final AdministrativeReservation b = of("b", 0, 250);
    private final AdministrativeReservation c = of("c", 200, 300);
    private final InstanceIndex index = new InstanceIndex(List.of(a, b, c));

    @Test
    void shouldFindTheFirstById() {
        assertThat(index.first()).isSameAs(a);
        assertThat(new InstanceIndex(List.of()).first()).isNull();
    }

    @Test
    void shouldFindTheInstanceThatReachesIntoASlot() {
        assertThat(index.in(new InstancePeriod(300, 400))).isSameAs(a);
        assertThat(index.in(new InstancePeriod(250, 300))).isSameAs(c);
        assertThat(index.in(new InstancePeriod(100, 150))).isSameAs(b);
        assertThat(index.in(new InstancePeriod(400, 500))).isNull();
        assertThat(new InstanceIndex(List.of()).in(new InstancePeriod(0, 100))).isNull();
    }

    @Test
    void shouldTakeTheFirstByIdOfSeveral() {
        assertThat(index.in(new InstancePeriod(200, 300))).isSameAs(b);
        assertThat(index.in(new InstancePeriod(240, 301))).isSameAs(a);
    }

    /** One that was moved stands for the slot that it was made for. */
    @Test
    void shouldGoByTheTimeAskedFor() {
        InstanceIndex moved = new InstanceIndex(List.of(c.movedTo(500)));

        assertThat(moved.in(new InstancePeriod(200, 300))).isNotNull();
        assertThat(moved.in(new InstancePeriod(500, 600))).isNull();
    }

    private static AdministrativeReservation of(String id, long start, long end) {
        return AdministrativeReservation.made(
                id, ReservationType.STANDING, new TermsEdit().standing("s").done(), start, end, List.of(), 1);
    }
}

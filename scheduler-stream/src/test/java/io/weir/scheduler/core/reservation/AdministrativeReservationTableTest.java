package io.weir.scheduler.core.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.node.Capacity;
import io.weir.schemas.ReservationType;
import io.weir.schemas.bound.Limit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdministrativeReservationTableTest {
    private final AdministrativeReservationTable table = new AdministrativeReservationTable();
    private final AdministrativeReservation b =
            TestReservation.of("b", 100, 200, "USER==ann", TestReservation.on("n1", 1), TestReservation.on("n2", 2));
    private final AdministrativeReservation a =
            TestReservation.of("a", 150, 300, "USER==bob", TestReservation.on("n2", 3));

    @Test
    void shouldBeEmptyAtFirst() {
        assertThat(table.isEmpty()).isTrue();
        assertThat(table.all()).isEmpty();
        assertThat(table.on("n1")).isEmpty();
        assertThat(table.on("n1", b)).isNull();
        assertThat(table.get("b")).isNull();
    }

    @Test
    void shouldFindReservationsByIdAndByNodeInTheOrderOfTheirIds() {
        table.put(b);
        table.put(a);

        assertThat(table.isEmpty()).isFalse();
        assertThat(table.get("a")).isSameAs(a);
        assertThat(table.all()).containsExactly(a, b);
        assertThat(table.on("n1")).containsExactly(b);
        assertThat(table.on("n2")).containsExactly(a, b);
        assertThat(table.on("n2", a)).isEqualTo(TestReservation.on("n2", 3));
        assertThat(table.on("n1", a)).isNull();
    }

    @Test
    void shouldForgetTheNodesThatANewVersionHasLeft() {
        table.put(b);
        AdministrativeReservation moved = b.on(List.of(TestReservation.on("n2", 4)));
        table.put(moved);

        assertThat(table.all()).containsExactly(moved);
        assertThat(table.on("n1")).isEmpty();
        assertThat(table.on("n2")).containsExactly(moved);
        assertThat(table.on("n2", moved)).isEqualTo(TestReservation.on("n2", 4));
    }

    @Test
    void shouldRemoveOneAndKeepWhatElseLiesOnItsNodes() {
        table.put(b);
        table.put(a);
        table.remove("b");

        assertThat(table.get("b")).isNull();
        assertThat(table.on("n1")).isEmpty();
        assertThat(table.on("n2")).containsExactly(a);
        assertThat(table.on("n2", b)).isNull();
    }

    /** A node that a record names twice counts once, as the first time. */
    @Test
    void shouldTakeTheFirstPartOfANodeNamedTwice() {
        ReservedNode first = new ReservedNode("n1", 1, new Capacity(1, 0, 0, 0));
        AdministrativeReservation twice =
                TestReservation.of("t", 0, 10, "USER==ann", first, new ReservedNode("n1", 2, new Capacity(2, 0, 0, 0)));
        table.put(twice);

        assertThat(table.on("n1", twice)).isSameAs(first);
    }

    @Test
    void shouldCountAVersionWhenOneComesGoesOrChangesItsTerms() {
        long before = table.version();
        table.put(b);
        assertThat(table.version()).isEqualTo(before + 1);
        table.put(b.at(101, 201));
        assertThat(table.version()).isEqualTo(before + 1);
        table.put(b.with(a.terms()));
        assertThat(table.version()).isEqualTo(before + 2);
        table.remove("a");
        assertThat(table.version()).isEqualTo(before + 2);
        table.remove("b");
        assertThat(table.version()).isEqualTo(before + 3);
    }

    @Test
    void shouldBeFullWithAsManyAsThereMayBe() {
        for (int i = 1; i < Limit.RESERVATIONS; i++) {
            table.put(TestReservation.of("r" + i, 0, 10, "USER==ann"));
        }
        assertThat(table.isFull()).isFalse();

        table.put(a);
        assertThat(table.isFull()).isTrue();
    }

    /** A failure of many nodes leaves operators theirs, and the other way round. */
    @Test
    void shouldCountThoseOfTheSystemApart() {
        for (int i = 1; i < Limit.SYSTEM_RESERVATIONS; i++) {
            table.put(system("s" + i));
        }
        table.put(system("s1"));
        assertThat(table.isFullOfSystem()).isFalse();

        table.put(system("s0"));
        assertThat(table.isFullOfSystem()).isTrue();
        assertThat(table.isFull()).isFalse();

        table.remove("s1");
        assertThat(table.isFullOfSystem()).isFalse();
    }

    private static AdministrativeReservation system(String id) {
        return AdministrativeReservation.made(
                id, ReservationType.SYSTEM, TestReservation.terms("USER==ann").done(), 0, 10, List.of(), 1);
    }

    @ParameterizedTest
    @CsvSource({"0, 100", "99, 100", "100, 150", "150, 200", "199, 200", "200, 300", "300, 4102444800"})
    void shouldKnowTheNextStartOrEnd(long now, long next) {
        table.put(a);
        table.put(b);

        assertThat(table.nextBoundary(now)).isEqualTo(next);
    }
}

package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.core.request.form.Principal;
import io.weir.service.http.HttpRefusal;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FairPlacesTest {
    private final FairPlaces places = new FairPlaces(60, 60, "calls under way");

    @Test
    void shouldGiveOneAloneHalfOfThePlaces() {
        assertThat(takeAll("anna")).isEqualTo(30);
        assertThatThrownBy(() -> places.take(holder("anna")))
                .isInstanceOfSatisfying(
                        HttpRefusal.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(429))
                .hasMessageContaining("anna has 30 calls under way");
    }

    @Test
    void shouldFindAPlaceForWhoHasNoneHoweverManyOthersAskForMore() {
        for (int i = 0; i < 8; i++) {
            takeAll("greedy" + i);
        }

        assertThat(takeAll("late")).isPositive();
    }

    @Test
    void shouldHoldNoMoreThanThereAreAndRememberNobodyWhoLeft() {
        for (int i = 0; i < 60; i++) {
            places.take(holder("one" + i));
        }
        assertThatThrownBy(() -> places.take(holder("more")))
                .isInstanceOfSatisfying(
                        HttpRefusal.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(503));
        for (int i = 0; i < 60; i++) {
            places.leave(holder("one" + i));
        }

        assertThat(places.callers()).isZero();
        assertThat(takeAll("anna")).isEqualTo(30);
    }

    @Test
    void shouldGiveOneNoMoreThanItsLimit() {
        FairPlaces few = new FairPlaces(60, 5, "calls under way");
        for (int i = 0; i < 5; i++) {
            few.take(holder("anna"));
        }

        assertThatThrownBy(() -> few.take(holder("anna"))).isInstanceOf(HttpRefusal.class);
    }

    private int takeAll(String name) {
        int taken = 0;
        while (true) {
            try {
                places.take(holder(name));
                taken++;
            } catch (HttpRefusal refusal) {
                return taken;
            }
        }
    }

    private static Caller holder(String name) {
        return Caller.holder(new Principal(name, Optional.empty()));
    }
}

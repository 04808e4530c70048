package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.policy.reservation.ReservationPolicy;
import io.weir.scheduler.core.policy.scheduler.BackfillPolicy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which strategy stands for which word of the configuration. */
class ReservationStrategyTest {
    @ParameterizedTest
    @CsvSource({"CURRENTHIGHEST, true, false, false", "HIGHEST, true, true, true", "NEVER, false, false, false"})
    void shouldTellWhatBecomesOfReservations(
            ReservationPolicy policy, boolean reserves, boolean retains, boolean slides) {
        ReservationStrategy strategy = ReservationStrategy.of(policy);

        assertThat(strategy.reserves()).isEqualTo(reserves);
        assertThat(strategy.retains()).isEqualTo(retains);
        assertThat(strategy.slides()).isEqualTo(slides);
    }

    @ParameterizedTest
    @CsvSource({
        "FIRSTFIT, FirstFitBackfill",
        "BESTFIT, BestFitBackfill",
        "GREEDY, GreedyBackfill",
        "PREEMPT, PreemptBackfill",
        "NONE, NoBackfill"
    })
    void shouldHaveAClassForEachBackfillPolicy(BackfillPolicy policy, String type) {
        assertThat(BackfillStrategy.of(
                        TestCluster.policy("BACKFILLPOLICY " + policy).backfill()))
                .extracting(strategy -> strategy.getClass().getSimpleName())
                .isEqualTo(type);
    }
}

package io.weir.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
    private static final int MANY = 1_000;

    @Test
    void shouldKeepOnlyTheDeedsThatMatter() {
        Outcome shrunk = new Shrinker(plan -> live(plan, 7, 21), MANY).shrink(live(plan(), 7, 21));

        assertThat(shrunk.plan().deeds()).extracting(Deed::at).containsExactly(7L, 21L);
        assertThat(shrunk.plan().jobs()).isEqualTo(1);
    }

    @Test
    void shouldNotTakeAnotherFailureForTheOneToShrink() {
        Shrinker shrinker = new Shrinker(
                plan -> plan.equals(plan()) ? live(plan, 1) : outcome(plan, List.of("ledger: other")), MANY);

        assertThat(shrinker.shrink(live(plan(), 1)).plan()).isEqualTo(plan());
    }

    @Test
    void shouldStopAfterSoManyLives() {
        int[] lived = {0};
        new Shrinker(
                        plan -> {
                            lived[0]++;
                            return live(plan, 7, 21);
                        },
                        5)
                .shrink(live(plan(), 7, 21));

        assertThat(lived[0]).isEqualTo(5);
    }

    private static LifePlan plan() {
        List<Deed> deeds = LongStream.range(0, 30)
                .<Deed>mapToObj(at -> new Deed.Compact(at, true))
                .toList();
        return new LifePlan(1, 2, 2, 8, 0, 1_000, deeds);
    }

    /** A life that fails when a deed is done at each of {@code times}. */
    private static Outcome live(LifePlan plan, long... times) {
        List<Long> done = plan.deeds().stream().map(Deed::at).toList();
        boolean fails = LongStream.of(times).allMatch(done::contains);
        return outcome(plan, fails ? List.of("liveness: stuck") : List.of());
    }

    private static Outcome outcome(LifePlan plan, List<String> charges) {
        return new Outcome(plan, charges, 0, List.of(), 0, 0, 0, 0);
    }
}

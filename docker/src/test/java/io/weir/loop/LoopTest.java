package io.weir.loop;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** A fixed number of lives in every build; {@code weir loop} lives more. */
class LoopTest {
    private static final long FIRST_SEED = 101;
    private static final int LIVES = 120;
    private static final int MOST_SEEDS = 1_000;
    private static final int AT_ONCE = 2;

    /** Where to begin to look for a life that misses a protection: few miss these. From anywhere else it only takes longer. */
    private static final Map<Protection, Long> NEAR =
            Map.of(Protection.FENCING, 146L, Protection.SIZE_BUDGETS, 119L, Protection.REGISTRY, 577L);

    private static Level before;

    /** The services complain about what is done to them, at length. */
    @BeforeAll
    static void silenceServices() {
        Logger services = (Logger) LoggerFactory.getLogger("io.weir");
        before = services.getLevel();
        services.setLevel(Level.OFF);
    }

    @AfterAll
    static void giveServicesBackTheirVoice() {
        ((Logger) LoggerFactory.getLogger("io.weir")).setLevel(before);
    }

    @Test
    void shouldLiveTheSameLifeAgainFromTheSameSeed() {
        try (Lives some = new Lives(Set.of());
                Lives others = new Lives(Set.of())) {
            for (long seed = FIRST_SEED; seed < FIRST_SEED + 5; seed++) {
                LifePlan plan = LifePlan.of(seed, Lives.TROUBLED_MILLIS);

                Outcome first = some.live(plan, true);
                Outcome again = others.live(plan, true);

                assertThat(again.trace()).isEqualTo(first.trace());
                assertThat(again.hash()).isEqualTo(first.hash());
            }
        }
    }

    @Test
    void shouldLiveOtherLivesFromOtherSeeds() {
        try (Lives lives = new Lives(Set.of())) {
            assertThat(lives.live(LifePlan.of(1, Lives.TROUBLED_MILLIS), false).hash())
                    .isNotEqualTo(lives.live(LifePlan.of(2, Lives.TROUBLED_MILLIS), false)
                            .hash());
        }
    }

    @Test
    void shouldFindNothingWrong() throws InterruptedException {
        List<String> wrong = new ArrayList<>();
        AtomicInteger replacements = new AtomicInteger();
        try (Lives lives = new Lives(Set.of())) {
            lives.live(FIRST_SEED, LIVES, Lives.TROUBLED_MILLIS, AT_ONCE, outcome -> {
                replacements.addAndGet(outcome.replacements());
                if (!outcome.isFine()) {
                    wrong.add("weir loop --shrink --seed " + outcome.plan().seed() + " # " + outcome.charges());
                }
                return true;
            });
        }

        assertThat(wrong).isEmpty();
        assertThat(replacements).hasPositiveValue();
    }

    @ParameterizedTest
    @EnumSource
    void shouldNoticeThatAProtectionIsMissing(Protection protection) throws InterruptedException {
        List<Long> noticed = new ArrayList<>();
        try (Lives lives = new Lives(EnumSet.of(protection))) {
            lives.live(
                    NEAR.getOrDefault(protection, FIRST_SEED), MOST_SEEDS, Lives.TROUBLED_MILLIS, AT_ONCE, outcome -> {
                        if (!outcome.isFine()) {
                            noticed.add(outcome.plan().seed());
                        }
                        return noticed.isEmpty();
                    });
        }

        assertThat(noticed).as("seeds that fail without " + protection).isNotEmpty();
    }
}

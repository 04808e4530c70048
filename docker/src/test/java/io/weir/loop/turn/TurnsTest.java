package io.weir.loop.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private static final int MOST_TURNS = 10_000;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Turns turns = new Turns(new Random(1), threads, MOST_TURNS);
    private final List<String> happened = new ArrayList<>();

    @AfterEach
    void endThreads() {
        turns.end();
        threads.shutdown();
    }

    @Test
    void shouldGiveTheTurnToWhoeverIsDueFirst() {
        start("a", () -> sleepAndSay(3, "a"));
        start("b", () -> sleepAndSay(1, "b"));
        turns.at(2_000_000, () -> happened.add("event"));

        turns.run(10_000_000);

        assertThat(happened).containsExactly("b", "event", "a");
        assertThat(turns.now()).isEqualTo(10_000_000);
    }

    @Test
    void shouldStopAtTheTimeGivenAndGoOnLater() {
        start("a", () -> sleepAndSay(3, "a"));

        turns.run(2_000_000);
        assertThat(happened).isEmpty();

        turns.run(4_000_000);
        assertThat(happened).containsExactly("a");
    }

    @Test
    void shouldWakeWhoeverWaitsForWhatHasCome() {
        boolean[] come = {false};
        start("a", () -> {
            turns.awaitUntil(9_000_000, () -> come[0]);
            happened.add("at " + turns.now() / 1_000_000);
        });
        turns.at(4_000_000, () -> {
            come[0] = true;
            turns.signal();
        });

        turns.run(10_000_000);

        assertThat(happened).containsExactly("at 4");
    }

    @Test
    void shouldLetAFrozenProcessGoOnWhereItStoodWithoutKnowing() {
        SimulatedProcess frozen = start("a", () -> sleepAndSay(1, "a"));
        frozen.freezeUntil(5_000_000);

        turns.run(4_000_000);
        assertThat(happened).isEmpty();
        assertThat(frozen.lastHeard()).isZero();

        turns.run(6_000_000);
        assertThat(happened).containsExactly("a");
    }

    @Test
    void shouldEndAKilledProcessAtItsNextTurn() {
        List<String> ended = new ArrayList<>();
        SimulatedProcess process = new SimulatedProcess(turns, "a");
        turns.start(process, () -> sleepAndSay(3, "a"), thrown -> ended.add(String.valueOf(thrown)));
        turns.at(1_000_000, process::kill);

        turns.run(10_000_000);

        assertThat(happened).isEmpty();
        assertThat(ended).singleElement().asString().contains("a was killed");
    }

    @Test
    void shouldBeginNothingMoreWhenItEnds() {
        beginAgainWhenKilled(50);
        turns.run(1_000_000);
        assertThat(happened).containsExactly("begun");

        turns.end();

        assertThat(happened).containsExactly("begun");
    }

    @Test
    void shouldFailWhenNobodyEverWaits() {
        start("a", () -> {
            while (true) {
                turns.sleep(Duration.ZERO);
            }
        });

        assertThatThrownBy(() -> turns.run(1_000_000)).hasMessageContaining("goes in circles");
    }

    private SimulatedProcess start(String name, Runnable body) {
        SimulatedProcess process = new SimulatedProcess(turns, name);
        turns.start(process, body, thrown -> {});
        return process;
    }

    private void beginAgainWhenKilled(int times) {
        if (times > 0) {
            happened.add("begun");
            turns.start(
                    new SimulatedProcess(turns, "a"),
                    () -> sleepAndSay(3, "a"),
                    thrown -> turns.at(turns.now() + 1_000_000, () -> beginAgainWhenKilled(times - 1)));
        }
    }

    private void sleepAndSay(int seconds, String what) {
        turns.sleep(Duration.ofSeconds(seconds));
        happened.add(what);
    }
}

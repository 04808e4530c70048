package io.weir.scheduler.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AheadTest {

    @Test
    void shouldGiveAllInOrderAndThenNothing() {
        Iterator<Integer> numbers = IntStream.range(0, 2_000).iterator();
        List<Integer> taken = new ArrayList<>();

        try (Ahead<Integer> ahead = new Ahead<>("numbers", () -> numbers.hasNext() ? numbers.next() : null)) {
            for (Integer next = ahead.next(); next != null; next = ahead.next()) {
                taken.add(next);
            }
            assertThat(ahead.next()).isNull();
        }

        assertThat(taken)
                .containsExactlyElementsOf(IntStream.range(0, 2_000).boxed().toList());
    }

    @Test
    void shouldThrowWhatTheThreadThrewBehindWhatItMade() {
        AtomicInteger made = new AtomicInteger();
        try (Ahead<Integer> ahead = new Ahead<>("failing", () -> {
            if (made.incrementAndGet() > 2) {
                throw new IllegalStateException("the third");
            }
            return made.get();
        })) {
            assertThat(ahead.next()).isEqualTo(1);
            assertThat(ahead.next()).isEqualTo(2);
            assertThatIllegalStateException().isThrownBy(ahead::next).withMessage("the third");
        }
    }

    @Test
    void shouldWaitForWhoeverTakes() throws InterruptedException {
        AtomicInteger made = new AtomicInteger();
        CountDownLatch many = new CountDownLatch(512);
        try (Ahead<Integer> ahead = new Ahead<>("fast", () -> {
            many.countDown();
            return made.incrementAndGet();
        })) {
            many.await();
            assertThat(ahead.next()).isEqualTo(1);
            assertThat(made.get()).as("a batch more than may wait").isLessThanOrEqualTo(512 + 32);
        }
    }

    @Test
    void shouldStopTheThreadThoughNobodyTakes() {
        AtomicInteger made = new AtomicInteger();
        Ahead<Integer> ahead = new Ahead<>("endless", made::incrementAndGet);

        ahead.close();

        int before = made.get();
        assertThat(ahead.next()).isNull();
        assertThat(made.get()).isEqualTo(before);
    }
}

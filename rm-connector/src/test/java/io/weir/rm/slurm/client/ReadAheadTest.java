package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger sent = new AtomicInteger();
    private final Service service = new Service();
    private final AtomicInteger clockRead = new AtomicInteger();
    private final ReadAhead ahead = new ReadAhead(service, this::time);

    /** Answers with what was asked for and how often anything was. */
    private class Service implements RestTransport {
        /** Whom to wait for before an answer. */
        private volatile @Nullable CyclicBarrier together;

        @Override
        public Reply send(String method, String target, byte @Nullable [] body, Duration limit) throws IOException {
            int number = sent.incrementAndGet();
            @Nullable CyclicBarrier barrier = together;
            if (barrier != null) {
                try {
                    barrier.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
                } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                    throw new IOException("nobody else asked", e);
                }
            }
            if (target.equals("away")) {
                throw new IOException("nobody is there");
            }
            return new Reply(200, (target + number).getBytes(StandardCharsets.UTF_8));
        }
    }

    private long time() {
        long now = nanos.get();
        clockRead.incrementAndGet();
        return now;
    }

    @AfterEach
    void close() {
        ahead.close();
    }

    private @Nullable String taken(String target) throws IOException {
        return ahead.take(target)
                .map(reply -> new String(reply.body(), StandardCharsets.UTF_8))
                .orElse(null);
    }

    @Test
    void shouldAskForSeveralAtATime() throws IOException {
        service.together = new CyclicBarrier(3);

        ahead.ask(List.of("a", "b", "c"), LIMIT);

        assertThat(taken("a")).startsWith("a");
        assertThat(taken("b")).startsWith("b");
        assertThat(taken("c")).startsWith("c");
    }

    @Test
    void shouldGiveAnAnswerOnceAndAskForItOnce() throws IOException {
        ahead.ask(List.of("a"), LIMIT);
        ahead.ask(List.of("a", "a"), LIMIT);

        assertThat(taken("a")).isEqualTo("a1");
        assertThat(taken("a")).isNull();
        assertThat(taken("b")).isNull();
        assertThat(sent).hasValue(1);
    }

    @Test
    void shouldNotGiveWhatIsOldOrForgotten() throws IOException {
        ahead.ask(List.of("a", "b"), LIMIT);
        Awaitility.await("both answers").atMost(LIMIT).until(() -> clockRead.get() == 2);
        nanos.addAndGet(Duration.ofMillis(201).toNanos());

        assertThat(taken("a")).isNull();
        ahead.ask(List.of("a"), LIMIT);
        assertThat(taken("a")).startsWith("a");
        ahead.ask(List.of("c"), LIMIT);
        ahead.forget();
        assertThat(taken("b")).isNull();
        assertThat(taken("c")).isNull();
    }

    @Test
    void shouldFailAsTheRequestDid() {
        ahead.ask(List.of("away"), LIMIT);

        assertThatThrownBy(() -> ahead.take("away"))
                .isInstanceOf(IOException.class)
                .hasMessage("nobody is there");
    }
}

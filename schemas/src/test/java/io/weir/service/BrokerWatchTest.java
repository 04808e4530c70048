package io.weir.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.MockAdminClient;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BrokerWatchTest {
    private static final List<Node> NODES =
            List.of(new Node(1, "one", 9092), new Node(2, "two", 9092), new Node(3, "three", 9092));

    private final MockAdminClient admin = new MockAdminClient(NODES, NODES.get(0));
    private final Set<Node> away = new HashSet<>();
    private final AtomicLong nanos = new AtomicLong();
    private final Readiness readiness = new Readiness();
    private final BrokerWatch watch =
            new BrokerWatch(() -> admin, node -> !away.contains(node), readiness.declare("broker"), nanos::get);

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void shouldNotBeReadyWhileNoBrokerAnswers() throws Exception {
        watch.ask();
        assertThat(readiness.isReady()).isTrue();

        admin.timeoutNextRequest(2);
        askAfter(Duration.ofSeconds(20));
        assertThat(readiness.isReady()).isTrue();

        askAfter(Duration.ofSeconds(15));
        assertThat(readiness.report().get("broker"))
                .contains("no broker has answered for 35 s")
                .contains("TimeoutException");

        askAfter(Duration.ofSeconds(5));
        assertThat(readiness.isReady()).isTrue();
    }

    @Test
    void shouldCountTheSilenceFromTheLastAnswer() throws Exception {
        watch.ask();
        askAfter(Duration.ofMinutes(10));

        admin.timeoutNextRequest(1);
        askAfter(Duration.ofSeconds(20));

        assertThat(readiness.isReady()).isTrue();
    }

    @Test
    void shouldGoOnWhenNoClientCanBeMade() throws Exception {
        BrokerWatch lost = new BrokerWatch(
                () -> {
                    throw new KafkaException("No resolvable bootstrap urls");
                },
                node -> true,
                readiness.declare("broker"),
                nanos::get);
        nanos.set(Duration.ofMinutes(1).toNanos());

        lost.ask();

        assertThat(readiness.report().get("broker")).contains("No resolvable bootstrap urls");
    }

    @Test
    void shouldNotBeReadyWhileMostBrokersListedAreAway() throws Exception {
        away.add(NODES.get(1));
        for (int i = 0; i < 10; i++) {
            askAfter(Duration.ofSeconds(10));
        }
        assertThat(readiness.isReady()).isTrue();

        away.add(NODES.get(2));
        askAfter(Duration.ofSeconds(10));
        askAfter(Duration.ofSeconds(10));
        assertThat(readiness.isReady()).isTrue();

        askAfter(Duration.ofSeconds(10));
        assertThat(readiness.report().get("broker"))
                .isEqualTo("most brokers take no connection for 30 s: three:9092, two:9092");

        away.clear();
        askAfter(Duration.ofSeconds(5));
        assertThat(readiness.isReady()).isTrue();
    }

    private void askAfter(Duration pause) throws InterruptedException {
        nanos.addAndGet(pause.toNanos());
        watch.ask();
    }
}

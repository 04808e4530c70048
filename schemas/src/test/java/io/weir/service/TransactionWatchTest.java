package io.weir.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.MockAdminClient;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TransactionWatchTest {
    private static final TopicPartition COMMANDS = new TopicPartition("commands", 0);
    private static final TopicPartition JOURNAL = new TopicPartition("journal", 0);

    private final AtomicLong nanos = new AtomicLong(-5);
    private final Readiness readiness = new Readiness();
    private final Node node = new Node(0, "one", 9092);
    private final MockAdminClient admin = new MockAdminClient(List.of(node), node);
    private final TransactionWatch watch = new TransactionWatch(Set.of("commands", "missing")::contains, nanos::get);

    TransactionWatchTest() {
        readiness.declare("transactions", watch::obstacle);
    }

    @Test
    void shouldNotBeReadyWhereReadersWaitBehindATransactionThatDoesNotEnd() {
        look(58, 57);
        pass(119);
        look(60, 57);
        assertThat(readiness.isReady()).isTrue();

        pass(1);

        assertThat(readiness.report().get("transactions"))
                .startsWith("readers have waited for 120 s behind a transaction that does not end, on commands-0 at"
                        + " offset 57: ");

        look(60, 60);
        assertThat(readiness.isReady()).isTrue();
    }

    @Test
    void shouldBeReadyWhileTransactionsComeAndGo() {
        look(58, 57);
        pass(100);
        look(60, 58);
        pass(100);

        assertThat(readiness.isReady()).isTrue();
    }

    @Test
    void shouldNameAFewOfManyPartitions() {
        watch.take(
                Map.of(COMMANDS, 2L, JOURNAL, 2L, partition("a"), 2L, partition("b"), 2L),
                Map.of(COMMANDS, 1L, JOURNAL, 0L, partition("a"), 1L, partition("b"), 1L));
        pass(200);

        assertThat(watch.obstacle().orElse(""))
                .contains("on a-0 at offset 1, b-0 at offset 1, commands-0 at offset 1 and 1 more");
    }

    @Test
    void shouldAskForTheTopicsThatAreThere() throws Exception {
        admin.createTopics(List.of(new NewTopic("commands", 1, (short) 1)));
        admin.updateBeginningOffsets(Map.of(COMMANDS, 0L));
        admin.updateEndOffsets(Map.of(COMMANDS, 7L));

        watch.ask(admin);

        assertThat(readiness.isReady()).isTrue();
    }

    private static TopicPartition partition(String topic) {
        return new TopicPartition(topic, 0);
    }

    private void look(long end, long readable) {
        watch.take(Map.of(COMMANDS, end), Map.of(COMMANDS, readable));
    }

    private void pass(long seconds) {
        nanos.addAndGet(seconds * 1_000_000_000L);
    }
}

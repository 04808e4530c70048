package io.weir.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.clients.admin.MockAdminClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProblemWatchTest {
    private List<String> problems = List.of();

    private final MockAdminClient admin = MockAdminClient.create().build();
    private final ProblemWatch watch = new ProblemWatch(broker -> problems, "all fine");

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void shouldOverlookWhatABrokerDoesNotKnowForAMoment() {
        see("one");
        see("another");
        assertThat(watch.obstacle()).isEmpty();

        see("another", "more");
        assertThat(watch.obstacle()).contains("another");

        see("another", "more");
        assertThat(watch.obstacle()).contains("another (and 1 more, which the log of the service tells)");
    }

    @Test
    void shouldBeReadyAgainWithTheFirstLookThatFindsNothing() {
        see("one");
        see("one");

        see();

        assertThat(watch.obstacle()).isEmpty();
    }

    private void see(String... now) {
        problems = List.of(now);
        watch.ask(admin);
    }
}

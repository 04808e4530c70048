package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.apache.kafka.clients.admin.MockAdminClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BrokerPatienceTest {
    private final MockAdminClient admin = new MockAdminClient();

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void shouldWaitForABrokerThatIsUpLater() {
        admin.timeoutNextRequest(3);

        assertThatCode(() -> BrokerPatience.await(admin)).doesNotThrowAnyException();
    }

    @Test
    void shouldSayWhatToDoWhenNoneAnswersForLong() {
        admin.timeoutNextRequest(1_000);

        assertThatExceptionOfType(UnfitBrokerException.class)
                .isThrownBy(() -> BrokerPatience.await(admin))
                .withMessageContaining("any of 60 questions within 0 s")
                .withMessageContaining("kafka.bootstrap.servers");
    }
}

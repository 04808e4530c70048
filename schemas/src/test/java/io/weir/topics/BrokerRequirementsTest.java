package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MockAdminClient;
import org.junit.jupiter.api.Test;

class BrokerRequirementsTest {

    @Test
    void shouldAcceptTransactionsOfTheSecondVersion() {
        try (Admin admin = adminOf(Map.of("transaction.version", (short) 2))) {
            assertThatCode(() -> BrokerRequirements.check(admin)).doesNotThrowAnyException();
        }
    }

    @Test
    void shouldSayHowToRaiseAnOlderVersion() {
        try (Admin admin = adminOf(Map.of("transaction.version", (short) 1))) {
            assertThatExceptionOfType(UnfitBrokerException.class)
                    .isThrownBy(() -> BrokerRequirements.check(admin))
                    .withMessageContaining("level 1")
                    .withMessageContaining("upgrade --feature transaction.version=2");
        }
    }

    @Test
    void shouldTakeAnUnknownFeatureForLevelZero() {
        assertThatExceptionOfType(UnfitBrokerException.class)
                .isThrownBy(() -> BrokerRequirements.check(Map.of()))
                .withMessageContaining("level 0");
    }

    private static Admin adminOf(Map<String, Short> features) {
        return MockAdminClient.create()
                .numBrokers(1)
                .controller(0)
                .usingRaftController(true)
                .featureLevels(features)
                .minSupportedFeatureLevels(Map.of("transaction.version", (short) 0))
                .maxSupportedFeatureLevels(Map.of("transaction.version", (short) 2))
                .build();
    }
}

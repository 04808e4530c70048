package io.weir.spine;

import io.weir.standalone.Endpoints;
import io.weir.standalone.registry.EmbeddedRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.kafka.KafkaContainer;

/** The suite on a broker in a container; skipped where there is no Docker. */
@Testcontainers(disabledWithoutDocker = true)
class ContainerSpineIT extends SpineSuite {
    @Container
    static final KafkaContainer BROKER = new KafkaContainer("apache/kafka:4.1.0");

    private static EmbeddedRegistry registry;

    @BeforeAll
    static void startRegistry() {
        registry = EmbeddedRegistry.start(BROKER.getBootstrapServers(), 0);
    }

    @AfterAll
    static void stopRegistry() {
        registry.close();
    }

    @Override
    Endpoints endpoints() {
        return new Endpoints(BROKER.getBootstrapServers(), registry.url());
    }
}

package io.weir.spine;

import io.weir.standalone.Connection;
import io.weir.standalone.Endpoints;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Grants;
import io.weir.standalone.registry.EmbeddedRegistry;
import io.weir.standalone.registry.RegistryUsers;
import java.util.Map;
import java.util.Optional;
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
        registry = EmbeddedRegistry.start(
                Map.of("bootstrap.servers", BROKER.getBootstrapServers()),
                (user, password) -> Optional.of(RegistryUsers.Right.REGISTER),
                0);
    }

    @AfterAll
    static void stopRegistry() {
        registry.close();
    }

    /** It knows nobody and lets everyone do everything. */
    @Override
    SpineBroker broker() {
        Map<String, String> login =
                Map.of("basic.auth.credentials.source", "USER_INFO", "basic.auth.user.info", "any:body");
        Connection connection = new Connection(new Endpoints(BROKER.getBootstrapServers(), registry.url()), login);
        return new SpineBroker() {
            @Override
            public Connection as(Account account) {
                return connection;
            }

            @Override
            public void grant(Grants grants) {
                // Nothing has to be allowed.
            }
        };
    }
}

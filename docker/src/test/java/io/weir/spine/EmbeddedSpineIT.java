package io.weir.spine;

import io.weir.standalone.Connection;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.KafkaEnvironment;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Grants;
import java.nio.file.Path;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The suite on the broker that the launcher brings along: every service has its own account and may do what it needs. */
class EmbeddedSpineIT extends SpineSuite {
    @TempDir
    static Path data;

    private static KafkaEnvironment environment;

    @BeforeAll
    static void startBroker() {
        environment = KafkaEnvironment.start(new DataDirectory(data), 0, 0);
    }

    @AfterAll
    static void stopBroker() {
        environment.close();
    }

    @Override
    SpineBroker broker() {
        return new SpineBroker() {
            @Override
            public Connection as(Account account) {
                return environment.connection(account);
            }

            @Override
            public void grant(Grants grants) {
                try (Admin admin = Admin.create(as(Account.ADMIN).kafka())) {
                    grants.apply(admin);
                }
            }
        };
    }
}

package io.weir.spine;

import io.weir.standalone.Backbone;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.Endpoints;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The suite on the broker that the launcher brings along. */
class EmbeddedSpineIT extends SpineSuite {
    @TempDir
    static Path data;

    private static Backbone backbone;

    @BeforeAll
    static void startBroker() {
        backbone = Backbone.start(new DataDirectory(data), 0, 0);
    }

    @AfterAll
    static void stopBroker() {
        backbone.close();
    }

    @Override
    Endpoints endpoints() {
        return backbone.endpoints();
    }
}

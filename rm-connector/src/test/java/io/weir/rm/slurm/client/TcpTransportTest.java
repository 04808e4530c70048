package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TcpTransportTest {
    @TempDir
    Path directory;

    /** What renews the token may write anything into its file; the next token is looked for, and nothing of this one told. */
    @Test
    void shouldTakeATokenThatNoHeaderCanHoldForAFailureThatPasses() throws IOException {
        Path token = Files.writeString(directory.resolve("token"), "top\nsecret");

        assertThatIOException()
                .isThrownBy(() -> transport(token).send("GET", "/slurm", null, Duration.ofSeconds(1)))
                .withMessageContaining("cannot stand in a header")
                .withMessageNotContaining("secret");
    }

    private static TcpTransport transport(Path token) {
        return new TcpTransport(URI.create("http://127.0.0.1:1"), "slurm", token, Duration.ofSeconds(1));
    }
}

package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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

    @Test
    void shouldNotWaitForTheRestOfAnAnswerBeyondTheLimit() throws IOException {
        try (ServerSocket server = answering("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"meta\":")) {
            assertThatIOException()
                    .isThrownBy(() -> to(server, 1000).send("GET", "/slurm", null, Duration.ofMillis(300)))
                    .withMessageContaining("no whole answer in time");
        }
    }

    @Test
    void shouldGiveUpOnAnAnswerThatIsTooLong() throws IOException {
        try (ServerSocket server = answering("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"meta\":0")) {
            assertThatIOException()
                    .isThrownBy(() -> to(server, 8).send("GET", "/slurm", null, Duration.ofSeconds(10)))
                    .withMessageContaining("longer than 8 bytes");
        }
    }

    @Test
    void shouldTakeTheWholeOfAnAnswer() throws IOException {
        try (ServerSocket server = answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")) {
            RestTransport.Reply reply = to(server, 2).send("GET", "/slurm", null, Duration.ofSeconds(10));
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.body()).asString(StandardCharsets.UTF_8).isEqualTo("{}");
        }
    }

    /** Says that to whoever connects first, and nothing more. */
    private static ServerSocket answering(String answer) throws IOException {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> {
            try {
                Socket client = server.accept();
                client.getInputStream().read(new byte[4096]);
                client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    private static TcpTransport to(ServerSocket server, int longestReply) {
        URI address = URI.create("http://127.0.0.1:" + server.getLocalPort());
        return new TcpTransport(address, "slurm", null, Duration.ofSeconds(10), longestReply);
    }

    private static TcpTransport transport(Path token) {
        return new TcpTransport(URI.create("http://127.0.0.1:1"), "slurm", token, Duration.ofSeconds(1));
    }
}

package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** slurmrestd as it should answer, and as it should not. */
class UnixSocketTransportTest {
    private static final Duration LIMIT = Duration.ofMillis(500);

    @TempDir
    Path directory;

    private ServerSocketChannel server;
    private UnixSocketTransport transport;

    @BeforeEach
    void listen() throws IOException {
        Path socket = directory.resolve("rest.sock");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
        transport = new UnixSocketTransport(socket);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    /** Answers the next connection with these pieces, then closes it unless it is to stay silent. */
    private void answer(boolean close, String... pieces) {
        Thread thread = new Thread(() -> {
            try {
                SocketChannel channel = server.accept();
                channel.read(ByteBuffer.allocate(65536));
                for (String piece : pieces) {
                    channel.write(ByteBuffer.wrap(piece.getBytes(StandardCharsets.UTF_8)));
                }
                if (close) {
                    channel.close();
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Test
    void shouldPutAnswerTogether() throws IOException {
        answer(false, "HTTP/1.1 200 O", "K\r\nContent-Length: 9\r\n", "\r\n{\"a\":", "\"b\"}");

        RestTransport.Reply reply = transport.send("GET", "/x", null, LIMIT);

        assertThat(reply.status()).isEqualTo(200);
        assertThat(new String(reply.body(), StandardCharsets.UTF_8)).isEqualTo("{\"a\":\"b\"}");
    }

    @Test
    void shouldReadToTheEndWithoutLength() throws IOException {
        answer(true, "HTTP/1.1 200 OK\r\n\r\n{}");

        assertThat(transport.send("GET", "/x", null, LIMIT).body()).hasSize(2);
    }

    @Test
    void shouldFailOnWhatIsNoAnswer() {
        answer(true);
        assertThatThrownBy(() -> transport.send("GET", "/x", null, LIMIT))
                .hasMessageContaining("ended within its head");
        answer(true, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{");
        assertThatThrownBy(() -> transport.send("GET", "/x", null, LIMIT)).hasMessageContaining("1 of 10 bytes");
        answer(true, "garbage\r\n\r\n");
        assertThatThrownBy(() -> transport.send("GET", "/x", null, LIMIT))
                .hasMessageContaining("does not begin like HTTP");
        answer(false, "HTTP/1.1 200 OK\r\n");
        assertThatThrownBy(() -> transport.send("GET", "/x", null, LIMIT)).hasMessageContaining("in time");
    }

    @Test
    void shouldTakeWhatIsNotSlurmForAway() {
        assertAway("HTTP/1.1 200 OK\r\n\r\n<html>");
        assertAway("HTTP/1.1 500 INTERNAL ERROR\r\n\r\n");
        assertAway("HTTP/1.1 200 OK\r\n\r\n[]");
        assertAway("HTTP/1.1 200 OK\r\n\r\n{\"errors\":[]}");
        assertAway(
                "HTTP/1.1 500 X\r\n\r\n{\"meta\":{},\"errors\":[{\"error_number\":-1,\"error\":\"Unspecified error\"}]}");
        assertAway("HTTP/1.1 500 X\r\n\r\n{\"meta\":{},\"errors\":[{\"error_number\":1000,\"error\":\"Unexpected\"}]}");
    }

    private void assertAway(String reply) {
        try (SlurmRest rest = new SlurmRest(transport, RestVersion.OLDEST, LIMIT)) {
            answer(true, reply);
            assertThatThrownBy(rest::version)
                    .as(reply)
                    .isInstanceOf(RetriableRmException.class)
                    .hasMessageContaining("rest.sock");
        }
    }

    @Test
    void shouldSayWhichVersionsItSpeaks() {
        try (SlurmRest rest = new SlurmRest(transport, null, LIMIT)) {
            answer(true, "HTTP/1.1 200 OK\r\n\r\n{\"paths\":{\"/slurm/v0.0.36/jobs\":{}}}");
            assertThatThrownBy(rest::version)
                    .isInstanceOf(RmException.class)
                    .isNotInstanceOf(RetriableRmException.class)
                    .hasMessageContaining("v0.0.38");
        }
    }
}

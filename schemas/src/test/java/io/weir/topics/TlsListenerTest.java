package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TlsListenerTest {
    /** What Java's TLS says to bytes that are no handshake. */
    private static final byte[] ALERT = {0x15, 3, 3, 0, 2, 2, 10};

    private static final byte[] VERSIONS = {0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

    @Test
    void shouldRefuseAListenerThatSpeaksTls() throws Exception {
        try (ServerSocket broker = broker(ALERT)) {
            assertThatExceptionOfType(UnfitBrokerException.class)
                    .isThrownBy(() -> BrokerPatience.connect(client(broker)))
                    .withMessageContaining("127.0.0.1:" + broker.getLocalPort() + " speaks TLS")
                    .withMessageContaining("security.protocol");
        }
    }

    @Test
    void shouldTakeABrokerInClearText() throws Exception {
        try (ServerSocket broker = broker(VERSIONS)) {
            assertThat(TlsListener.refuse(client(broker))).isTrue();
        }
    }

    @Test
    void shouldAskTheNextWhereNobodyAnswers() throws Exception {
        ServerSocket gone = broker(new byte[0]);
        gone.close();
        assertThat(TlsListener.refuse(client(gone))).isFalse();
        try (ServerSocket broker = broker(VERSIONS)) {
            String both = "127.0.0.1:" + gone.getLocalPort() + ", 127.0.0.1:" + broker.getLocalPort();

            assertThat(TlsListener.refuse(Map.of("bootstrap.servers", both))).isTrue();
        }
    }

    @Test
    void shouldGoOnAskingUntilABrokerIsThere() throws Exception {
        ServerSocket later = broker(ALERT);
        int port = later.getLocalPort();
        later.close();
        CompletableFuture<ServerSocket> started = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return broker(ALERT, port);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS));

        assertThatExceptionOfType(UnfitBrokerException.class)
                .isThrownBy(() -> BrokerPatience.connect(Map.of("bootstrap.servers", "127.0.0.1:" + port)))
                .withMessageContaining("speaks TLS");
        started.get().close();
    }

    @Test
    void shouldNotAskForAClientThatSpeaksTls() {
        assertThat(TlsListener.refuse(
                        Map.of("bootstrap.servers", List.of("127.0.0.1:1"), "security.protocol", "SASL_SSL")))
                .isTrue();
    }

    private static Map<String, Object> client(ServerSocket broker) {
        return Map.of("bootstrap.servers", "127.0.0.1:" + broker.getLocalPort(), "security.protocol", "PLAINTEXT");
    }

    /** Answers the first bytes of everyone with {@code answer}. */
    private static ServerSocket broker(byte[] answer) throws IOException {
        return broker(answer, 0);
    }

    private static ServerSocket broker(byte[] answer, int port) throws IOException {
        ServerSocket server = new ServerSocket(port, 5, InetAddress.getByName("127.0.0.1"));
        CompletableFuture.runAsync(() -> {
            while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                    client.getInputStream().readNBytes(14);
                    client.getOutputStream().write(answer);
                    client.getOutputStream().flush();
                } catch (IOException e) {
                    // It is closed.
                }
            }
        });
        return server;
    }
}

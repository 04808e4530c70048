package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a service says about a registry.url that is wrong. */
class RegistryTroubleTest {
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);

    /** What Java's TLS says to bytes that are no handshake. */
    private static final byte[] ALERT = {0x15, 3, 3, 0, 2, 2, 10};

    /** As a proxy before the registry does, or another service on that port. */
    @Test
    void shouldSayThatAPageIsNoAnswerOfARegistry() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] page = "<html>Sign in</html>".getBytes(StandardCharsets.UTF_8);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        String place = "127.0.0.1:" + server.getAddress().getPort();
        try {
            complains("http://" + place, "it gives no JSON; see registry.url (schema registry http://" + place + ")");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void shouldSayThatTheOneSpeaksTlsAndTheOtherDoesNot() throws Exception {
        try (ServerSocket server = answering(ALERT)) {
            complains("http://" + place(server), "if it speaks TLS, registry.url begins with https://");
        }
        try (ServerSocket server = answering("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.UTF_8))) {
            complains("https://" + place(server), "it speaks no TLS; see registry.url");
        }
    }

    @Test
    void shouldNameAHostThatThereIsNot() {
        complains("http://registry.invalid:8081", "there is no host registry.invalid; see registry.url");
    }

    @Test
    void shouldNameTheAddressesWithoutTheirLogins() {
        assertThat(RegistryTrouble.at(List.of("http://me:secret@a:8081", "https://b"))
                        .placed("status 500"))
                .isEqualTo("status 500 (schema registry http://a:8081, https://b)");
    }

    private static void complains(String url, String words) {
        try (AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", url, "max.retries", 0))) {
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> codec.prepare(List.of(Topics.MONITORING_METRICS)))
                    .withMessageContaining("Schema of subject weir.monitoring.metrics-value: ")
                    .withMessageContaining(words);
        }
    }

    private static String place(ServerSocket server) {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** Answers whatever it is told with {@code bytes}, and hangs up. */
    private static ServerSocket answering(byte[] bytes) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> answer(server, bytes), "answering");
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    private static void answer(ServerSocket server, byte[] bytes) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                socket.getInputStream().readNBytes(1);
                socket.getOutputStream().write(bytes);
            } catch (IOException e) {
                if (!server.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}

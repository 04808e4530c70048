package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.weir.scheduler.CapturedLog;
import io.weir.scheduler.Feature;
import io.weir.service.ServiceConfig;
import io.weir.service.http.HttpReply;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Where the failure service is served: on the port that the configuration in force names, as long as it asks for it. */
@NullUnmarked
class NonstopListenersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicReference<String> policy = new AtomicReference<>("");

    @RegisterExtension
    final CapturedLog log = new CapturedLog(NonstopListeners.class, Level.INFO);

    private NonstopListeners listeners;

    @BeforeEach
    void open() {
        ApiSettings settings = ApiSettings.from(ServiceConfig.of(
                        ApiSettings.define(ServiceConfig.baseDefinition()),
                        Map.of(
                                "kafka.bootstrap.servers", "x:1",
                                "registry.url", "mock://api",
                                "nonstop.host", "127.0.0.1")))
                .orElseThrow();
        listeners = new NonstopListeners(
                settings,
                List.of("c"),
                cluster -> policy.get(),
                cluster -> call -> HttpReply.text(200, "text/plain", "here").now());
    }

    @AfterEach
    void close() {
        listeners.close();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    private void configure(int port, String... more) {
        policy.set("FAILURESERVICE nonstop\n#line 1 \"nonstop.conf\"\nControlAddr=127.0.0.1\nPort=" + port + "\n"
                + String.join("\n", more) + "\n");
    }

    private boolean answers(int port) {
        try {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/x"))
                                    .header("Authorization", "Bearer sesame")
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body()
                    .equals("here");
        } catch (ConnectException e) {
            return false;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Feature({"SMD-26", "SMD-36"})
    void shouldServeOnThePortOfTheConfigurationInForce() throws IOException {
        int first = freePort();
        configure(first);
        await().atMost(PATIENCE).until(() -> answers(first));

        int second = freePort();
        configure(second);
        await().atMost(PATIENCE).until(() -> answers(second));
        assertThat(answers(first)).isFalse();

        policy.set("FAILURESERVICE NONE\n");
        await().atMost(PATIENCE).until(() -> !answers(second));
    }

    @Test
    @Feature("SMD-33")
    void shouldSayWhatIsAskedWithDebugAndNeverTheToken() throws IOException {
        int port = freePort();
        configure(port);
        await().atMost(PATIENCE).until(() -> answers(port));
        assertThat(log.lines()).noneMatch(line -> line.contains("GET /x"));

        configure(port, "Debug=1");
        await().atMost(PATIENCE)
                .until(() ->
                        answers(port) && log.lines().stream().anyMatch(line -> line.contains("GET /x status=200")));
        assertThat(log.lines()).noneMatch(line -> line.contains("sesame"));
    }

    /** ReadTimeout: a client that does not get its request out is hung up on, and keeps nobody else waiting. */
    @Test
    void shouldHangUpOnClientsSlowerThanTheReadTimeout() throws IOException {
        int port = freePort();
        configure(port, "ReadTimeout=1000");
        await().atMost(PATIENCE).until(() -> answers(port));
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                Socket socket = new Socket("127.0.0.1", port);
                socket.getOutputStream().write("GET /x HTT".getBytes(StandardCharsets.US_ASCII));
                socket.setSoTimeout((int) PATIENCE.toMillis());
                slow.add(socket);
            }
            assertThat(answers(port)).isTrue();
            long began = System.nanoTime();
            for (Socket socket : slow) {
                try (InputStream in = socket.getInputStream()) {
                    in.readAllBytes();
                }
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }
}

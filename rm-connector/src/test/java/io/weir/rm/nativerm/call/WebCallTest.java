package io.weir.rm.nativerm.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebCallTest {
    private static final CallLimits LIMITS = new CallLimits(Duration.ofSeconds(20), 10_000);
    private static final CallLimits SHORT = new CallLimits(Duration.ofMillis(500), 10_000);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Caller caller = new Caller(Path.of("/"), Map.of());
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void shouldGetQueriesAndPostActions() throws Exception {
        AtomicReference<String> seen = new AtomicReference<>("");
        Endpoint endpoint = serve(exchange -> {
            seen.set(exchange.getRequestMethod() + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8) + " "
                    + exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            answer(exchange, 200, "n1 STATE=Idle\n");
        });

        assertThat(caller.call(endpoint, CallRequest.query(Map.of()), LIMITS))
                .isEqualTo(new Reply(true, "n1 STATE=Idle\n", ""));
        assertThat(seen.get()).isEqualTo("GET  null");

        caller.call(
                endpoint, new CallRequest(false, List.of("1", "n1,n 2"), Map.of("WEIR_CLUSTER", "c"), "c/1/0"), LIMITS);
        assertThat(seen.get()).isEqualTo("POST argument=1&argument=n1%2Cn+2&weir_cluster=c c/1/0");

        caller.call(endpoint, new CallRequest(false, List.of("1"), Map.of(), "łódź 1%/1/0"), LIMITS);
        assertThat(seen.get()).isEqualTo("POST argument=1 %C5%82%C3%B3d%C5%BA%201%25/1/0");
    }

    @Test
    void shouldTellARefusalFromAServerInTrouble() throws Exception {
        Reply refusal = caller.call(
                serve(exchange -> answer(exchange, 409, "job 1 is Running")), CallRequest.query(Map.of()), LIMITS);

        assertThat(refusal.success()).isFalse();
        assertThat(refusal.failure()).contains("status 409: job 1 is Running");
        for (int status : List.of(500, 503, 429)) {
            assertThatThrownBy(() -> caller.call(
                            serve(exchange -> answer(exchange, status, "oops")), CallRequest.query(Map.of()), LIMITS))
                    .isInstanceOf(NoReplyException.class)
                    .hasMessageContaining(status + ": oops");
        }
    }

    @Test
    void shouldNotFollowRedirections() throws Exception {
        Reply reply = caller.call(
                serve(exchange -> {
                    exchange.getResponseHeaders().add("Location", "http://127.0.0.1:1/");
                    answer(exchange, 302, "");
                }),
                CallRequest.query(Map.of()),
                LIMITS);

        assertThat(reply.success()).isFalse();
    }

    @Test
    void shouldNotWaitForASilentServer() {
        assertThatThrownBy(() -> caller.call(serve(exchange -> hold()), CallRequest.query(Map.of()), SHORT))
                .isInstanceOf(NoReplyException.class);
    }

    @Test
    void shouldNotWaitForABodyThatDoesNotEnd() {
        assertThatThrownBy(() -> caller.call(
                        serve(exchange -> {
                            exchange.sendResponseHeaders(200, 0);
                            exchange.getResponseBody().write("n1 STATE=Idle\n".getBytes(StandardCharsets.UTF_8));
                            exchange.getResponseBody().flush();
                            hold();
                        }),
                        CallRequest.query(Map.of()),
                        SHORT))
                .isInstanceOf(NoReplyException.class)
                .hasMessageContaining("within");
    }

    @Test
    void shouldRefuseAHugeBody() {
        assertThatThrownBy(() -> caller.call(
                        serve(exchange -> {
                            exchange.sendResponseHeaders(200, 0);
                            try (OutputStream body = exchange.getResponseBody()) {
                                for (int i = 0; i < 10_000; i++) {
                                    body.write(new byte[1_000]);
                                }
                            }
                        }),
                        CallRequest.query(Map.of()),
                        LIMITS))
                .isInstanceOf(NoReplyException.class)
                .hasMessageContaining("longer than 10000 bytes");
    }

    @Test
    void shouldNotTakeACutBodyForAnAnswer() {
        assertThatThrownBy(() -> caller.call(
                        serve(exchange -> {
                            exchange.sendResponseHeaders(200, 100);
                            exchange.getResponseBody().write("n1 STATE".getBytes(StandardCharsets.UTF_8));
                            exchange.getResponseBody().flush();
                            exchange.close();
                        }),
                        CallRequest.query(Map.of()),
                        SHORT))
                .isInstanceOf(NoReplyException.class);
    }

    @Test
    void shouldSayThatNobodyListens() {
        server.stop(0);

        assertThatThrownBy(() -> caller.call(new Endpoint.Http(uri()), CallRequest.query(Map.of()), LIMITS))
                .isInstanceOf(NoReplyException.class)
                .hasMessageContaining("is the server running?");
    }

    private Endpoint serve(HttpHandler handler) {
        try {
            server.removeContext("/rm");
        } catch (IllegalArgumentException e) {
            // There was none yet.
        }
        server.createContext("/rm", handler);
        return new Endpoint.Http(uri());
    }

    private URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/rm");
    }

    private void hold() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }
}

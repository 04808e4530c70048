package io.weir.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpListenerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BODY = 1_000;

    /** More than the buffers of a connection take, and than half of what may be on its way to one client. */
    private static final int LARGE = 24 << 20;

    private static final String HEAD = "GET /ok HTTP/1.1\r\nHost: localhost\r\n";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final CompletableFuture<HttpReply> later = new CompletableFuture<>();
    private final CountDownLatch asked = new CountDownLatch(1);
    private HttpListener listener;

    @BeforeEach
    void start() throws IOException {
        listener = listen(Duration.ofSeconds(20), 256);
    }

    @AfterEach
    void stop() {
        later.cancel(true);
        listener.close();
    }

    private HttpListener listen(Duration patience, int connections) throws IOException {
        return HttpListener.start(settings(patience, patience, connections), this::answer);
    }

    private static HttpSettings settings(Duration patience, Duration idle, int connections) {
        return new HttpSettings(
                "test",
                "127.0.0.1",
                0,
                HostNames.of(List.of("weir.example")),
                Optional.empty(),
                4,
                connections,
                BODY,
                patience,
                idle);
    }

    /** Asks for the large answer until it is answered so. */
    private void awaitStatus(int status) {
        await("status " + status)
                .atMost(Duration.ofSeconds(15))
                .until(() -> get("/large").statusCode() == status);
    }

    private CompletionStage<HttpReply> answer(HttpCall call) {
        return switch (call.rawPath()) {
            case "/later" -> {
                asked.countDown();
                yield later;
            }
            case "/large" ->
                HttpReply.text(HttpReply.OK, HttpReply.JSON, "x".repeat(LARGE)).now();
            case "/broken" -> throw new IllegalStateException("a secret of the implementation");
            case "/brokenlater" ->
                CompletableFuture.supplyAsync(() -> {
                    throw new IllegalStateException("a secret of the implementation");
                });
            case "/body" ->
                call.body()
                        .thenApply(body -> HttpReply.text(
                                HttpReply.OK, HttpReply.JSON, "\"" + new String(body, StandardCharsets.UTF_8) + "\""));
            default -> {
                var echo = JsonNodeFactory.instance.objectNode().put("method", call.method());
                call.path().forEach(echo.putArray("path")::add);
                call.parameters().forEach(echo.putObject("query")::put);
                yield HttpReply.json(HttpReply.OK, echo).now();
            }
        };
    }

    @Test
    void shouldTakeRequestsApart() throws Exception {
        JsonNode echo =
                JSON.readTree(get("/v1/a%2Fb//%C3%A4+c/?x=1&y=%20+z&flag").body());

        assertThat(echo.path("path").toString()).isEqualTo("[\"v1\",\"a/b\",\"\u00e4+c\"]");
        assertThat(echo.path("query").toString()).isEqualTo("{\"x\":\"1\",\"y\":\"  z\",\"flag\":\"\"}");
        assertThat(get("/ok").headers().map())
                .doesNotContainKeys("server", "Server")
                .containsKeys("x-content-type-options", "cache-control", "content-security-policy");
    }

    @Test
    void shouldRefuseWhatIsNotWellFormedInJson() throws Exception {
        for (String target : List.of(
                "/ok?x=%",
                "/ok?x=%zz",
                "/ok?%ff=1",
                "/ok?x=\u00e4",
                "/ok?x=1&x=2",
                "/%zz",
                "/%",
                "/%ff%fe",
                "/%00",
                "/a%0ab",
                "/a/%2e%2e/b",
                "/|",
                "no/slash",
                "http://",
                "/a b")) {
            String answer = raw("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertThat(answer).as(target).startsWith("HTTP/1.1 400 ").contains("\r\n\r\n{\"error\":\"");
        }
        for (String line : List.of("CONNECT localhost:80", "OPTIONS *", "GET http://localhost")) {
            assertThat(raw(line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .as(line)
                    .startsWith("HTTP/1.1 ")
                    .doesNotStartWith("HTTP/1.1 5")
                    .contains("\r\n\r\n{\"");
        }
        assertThat(raw("GET / HTTP/9.9\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 505 ")
                .contains("{\"error\":\"");
        assertThat(raw("GET / HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 400 ").contains("{\"error\":\"");
        assertThat(raw(HEAD + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ")
                .contains("{\"error\":\"");
        assertThat(raw(HEAD + "x: " + "y".repeat(20_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431 ")
                .contains("at most 16384 bytes");
        assertThat(raw("\u0016\u0003\u0001\u0002" + "\u0000".repeat(200) + "\r\n\r\n"))
                .contains("HTTP/1.1 400 ")
                .contains("{\"error\":\"");
    }

    @Test
    void shouldHideWhatFailed() throws Exception {
        for (String path : List.of("/broken", "/brokenlater")) {
            assertThat(get(path).statusCode()).isEqualTo(500);
            assertThat(get(path).body()).isEqualTo("{\"error\":\"Failed; the log says why\"}");
        }
    }

    @Test
    void shouldAnswerHeadWithoutABody() throws Exception {
        HttpRequest head =
                request("/ok").method("HEAD", BodyPublishers.noBody()).build();

        HttpResponse<String> answer = client.send(head, BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValueAsLong("Content-Length"))
                .hasValue(get("/ok").body().length());
    }

    @Test
    void shouldBoundBodies() throws Exception {
        assertThat(post("/body", BodyPublishers.ofString("x".repeat(BODY))).statusCode())
                .isEqualTo(200);
        HttpResponse<String> known = post("/body", BodyPublishers.ofString("x".repeat(BODY + 1)));
        assertThat(known.statusCode()).isEqualTo(413);
        assertThat(known.body()).isEqualTo("{\"error\":\"A request has at most 1000 bytes\"}");
        String chunk = Integer.toHexString(BODY) + "\r\n" + "x".repeat(BODY) + "\r\n";
        assertThat(raw("POST /body HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + chunk))
                .startsWith("HTTP/1.1 413 ");
        assertThat(raw("POST /body HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"))
                .startsWith("HTTP/1.1 400 ")
                .contains("{\"error\":\"");
    }

    /** What would grow when it is unpacked is not unpacked. */
    @Test
    void shouldRefuseCompressedBodies() throws Exception {
        String head = "POST /body HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 5\r\n";

        assertThat(raw(head + "Content-Encoding: gzip\r\n\r\n12345"))
                .startsWith("HTTP/1.1 415 ")
                .contains("Content-Encoding 'gzip' is not read; send it as it is");
        assertThat(raw(head + "Content-Encoding: " + "br,".repeat(3_000) + "\r\n\r\n12345"))
                .startsWith("HTTP/1.1 415 ")
                .hasSizeLessThan(1_000);
        assertThat(raw(head + "Content-Encoding: identity\r\n\r\n12345")).startsWith("HTTP/1.1 200 ");
    }

    /** A client that sends all of its request before it reads is the hardest: a reset would take its answer away. */
    @Test
    void shouldLetAClientThatStillSendsReadTheRefusal() throws Exception {
        int most = UnreadBody.MOST;
        for (String path : List.of("/body", "/ok", "/broken")) {
            for (int length : List.of(BODY + 1, 1 << 20, most)) {
                try (RawClient eager = new RawClient(listener.port())) {
                    eager.send("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                            + length + "\r\n\r\n");
                    eager.send("x".repeat(length));

                    assertThat(eager.all()).as(path + " " + length).startsWith("HTTP/1.1 ");
                }
            }
        }
    }

    @Test
    void shouldNotTakeInABodyWithoutEnd() throws Exception {
        try (RawClient endless = new RawClient(listener.port())) {
            endless.send("POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000000\r\n\r\n");

            assertThat(endless.all()).startsWith("HTTP/1.1 413 ").contains("Connection: close");
        }
    }

    @Test
    void shouldNotAskForABodyThatItRefuses() throws Exception {
        try (RawClient waiting = new RawClient(listener.port())) {
            waiting.send(
                    "POST /broken HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");

            assertThat(waiting.all()).startsWith("HTTP/1.1 500 ").contains("Connection: close");
        }
    }

    @Test
    void shouldGiveUpOnABodyThatDoesNotCome() throws Exception {
        try (HttpListener hasty = listen(Duration.ofMillis(300), 256);
                RawClient slow = new RawClient(hasty.port())) {
            slow.send("POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n123");

            assertThat(slow.all())
                    .satisfiesAnyOf(
                            answer -> assertThat(answer).startsWith("HTTP/1.1 408 "),
                            answer -> assertThat(answer).startsWith("HTTP/1.1 400 "));
        }
    }

    @Test
    void shouldCloseConnectionsOnWhichARequestDrips() throws Exception {
        try (HttpListener hasty = listen(Duration.ofMillis(500), 256);
                RawClient slow = new RawClient(hasty.port())) {
            slow.send(HEAD);
            CompletableFuture<Void> drip = CompletableFuture.runAsync(() -> {
                try {
                    while (true) {
                        slow.send("x");
                    }
                } catch (IOException e) {
                    // Closed, which is what the test waits for.
                }
            });

            assertThat(slow.all()).doesNotContain("200 OK");
            assertThat(drip).succeedsWithin(Duration.ofSeconds(20));
        }
    }

    @Test
    void shouldServeBesideHalfOpenConnections() throws Exception {
        List<RawClient> halfOpen = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                halfOpen.add(new RawClient(listener.port())
                        .send(
                                i % 2 == 0
                                        ? HEAD
                                        : "POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n1"));
            }

            assertThat(get("/ok").statusCode()).isEqualTo(200);
        } finally {
            for (RawClient each : halfOpen) {
                each.close();
            }
        }
    }

    /** Who sends half a request does not keep others out, whether it is refused before it is read or not. */
    @Test
    void shouldServeBesideMoreHalfSentBodiesThanThereAreConnections() throws Exception {
        listener.close();
        listener = listen(Duration.ofSeconds(20), 20);
        List<RawClient> halfSent = new ArrayList<>();
        try {
            for (int i = 0; i < 60; i++) {
                halfSent.add(new RawClient(listener.port())
                        .send("POST " + (i % 2 == 0 ? "/body" : "/ok")
                                + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n1"));
                assertThat(raw("GET /ok HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                        .as("beside %d", i + 1)
                        .startsWith("HTTP/1.1 200 ");
            }
        } finally {
            for (RawClient each : halfSent) {
                each.close();
            }
        }
    }

    @Test
    void shouldAnswerAtOnceWhatNeedsNoBody() throws Exception {
        try (RawClient slow = new RawClient(listener.port())) {
            slow.send("POST /broken HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n1");

            CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> {
                try {
                    return slow.all();
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            assertThat(answer)
                    .succeedsWithin(Duration.ofSeconds(4))
                    .asString()
                    .startsWith("HTTP/1.1 500 ")
                    .contains("Connection: close");
        }
    }

    @Test
    void shouldCloseConnectionsOfTheClientThatHoldsTheMost() throws Exception {
        try (HttpListener small = listen(Duration.ofSeconds(20), 3);
                RawClient one = new RawClient(small.port(), "127.0.0.2").send(HEAD)) {
            List<RawClient> many = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                many.add(new RawClient(small.port()).send(HEAD));
            }

            assertThat(many.get(0).all()).isEmpty();
            assertThat(one.send("Connection: close\r\n\r\n").all()).startsWith("HTTP/1.1 200 ");
            for (RawClient each : many) {
                each.close();
            }
        }
    }

    /** An answer is in memory until it is taken. */
    @Test
    void shouldHoldNoMoreAnswersThanThereIsRoomForWhileNobodyTakesThem() throws Exception {
        try (RawClient slow = new RawClient(listener.port())) {
            slow.send("GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            awaitStatus(503);

            HttpResponse<String> refused = get("/large");
            assertThat(refused.body()).contains("not taken");
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("5");
            assertThat(get("/ok").statusCode()).isEqualTo(200);
            assertThat(slow.all().length()).isGreaterThan(LARGE);
        }
        awaitStatus(200);
    }

    @Test
    void shouldCloseTheConnectionOfWhoTakesAnAnswerTooSlowly() throws Exception {
        listener.close();
        listener = HttpListener.start(
                settings(Duration.ofSeconds(1), Duration.ofMinutes(1), 256), this::answer, HttpErrors.PLAIN, LARGE / 2);
        try (RawClient slow = new RawClient(listener.port())) {
            slow.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
            awaitStatus(503);
            awaitStatus(200);
            assertThat(slow.all().length()).isLessThan(LARGE);
        }
    }

    @Test
    void shouldCloseTheConnectionThatIsIdleForLongest() throws Exception {
        try (HttpListener small = listen(Duration.ofSeconds(20), 3);
                RawClient first = new RawClient(small.port()).send(HEAD);
                RawClient answering = new RawClient(small.port())
                        .send("GET /later HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")) {
            asked.await();
            List<RawClient> more = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                more.add(new RawClient(small.port()).send(HEAD));
            }

            assertThat(first.all()).isEmpty();
            later.complete(HttpReply.text(200, HttpReply.JSON, "{}"));
            assertThat(answering.all()).startsWith("HTTP/1.1 200 ");
            for (RawClient each : more) {
                each.close();
            }
        }
    }

    @Test
    void shouldBeCalledByItsNamesOnly() throws Exception {
        for (String host : List.of("localhost", "127.0.0.1", "[::1]", "WEIR.example.", "weir.example")) {
            assertThat(raw("GET /ok HTTP/1.1\r\nHost: " + host + ":80\r\nConnection: close\r\n\r\n"))
                    .as(host)
                    .startsWith("HTTP/1.1 200 ");
        }
        for (String host :
                List.of("evil.example", "weir.example.evil.example", "127.0.0.1.evil.example", "1.2.3.4.5")) {
            assertThat(raw("GET /ok HTTP/1.1\r\nHost: " + host + ":80\r\nConnection: close\r\n\r\n"))
                    .as(host)
                    .startsWith("HTTP/1.1 421 ")
                    .contains("{\"error\":\"");
        }
    }

    @Test
    void shouldOutliveAnyBytes() throws Exception {
        Random random = new Random(20_261_122);
        List<String> parts = List.of(
                "GET ",
                "POST ",
                "HEAD ",
                "OPTIONS ",
                "TRACE ",
                "DANCE ",
                "/ok",
                "/body",
                "/%",
                "?a=%zz",
                "%00",
                " ",
                "HTTP/1.1",
                "HTTP/1.0",
                "HTTP/2",
                "\r\n",
                "\n",
                "\r",
                "\r\n\r\n",
                "Host: localhost",
                "Host: ",
                "Content-Length: 5",
                "Content-Length: -1",
                "Content-Length: 99999999999999999999",
                "Transfer-Encoding: chunked",
                "Expect: 100-continue",
                "Upgrade: h2c",
                "Connection: close",
                ": ",
                "\u0000",
                "\u00ff",
                "\t",
                "5\r\nhello\r\n",
                "0\r\n\r\n",
                "x".repeat(3_000),
                "{\"a\":1}",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        for (int i = 0; i < 600; i++) {
            StringBuilder bytes =
                    new StringBuilder(random.nextBoolean() ? "GET /ok HTTP/1.1\r\nHost: localhost\r\n" : "");
            for (int n = random.nextInt(12); n >= 0; n--) {
                bytes.append(
                        random.nextInt(10) == 0
                                ? String.valueOf((char) random.nextInt(256))
                                : parts.get(random.nextInt(parts.size())));
            }

            String answer = raw(bytes.toString());

            assertThat(answer)
                    .as("life %d", i)
                    .satisfiesAnyOf(
                            nothing -> assertThat(nothing).isEmpty(),
                            some -> assertThat(some).startsWith("HTTP/1.1 "))
                    .doesNotContain("Exception", "org.eclipse", "<html", "Jetty");
        }
        assertThat(get("/ok").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldNameAPortThatIsTaken() {
        HttpSettings taken = HttpSettings.small("second", "127.0.0.1", listener.port());

        assertThatIOException().isThrownBy(() -> HttpListener.start(taken, this::answer));
    }

    private String raw(String bytes) throws IOException {
        try (RawClient raw = new RawClient(listener.port())) {
            try {
                raw.send(bytes).end();
            } catch (IOException e) {
                // It has closed before it had everything; what it said is still there.
                return raw.all();
            }
            return raw.all();
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, HttpRequest.BodyPublisher body) throws Exception {
        return client.send(request(path).POST(body).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(listener.url() + path));
    }
}

package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.service.Readiness;
import io.weir.service.ServiceConfig;
import io.weir.service.ServiceContext;
import io.weir.service.ServiceLifecycle;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the server refuses before it looks at any topic; there is no broker here. */
class ApiServerTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    Path directory;

    private AvroCodec codec;
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private ApiServer server;

    @BeforeEach
    void shouldServe() throws Exception {
        Path tokens = Files.writeString(directory.resolve("tokens"), "anna " + TOKEN + " user\n");
        ApiSettings settings = settings(Map.of(
                "api.tokens.file",
                tokens.toString(),
                "api.announce.file",
                directory.resolve("api").toString(),
                "api.questions.per.second",
                "5"));
        TopicNames names = new TopicNames("t.");
        codec = new AvroCodec(names, Map.of("schema.registry.url", "mock://api"));
        Map<String, Object> nowhere = Map.of("bootstrap.servers", "127.0.0.1:1");
        server = ApiServer.start(
                settings,
                nowhere,
                nowhere,
                nowhere,
                names,
                codec,
                List.of("kth"),
                cluster -> Optional.empty(),
                new ServiceContext(config(Map.of()), new ServiceLifecycle(), new Readiness(), meters));
    }

    @AfterEach
    void shouldStop() throws Exception {
        server.close();
        codec.close();
        assertThat(directory.resolve("api")).doesNotExist();
    }

    @Test
    void shouldAnnounceItself() {
        assertThat(directory.resolve("api")).hasContent("api.url=" + server.url());
    }

    @Test
    void shouldAskForAToken() throws Exception {
        assertThat(get("/v1/clusters", "").statusCode()).isEqualTo(401);
        HttpResponse<String> wrong = get("/v1/clusters", "guess");
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(wrong.body()).contains("not known");
    }

    @Test
    void shouldSayWhatThereIs() throws Exception {
        assertThat(get("/", TOKEN).statusCode()).isEqualTo(404);
        assertThat(get("/v1", TOKEN).body()).contains("/v1/clusters");
    }

    @Test
    void shouldRefuseWhatIsNoRequest() throws Exception {
        assertThat(post("/v1/kth/requests", "{").statusCode()).isEqualTo(400);
        HttpResponse<String> endless =
                post("/v1/kth/requests", "{\"kind\":\"CANCEL_JOB\",\"objectId\":\"" + "x".repeat(300) + "\"}");
        assertThat(endless.statusCode()).isEqualTo(400);
        assertThat(endless.body()).contains("objectId has 300 characters; at most 256 are allowed");
        HttpResponse<String> unknown = post("/v1/kth/requests", "{\"kind\":\"DANCE\",\"objectId\":\"1\"}");
        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(unknown.body()).contains("DANCE").contains("HOLD_JOB").doesNotContain("UNKNOWN");
        assertThat(post("/v1/kth/requests", "{\"kind\":\"HOLD_JOB\",\"requestId\":\"" + "x".repeat(200) + "\"}")
                        .body())
                .contains("200");
        assertThat(post("/v1/kth/requests", "{\"kind\":\"HOLD_JOB\",\"requestId\":\"x:1\"}")
                        .body())
                .contains("it has no colon");
        assertThat(get("/v1/kth/requests/x:1", TOKEN).statusCode()).isEqualTo(400);
        assertThat(post("/v1/kth/requests", "{\"kind\":\"HOLD_JOB\",\"arguments\":\"x\"}")
                        .body())
                .contains("arguments is no list");
        assertThat(post("/v1/kth/requests", "{\"kind\":\"HOLD_JOB\",\"object\":\"7\"}")
                        .body())
                .contains("unknown field 'object'");
        assertThat(post("/v1/kth/requests", "{\"kind\":\"HOLD_JOB\",\"objectId\":7}")
                        .body())
                .contains("objectId is 7; a text in quotes is needed");
        assertThat(post("/v1/other/requests", "{\"kind\":\"HOLD_JOB\"}").statusCode())
                .isEqualTo(404);
        assertThat(post("/v1/kth/queue", "{}").statusCode()).isEqualTo(405);
        assertThat(post("/v1/kth/requests", "\"" + "x".repeat(1 << 20) + "\"").statusCode())
                .isEqualTo(413);
    }

    @Test
    void shouldRefuseWhatIsNoListOfChanges() throws Exception {
        String hold = "{\"kind\":\"HOLD_JOB\",\"objectId\":\"1\"}";
        assertThat(post("/v1/kth/requests", "{\"requests\":[]}").body()).contains("a list of 1 to 100 requests");
        assertThat(post("/v1/kth/requests", "{\"requests\":{}}").body()).contains("a list of 1 to 100 requests");
        assertThat(post("/v1/kth/requests", "{\"requests\":[" + (hold + ",").repeat(100) + hold + "]}")
                        .body())
                .contains("a list of 1 to 100 requests");
        assertThat(post("/v1/kth/requests", "{\"requests\":[" + hold + "],\"kind\":\"HOLD_JOB\"}")
                        .body())
                .contains("There is no field 'kind'");
        HttpResponse<String> odd = post("/v1/kth/requests", "{\"requests\":[" + hold + ",{\"kind\":\"DANCE\"}]}");
        assertThat(odd.statusCode()).isEqualTo(400);
        assertThat(odd.body()).contains("request 2: kind is 'DANCE'");
        HttpResponse<String> question =
                post("/v1/kth/requests", "{\"requests\":[{\"kind\":\"EXPLAIN_JOB\",\"objectId\":\"1\"}]}");
        assertThat(question.statusCode()).isEqualTo(400);
        assertThat(question.body()).contains("request 1: EXPLAIN_JOB is to be asked by itself");
        assertThat(post("/v1/other/requests", "{\"requests\":[" + hold + "]}").statusCode())
                .isEqualTo(404);
    }

    @Test
    void shouldReadBodiesStrictly() throws Exception {
        Map<String, String> refusals = new LinkedHashMap<>();
        refusals.put("[]", "one JSON object");
        refusals.put("", "one JSON object");
        refusals.put("{\"kind\":\"HOLD_JOB\"} {}", "no JSON");
        refusals.put("{\"kind\":\"HOLD_JOB\",\"kind\":\"CANCEL_JOB\"}", "Duplicate");
        refusals.put("{\"x\":" + "[".repeat(50) + "]".repeat(50) + "}", "depth");
        refusals.forEach((body, reason) -> assertThat(answerTo("/v1/kth/requests", body))
                .as(body)
                .satisfies(answer -> assertThat(answer.statusCode()).isEqualTo(400))
                .satisfies(answer ->
                        assertThat(answer.body()).startsWith("{\"error\":").contains(reason)));
        assertThat(answerTo("/v1/kth/policy", "{\"text\":1,\"source\":\"x\"}").statusCode())
                .isIn(400, 503);
    }

    @Test
    void shouldRefuseParametersAndMethodsThatThereAreNot() throws Exception {
        assertThat(get("/v1/clusters?user=anna", TOKEN).statusCode()).isEqualTo(400);
        assertThat(get("/v1/kth/nodes?user=anna", TOKEN).body()).contains("there are none");
        assertThat(get("/v1/kth/jobs/17?user=anna", TOKEN).body()).contains("there are none");
        assertThat(get("/v1/kth/queue?owner=anna", TOKEN).body()).contains("there are job, user");
        assertThat(get("/v1/kth/jobs/" + "x".repeat(600), TOKEN).body()).contains("600 characters");
        HttpResponse<String> put = send(request("/v1/kth/requests").PUT(HttpRequest.BodyPublishers.ofString("{}")));
        assertThat(put.statusCode()).isEqualTo(405);
        assertThat(put.headers().firstValue("Allow")).hasValue("POST, OPTIONS");
        HttpResponse<String> options =
                send(request("/v1/kth/queue").method("OPTIONS", HttpRequest.BodyPublishers.noBody()));
        assertThat(options.statusCode()).isEqualTo(204);
        assertThat(options.headers().firstValue("Allow")).hasValue("GET, HEAD, OPTIONS");
    }

    @Test
    void shouldNotLetAForeignPageChangeAnything() throws Exception {
        for (String origin : List.of("https://evil.example", "null", "http://127.0.0.1:1", "%")) {
            HttpResponse<String> answer = send(request("/v1/kth/requests")
                    .header("Origin", origin)
                    .POST(HttpRequest.BodyPublishers.ofString("{}")));
            assertThat(answer.statusCode()).as(origin).isEqualTo(403);
        }
        assertThat(send(request("/v1/other/requests")
                                .header("Origin", server.url())
                                .POST(HttpRequest.BodyPublishers.ofString("{}")))
                        .statusCode())
                .isNotEqualTo(403);
    }

    @Test
    void shouldBeCalledByItsOwnNamesOnly() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", URI.create(server.url()).getPort())) {
            socket.getOutputStream()
                    .write("GET /v1/clusters HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 421 ");
        }
    }

    @Test
    void shouldTireOfBadTokensAndLetGoodOnesPass() throws Exception {
        int status = 401;
        for (int i = 0; i < 100 && status == 401; i++) {
            status = get("/v1/clusters", "guess-number-" + i).statusCode();
        }
        assertThat(status).isEqualTo(429);
        assertThat(meters.get("weir.api.refusals")
                        .tag("status", "429")
                        .counter()
                        .count())
                .isPositive();
        assertThat(get("/v1/clusters", "guess").headers().firstValue("Retry-After"))
                .isPresent();
        assertThat(get("/v1", TOKEN).statusCode()).isEqualTo(404);
    }

    @Test
    void shouldTireOfWhoAsksTooOften() throws Exception {
        int status = 404;
        for (int i = 0; i < 60_000 && status == 404; i++) {
            status = get("/v1", TOKEN).statusCode();
        }
        assertThat(status).isEqualTo(429);
    }

    @Test
    void shouldSayThatItCannotReadInsteadOfShowingNothing() throws Exception {
        HttpResponse<String> answer = get("/v1/clusters", TOKEN);

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(answer.body()).startsWith("{\"error\":");
    }

    @Test
    void shouldNotSendTokensInClearTextOverTheNetworkUnlessToldTo() throws Exception {
        String tokens = directory.resolve("tokens").toString();
        Map<String, String> open = Map.of("api.host", "0.0.0.0", "api.tokens.file", tokens);
        assertThatThrownBy(() -> settings(open))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("api.tls.certificate.file")
                .hasMessageContaining("api.plaintext");
        Map<String, String> allowed = new HashMap<>(open);
        allowed.put("api.plaintext", "true");
        assertThat(settings(allowed).tls()).isEmpty();
        assertThatThrownBy(() -> settings(Map.of("api.tls.key.file", "/x")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("belong together");
    }

    @Test
    void shouldNotBeOpenToTheNetworkWithoutAuthentication() {
        assertThatThrownBy(() -> settings(Map.of("api.host", "0.0.0.0")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("api.tokens.file");
        assertThat(settings(Map.of()).host()).isEqualTo("127.0.0.1");
        assertThat(settings(Map.of()).open()).isEqualTo(AccessLevel.AUDITOR);
    }

    @Test
    void shouldBeOffWhenNotWanted() {
        assertThat(ApiSettings.from(config(Map.of("api.port", "-1")))).isEmpty();
    }

    static ApiSettings settings(Map<String, String> more) {
        return ApiSettings.from(config(more)).orElseThrow();
    }

    private static ServiceConfig config(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("kafka.bootstrap.servers", "x:1");
        settings.put("registry.url", "mock://api");
        return ServiceConfig.of(ApiSettings.define(ServiceConfig.baseDefinition()), settings);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path)).header("Authorization", "Bearer " + TOKEN);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> answerTo(String path, String body) {
        try {
            return post(path, body);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> get(String path, String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + path));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Authorization", "Bearer " + TOKEN)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }
}

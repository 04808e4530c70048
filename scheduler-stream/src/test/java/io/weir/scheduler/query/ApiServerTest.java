package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.core.request.AccessLevel;
import io.weir.service.ServiceConfig;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the server refuses before it looks at any topic; there is no broker here. */
class ApiServerTest {
    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    Path directory;

    private AvroCodec codec;
    private ApiServer server;

    @BeforeEach
    void shouldServe() throws Exception {
        Path tokens = Files.writeString(directory.resolve("tokens"), "anna " + TOKEN + " user\n");
        ApiSettings settings = settings(Map.of(
                "api.tokens.file",
                tokens.toString(),
                "api.announce.file",
                directory.resolve("api").toString()));
        TopicNames names = new TopicNames("t.");
        codec = new AvroCodec(names, Map.of("schema.registry.url", "mock://api"));
        Map<String, Object> nowhere = Map.of("bootstrap.servers", "127.0.0.1:1");
        server = ApiServer.start(settings, nowhere, nowhere, names, codec, List.of("kth"), () -> {});
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

    private static ApiSettings settings(Map<String, String> more) {
        return ApiSettings.from(config(more)).orElseThrow();
    }

    private static ServiceConfig config(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("kafka.bootstrap.servers", "x:1");
        settings.put("registry.url", "mock://api");
        return ServiceConfig.of(ApiSettings.define(ServiceConfig.baseDefinition()), settings);
    }

    private HttpResponse<String> get(String path, String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + path));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Authorization", "Bearer " + TOKEN)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}

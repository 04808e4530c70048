package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.scheduler.query.nonstop.NonstopEventLog;
import io.weir.schemas.NameValue;
import io.weir.schemas.NonstopEvent;
import io.weir.schemas.NonstopEventKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.service.ServiceConfig;
import io.weir.service.http.HttpListener;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The failure service over HTTP: what each path asks of the scheduler, and what becomes of its answer. */
@NullUnmarked
class NonstopRoutesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private final ApiThreads threads = new ApiThreads();
    private final List<String> asked = new ArrayList<>();
    private final NonstopEventLog events = new NonstopEventLog();
    private RequestResult scheduler;
    private HttpListener listener;

    @BeforeEach
    void open() throws IOException {
        Path tokens = directory.resolve("tokens");
        Files.writeString(tokens, "ann 0123456789abcdef user\n");
        ApiSettings settings = ApiSettings.from(ServiceConfig.of(
                        ApiSettings.define(ServiceConfig.baseDefinition()),
                        Map.of(
                                "kafka.bootstrap.servers", "x:1",
                                "registry.url", "mock://api",
                                "api.tokens.file", tokens.toString(),
                                "nonstop.host", "127.0.0.1",
                                "nonstop.callbacks", "[10.0.0.0/8]:9000-9999, *.apps.example")))
                .orElseThrow();
        listener = HttpListener.start(
                settings.nonstop(0, Duration.ofSeconds(1), Duration.ofSeconds(10), List.of("head1")),
                new NonstopRoutes(
                        "c",
                        new ApiGate(settings),
                        threads,
                        (principal, request) -> {
                            asked.add(principal.name() + " " + request);
                            return scheduler;
                        },
                        settings.callbacks(),
                        events));
    }

    @AfterEach
    void close() {
        listener.close();
        threads.close();
    }

    private void answers(RequestOutcome outcome, String... details) {
        List<NameValue> pairs = new ArrayList<>();
        for (int i = 0; i < details.length; i += 2) {
            pairs.add(new NameValue(details[i], details[i + 1]));
        }
        scheduler = RequestResult.newBuilder()
                .setCluster("c")
                .setRequestId("ann:1")
                .setOutcome(outcome)
                .setMessage("said the scheduler")
                .setIteration(1)
                .setDetails(pairs)
                .build();
    }

    private HttpResponse<String> call(String method, String path, String token, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(listener.url() + path))
                .header("Authorization", "Bearer " + token)
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return call("POST", "/nonstop/v1/" + path, "0123456789abcdef", body);
    }

    @Test
    void shouldAskForAReplacementInTheNameOfTheTokensHolder() throws Exception {
        answers(
                RequestOutcome.ACCEPTED,
                "node",
                "ercole",
                "replacement",
                "prometeo",
                "nodes",
                "dario,prometeo",
                "nodeCount",
                "2",
                "cpusPerNode",
                "2(x2)");
        HttpResponse<String> answer = post("jobs/17/replace", "{\"node\": \"ercole\", \"requestId\": \"once\"}");
        assertThat(asked)
                .containsExactly("ann {\"kind\":\"REPLACE_JOB_NODE\",\"objectId\":\"17\",\"arguments\":"
                        + "[{\"name\":\"node\",\"value\":\"ercole\"}],\"requestId\":\"once\"}");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(JSON.readTree(answer.body()))
                .isEqualTo(JSON.readTree("{\"message\": \"said the scheduler\", \"node\": \"ercole\","
                        + " \"replacement\": \"prometeo\", \"nodes\": [\"dario\", \"prometeo\"], \"nodeCount\": 2,"
                        + " \"cpusPerNode\": \"2(x2)\"}"));
    }

    @Test
    void shouldListTheLostNodesOfAJob() throws Exception {
        answers(
                RequestOutcome.ACCEPTED,
                "nodes",
                "dario,ercole",
                "lostCount",
                "1",
                "balance",
                "2",
                "lost",
                "ercole 1 FAILED");
        JsonNode job = JSON.readTree(
                call("GET", "/nonstop/v1/jobs/17", "0123456789abcdef", "").body());
        assertThat(job.path("lost"))
                .isEqualTo(JSON.readTree("[{\"node\": \"ercole\", \"cpus\": 1, \"state\": \"FAILED\"}]"));
        assertThat(job.path("balance").asInt()).isEqualTo(2);
    }

    /** A resource manager may call a node anything. */
    @Test
    void shouldListALostNodeWithBlanksInItsName() throws Exception {
        answers(RequestOutcome.ACCEPTED, "lostCount", "1", "lost", "rack 1 node 2 16 FAILED");
        JsonNode job = JSON.readTree(
                call("GET", "/nonstop/v1/jobs/17", "0123456789abcdef", "").body());

        assertThat(job.path("lost"))
                .isEqualTo(JSON.readTree("[{\"node\": \"rack 1 node 2\", \"cpus\": 16, \"state\": \"FAILED\"}]"));
    }

    @Test
    void shouldAnswerWithTheErrorAndWhatBelongsToIt() throws Exception {
        answers(RequestOutcome.REFUSED, "error", "EREPLACELATER", "value", "1003600");
        HttpResponse<String> later = post("jobs/17/replace", "{\"node\": \"ercole\"}");
        assertThat(later.statusCode()).isEqualTo(409);
        assertThat(JSON.readTree(later.body()))
                .isEqualTo(JSON.readTree("{\"error\": \"EREPLACELATER\", \"message\": \"said the scheduler\","
                        + " \"value\": \"1003600\"}"));
        answers(RequestOutcome.REFUSED, "error", "EPERM");
        assertThat(post("drain", "{\"nodes\": \"ercole\", \"reason\": \"disk\"}")
                        .statusCode())
                .isEqualTo(403);
        answers(RequestOutcome.REFUSED, "error", "EJOBID");
        assertThat(post("jobs/99/extend", "{\"minutes\": 5}").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldAskNothingForStrangersAndBadRequests() throws Exception {
        assertThat(call("GET", "/nonstop/v1/config", "another", "").statusCode())
                .isEqualTo(401);
        assertThat(post("jobs/17/replace", "{\"nodes\": \"ercole\"}").statusCode())
                .isEqualTo(400);
        assertThat(post("jobs/17/replace", "ercole").statusCode()).isEqualTo(400);
        assertThat(post("jobs/17/repair", "{}").statusCode()).isEqualTo(404);
        assertThat(call("GET", "/nonstop/v1/jobs/17/replace", "0123456789abcdef", "")
                        .statusCode())
                .isEqualTo(405);
        assertThat(asked).isEmpty();
    }

    private static NonstopEvent event(int number, NonstopEventKind kind) {
        return NonstopEvent.newBuilder()
                .setCluster("c")
                .setEventId("c/" + number + "/0")
                .setJobId("17")
                .setIteration(number)
                .setTime(Instant.EPOCH)
                .setKind(kind)
                .setNodeId("ercole")
                .setBalance(0)
                .setEndpoints(List.of("http://10.1.2.3:9000/secret"))
                .build();
    }

    /** A page that points its own name here has a browser ask in that name. */
    @Test
    void shouldAnswerOnlyToNamesOfItsOwn() throws Exception {
        answers(RequestOutcome.ACCEPTED);
        for (String name : List.of("head1", "localhost", "127.0.0.1")) {
            assertThat(raw("GET /nonstop/v1/config HTTP/1.1\r\nHost: " + name
                            + "\r\nAuthorization: Bearer 0123456789abcdef\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 200");
        }
        assertThat(raw("GET /nonstop/v1/config HTTP/1.1\r\nHost: evil.example\r\n"
                        + "Authorization: Bearer 0123456789abcdef\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 421");
        assertThat(asked).hasSize(3);
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", listener.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    /** A body that is too long, one that does not come, and one that is no JSON cost nothing but an answer. */
    @Test
    void shouldTakeNoHugeAndNoSlowBody() throws Exception {
        answers(RequestOutcome.ACCEPTED);
        assertThat(post("jobs/17/drop", "{\"node\": \"" + "x".repeat(300_000) + "\"}")
                        .statusCode())
                .isEqualTo(413);
        assertThat(post("jobs/17/drop", "[".repeat(100_000)).statusCode()).isEqualTo(400);
        String head = "POST /nonstop/v1/jobs/17/drop HTTP/1.1\r\nHost: head1\r\n"
                + "Authorization: Bearer 0123456789abcdef\r\nContent-Length: 100\r\n\r\n{";
        assertThat(raw(head)).startsWith("HTTP/1.1 408");
        assertThat(asked).isEmpty();
    }

    @Test
    void shouldSendEventsAfterTheLastOneKnown() throws Exception {
        answers(RequestOutcome.ACCEPTED, "nodes", "dario,ercole", "lostCount", "0");
        events.add(event(1, NonstopEventKind.NODE_FAILED));
        HttpResponse<String> first = call("GET", "/nonstop/v1/jobs/17/events", "0123456789abcdef", "");
        assertThat(first.headers().firstValue("Content-Type")).contains("text/event-stream");
        assertThat(first.body())
                .contains("id: c/1/0\nevent: NODE_FAILED\ndata: {")
                .doesNotContain("secret");

        HttpRequest next = HttpRequest.newBuilder(URI.create(listener.url() + "/nonstop/v1/jobs/17/events"))
                .header("Authorization", "Bearer 0123456789abcdef")
                .header("Last-Event-ID", "c/1/0")
                .build();
        CompletableFuture<HttpResponse<String>> waits = http.sendAsync(next, HttpResponse.BodyHandlers.ofString());
        assertThatThrownBy(() -> waits.get(300, TimeUnit.MILLISECONDS))
                .as("nothing is told before it happens")
                .isInstanceOf(TimeoutException.class);
        events.add(event(2, NonstopEventKind.NODE_REPLACE));
        assertThat(waits.get(60, TimeUnit.SECONDS).body())
                .contains("id: c/2/0\nevent: NODE_REPLACE\n")
                .doesNotContain("NODE_FAILED");
    }

    @Test
    void shouldSendNoEventsToOthers() throws Exception {
        events.add(event(1, NonstopEventKind.NODE_FAILED));
        answers(RequestOutcome.REFUSED, "error", "EPERM");
        HttpResponse<String> refused = call("GET", "/nonstop/v1/jobs/17/events", "0123456789abcdef", "");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).doesNotContain("ercole");
    }

    @Test
    void shouldSubscribeOnlyWhereTheSiteAllows() throws Exception {
        answers(RequestOutcome.ACCEPTED);
        for (String elsewhere :
                List.of("http://10.1.2.3:80/", "http://169.254.169.254/x", "http://apps.example/", "x")) {
            HttpResponse<String> refused = post("jobs/17/subscribe", "{\"endpoint\": \"" + elsewhere + "\"}");
            assertThat(refused.statusCode()).as(elsewhere).isEqualTo(400);
            assertThat(JSON.readTree(refused.body()).path("error").asText()).isEqualTo("EPORT");
        }
        assertThat(asked).isEmpty();
        for (String allowed : List.of("http://10.1.2.3:9000/a", "https://model.apps.example/b")) {
            assertThat(post("jobs/17/subscribe", "{\"endpoint\": \"" + allowed + "\"}")
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(asked).hasSize(2);
    }
}

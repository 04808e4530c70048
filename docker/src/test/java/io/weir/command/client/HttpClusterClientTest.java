package io.weir.command.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.command.terminal.ExitCode;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that accepts all requests, but for those about the job 13, and is busy as often as it is told. */
class HttpClusterClientTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<JsonNode> bodies = new ArrayList<>();
    private final AtomicInteger busy = new AtomicInteger();
    private final List<String> told = new ArrayList<>();
    private HttpServer server;
    private ClusterClient client;

    @BeforeEach
    void shouldServe() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/lab/requests", this::answer);
        server.start();
        client = new HttpClusterClient(
                "http://127.0.0.1:" + server.getAddress().getPort(), Optional.empty(), null, Duration.ofSeconds(10));
    }

    @AfterEach
    void shouldStop() {
        client.close();
        server.stop(0);
    }

    @Test
    void shouldSendChangesOfManyJobsAHundredAtATimeAndTellTheirAnswersInOrder() {
        client.ask("lab", holds(100, 250), this::tell);

        assertThat(bodies).extracting(body -> body.path("requests").size()).containsExactly(100, 100, 50);
        assertThat(told).isEqualTo(jobs(100, 250));
    }

    @Test
    void shouldSendOneRequestAndQuestionsByThemselves() {
        List<OperatorRequest> requests = new ArrayList<>(holds(1, 1));
        requests.add(OperatorRequest.about(RequestKind.EXPLAIN_JOB, "2"));
        requests.addAll(holds(3, 2));
        client.ask("lab", requests, this::tell);

        assertThat(bodies).extracting(body -> body.path("requests").size()).containsExactly(0, 0, 2);
        assertThat(told).containsExactly("1", "2", "3", "4");
    }

    @Test
    void shouldSendLongRequestsInSmallerNumbers() {
        List<OperatorRequest> requests = holds(1, 5).stream()
                .map(request -> request.with("message", "x".repeat(90_000)))
                .toList();
        client.ask("lab", requests, this::tell);

        assertThat(bodies).extracting(body -> body.path("requests").size()).containsExactly(2, 2, 0);
        assertThat(told).isEqualTo(jobs(1, 5));
    }

    @Test
    void shouldTellOfTheOthersWhereOneIsNotPermitted() {
        assertThatThrownBy(() -> client.ask("lab", holds(11, 5), this::tell))
                .isInstanceOfSatisfying(
                        ClientException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.NOT_PERMITTED))
                .hasMessage("not yours");

        assertThat(told).containsExactly("11", "12", "14", "15");
    }

    @Test
    void shouldWaitAsLongAsItIsToldAndSendTheSameAgain() {
        busy.set(1);
        client.ask("lab", holds(100, 2), this::tell);

        assertThat(bodies).hasSize(2);
        assertThat(bodies.get(1)).isEqualTo(bodies.get(0));
        assertThat(told).containsExactly("100", "101");
    }

    private void tell(OperatorRequest request, JsonNode answer) {
        assertThat(answer.path("message").asText()).isEqualTo(request.objectId());
        told.add(request.objectId());
    }

    private static List<OperatorRequest> holds(int first, int count) {
        return jobs(first, count).stream()
                .map(job -> OperatorRequest.about(RequestKind.HOLD_JOB, job))
                .toList();
    }

    private static List<String> jobs(int first, int count) {
        return IntStream.range(first, first + count).mapToObj(Integer::toString).toList();
    }

    private void answer(HttpExchange exchange) throws IOException {
        JsonNode body = JSON.readTree(exchange.getRequestBody());
        bodies.add(body);
        ObjectNode reply = JSON.createObjectNode();
        int status = 200;
        if (busy.getAndDecrement() > 0) {
            status = 429;
            exchange.getResponseHeaders().set("Retry-After", "1");
            reply.put("error", "too often");
        } else if (body.has("requests")) {
            ArrayNode answers = reply.putArray("answers");
            body.path("requests").forEach(request -> answers.add(accepted(request)));
        } else {
            reply = accepted(body);
        }
        byte[] bytes = reply.toString().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static ObjectNode accepted(JsonNode request) {
        ObjectNode answer = JSON.createObjectNode();
        return request.path("objectId").asText().equals("13")
                ? answer.put("status", 403).put("error", "not yours")
                : answer.put("outcome", "ACCEPTED")
                        .put("message", request.path("objectId").asText());
    }
}

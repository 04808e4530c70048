package io.weir.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Serves prepared answers where a scheduler would, and remembers what it was asked for. One cluster, kth. */
final class FakeApi implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final Map<String, String> views = new HashMap<>();

    /** Requests in the order they came, without their ids. */
    final List<JsonNode> requests = new ArrayList<>();

    /** Queries of views in the order they came, by path and what follows. */
    final List<String> queries = new ArrayList<>();

    private boolean broken;
    private int status = 200;
    private String answer = "{\"outcome\":\"ACCEPTED\",\"message\":null,\"details\":[]}";

    FakeApi() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
        views.put("/v1/clusters", "[{\"cluster\":\"kth\"}]");
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Serves {@code json}, in which ' stands for ", as the view at {@code path} of the cluster. */
    void view(String path, String json) {
        views.put("/v1/kth/" + path, path.equals("queue") ? counted(json) : json.replace('\'', '"'));
    }

    /** Adds to a queue how many jobs its sections have. */
    private static String counted(String json) {
        try {
            ObjectNode queue = (ObjectNode) JSON.readTree(json.replace('\'', '"'));
            ObjectNode counts = queue.putObject("counts");
            for (String section : List.of("active", "eligible", "blocked", "completed")) {
                counts.put(section, queue.path(section).size());
            }
            return queue.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers requests with {@code json}, in which ' stands for ". */
    void answer(int code, String json) {
        status = code;
        answer = json.replace('\'', '"');
    }

    /** Answers everything like a scheduler without its broker. */
    void unavailable() {
        broken = true;
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (broken) {
                send(exchange, 503, "{\"error\":\"the topics cannot be read at present\"}");
            } else if (exchange.getRequestMethod().equals("POST")) {
                JsonNode body = JSON.readTree(exchange.getRequestBody());
                send(exchange, status, body.has("requests") ? answers(body.get("requests")) : answer(body));
            } else {
                queries.add(exchange.getRequestURI().toString());
                String view = views.get(exchange.getRequestURI().getPath());
                send(exchange, view == null ? 404 : 200, view == null ? "{\"error\":\"not here\"}" : view);
            }
        }
    }

    /** Answers several requests together, each with the same. */
    private String answers(JsonNode together) {
        List<String> answers = new ArrayList<>();
        together.forEach(request -> answers.add(answer(request)));
        return status == 200 ? "{\"answers\":[" + String.join(",", answers) + "]}" : answer;
    }

    private String answer(JsonNode request) {
        requests.add(request);
        return answer;
    }

    private static void send(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}

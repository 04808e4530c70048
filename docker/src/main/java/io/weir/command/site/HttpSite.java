package io.weir.command.site;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.ExitCode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A site by the HTTP API of its scheduler. */
final class HttpSite implements Site {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();
    private final String url;
    private final Optional<String> token;
    private final Duration timeout;

    /** Speaks to {@code url}, with {@code token} if there is one, and waits for answers up to {@code timeout}. */
    HttpSite(String url, Optional<String> token, Duration timeout) {
        this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.token = token;
        this.timeout = timeout;
    }

    @Override
    public List<String> clusters() {
        List<String> names = new ArrayList<>();
        get("/v1/clusters")
                .orElseThrow(() -> notWeir())
                .forEach(cluster -> names.add(cluster.path("cluster").asText()));
        return names;
    }

    @Override
    public Optional<JsonNode> view(String cluster, String view, String id) {
        return get("/v1/" + encode(cluster) + "/" + view + (id.isEmpty() ? "" : "/" + encode(id)));
    }

    @Override
    public JsonNode ask(String cluster, Wish wish) {
        ObjectNode body = JSON.createObjectNode()
                .put("requestId", UUID.randomUUID().toString())
                .put("kind", wish.kind().name())
                .put("objectId", wish.objectId())
                .put("comment", wish.comment());
        ArrayNode arguments = body.putArray("arguments");
        wish.arguments()
                .forEach(argument ->
                        arguments.addObject().put("name", argument.name()).put("value", argument.value()));
        return send(request("/v1/" + encode(cluster) + "/requests")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body.toString())))
                .orElseThrow(() -> new SiteException(ExitCode.FAILED, "There is no cluster '" + cluster + "'"));
    }

    @Override
    public JsonNode publish(String cluster, String text, String source) {
        String body =
                JSON.createObjectNode().put("text", text).put("source", source).toString();
        return send(request("/v1/" + encode(cluster) + "/policy")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)))
                .orElseThrow(() -> new SiteException(ExitCode.FAILED, "There is no cluster '" + cluster + "'"));
    }

    @Override
    public void close() {
        // The client's connections end with the process.
    }

    private Optional<JsonNode> get(String path) {
        return send(request(path).GET());
    }

    private HttpRequest.Builder request(String path) {
        try {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(url + path)).timeout(timeout);
            token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
            return request;
        } catch (IllegalArgumentException e) {
            throw new SiteException(
                    ExitCode.BAD_INPUT, "'" + url + "' is no address of a server; give http://HOST:PORT");
        }
    }

    /** Returns the answer; empty for 404. */
    private Optional<JsonNode> send(HttpRequest.Builder request) {
        HttpResponse<String> response;
        try {
            response = client.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (IOException e) {
            String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new SiteException(
                    ExitCode.UNREACHABLE,
                    "The scheduler's API at " + url + " cannot be reached: " + why
                            + "; is the scheduler running, and is that its address?");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SiteException(ExitCode.FAILED, "Interrupted while waiting for " + url);
        }
        JsonNode answer;
        try {
            answer = JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw notWeir();
        }
        String error = answer.path("error").asText("status " + response.statusCode());
        return switch (response.statusCode()) {
            case OK -> Optional.of(answer);
            case NOT_FOUND -> Optional.empty();
            case UNAUTHORIZED, FORBIDDEN -> throw new SiteException(ExitCode.NOT_PERMITTED, error);
            case BAD_REQUEST -> throw new SiteException(ExitCode.BAD_INPUT, error);
            case UNAVAILABLE -> throw new SiteException(ExitCode.UNREACHABLE, error);
            default -> throw new SiteException(ExitCode.FAILED, error);
        };
    }

    private SiteException notWeir() {
        return new SiteException(ExitCode.UNREACHABLE, "What answers at " + url + " is not the API of Weir");
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}

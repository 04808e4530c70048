package io.weir.nonstop.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The failure service over HTTP. A call goes to the control address, and to the backup where that cannot be reached; a call
 * that changes something has an id, so that it is carried out once however often it is sent. Thread-safe.
 */
public final class NonstopClient implements FailureService {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ROOT = "/nonstop/v1";
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int UNAVAILABLE = 503;
    private static final int TIMED_OUT = 504;

    /** How often a change is asked for again whose answer did not come. */
    private static final int ATTEMPTS = 3;

    private final ServiceAddress address;
    private final Optional<String> token;
    private final HttpClient http;

    /** Speaks to {@code address}, with {@code token} if there is one. */
    public NonstopClient(ServiceAddress address, Optional<String> token) {
        this.address = address;
        this.token = token;
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(address.connectTimeout())
                .build();
    }

    @Override
    public SortedMap<String, String> configuration() throws FailureServiceException {
        SortedMap<String, String> settings = new TreeMap<>();
        get("/config").properties().forEach(field -> settings.put(field.getKey(), text(field.getValue())));
        return settings;
    }

    @Override
    public JobFailures failures(String jobId) throws FailureServiceException {
        JsonNode job = get(path(jobId));
        List<JobFailures.LostNode> lost = new ArrayList<>();
        for (JsonNode node : job.path("lost")) {
            lost.add(new JobFailures.LostNode(
                    text(node.path("node")), node.path("cpus").asInt(), text(node.path("state"))));
        }
        return new JobFailures(
                texts(job.path("nodes")),
                text(job.path("cpusPerNode")),
                lost,
                job.path("pendingDelay").asLong(),
                text(job.path("pendingId")),
                text(job.path("pendingNode")),
                job.path("replacedCount").asInt(),
                job.path("balance").asLong());
    }

    @Override
    public ChangedAllocation replace(String jobId, String node) throws FailureServiceException {
        return change(post(path(jobId) + "/replace", JSON.createObjectNode().put("node", node)));
    }

    @Override
    public ChangedAllocation drop(String jobId, String node) throws FailureServiceException {
        return change(post(path(jobId) + "/drop", JSON.createObjectNode().put("node", node)));
    }

    @Override
    public long extend(String jobId, long minutes) throws FailureServiceException {
        return post(path(jobId) + "/extend", JSON.createObjectNode().put("minutes", minutes))
                .path("minutes")
                .asLong();
    }

    @Override
    public void drain(String nodes, String reason) throws FailureServiceException {
        post("/drain", JSON.createObjectNode().put("nodes", nodes).put("reason", reason));
    }

    @Override
    public void subscribe(String jobId, String endpoint) throws FailureServiceException {
        post(path(jobId) + "/subscribe", JSON.createObjectNode().put("endpoint", endpoint));
    }

    @Override
    public void unsubscribe(String jobId, String endpoint) throws FailureServiceException {
        ObjectNode body = JSON.createObjectNode();
        post(path(jobId) + "/unsubscribe", endpoint.isEmpty() ? body : body.put("endpoint", endpoint));
    }

    @Override
    public void cancel(String jobId) throws FailureServiceException {
        post(path(jobId) + "/cancel", JSON.createObjectNode());
    }

    private static ChangedAllocation change(JsonNode answer) {
        return new ChangedAllocation(
                text(answer.path("replacement")), texts(answer.path("nodes")), text(answer.path("cpusPerNode")));
    }

    private static String path(String jobId) {
        return "/jobs/" + URLEncoder.encode(jobId, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String text(JsonNode node) {
        return node.asText("");
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(item -> texts.add(text(item)));
        return texts;
    }

    private JsonNode get(String path) throws FailureServiceException {
        return send(path, null);
    }

    private JsonNode post(String path, ObjectNode body) throws FailureServiceException {
        body.put("requestId", UUID.randomUUID().toString());
        for (int attempt = 1; ; attempt++) {
            try {
                return send(path, body.toString());
            } catch (FailureServiceException e) {
                if (attempt == ATTEMPTS || !e.code().equals("ETIMEDOUT")) {
                    throw e;
                }
            }
        }
    }

    private JsonNode send(String path, @Nullable String body) throws FailureServiceException {
        FailureServiceException last = new FailureServiceException(
                FailureServiceException.UNREACHABLE, "", "No address of the failure service is known");
        for (String url : address.urls()) {
            try {
                return answer(url, http.send(request(url + ROOT + path, body), HttpResponse.BodyHandlers.ofString()));
            } catch (IOException | IllegalArgumentException e) {
                last = unreachable(url, e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw unreachable(url, "interrupted");
            } catch (FailureServiceException e) {
                if (!e.code().equals(FailureServiceException.UNREACHABLE)) {
                    throw e;
                }
                last = e;
            }
        }
        throw last;
    }

    private HttpRequest request(String url, @Nullable String body) {
        Duration wait = address.readTimeout();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).timeout(wait);
        token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
        return body == null
                ? request.GET().build()
                : request.header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
    }

    private static JsonNode answer(String url, HttpResponse<String> response) throws FailureServiceException {
        JsonNode body;
        try {
            body = JSON.readTree(response.body());
        } catch (IOException e) {
            throw unreachable(url, "what answers there is no failure service");
        }
        if (response.statusCode() == OK) {
            return body;
        }
        String code = text(body.path("error"));
        String message = body.path("message").asText(code.isEmpty() ? "status " + response.statusCode() : code);
        throw switch (response.statusCode()) {
            case UNAUTHORIZED -> new FailureServiceException("EPERM", "", message);
            case UNAVAILABLE -> unreachable(url, message);
            case TIMED_OUT -> new FailureServiceException("ETIMEDOUT", "", message);
            default ->
                new FailureServiceException(code.matches("E[A-Z]+") ? code : "ECMD", text(body.path("value")), message);
        };
    }

    private static FailureServiceException unreachable(String url, String why) {
        return new FailureServiceException(
                FailureServiceException.UNREACHABLE,
                "",
                "The failure service at " + url + " cannot be reached: " + why);
    }
}

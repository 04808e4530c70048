package io.weir.nonstop.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The failure service over HTTP. A call goes to the address that answered last, at first the control address, and to the
 * others where that cannot be reached; a call that changes something has an id, so that it is carried out once however
 * often it is sent. Thread-safe.
 */
public final class NonstopClient implements FailureService {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ROOT = "/nonstop/v1";

    /** What each answer says for people. */
    private static final String MESSAGE = "message";

    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int UNAVAILABLE = 503;
    private static final int TIMED_OUT = 504;

    private static final Pattern LEGAL_TOKEN = Pattern.compile("[!-~]+");

    /** How often something is asked for whose answer does not come. */
    private static final int ATTEMPTS = 3;

    /** How long the service itself waits for an event, at the most. */
    private static final Duration EVENTS_WAIT = Duration.ofSeconds(30);

    private final ServiceAddress address;
    private final Optional<String> token;
    private final HttpClient http;

    /** Which of the addresses answered last. */
    private volatile int preferred;

    /** Speaks to {@code address}, with {@code token} if there is one. */
    public NonstopClient(ServiceAddress address, Optional<String> token) {
        this(address, token, builder(address).build());
    }

    /**
     * Speaks to {@code address} over TLS.
     *
     * @throws IOException when a file cannot be used
     */
    public NonstopClient(ServiceAddress address, Optional<String> token, ClientTls tls) throws IOException {
        this(
                address.secured(),
                token,
                builder(address).sslContext(tls.context()).build());
    }

    private NonstopClient(ServiceAddress address, Optional<String> token, HttpClient http) {
        if (token.filter(text -> !LEGAL_TOKEN.matcher(text).matches()).isPresent()) {
            throw new IllegalArgumentException("The token has characters that no token has, or none");
        }
        this.address = address;
        this.token = token;
        this.http = http;
    }

    private static HttpClient.Builder builder(ServiceAddress address) {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(address.connectTimeout());
    }

    @Override
    public SortedMap<String, String> configuration() throws FailureServiceException {
        SortedMap<String, String> settings = new TreeMap<>();
        get("/config").properties().forEach(field -> settings.put(field.getKey(), text(field.getValue())));
        settings.remove(MESSAGE);
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
    public List<JobEvent> events(String jobId, String lastEventId) throws FailureServiceException {
        return events(send(path(jobId) + "/events", null, lastEventId, NonstopClient::stream));
    }

    /** Takes the fields of server-sent events together, each event of which ends with an empty line. */
    private static List<JobEvent> events(String stream) throws FailureServiceException {
        List<JobEvent> events = new ArrayList<>();
        for (String block : stream.split("\n\n", -1)) {
            SortedMap<String, String> fields = new TreeMap<>();
            for (String line : block.split("\n", -1)) {
                String[] field = line.split(": ?", 2);
                if (field.length == 2) {
                    fields.put(field[0], field[1]);
                }
            }
            if (fields.containsKey("event")) {
                JsonNode data = json(fields.getOrDefault("data", "{}"));
                events.add(new JobEvent(
                        fields.getOrDefault("id", ""),
                        fields.getOrDefault("event", ""),
                        data.path("nodeId").isTextual() ? text(data.path("nodeId")) : "",
                        data.path("replacement").isTextual() ? text(data.path("replacement")) : ""));
            }
        }
        return events;
    }

    private static JsonNode json(String text) throws FailureServiceException {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new FailureServiceException(
                    FailureServiceException.UNREACHABLE, "", "What answers is no JSON: " + text);
        }
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
                text(answer.path("replacement")),
                texts(answer.path("nodes")),
                text(answer.path("cpusPerNode")),
                text(answer.path("kept")));
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
        return again(path, null);
    }

    private JsonNode post(String path, ObjectNode body) throws FailureServiceException {
        return again(path, body.put("requestId", UUID.randomUUID().toString()).toString());
    }

    /** Sends it until an answer comes, some times; the id of a request keeps it from being carried out again. */
    private JsonNode again(String path, @Nullable String body) throws FailureServiceException {
        for (int attempt = 1; ; attempt++) {
            try {
                return send(path, body, "", NonstopClient::answer);
            } catch (FailureServiceException e) {
                if (attempt == ATTEMPTS || !e.code().equals(FailureServiceException.TIMED_OUT)) {
                    throw e;
                }
            }
        }
    }

    /** Makes something of an answer. */
    @FunctionalInterface
    private interface Reading<T> {
        T of(String url, HttpResponse<String> response) throws FailureServiceException;
    }

    private <T> T send(String path, @Nullable String body, String lastEventId, Reading<T> reading)
            throws FailureServiceException {
        FailureServiceException last = new FailureServiceException(
                FailureServiceException.UNREACHABLE, "", "No address of the failure service is known");
        FailureServiceException slow = null;
        int count = address.urls().size();
        int first = preferred;
        for (int i = 0; i < count; i++) {
            int at = (first + i) % count;
            String url = address.urls().get(at);
            try {
                T answer = reading.of(url, whole(request(url + ROOT + path, body, lastEventId)));
                preferred = at;
                return answer;
            } catch (HttpConnectTimeoutException e) {
                last = unreachable(url, "it does not answer");
            } catch (HttpTimeoutException e) {
                last = new FailureServiceException(
                        FailureServiceException.TIMED_OUT,
                        "",
                        "The failure service at " + url + " did not answer within "
                                + address.readTimeout().toMillis() + " ms");
            } catch (IOException | IllegalArgumentException e) {
                last = unreachable(url, why(e));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw unreachable(url, "interrupted");
            } catch (FailureServiceException e) {
                if (!e.code().equals(FailureServiceException.UNREACHABLE)) {
                    preferred = at;
                    throw e;
                }
                last = e;
            }
            if (last.code().equals(FailureServiceException.TIMED_OUT)) {
                slow = last;
            }
        }
        throw slow == null ? last : slow;
    }

    /** Sends a request and waits for the whole answer: the client's own limit ends with the answer's head. */
    private HttpResponse<String> whole(HttpRequest request) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<String>> answer = http.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        try {
            return answer.get(request.timeout().orElseThrow().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            HttpTimeoutException late = new HttpTimeoutException("no whole answer in time");
            late.initCause(e);
            throw late;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } finally {
            answer.cancel(true);
        }
    }

    private static String why(Exception failure) {
        String said = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        return ClientTls.complaint(failure)
                .or(() -> ClientTls.outOfDate(failure))
                .orElse(said);
    }

    private HttpRequest request(String url, @Nullable String body, String lastEventId) {
        boolean events = url.endsWith("/events");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(events ? address.readTimeout().plus(EVENTS_WAIT) : address.readTimeout());
        token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
        if (!lastEventId.isEmpty()) {
            request.header("Last-Event-ID", lastEventId);
        }
        return body == null
                ? request.GET().build()
                : request.header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
    }

    private static String stream(String url, HttpResponse<String> response) throws FailureServiceException {
        if (response.statusCode() != OK) {
            answer(url, response);
        }
        return response.body();
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
        String message = body.path(MESSAGE).asText(code.isEmpty() ? "status " + response.statusCode() : code);
        throw switch (response.statusCode()) {
            case UNAUTHORIZED -> new FailureServiceException("EPERM", "", message);
            case UNAVAILABLE -> unreachable(url, message);
            case TIMED_OUT -> new FailureServiceException(FailureServiceException.TIMED_OUT, "", message);
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

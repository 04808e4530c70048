package io.weir.command.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.terminal.ExitCode;
import io.weir.nonstop.client.ClientTls;
import io.weir.scheduler.core.request.form.RequestSubject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Uses the HTTP API of the scheduler. {@link HttpURLConnection} starts in a fraction of the time of the newer client,
 * which prepares TLS even for plain HTTP.
 */
final class HttpClusterClient implements ClusterClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final String WARNING = "Weir-Warning";
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int TOO_MANY = 429;
    private static final int UNAVAILABLE = 503;

    /** Requests that are sent together, and their characters; the API takes no more. */
    private static final int MOST_TOGETHER = 100;

    private static final int LONGEST_TOGETHER = 200_000;

    /** For how long a request waits altogether because too many were made. */
    private static final int LONGEST_WAIT_SECONDS = 60;

    private final String url;
    private final Optional<String> token;
    private final @Nullable SSLSocketFactory sockets;
    private final Duration timeout;
    private @Nullable String warning;

    /**
     * Speaks to {@code url}, with {@code token} if there is one, and waits for answers up to {@code timeout}.
     *
     * @param sockets makes connections on https; null for Java's own
     */
    HttpClusterClient(String url, Optional<String> token, @Nullable SSLSocketFactory sockets, Duration timeout) {
        this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.token = token;
        this.sockets = sockets;
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
    public Optional<JsonNode> jobs(String cluster, String view, JobQuery query) {
        StringBuilder path =
                new StringBuilder("/v1/").append(encode(cluster)).append('/').append(view);
        query.parameters()
                .forEach((name, value) -> path.append(path.indexOf("?") < 0 ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(encode(value)));
        return get(path.toString());
    }

    @Override
    public JsonNode ask(String cluster, OperatorRequest request) {
        return askAny(cluster, body(request));
    }

    /** Sends changes of many jobs, nodes or reservations a hundred at a time; what is refused as such is told behind these. */
    @Override
    public void ask(String cluster, List<OperatorRequest> requests, BiConsumer<OperatorRequest, JsonNode> told) {
        List<OperatorRequest> together = new ArrayList<>();
        ArrayNode bodies = JSON.createArrayNode();
        int size = 0;
        for (OperatorRequest request : requests) {
            ObjectNode body = body(request);
            int more = body.toString().length();
            if (!maySend(request) || together.size() >= MOST_TOGETHER || size + more > LONGEST_TOGETHER) {
                askAll(cluster, together, bodies, told);
                together.clear();
                bodies.removeAll();
                size = 0;
            }
            if (maySend(request)) {
                together.add(request);
                bodies.add(body);
                size += more;
            } else {
                told.accept(request, askAny(cluster, body));
            }
        }
        askAll(cluster, together, bodies, told);
    }

    private static boolean maySend(OperatorRequest request) {
        return RequestSubject.of(request.kind()).goesWithOthers();
    }

    private void askAll(
            String cluster,
            List<OperatorRequest> requests,
            ArrayNode bodies,
            BiConsumer<OperatorRequest, JsonNode> told) {
        if (requests.size() == 1) {
            told.accept(requests.get(0), askAny(cluster, bodies.get(0)));
        } else if (!requests.isEmpty()) {
            JsonNode answers = askAny(cluster, JSON.createObjectNode().set("requests", bodies))
                    .path("answers");
            ClientException failure = null;
            for (int i = 0; i < requests.size(); i++) {
                JsonNode answer = answers.path(i);
                if (!answer.has("error")) {
                    told.accept(requests.get(i), answer);
                } else if (failure == null) {
                    failure = failure(
                            answer.path("status").asInt(), answer.path("error").asText());
                }
            }
            if (failure != null) {
                throw failure;
            }
        }
    }

    private static ObjectNode body(OperatorRequest request) {
        ObjectNode body = JSON.createObjectNode()
                .put("requestId", UUID.randomUUID().toString())
                .put("kind", request.kind().name())
                .put("objectId", request.objectId())
                .put("comment", request.comment());
        ArrayNode arguments = body.putArray("arguments");
        request.arguments()
                .forEach(argument ->
                        arguments.addObject().put("name", argument.name()).put("value", argument.value()));
        return body;
    }

    private JsonNode askAny(String cluster, JsonNode body) {
        return post("/v1/" + encode(cluster) + "/requests", body)
                .orElseThrow(() -> new ClientException(ExitCode.FAILED, "There is no cluster '" + cluster + "'"));
    }

    @Override
    public JsonNode publish(String cluster, String text, String source) {
        ObjectNode body = JSON.createObjectNode().put("text", text).put("source", source);
        return post("/v1/" + encode(cluster) + "/policy", body)
                .orElseThrow(() -> new ClientException(ExitCode.FAILED, "There is no cluster '" + cluster + "'"));
    }

    @Override
    public void close() {
        // The client's connections end with the process.
    }

    @Override
    public Optional<String> warning() {
        return Optional.ofNullable(warning);
    }

    private Optional<JsonNode> get(String path) {
        return send(path, null);
    }

    /** A request that is sent again on a fresh connection has the same id: it is carried out once. */
    private Optional<JsonNode> post(String path, JsonNode body) {
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        long waited = 0;
        while (true) {
            try {
                return send(path, bytes);
            } catch (TooManyException e) {
                waited += e.seconds();
                if (waited > LONGEST_WAIT_SECONDS) {
                    throw e;
                }
                sleep(e);
            }
        }
    }

    private static void sleep(TooManyException asked) {
        try {
            Thread.sleep(asked.seconds() * 1_000L);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw asked;
        }
    }

    /** Returns the answer; empty for 404. */
    private Optional<JsonNode> send(String path, byte @Nullable [] body) {
        HttpURLConnection connection = connection(path);
        int status;
        JsonNode answer;
        try {
            if (body != null) {
                connection.setRequestMethod("POST");
                connection.setDoOutput(true);
                connection.setRequestProperty("Content-Type", "application/json");
                try (OutputStream out = connection.getOutputStream()) {
                    out.write(body);
                }
            }
            status = connection.getResponseCode();
            answer = read(connection, status);
            warning = connection.getHeaderField(WARNING);
        } catch (JsonProcessingException e) {
            throw notWeir();
        } catch (IOException e) {
            throw failure(e);
        }
        String error = answer.path("error").asText("status " + status);
        return switch (status) {
            case OK -> Optional.of(answer);
            case NOT_FOUND -> Optional.empty();
            case TOO_MANY -> throw new TooManyException(error, connection.getHeaderFieldInt("Retry-After", 1));
            default -> throw failure(status, error);
        };
    }

    private static ClientException failure(int status, String error) {
        return switch (status) {
            case UNAUTHORIZED, FORBIDDEN -> new ClientException(ExitCode.NOT_PERMITTED, error);
            case BAD_REQUEST -> new ClientException(ExitCode.BAD_INPUT, error);
            case UNAVAILABLE -> new UnavailableException(error);
            default -> new ClientException(ExitCode.FAILED, error);
        };
    }

    private ClientException failure(IOException failure) {
        Optional<String> complaint = ClientTls.complaint(failure);
        if (complaint.isPresent()) {
            return new ClientException(
                    ExitCode.NOT_PERMITTED,
                    "The scheduler's API at " + url + " lets nobody in like this: " + complaint.get());
        }
        Optional<String> outOfDate = ClientTls.outOfDate(failure);
        if (outOfDate.isPresent()) {
            return new ClientException(
                    ExitCode.FAILED, "The scheduler's API at " + url + " is not trusted: " + outOfDate.get());
        }
        if (failure instanceof SSLException) {
            return new ClientException(
                    ExitCode.FAILED,
                    "The scheduler's API at " + url + " is not trusted: " + failure.getMessage()
                            + "; name the certificates that vouch for it with --ca-file or WEIR_CA_FILE, and use the host"
                            + " name that its own certificate has");
        }
        String why = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        String wanted = url.startsWith("https:") ? ", and does it want a client certificate (--cert-file)" : "";
        return new ClientException(
                ExitCode.UNREACHABLE,
                "The scheduler's API at " + url + " cannot be reached: " + why
                        + "; is the scheduler running, and is that its address" + wanted + "?");
    }

    /** Reads the answer as it comes: a long queue is not held twice. */
    private static JsonNode read(HttpURLConnection connection, int status) throws IOException {
        try (InputStream in = status < BAD_REQUEST ? connection.getInputStream() : connection.getErrorStream()) {
            if (in == null) {
                return JSON.readTree("");
            }
            return JSON.readTree("gzip".equals(connection.getContentEncoding()) ? new GZIPInputStream(in) : in);
        }
    }

    private HttpURLConnection connection(String path) {
        try {
            if (URI.create(url + path).toURL().openConnection() instanceof HttpURLConnection connection) {
                connection.setConnectTimeout((int) CONNECT.toMillis());
                connection.setReadTimeout((int) Math.min(Integer.MAX_VALUE, timeout.toMillis()));
                connection.setInstanceFollowRedirects(false);
                connection.setRequestProperty("Accept-Encoding", "gzip");
                if (sockets != null && connection instanceof HttpsURLConnection secure) {
                    secure.setSSLSocketFactory(sockets);
                }
                token.ifPresent(value -> connection.setRequestProperty("Authorization", "Bearer " + value));
                return connection;
            }
        } catch (IllegalArgumentException | IOException e) {
            // Said below.
        }
        throw new ClientException(ExitCode.BAD_INPUT, "'" + url + "' is no address of a server; give http://HOST:PORT");
    }

    private ClientException notWeir() {
        return new ClientException(ExitCode.UNREACHABLE, "What answers at " + url + " is not the API of Weir");
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}

package io.weir.scheduler.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.schemas.Iteration;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.service.HttpListener;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP API. {@code GET /v1/clusters} lists the clusters, {@code GET /v1/<cluster>/<view>[/<id>]} gives the views of
 * {@link ClusterViews}, {@code POST /v1/<cluster>/requests} hands a request to the scheduler and waits for its answer,
 * {@code GET /v1/<cluster>/requests/<id>} looks for one that has not come in time, {@code POST /v1/<cluster>/policy}
 * puts a configuration in force. A question asked again before the next iteration is answered as before. Everything is JSON; what is refused
 * is {@code {"error": "..."}} with a status.
 */
public final class ApiServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ApiServer.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int THREADS = 16;
    private static final long LOOK_MILLIS = 50;
    private static final int OK = 200;
    private static final int FAILED = 500;
    private static final int LONGEST_BODY = 1 << 20;
    private static final String BEARER = "Bearer ";
    private static final String ANYONE = "anyone";

    private final ApiSettings settings;
    private final Optional<AccessTokens> tokens;
    private final List<String> clusters;
    private final LiveImage image;
    private final RequestDesk desk;
    private final RecentAnswers recent = new RecentAnswers();
    private final Runnable stop;
    private final LivePriorities priorities;
    private final HttpServer server;
    private final ExecutorService executor;

    private ApiServer(
            ApiSettings settings,
            List<String> clusters,
            LiveImage image,
            RequestDesk desk,
            HttpServer server,
            Runnable stop) {
        this.settings = settings;
        this.stop = stop;
        this.tokens = settings.tokens().map(AccessTokens::new);
        this.clusters = clusters;
        this.image = image;
        this.desk = desk;
        this.priorities = new LivePriorities(desk);
        this.server = server;
        AtomicInteger number = new AtomicInteger();
        this.executor = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "api-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Starts serving.
     *
     * @param consumer properties of a consumer
     * @param producer properties of a producer
     * @param clusters clusters that requests may be about
     * @param stop ends the service; run when an administrator asked for it and has the answer
     * @throws IOException when the address is taken or not this machine's
     */
    public static ApiServer start(
            ApiSettings settings,
            Map<String, Object> consumer,
            Map<String, Object> producer,
            TopicNames names,
            AvroCodec codec,
            List<String> clusters,
            Runnable stop)
            throws IOException {
        HttpServer server;
        try {
            server = HttpListener.bind(new InetSocketAddress(settings.host(), settings.port()));
        } catch (IOException e) {
            throw new IOException(
                    "Cannot serve the API on " + settings.host() + ":" + settings.port() + " (" + e.getMessage()
                            + "); set api.host and api.port to a free address of this machine",
                    e);
        }
        LiveImage image = new LiveImage(() -> new ClusterImageFeed(consumer, names, codec));
        RequestDesk desk = new RequestDesk(consumer, producer, names, codec);
        ApiServer api;
        try {
            api = new ApiServer(settings, clusters, image, desk, server, stop);
        } catch (RuntimeException e) {
            server.stop(0);
            throw e;
        }
        server.createContext("/", api::handle);
        server.setExecutor(api.executor);
        server.start();
        if (settings.announce().isPresent()) {
            Files.writeString(settings.announce().get(), "api.url=" + api.url() + "\n");
        }
        log.info("API: url={} authentication={}", api.url(), settings.tokens().isPresent());
        return api;
    }

    /** Returns where it is served. */
    public String url() {
        InetSocketAddress address = server.getAddress();
        String host = settings.host().indexOf(':') >= 0 ? "[" + settings.host() + "]" : settings.host();
        return "http://" + host + ":" + address.getPort();
    }

    @Override
    public void close() throws IOException {
        Optional<Path> announced = settings.announce();
        if (announced.isPresent()) {
            Files.deleteIfExists(announced.get());
        }
        server.stop(0);
        executor.shutdownNow();
        desk.close();
        image.close();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            try {
                Reply reply = answer(exchange);
                send(exchange, OK, reply.body());
                if (reply.last()) {
                    log.info("Shutting down as asked for");
                    stop.run();
                }
            } catch (ApiException e) {
                refuse(exchange, e.status(), String.valueOf(e.getMessage()));
            } catch (KafkaException e) {
                log.warn("Broker or registry did not answer: {}", e.toString());
                refuse(exchange, ApiException.UNAVAILABLE, "The broker or the schema registry does not answer");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                refuse(exchange, ApiException.UNAVAILABLE, "The service is stopping");
            } catch (RuntimeException e) {
                log.error("{} {} failed", exchange.getRequestMethod(), exchange.getRequestURI(), e);
                refuse(exchange, FAILED, "Failed; the log says why");
            }
        }
    }

    /**
     * An answer.
     *
     * @param body what is sent
     * @param last whether the service ends itself when it is sent
     */
    private record Reply(@Nullable JsonNode body, boolean last) {
        static Reply of(JsonNode body) {
            return new Reply(body, false);
        }
    }

    private Reply answer(HttpExchange exchange) throws IOException, InterruptedException {
        Principal principal = principal(exchange.getRequestHeaders());
        List<String> path = path(exchange.getRequestURI());
        if (path.isEmpty() || !path.get(0).equals("v1") || path.size() < 2) {
            throw new ApiException(ApiException.NOT_FOUND, "Try /v1/clusters or /v1/<cluster>/queue");
        }
        String cluster = path.get(1);
        String what = path.size() < 3 ? "" : path.get(2);
        String id = path.size() < 4 ? "" : String.join("/", path.subList(3, path.size()));
        boolean get = exchange.getRequestMethod().equals("GET");
        if (get && what.isEmpty() && cluster.equals("clusters")) {
            return Reply.of(image.read(ClusterViews::clusters));
        } else if (get && what.equals("requests") && !id.isEmpty()) {
            return Reply.of(RecordJson.of(desk.answer(new EntityKey(cluster, RequestForm.recordedId(principal, id)))
                    .orElseThrow(() -> new ApiException(ApiException.NOT_FOUND, "No answer to request " + id))));
        } else if (get) {
            PriorityRanking ranking = what.equals("queue") ? ranking(cluster) : PriorityRanking.NONE;
            return Reply.of(image.read(all -> view(all, principal, cluster, what, id, ranking)));
        } else if (exchange.getRequestMethod().equals("POST") && what.equals("requests") && id.isEmpty()) {
            return ask(principal, cluster, body(exchange));
        } else if (exchange.getRequestMethod().equals("POST") && what.equals("policy") && id.isEmpty()) {
            return Reply.of(publish(principal, cluster, body(exchange)));
        }
        throw new ApiException(
                ApiException.METHOD_NOT_ALLOWED,
                "GET a view, or POST to /v1/<cluster>/requests or /v1/<cluster>/policy");
    }

    /** Asks for the order of the queue where priorities are configured; elsewhere it is that of submission. */
    private PriorityRanking ranking(String cluster) throws InterruptedException {
        boolean weighed =
                clusters.contains(cluster) && image.read(all -> PriorityRanking.isConfigured(all.policyText(cluster)));
        return weighed ? priorities.of(cluster) : PriorityRanking.NONE;
    }

    private JsonNode view(
            ClusterImage all, Principal principal, String cluster, String view, String id, PriorityRanking ranking) {
        if (!all.clusters().contains(cluster)) {
            throw noCluster(cluster, all.clusters());
        }
        RequestRules rules = new RequestRules(all, cluster);
        rules.checkView(principal, view, id);
        Optional<String> owner = rules.seesOwnOnly(principal) ? Optional.of(principal.name()) : Optional.empty();
        return new ClusterViews(all, cluster, Instant.now(), owner, ranking)
                .view(view, id)
                .orElseThrow(() -> new ApiException(
                        ApiException.NOT_FOUND,
                        id.isEmpty()
                                ? "There is no view '" + view
                                        + "'; there are queue, jobs, nodes, reservations, explanations, waits, connectors, scheduler and policy"
                                : "There is no '" + id + "' among the " + view + " of " + cluster));
    }

    private Reply ask(Principal principal, String cluster, JsonNode body) throws InterruptedException {
        if (!clusters.contains(cluster)) {
            throw noCluster(cluster, clusters);
        }
        RequestForm form = RequestForm.read(principal, cluster, body);
        Request request = image.read(all -> {
            RequestRules rules = new RequestRules(all, cluster);
            rules.checkRequest(principal, form.request());
            return form.at(rules.level(principal));
        });
        boolean question = RecentAnswers.isQuestion(request);
        Optional<RequestResult> known = question
                ? image.read(all -> recent.find(request, StandingJson.iteration(all, cluster)))
                : Optional.empty();
        if (known.isPresent()) {
            return Reply.of(RecordJson.of(known.get()));
        }
        RequestResult result = desk.ask(request, settings.timeout())
                .orElseThrow(() -> new ApiException(
                        ApiException.TIMED_OUT,
                        "The scheduler has not answered request " + form.id() + " within "
                                + settings.timeout().toSeconds() + " s; it may still do it: GET /v1/" + cluster
                                + "/requests/" + form.id() + ", or ask again with the same id"));
        if (question) {
            recent.keep(request, result);
        }
        return new Reply(RecordJson.of(result), endsService(request, result));
    }

    private static boolean endsService(Request request, RequestResult result) {
        return request.getKind() == RequestKind.CONTROL_SCHEDULER
                && result.getOutcome() == RequestOutcome.ACCEPTED
                && request.getArguments().stream()
                        .anyMatch(argument -> argument.getName().equals("action")
                                && argument.getValue().equals("shutdown"));
    }

    /** Puts a configuration in force, unless it does not come into force in time. */
    private JsonNode publish(Principal principal, String cluster, JsonNode body) throws InterruptedException {
        if (!clusters.contains(cluster)) {
            throw noCluster(cluster, clusters);
        }
        image.read(all -> {
            new RequestRules(all, cluster).checkPolicy(principal);
            return cluster;
        });
        PolicyVersion version = PolicyForm.read(principal, cluster, body);
        long before = image.read(all -> StandingJson.iteration(all, cluster));
        desk.publish(version);
        long deadline = System.nanoTime() + settings.timeout().toNanos();
        while (!image.read(all -> isInForce(all, version, before))) {
            if (System.nanoTime() > deadline) {
                throw new ApiException(
                        ApiException.TIMED_OUT,
                        "Configuration " + version.getVersion() + " is published; it is not in force after "
                                + settings.timeout().toSeconds() + " s");
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return RecordJson.of(version).without("text");
    }

    /** Says whether a later iteration than number {@code before} follows {@code version}. */
    private static boolean isInForce(ClusterImage image, PolicyVersion version, long before) {
        Iteration last = image.iterations().get(version.getCluster());
        return last != null
                && last.getNumber() > before
                && last.getPolicyVersion().equals(version.getVersion());
    }

    private static ApiException noCluster(String cluster, Iterable<String> known) {
        return new ApiException(
                ApiException.NOT_FOUND,
                "There is no cluster '" + cluster + "'; there are: " + String.join(", ", known));
    }

    private Principal principal(Headers headers) {
        if (tokens.isEmpty()) {
            return new Principal(ANYONE, Optional.of(settings.open()));
        }
        String given = headers.getFirst("Authorization");
        if (given == null || !given.startsWith(BEARER)) {
            throw new ApiException(
                    ApiException.UNAUTHORIZED, "A token is needed: Authorization: Bearer TOKEN, see api.tokens.file");
        }
        return tokens.get()
                .holder(given.substring(BEARER.length()).strip())
                .orElseThrow(() -> new ApiException(ApiException.UNAUTHORIZED, "The token is not known here"));
    }

    private static List<String> path(URI uri) {
        return Arrays.stream(uri.getRawPath().split("/"))
                .filter(part -> !part.isEmpty())
                .map(part -> URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8))
                .toList();
    }

    private static JsonNode body(HttpExchange exchange) throws IOException {
        byte[] bytes = exchange.getRequestBody().readNBytes(LONGEST_BODY + 1);
        if (bytes.length > LONGEST_BODY) {
            throw new ApiException(ApiException.TOO_LARGE, "A request has at most " + LONGEST_BODY + " bytes");
        }
        try {
            return JSON.readTree(bytes);
        } catch (JsonProcessingException e) {
            throw new ApiException(ApiException.BAD_REQUEST, "The body is no JSON: " + e.getOriginalMessage());
        }
    }

    private static void refuse(HttpExchange exchange, int status, String message) throws IOException {
        send(exchange, status, JsonNodeFactory.instance.objectNode().put("error", message));
    }

    private static void send(HttpExchange exchange, int status, @Nullable JsonNode answer) throws IOException {
        byte[] bytes = JSON.writeValueAsBytes(answer);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}

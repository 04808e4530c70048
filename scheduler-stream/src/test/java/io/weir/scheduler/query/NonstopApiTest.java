package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpServer;
import io.weir.scheduler.Feature;
import io.weir.scheduler.core.SchedulerFixture;
import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.scheduler.core.recovery.RecoveryError;
import io.weir.scheduler.query.nonstop.CallbackRules;
import io.weir.scheduler.query.nonstop.NonstopCallbacks;
import io.weir.scheduler.query.nonstop.NonstopEventLog;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.NodeState;
import io.weir.schemas.NonstopEvent;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.service.ServiceConfig;
import io.weir.service.http.HttpListener;
import io.weir.service.http.HttpRefusal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the failure service answers, call by call and error by error, with the scheduler's core behind it, and what its
 * description says that it answers.
 */
@NullUnmarked
class NonstopApiTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ROOT = "/nonstop/v1/";
    private static final String JOB = ROOT + "jobs/{job}";
    private static final Map<String, String> TOKENS =
            Map.of("ann", "0123456789abcdef", "bob", "fedcba9876543210", "nobody", "0000000000000000");
    private static final String NODE = "{\"node\": \"n2\"}";

    /** Intake takes no allocation without a processor. */
    private static final RecoveryError NEVER_SO_FAR = RecoveryError.ENODENOCPU;

    /** A body that makes sense, by operation; those that only ask have none. */
    private static final Map<String, String> BODIES = new TreeMap<>(Map.of(
            "POST " + ROOT + "drain", "{\"nodes\": \"n2\", \"reason\": \"disk\"}",
            "POST " + JOB + "/replace", NODE,
            "POST " + JOB + "/drop", NODE,
            "POST " + JOB + "/extend", "{\"minutes\": 1}",
            "POST " + JOB + "/subscribe", "{\"endpoint\": \"http://127.0.0.1:9/a\"}",
            "POST " + JOB + "/unsubscribe", "{}",
            "POST " + JOB + "/cancel", "{}",
            "GET " + ROOT + "config", "",
            "GET " + JOB, "",
            "GET " + JOB + "/events", ""));

    @TempDir
    Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private final ApiThreads threads = new ApiThreads();
    private final NonstopEventLog events = new NonstopEventLog();
    private final Map<String, SortedSet<String>> refusals = new TreeMap<>();
    private ApiDescription description;
    private ServedScheduler scheduler;
    private NonstopRoutes.Asker asker;
    private HttpListener listener;

    @BeforeEach
    void open() throws IOException {
        description = ApiDescription.read(Path.of("docs", "nonstop-api.yaml"));
        Path tokens = directory.resolve("tokens");
        Files.writeString(tokens, "ann " + TOKENS.get("ann") + " user\nbob " + TOKENS.get("bob") + " user\n");
        ApiSettings settings = ApiSettings.from(ServiceConfig.of(
                        ApiSettings.define(ServiceConfig.baseDefinition()),
                        Map.of(
                                "kafka.bootstrap.servers", "x:1",
                                "registry.url", "mock://api",
                                "api.tokens.file", tokens.toString(),
                                "nonstop.host", "127.0.0.1",
                                "nonstop.callbacks", "127.0.0.1")))
                .orElseThrow();
        listener = HttpListener.start(
                settings.nonstop(0, Duration.ofSeconds(5), Duration.ofSeconds(10), List.of()),
                new NonstopRoutes(
                        SchedulerFixture.CLUSTER,
                        new ApiGate(settings),
                        threads,
                        (principal, request) -> asker.ask(principal, request),
                        settings.callbacks(),
                        events));
    }

    @AfterEach
    void close() {
        listener.close();
        threads.close();
    }

    /** Job 17 of ann runs on n1 and n2, with two processors on each. */
    private SchedulerFixture jobOnTwoNodes() {
        scheduler = new ServedScheduler(events);
        asker = scheduler;
        SchedulerFixture site = scheduler.site();
        site.node("n1", 2, NodeState.IDLE).node("n2", 2, NodeState.IDLE);
        site.heartbeat(1, true, SchedulerFixture.EPOCH, 0).submit("17", 4, 36_000);
        scheduler.goOn().goOn();
        return site;
    }

    private void policy(String line, String... conf) {
        scheduler
                .site()
                .policy("NODEALLOCRESFAILUREPOLICY IGNORE\nFAILURESERVICE nonstop\n" + line + "\n"
                        + PolicyLine.marker("nonstop.conf", 1) + "\nControlAddr=control\n" + String.join("\n", conf)
                        + "\n");
        scheduler.goOn();
    }

    private void down(String node) {
        scheduler.site().node(node, 2, NodeState.DOWN);
        scheduler.goOn();
    }

    /** Calls in the name of {@code user} about {@code job}, and holds the answer against the description. */
    private HttpResponse<String> call(String operation, String user, String job, String body, String... headers)
            throws Exception {
        String[] words = operation.split(" ", 2);
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(listener.url() + words[1].replace("{job}", job)))
                .header("Authorization", "Bearer " + TOKENS.get(user))
                .method(
                        words[0],
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        String type = answer.headers().firstValue("Content-Type").orElse("none");
        boolean json = type.equals("application/json");
        JsonNode value = json ? JSON.readTree(answer.body()) : JsonNodeFactory.instance.textNode(answer.body());
        description.answered(operation, answer.statusCode(), type, value);
        String error = value.path("error").asText();
        if (json && answer.statusCode() != 200 && answer.statusCode() != 431) {
            assertThat(error).as(operation + ": " + answer.body()).matches("E[A-Z]+");
            refusals.computeIfAbsent(operation, any -> new TreeSet<>()).add(error);
        }
        return answer;
    }

    private void everyCall(String user, String job, int status) throws Exception {
        for (Map.Entry<String, String> each : BODIES.entrySet()) {
            assertThat(call(each.getKey(), user, job, each.getValue()).statusCode())
                    .as(each.getKey())
                    .isEqualTo(status);
        }
    }

    private JsonNode granted(String what, String body) throws Exception {
        String operation = operation(what);
        HttpResponse<String> answer = call(operation, "ann", "17", body);
        assertThat(answer.statusCode()).as(operation + ": " + answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    private void refused(String what, String job, String body, int status, String code) throws Exception {
        HttpResponse<String> answer = call(operation(what), "ann", job, body);
        assertThat(JSON.readTree(answer.body()).path("error").asText())
                .as(answer.body())
                .isEqualTo(code);
        assertThat(answer.statusCode()).isEqualTo(status);
    }

    private static String operation(String what) {
        String path =
                what.isEmpty() ? JOB : what.equals("drain") || what.equals("config") ? ROOT + what : JOB + "/" + what;
        return (BODIES.containsKey("POST " + path) ? "POST " : "GET ") + path;
    }

    @Test
    @Feature({"SMD-5", "SMD-8"})
    void shouldAnswerWhatItsDescriptionSays() throws Exception {
        strangersAndNonsense();
        noScheduler();
        aLife();
        spares();
        nodeThatStays();
        jobsThatCannotBeHelped();

        assertThat(description.operations()).isEqualTo(BODIES.keySet());
        assertThat(description.problems()).isEmpty();
        for (String operation : description.operations()) {
            assertThat(refusals.get(operation)).as(operation).isEqualTo(description.errors(operation));
        }
        assertThat(refusals.values().stream().flatMap(SortedSet::stream).collect(Collectors.toSet()))
                .isEqualTo(Stream.concat(
                                Stream.of("ETIMEDOUT"),
                                EnumSet.complementOf(EnumSet.of(NEVER_SO_FAR)).stream()
                                        .map(RecoveryError::name))
                        .collect(Collectors.toSet()));
    }

    private void strangersAndNonsense() throws Exception {
        jobOnTwoNodes();
        policy("");
        everyCall("nobody", "17", HttpRefusal.UNAUTHORIZED);
        for (Map.Entry<String, String> each : BODIES.entrySet()) {
            assertThat(call(each.getKey(), "ann", "17", each.getValue(), "X-Long", "x".repeat(20_000))
                            .statusCode())
                    .isEqualTo(431);
            if (!each.getValue().isEmpty()) {
                assertThat(call(each.getKey(), "ann", "17", "{\"x\": 1}").statusCode())
                        .isEqualTo(HttpRefusal.BAD_REQUEST);
            }
            if (each.getKey().contains("{job}")) {
                assertThat(call(each.getKey(), "bob", "17", each.getValue()).statusCode())
                        .isEqualTo(HttpRefusal.FORBIDDEN);
                HttpResponse<String> unknown = call(each.getKey(), "ann", "99", each.getValue());
                assertThat(unknown.statusCode()).as(each.getKey()).isEqualTo(HttpRefusal.NOT_FOUND);
                assertThat(JSON.readTree(unknown.body()).path("error").asText()).isEqualTo("EJOBID");
            }
        }
    }

    private void noScheduler() throws Exception {
        asker = (principal, request) -> {
            throw HttpRefusal.later(HttpRefusal.UNAVAILABLE, "The broker or the schema registry does not answer", 5);
        };
        everyCall("ann", "17", HttpRefusal.UNAVAILABLE);
        asker = (principal, request) -> {
            throw new HttpRefusal(HttpRefusal.TIMED_OUT, "The scheduler has not answered");
        };
        everyCall("ann", "17", HttpRefusal.TIMED_OUT);

        jobOnTwoNodes();
        for (Map.Entry<String, String> each : BODIES.entrySet()) {
            if (!each.getKey().endsWith("/cancel")) {
                assertThat(call(each.getKey(), "ann", "17", each.getValue()).statusCode())
                        .isEqualTo(HttpRefusal.UNAVAILABLE);
            }
        }
        policy("");
        scheduler
                .site()
                .fact(Quarantine.newBuilder()
                        .setCluster(SchedulerFixture.CLUSTER)
                        .setKind(QuarantineKind.CLUSTER)
                        .setId(SchedulerFixture.CLUSTER)
                        .setCause("test")
                        .setMessage("test")
                        .setTime(SchedulerFixture.at(0))
                        .setBuild("test")
                        .build());
        scheduler.goOn();
        everyCall("ann", "17", HttpRefusal.BAD_REQUEST);
    }

    /** The job loses a node that is awaited in vain, gives it up, and goes on for longer. */
    private void aLife() throws Exception {
        SchedulerFixture site = jobOnTwoNodes();
        site.node("n3", 2, NodeState.IDLE).submit("18", 2, 3_600);
        scheduler.goOn().goOn();
        policy("", "TimeLimitExtend=2", "TimeLimitDrop=30", "TimeLimitDelay=600", "UserDrainAllow=ann");
        assertThat(granted("config", "").path("TimeLimitDrop").asText()).isEqualTo("30");
        assertThat(granted("", "").has("endpoints")).isFalse();
        granted("subscribe", "{\"endpoint\": \"http://127.0.0.1:9/a\"}");
        assertThat(granted("", "").path("endpoints")).hasSize(1);
        refused("subscribe", "17", "{\"endpoint\": \"http://10.0.0.1/a\"}", 400, "EPORT");
        granted("unsubscribe", "{\"endpoint\": \"http://127.0.0.1:9/a\"}");
        refused("extend", "17", "{\"minutes\": 1}", 409, "ENOINCREASETIMELIMIT");
        for (String what : List.of("replace", "drop")) {
            refused(what, "17", NODE, 409, "ENODENOTFAIL");
            refused(what, "17", "{\"node\": \"n3\"}", 409, "ENODENOTINJOB");
            refused(what, "17", "{\"node\": \"nowhere\"}", 404, "ENOHOST");
        }

        refused("drain", "17", "{\"nodes\": \"nowhere\", \"reason\": \"disk\"}", 409, "EUPDNODE");
        refused("drain", "17", "{\"nodes\": \"n2\"}", 400, "ECMD");
        assertThat(call(operation("drain"), "bob", "17", "{\"nodes\": \"n2\", \"reason\": \"disk\"}")
                        .statusCode())
                .isEqualTo(403);
        granted("drain", "{\"nodes\": \"n2\", \"reason\": \"disk\"}");
        assertThat(granted("", "").at("/lost/0/state").asText()).isEqualTo("FAILING");

        down("n2");
        assertThat(granted("", "").at("/lost/0/state").asText()).isEqualTo("FAILED");
        refused("replace", "17", NODE, 409, "EREPLACELATER");
        assertThat(granted("", "").path("pendingNode").asText()).isEqualTo("n3");
        down("n1");
        refused("replace", "17", "{\"node\": \"n1\"}", 409, "EREPLACEPENDING");
        assertThat(granted("drop", NODE).path("nodes")).hasSize(1);
        refused("drop", "17", "{\"node\": \"n1\"}", 409, "EJOBUPDATE");
        refused("extend", "17", "{\"minutes\": 65000}", 409, "ETIMEOVERLIMIT");
        scheduler.carriesOut(CommandOutcome.REFUSED);
        refused("extend", "17", "{\"minutes\": 1}", 409, "EJOBUPDATE");
        scheduler.carriesOut(CommandOutcome.DONE);
        assertThat(granted("extend", "{\"minutes\": 1}").path("minutes").asLong())
                .isEqualTo(1);
        told();
        granted("cancel", "{}");
    }

    /** What happened comes by a stream, and to an address. */
    private void told() throws Exception {
        String stream = call(operation("events"), "ann", "17", "").body();
        List<String> data =
                stream.lines().filter(line -> line.startsWith("data: ")).toList();
        assertThat(data).hasSizeGreaterThan(3);
        for (String line : data) {
            description.streamed(operation("events"), JSON.readTree(line.substring(6)));
        }

        Queue<JsonNode> bodies = new ConcurrentLinkedQueue<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            bodies.add(JSON.readTree(exchange.getRequestBody()));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        try (NonstopCallbacks callbacks =
                new NonstopCallbacks(CallbackRules.of(List.of("127.0.0.1")), (cluster, job) -> false)) {
            String address = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/";
            for (NonstopEvent event : events.after(SchedulerFixture.CLUSTER, "17", null)) {
                callbacks.tell(NonstopEvent.newBuilder(event)
                        .setEndpoints(List.of(address))
                        .build());
            }
            await().until(() -> !bodies.isEmpty());
        } finally {
            receiver.stop(0);
        }
        description.toldTo(operation("subscribe"), bodies.remove());
    }

    /** The job takes the spare it may, and no other. */
    private void spares() throws Exception {
        SchedulerFixture site = jobOnTwoNodes();
        policy("", "HotSpareCount=DEFAULT:5", "MaxSpareNodeCount=1");
        site.node("n3", 2, NodeState.IDLE).node("n4", 2, NodeState.IDLE);
        scheduler.goOn();
        down("n2");
        JsonNode replaced = granted("replace", NODE);
        String replacement = replaced.path("replacement").asText();
        assertThat(replaced.path("nodes")).hasSize(2);
        down(replacement);
        refused("replace", "17", "{\"node\": \"" + replacement + "\"}", 409, "EMAXSPARECOUNT");
    }

    /** The replacement comes, and the resource manager keeps the failed node all the same. */
    private void nodeThatStays() throws Exception {
        SchedulerFixture site = jobOnTwoNodes();
        policy("");
        site.node("n3", 2, NodeState.IDLE);
        scheduler.goOn();
        down("n2");
        scheduler.refuses(CommandKind.REMOVE_NODES);

        JsonNode replaced = granted("replace", NODE);

        assertThat(replaced.path("nodes")).hasSize(2);
        assertThat(replaced.path("kept").asText()).isNotEmpty();
    }

    private void jobsThatCannotBeHelped() throws Exception {
        SchedulerFixture site = jobOnTwoNodes();
        policy("");
        site.submit("19", 4, 60);
        scheduler.goOn();
        assertThat(JSON.readTree(call(operation(""), "ann", "19", "").body()).path("nodes"))
                .isEmpty();
        for (String what : List.of("replace", "drop", "extend", "subscribe")) {
            refused(what, "19", BODIES.get(operation(what)), 409, "EJOBNOTRUN");
        }
        down("n2");
        refused("replace", "17", NODE, 409, "ENODEREPLACEFAIL");
        policy("SCHEDCFG MODE=MONITOR");
        refused("replace", "17", NODE, 409, "EJOBUPDATE");
        refused("cancel", "17", "{}", 409, "EJOBUPDATE");
    }

    @Test
    void shouldTakeTheFieldsItsDescriptionSays() {
        NonstopRoutes.JOB_ACTIONS.forEach((name, action) ->
                assertThat(description.requestFields(operation(name))).as(name).isEqualTo(fields(action)));
        assertThat(description.requestFields(operation("drain"))).isEqualTo(fields(NonstopRoutes.DRAIN));
    }

    private static SortedSet<String> fields(NonstopRoutes.Action action) {
        SortedSet<String> fields = new TreeSet<>(action.fields());
        fields.add("requestId");
        return fields;
    }
}

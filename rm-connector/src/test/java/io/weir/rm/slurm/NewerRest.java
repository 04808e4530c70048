package io.weir.rm.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.rm.slurm.client.RestTransport;
import io.weir.rm.slurm.client.UnixSocketTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;

/**
 * A slurmrestd of a newer Slurm: a web server that offers several versions and speaks their shapes, with the real
 * slurmrestd of this host behind it. It takes of a job's description what that version takes, and nothing else.
 *
 * <pre>
 *                      38            39                40                   41 and later
 *   numbers            7             {set, number}     {set, number}        {set, number}
 *   moments            7             7                 {set, number}        {set, number}
 *   state of a job     "RUNNING"     "RUNNING"         ["RUNNING"]          ["RUNNING"]
 *   exit code          768           {set, number}     {return_code, …}     {return_code, …}
 *   nodes of a job     allocated_nodes                                      nodes/allocation
 *   nothing changed    304           jobs: fails       jobs: empty list, never updated; nodes: error 1900
 * </pre>
 */
final class NewerRest implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final Set<String> NUMBERS = Set.of(
            "array_job_id",
            "cpus",
            "cpus_per_task",
            "het_job_id",
            "max_nodes",
            "memory_per_cpu",
            "memory_per_node",
            "minimum_cpus_per_node",
            "minimum_tmp_disk_per_node",
            "node_count",
            "priority",
            "tasks",
            "tasks_per_node",
            "time_limit");
    private static final Set<String> MOMENTS =
            Set.of("eligible_time", "end_time", "start_time", "submit_time", "boot_time", "req_time", "req_time_start");
    private static final Set<String> DESCRIPTION = Set.of(
            "admin_comment",
            "begin_time",
            "hold",
            "maximum_nodes",
            "minimum_nodes",
            "required_nodes",
            "reservation",
            "time_limit");

    private final UnixSocketTransport real;
    private final Path token;
    private final SlurmTestCluster cluster;
    private final List<Integer> offered;
    private final HttpServer server;
    private final Set<String> asked = new TreeSet<>();

    private NewerRest(SlurmTestCluster cluster, List<Integer> offered, HttpServer server) throws IOException {
        this.real = new UnixSocketTransport(cluster.directory().resolve("run/rest.sock"));
        this.cluster = cluster;
        this.offered = List.copyOf(offered);
        this.server = server;
        this.token = Files.writeString(cluster.directory().resolve("newer-token"), "a-token");
    }

    /** Starts a service that offers these versions of {@code cluster}. */
    static NewerRest before(SlurmTestCluster cluster, Integer... offered) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            NewerRest rest = new NewerRest(cluster, List.of(offered), server);
            server.createContext("/", rest::serve);
            server.setExecutor(Executors.newSingleThreadExecutor());
            server.start();
            return rest;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    Path token() {
        return token;
    }

    /** Returns the versions that were asked for anything. */
    synchronized Set<String> asked() {
        return new TreeSet<>(asked);
    }

    private synchronized void serve(HttpExchange exchange) throws IOException {
        String[] words = exchange.getRequestURI().getPath().split("/", -1);
        ObjectNode answer;
        if (!"a-token".equals(exchange.getRequestHeaders().getFirst("X-SLURM-USER-TOKEN"))) {
            answer = errors(0, 1007, "Protocol authentication error", "Authentication failure");
        } else if (exchange.getRequestURI().getPath().equals("/openapi/v3")) {
            answer = description();
        } else if (words.length < 4 || !offered.contains(version(words[2]))) {
            answer = errors(0, 9000, "Unable find requested URL", "no such path");
        } else {
            asked.add(words[2]);
            answer = answer(version(words[2]), exchange);
        }
        byte[] body = JSON.writeValueAsBytes(answer);
        boolean failed = !answer.path("errors").isEmpty();
        exchange.sendResponseHeaders(failed ? 500 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static int version(String name) {
        return name.matches("v0\\.0\\.\\d\\d") ? Integer.parseInt(name.substring(5)) : -1;
    }

    private ObjectNode description() {
        ObjectNode description = JsonNodeFactory.instance.objectNode();
        ObjectNode paths = description.put("openapi", "3.0.3").putObject("paths");
        for (int version : offered) {
            for (String path : List.of("ping/", "diag/", "jobs/", "job/{job_id}", "nodes/")) {
                paths.putObject("/slurm/v0.0." + version + "/" + path);
                paths.putObject("/slurmdb/v0.0." + (version + 1) + "/" + path);
            }
        }
        return description;
    }

    private ObjectNode answer(int version, HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath().replaceFirst("/slurm/v0\\.0\\.\\d\\d/", "");
        String query = exchange.getRequestURI().getRawQuery();
        byte[] body = exchange.getRequestBody().readAllBytes();
        String target = "/slurm/v0.0.38/" + path + (query == null ? "" : "?" + query);
        boolean change = exchange.getRequestMethod().equals("POST");
        List<String> unknown = new ArrayList<>();
        ObjectNode asked = change ? options(version, (ObjectNode) JSON.readTree(body), path, unknown) : null;
        if (!unknown.isEmpty()) {
            return errors(version, 9201, "Data parser failure", "Rejecting request: " + unknown);
        }
        RestTransport.Reply reply =
                real.send(exchange.getRequestMethod(), target, change ? JSON.writeValueAsBytes(asked) : null, LIMIT);
        if (reply.status() == 304) {
            return unchanged(version, path);
        }
        ObjectNode answer = (ObjectNode) JSON.readTree(reply.body());
        answer.set("meta", meta(version));
        answer.putArray("warnings");
        if (answer.path("errors").isEmpty()) {
            answer.putArray("errors");
            answer.set("last_update", number(1));
        } else {
            for (JsonNode error : answer.path("errors")) {
                ((ObjectNode) error).put("description", "Failure").put("source", "slurm_update_job2()");
            }
        }
        answer.path("jobs").forEach(job -> job(version, (ObjectNode) job));
        answer.path("nodes").forEach(node -> node(version, (ObjectNode) node));
        shape(version, answer.path("statistics"));
        return answer;
    }

    private static ObjectNode unchanged(int version, String path) {
        if (path.startsWith("nodes")) {
            ObjectNode answer =
                    errors(version, 1900, "Data has not changed since time specified", "Failure to query nodes");
            answer.putArray("nodes");
            return answer;
        }
        if (version == 39) {
            throw new AssertionError("this version does not survive a question for changed jobs");
        }
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.putArray("jobs");
        answer.set("last_update", number(0));
        answer.set("meta", meta(version));
        answer.putArray("errors");
        answer.putArray("warnings").addObject().put("description", "No job changes since update_time");
        return answer;
    }

    /** Returns in 38's words what to change; the administrator's comment, which it does not know, is changed here. */
    private ObjectNode options(int version, ObjectNode description, String path, List<String> unknown)
            throws IOException {
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        Iterator<String> names = description.fieldNames();
        while (names.hasNext()) {
            String name = names.next();
            if (!DESCRIPTION.contains(name)
                    || (version == 39
                            && name.equals("begin_time")
                            && description.path(name).isObject())) {
                unknown.add(name);
            }
        }
        if (description.has("admin_comment")) {
            cluster.run(
                    "scontrol",
                    "update",
                    "JobId=" + path.replace("job/", ""),
                    "AdminComment=" + description.path("admin_comment").asText());
        }
        if (description.has("required_nodes")) {
            List<String> nodes = new ArrayList<>();
            description.path("required_nodes").forEach(node -> nodes.add(node.asText()));
            options.put("nodelist", String.join(",", nodes));
            options.put(
                    "nodes",
                    description.path("minimum_nodes").asInt() + "-"
                            + description.path("maximum_nodes").asInt());
        }
        if (description.has("time_limit")) {
            JsonNode limit = description.path("time_limit");
            if (limit.path("infinite").asBoolean()) {
                options.put("time_limit", "UNLIMITED");
            } else {
                options.put("time_limit", limit.path("number").asInt());
            }
        }
        if (description.has("begin_time")) {
            options.put("begin_time", "now");
        }
        for (String same : List.of("hold", "reservation")) {
            if (description.has(same)) {
                options.set(same, description.path(same));
            }
        }
        return options;
    }

    private static void job(int version, ObjectNode job) {
        int code = job.path("exit_code").asInt();
        shape(version, job);
        if (version == 39) {
            job.set("exit_code", number(code));
        } else {
            ArrayNode states = job.arrayNode();
            List.of(job.path("job_state").asText().split("[+,]")).forEach(states::add);
            job.set("job_state", states);
            ObjectNode exit = job.putObject("exit_code");
            exit.putArray("status").add(code == 0 ? "SUCCESS" : "ERROR");
            exit.set("return_code", number(code >> 8));
            exit.putObject("signal").put("name", "").set("id", number(code & 0x7f));
        }
        String shared = job.path("shared").asText();
        ArrayNode list = job.putArray("shared");
        if (!shared.isEmpty()) {
            list.add(shared);
        }
        if (version >= 41) {
            resources(job);
        }
    }

    private static void resources(ObjectNode job) {
        JsonNode before = job.path("job_resources").path("allocated_nodes");
        if (before.isEmpty()) {
            job.putObject("job_resources");
            return;
        }
        ObjectNode resources = job.putObject("job_resources");
        ObjectNode nodes = resources.putObject("nodes").put("count", before.size());
        ArrayNode allocation = nodes.putArray("allocation");
        for (JsonNode node : before) {
            int cores = 0;
            for (JsonNode socket : node.path("sockets")) {
                cores += socket.path("cores").size();
            }
            allocation
                    .addObject()
                    .put("name", node.path("nodename").asText())
                    .putObject("cpus")
                    .put("count", cores)
                    .put("used", 0);
        }
    }

    private static void node(int version, ObjectNode node) {
        shape(version, node);
        ArrayNode states = node.arrayNode();
        states.add(node.path("state").asText().toUpperCase(Locale.ROOT));
        node.path("state_flags").forEach(states::add);
        node.set("state", states);
        node.remove("state_flags");
        for (String list : List.of("features", "active_features")) {
            ArrayNode words = node.arrayNode();
            if (!node.path(list).asText().isEmpty()) {
                List.of(node.path(list).asText().split(",")).forEach(words::add);
            }
            node.set(list, words);
        }
    }

    private static void shape(int version, JsonNode some) {
        if (!(some instanceof ObjectNode)) {
            return;
        }
        ObjectNode object = (ObjectNode) some;
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            boolean wrap =
                    (object.has("job_id") && NUMBERS.contains(name)) || (version >= 40 && MOMENTS.contains(name));
            if (wrap && (object.path(name).isNumber() || object.path(name).isNull())) {
                object.set(
                        name,
                        object.path(name).isNull()
                                ? (name.equals("time_limit") ? infinite() : unset())
                                : number(object.path(name).asLong()));
            }
        }
    }

    private static ObjectNode number(long value) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("set", true)
                .put("infinite", false)
                .put("number", value);
    }

    private static ObjectNode unset() {
        return number(0).put("set", false);
    }

    private static ObjectNode infinite() {
        return number(0).put("infinite", true);
    }

    private static ObjectNode meta(int version) {
        ObjectNode meta = JsonNodeFactory.instance.objectNode();
        meta.putObject("plugin").put("data_parser", "data_parser/v0.0." + version);
        meta.putObject(version < 41 ? "Slurm" : "slurm").put("release", "newer." + version);
        return meta;
    }

    private static ObjectNode errors(int version, int number, String text, String tried) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.set("meta", meta(version));
        answer.putArray("errors")
                .addObject()
                .put("description", tried)
                .put("error_number", number)
                .put("error", text)
                .put("source", "_dump_nodes");
        return answer;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

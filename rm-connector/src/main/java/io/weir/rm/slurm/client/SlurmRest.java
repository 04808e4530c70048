package io.weir.rm.slurm.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmException;
import java.io.ByteArrayInputStream;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * slurmrestd in Weir's words. It agrees on a version with the service when first used and again after the service failed,
 * for it may have been replaced. The HTTP status is ignored: what is in {@code errors} counts. An answer that is no
 * answer (no JSON, no connection, the controller behind it away) is a {@link RetriableRmException}; the controller's no is
 * a {@link SlurmRefusal}. One thread.
 */
public final class SlurmRest implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SlurmRest.class);

    private static final ObjectMapper JSON = new ObjectMapper();

    /** All jobs of a full queue are tens of megabytes. */
    private static final int LISTS_TAKE_LONGER = 6;

    private static final int NOT_MODIFIED = 304;

    /** What newer versions say of nodes instead of 304; of jobs they send an empty list that was never updated. */
    private static final int NO_CHANGE = 1900;

    private static final String UPDATE_TIME = "?update_time=";

    private static final Pattern NUMBER = Pattern.compile("\\d{1,10}");
    private static final Pattern NAME = Pattern.compile("\\d{1,10}([_+]\\d{1,9})?");

    private static final int NUMBERS_KEPT = 20_000;

    private final RestTransport transport;
    private final ReadAhead ahead;

    /** Numbers of the records of tasks, by name; the record may be gone, or another's by now. */
    private final Map<String, String> numbers = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > NUMBERS_KEPT;
        }
    };

    private final WaitingTasks waitingTasks = new WaitingTasks(System::nanoTime);
    private final ChangeQuestions changes = new ChangeQuestions();
    private final @Nullable RestVersion wanted;
    private final Duration limit;
    private @Nullable RestVersion agreed;
    private String slurmVersion = "unknown";

    public SlurmRest(RestTransport transport, @Nullable RestVersion wanted, Duration limit) {
        this.transport = transport;
        this.ahead = new ReadAhead(transport, System::nanoTime);
        this.wanted = wanted;
        this.limit = limit;
    }

    /** Returns the version of Slurm that answered last; {@code unknown} before the first answer. */
    public String slurmVersion() {
        return slurmVersion;
    }

    /** Returns the version of the interface in use, agreeing on one first if need be. */
    public RestVersion version() {
        if (agreed == null) {
            RestVersion version = wanted != null ? wanted : negotiate();
            String ping = "/slurm/" + version + "/ping";
            rememberSlurm(version, answered(ping, exchange("GET", ping, null)));
            agreed = version;
        }
        return agreed;
    }

    private RestVersion negotiate() {
        String target = "/openapi/v3";
        RestTransport.Reply reply = exchange("GET", target, null);
        List<String> paths = new ArrayList<>();
        read(reply, target).path("paths").fieldNames().forEachRemaining(paths::add);
        if (paths.isEmpty()) {
            throw strange(target, reply, "it names no paths");
        }
        return RestVersion.newestIn(paths)
                .orElseThrow(() -> new RmException("slurmrestd at " + transport + " offers none of the versions "
                        + RestVersion.OLDEST + " … " + RestVersion.NEWEST + " among its " + paths.size()
                        + " paths: start it with -s openapi/" + RestVersion.OLDEST + " or newer"));
    }

    private void rememberSlurm(RestVersion version, JsonNode reply) {
        JsonNode meta = reply.path("meta");
        String release = meta.path("Slurm")
                .path("release")
                .asText(meta.path("slurm").path("release").asText(""));
        if (!release.isEmpty() && !release.equals(slurmVersion)) {
            slurmVersion = release;
            log.info("slurm={} rest={} at {}", release, version, transport);
        }
    }

    /** Returns the controller's clock. */
    public Instant clock() {
        return instant(statistics(), "req_time");
    }

    /** Returns how long the controller has been running; less when it began to count anew, as it does at midnight. */
    public Duration uptime() {
        JsonNode statistics = statistics();
        return Duration.between(instant(statistics, "req_time_start"), instant(statistics, "req_time"));
    }

    private JsonNode statistics() {
        String target = path("diag");
        return answered(target, exchange("GET", target, null)).path("statistics");
    }

    private Instant instant(JsonNode statistics, String name) {
        @Nullable Instant told = new SlurmJson(statistics).instant(name);
        if (told == null) {
            throw new RetriableRmException("slurmrestd at " + transport + " told no " + name + " among its statistics");
        }
        return told;
    }

    /** Returns all nodes; empty when nothing changed since {@code since}. */
    public Optional<List<SlurmNode>> nodes(@Nullable Instant since) {
        return listed("nodes", since).map(list -> {
            List<SlurmNode> nodes = new ArrayList<>(list.size());
            list.forEach(node -> nodes.add(SlurmNode.of(node)));
            return nodes;
        });
    }

    /** Returns all jobs; empty when nothing changed since {@code since}. */
    public Optional<List<SlurmJob>> jobs(@Nullable Instant since) {
        return listed("jobs", version().tellsUnchangedJobs() ? since : null).map(this::read);
    }

    private Optional<JsonNode> listed(String what, @Nullable Instant since) {
        return since != null && changes.mayAsk(what) ? changed(what, since) : Optional.of(all(what));
    }

    private Optional<JsonNode> changed(String what, Instant since) {
        String target = path(what) + UPDATE_TIME + since.getEpochSecond();
        RestTransport.Reply reply = exchange("GET", target, null, limit.multipliedBy(LISTS_TAKE_LONGER));
        if (reply.status() == NOT_MODIFIED) {
            changes.answered(what);
            return Optional.empty();
        }
        JsonNode answer = read(reply, target);
        if (answer.path("meta").isObject() && isUnchanged(answer, what)) {
            changes.answered(what);
            return Optional.empty();
        }
        try {
            accept(target, reply, answer);
        } catch (SlurmRefusal refusal) {
            // It fails when nodes changed since, but partitions did not.
            changes.failed(what);
            return Optional.of(all(what));
        }
        changes.answered(what);
        JsonNode list = list(what, target, reply, answer);
        // An empty list may also say that nothing changed: without a time there is no doubt.
        return Optional.of(list.isEmpty() ? all(what) : list);
    }

    private JsonNode all(String what) {
        String target = path(what);
        RestTransport.Reply reply = exchange("GET", target, null, limit.multipliedBy(LISTS_TAKE_LONGER));
        JsonNode answer = read(reply, target);
        try {
            accept(target, reply, answer);
        } catch (SlurmRefusal refusal) {
            throw strange(target, reply, refusal.getMessage());
        }
        return list(what, target, reply, answer);
    }

    private JsonNode list(String what, String target, RestTransport.Reply reply, JsonNode answer) {
        JsonNode list = answer.path(what);
        if (!list.isArray()) {
            throw strange(target, reply, "there is no list of " + what);
        }
        return list;
    }

    private static boolean isUnchanged(JsonNode answer, String what) {
        JsonNode error = answer.path("errors").path(0);
        if (error.isObject()) {
            return new SlurmJson(error).number("error_number", 0) == NO_CHANGE
                    && error.path("description").asText().contains("query " + what);
        }
        return answer.path(what).isEmpty() && new SlurmJson(answer).number("last_update", -1) == 0;
    }

    /** Returns the reservations; none where slurmrestd does not tell them. */
    public List<SlurmReservation> reservations() {
        List<SlurmReservation> reservations = new ArrayList<>();
        told("reservations").forEach(node -> reservations.add(SlurmReservation.of(node)));
        return reservations;
    }

    /** Returns the partitions by name; none where slurmrestd does not tell. */
    public Map<String, SlurmPartition> partitions() {
        Map<String, SlurmPartition> partitions = new TreeMap<>();
        told("partitions").forEach(node -> partitions.put(node.path("name").asText(), SlurmPartition.of(node)));
        return partitions;
    }

    /** Returns how many of each licence are free and not reserved; none where slurmrestd does not tell them. */
    public Map<String, Long> freeLicences() {
        Map<String, Long> free = new TreeMap<>();
        for (JsonNode node : told("licenses")) {
            SlurmJson json = new SlurmJson(node);
            long left = json.number("Free", json.number("FreeLicenses", 0)) - json.number("Reserved", 0);
            free.put(node.path("LicenseName").asText(), Math.max(0, left));
        }
        return free;
    }

    private JsonNode told(String what) {
        String target = path(what);
        RestTransport.Reply reply = exchange("GET", target, null);
        try {
            return accepted(target, reply).path(what);
        } catch (SlurmRefusal refusal) {
            log.debug("no {}: {}", what, refusal.getMessage());
            return MissingNode.getInstance();
        }
    }

    /** Returns a job, a task of an array or a component of a heterogeneous job; empty when Slurm does not know it (any more). */
    public Optional<SlurmJob> job(String name) {
        if (!NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        int component = name.indexOf('+');
        if (component > 0) {
            return called(name, records(name.substring(0, component)));
        }
        int task = name.indexOf('_');
        if (task < 0) {
            List<SlurmJob> found = records(name);
            return called(name, found).or(() -> found.stream().findFirst());
        }
        @Nullable String number = numbers.get(name);
        Optional<SlurmJob> known = number == null ? Optional.empty() : called(name, records(number));
        return known.isPresent() ? known : called(name, records(name.substring(0, task)));
    }

    /**
     * Returns a task that waits without a record of its own, as its array was read last; empty when it is known to have one, or
     * nothing was seen of it in the last seconds. Who has just changed the task asks for the {@link #job}.
     */
    public Optional<SlurmJob> waitingTask(String name) {
        int task = name.indexOf('_');
        return task < 0 || !NAME.matcher(name).matches() || numbers.containsKey(name)
                ? Optional.empty()
                : waitingTasks.fresh(name.substring(0, task)).map(all -> all.called(name));
    }

    /** Returns the record of all tasks of an array that have none of their own, as it was read last, or else all of the array. */
    public List<SlurmJob> waitingTasks(String array) {
        return waitingTasks.of(array).map(List::of).orElseGet(() -> records(array));
    }

    /** Takes note of a listing of the queue: which tasks have records of their own. */
    public void listed(Collection<QueueLine> lines) {
        waitingTasks.listed();
        for (QueueLine line : lines) {
            if (line.array() != 0 && !line.hasNoRecord()) {
                numbers.put(line.id(), line.number());
            }
        }
    }

    /** What waits of an array is no longer as it was read. */
    public void outdated(long array) {
        waitingTasks.forget(Long.toString(array));
    }

    /** Returns the job or task of that name among those; a record of its own comes before that of all that have none. */
    public static Optional<SlurmJob> called(String name, List<SlurmJob> records) {
        Optional<SlurmJob> own =
                records.stream().filter(job -> job.isCalled(name)).findFirst();
        return own.isPresent()
                ? own
                : records.stream()
                        .flatMap(job -> Stream.ofNullable(job.called(name)))
                        .findFirst();
    }

    /**
     * Returns the records of that number: one, or with the number of an array or of a heterogeneous job all of its; none when
     * Slurm does not know it.
     */
    public List<SlurmJob> records(String id) {
        String target = path("job/" + id);
        RestTransport.Reply reply = fetched(target);
        JsonNode answer;
        try {
            answer = accepted(target, reply);
        } catch (SlurmRefusal refusal) {
            if (refusal.error().isUnknownJob()) {
                return List.of();
            }
            throw strange(target, reply, refusal.getMessage());
        }
        waitingTasks.forget(id);
        return read(answer.path("jobs"));
    }

    /**
     * Begins to fetch the records of jobs that are asked for in a moment, one after the other. What is begun is given to who asks
     * for such a {@link #job} next, unless that takes longer than a moment or it is {@linkplain #forgetAhead forgotten} before.
     *
     * @param names of jobs and of tasks with a record of their own; others are passed over
     */
    public void readAhead(Collection<String> names) {
        List<String> targets = new ArrayList<>(names.size());
        for (String name : names) {
            @Nullable String number = name.indexOf('_') < 0 ? name : numbers.get(name);
            if (number != null && NUMBER.matcher(number).matches()) {
                targets.add(path("job/" + number));
            }
        }
        ahead.ask(targets, limit);
    }

    /** What was read ahead and is not asked for yet is read anew. */
    public void forgetAhead() {
        ahead.forget();
    }

    private List<SlurmJob> read(JsonNode list) {
        List<SlurmJob> jobs = new ArrayList<>(list.size());
        for (JsonNode node : list) {
            if (node.isObject()) {
                SlurmJob job = SlurmJob.of(node);
                jobs.add(job);
                waitingTasks.read(job);
                if (job.array() != null && job.array().task() != null) {
                    numbers.put(job.key(), Long.toString(job.id()));
                }
            }
        }
        return jobs;
    }

    /** Changes a job. */
    public void update(String id, JobChange change) throws SlurmRefusal {
        update(id, change.toJson(version()));
    }

    /** Changes which nodes a job asks for; alone of a first component, which scontrol cannot. */
    public void update(String id, NodeChange change) throws SlurmRefusal {
        update(id, change.toJson(version()));
    }

    private void update(String id, JsonNode change) throws SlurmRefusal {
        String target = path("job/" + URLEncoder.encode(id, StandardCharsets.UTF_8));
        String body = change.toString();
        JsonNode answer = accepted(target, exchange("POST", target, body, SlurmCommands.forChanges(limit)));
        for (JsonNode result : answer.path("results")) {
            long number = new SlurmJson(result).number("error_code", 0);
            if (number != 0) {
                throw new SlurmRefusal(
                        new SlurmError((int) number, result.path("error").asText("no text")));
            }
        }
    }

    /** Ends a job, running or not. */
    public void cancel(String id) throws SlurmRefusal {
        String target = path("job/" + id);
        accepted(target, exchange("DELETE", target, null));
    }

    /** Sends a signal to the processes of a running job: a name without SIG, or a number. */
    public void signal(String id, String signal) throws SlurmRefusal {
        String target = path("job/" + id + "?signal=" + URLEncoder.encode(signal, StandardCharsets.UTF_8));
        accepted(target, exchange("DELETE", target, null));
    }

    private String path(String what) {
        return "/slurm/" + version() + "/" + what;
    }

    private RestTransport.Reply fetched(String target) {
        try {
            return ahead.take(target).orElseGet(() -> exchange("GET", target, null));
        } catch (IOException e) {
            throw away("GET", target, e);
        }
    }

    private RetriableRmException away(String method, String target, IOException failure) {
        agreed = null;
        return new RetriableRmException(
                method + " " + target + " at " + transport + " failed: " + failure + ". Does slurmrestd run there?",
                failure);
    }

    private RestTransport.Reply exchange(String method, String target, @Nullable String body) {
        return exchange(method, target, body, limit);
    }

    private RestTransport.Reply exchange(String method, String target, @Nullable String body, Duration patience) {
        try {
            return transport.send(
                    method, target, body == null ? null : body.getBytes(StandardCharsets.UTF_8), patience);
        } catch (IOException e) {
            throw away(method, target, e);
        }
    }

    private JsonNode answered(String target, RestTransport.Reply reply) {
        try {
            return accepted(target, reply);
        } catch (SlurmRefusal refusal) {
            throw strange(target, reply, refusal.getMessage());
        }
    }

    /** Returns the answer to a request that was accepted. */
    private JsonNode accepted(String target, RestTransport.Reply reply) throws SlurmRefusal {
        JsonNode answer = read(reply, target);
        accept(target, reply, answer);
        return answer;
    }

    private void accept(String target, RestTransport.Reply reply, JsonNode answer) throws SlurmRefusal {
        if (!answer.path("meta").isObject()) {
            throw strange(target, reply, "this is not slurmrestd's");
        }
        for (JsonNode error : answer.path("errors")) {
            SlurmError what = new SlurmError(
                    (int) new SlurmJson(error).number("error_number", new SlurmJson(error).number("errno", 0)),
                    error.path("error").asText(error.path("description").asText("no text")));
            if (what.isAway() && !target.contains(UPDATE_TIME)) {
                agreed = null;
                throw new RetriableRmException("slurmrestd at " + transport + " answers " + target + ": " + what.text()
                        + " (" + what.number() + "). Does slurmctld run?");
            }
            throw new SlurmRefusal(what);
        }
    }

    private JsonNode read(RestTransport.Reply reply, String target) {
        JsonNode answer;
        try {
            answer = parse(reply.body());
        } catch (IOException e) {
            throw strange(target, reply, "this is not JSON");
        }
        if (answer == null || !answer.isObject()) {
            throw strange(target, reply, "this is no JSON object");
        }
        return answer;
    }

    /**
     * Slurm takes job names, comments and the like in whatever bytes its users' terminals send, and slurmrestd passes them on as they
     * are: what is no UTF-8 is replaced.
     */
    private static JsonNode parse(byte[] body) throws IOException {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException | CharConversionException e) {
            return JSON.readTree(new InputStreamReader(new ByteArrayInputStream(body), StandardCharsets.UTF_8));
        }
    }

    private RetriableRmException strange(String target, RestTransport.Reply reply, @Nullable String why) {
        agreed = null;
        String text = new String(reply.body(), 0, Math.min(reply.body().length, 80), StandardCharsets.UTF_8);
        return new RetriableRmException(
                transport + " answers " + target + " with " + reply + ": " + why + ": " + text.replaceAll("\\s+", " "));
    }

    @Override
    public void close() {
        ahead.close();
        transport.close();
    }
}

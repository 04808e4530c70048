package io.weir.scheduler.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.scheduler.core.request.form.NormalRequest;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.scheduler.core.request.form.RequestSubject;
import io.weir.scheduler.core.request.form.SchedulerAction;
import io.weir.scheduler.query.image.ClusterImage;
import io.weir.scheduler.query.image.LiveImage;
import io.weir.scheduler.query.image.PublishedPolicy;
import io.weir.scheduler.query.request.RecentAnswers;
import io.weir.scheduler.query.request.RequestClient;
import io.weir.scheduler.query.view.ClusterViews;
import io.weir.scheduler.query.view.JobSelection;
import io.weir.scheduler.query.view.LivePriorities;
import io.weir.scheduler.query.view.PriorityRanking;
import io.weir.scheduler.query.view.RecordJson;
import io.weir.scheduler.query.view.StandingJson;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.service.BrokerTrouble;
import io.weir.service.http.HttpCall;
import io.weir.service.http.HttpHandler;
import io.weir.service.http.HttpRefusal;
import io.weir.service.http.HttpReply;
import io.weir.topics.EntityKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What there is at which path. {@code GET /v1/clusters} lists the clusters, {@code GET /v1/<cluster>/<view>[/<id>]} gives
 * the views of {@link ClusterViews}, {@code POST /v1/<cluster>/requests} hands a request to the scheduler and waits for its
 * answer, or several ({@link RequestBatch}) and for all their answers, {@code GET /v1/<cluster>/requests/<id>} looks for one that has not come in time, {@code POST
 * /v1/<cluster>/policy} puts a configuration in force. A question asked again before the next iteration is answered as
 * before. Thread-safe.
 */
final class ApiRoutes implements HttpHandler {
    private static final Logger log = LoggerFactory.getLogger(ApiRoutes.class);
    private static final long LOOK_MILLIS = 50;
    private static final int LONGEST_ID = 512;
    private static final String READING = "GET, HEAD, OPTIONS";
    private static final String WRITING = "POST, OPTIONS";
    private static final String BOTH = "GET, HEAD, POST, OPTIONS";

    private final ApiSettings settings;
    private final ApiGate gate;
    private final List<String> clusters;
    private final LiveImage image;
    private final RequestClient client;
    private final ApiThreads threads;
    private final ApiWarnings warnings;
    private final Function<String, Optional<String>> halted;
    private final Runnable stop;
    private final RecentAnswers recent = new RecentAnswers();
    private final LivePriorities priorities;

    ApiRoutes(
            ApiSettings settings,
            List<String> clusters,
            LiveImage image,
            RequestClient client,
            ApiThreads threads,
            ApiWarnings warnings,
            Function<String, Optional<String>> halted,
            Runnable stop) {
        this.halted = halted;
        this.warnings = warnings;
        this.settings = settings;
        this.gate = new ApiGate(settings);
        this.clusters = clusters;
        this.image = image;
        this.client = client;
        this.threads = threads;
        this.stop = stop;
        this.priorities = new LivePriorities(client::ask);
    }

    @Override
    public CompletionStage<HttpReply> answer(HttpCall call) {
        Caller caller = gate.admit(call);
        Principal principal = caller.principal();
        Place place = Place.of(call.path());
        JobSelection selection = selection(call, place);
        String allowed = place.allowed();
        if (call.method().equals("OPTIONS")) {
            return HttpReply.options(allowed).now();
        } else if (List.of(allowed.split(", ")).stream().noneMatch(call.method()::equals)) {
            throw HttpRefusal.method(call.method(), allowed);
        } else if (call.method().equals("POST")) {
            return call.body()
                    .thenCompose(body -> threads.write(caller, () -> told(call, () -> post(caller, place, body))));
        }
        return threads.read(
                caller,
                () -> told(
                        call,
                        () -> get(principal, place, selection)
                                .compressedFor(call.header("Accept-Encoding").orElse(""))));
    }

    /** Reads the parameters, which lists of jobs have; elsewhere there are none. */
    private static JobSelection selection(HttpCall call, Place place) {
        if (call.parameters().isEmpty()) {
            return JobSelection.ALL;
        }
        if (!JobSelection.appliesTo(place.what()) || !place.id().isEmpty()) {
            throw new HttpRefusal(
                    HttpRefusal.BAD_REQUEST,
                    "Parameters " + call.parameters().keySet() + " are not known; there are none");
        }
        return JobSelection.of(place.what(), call.parameters());
    }

    /**
     * What a path names.
     *
     * @param cluster name of the cluster, or the word that stands for the list of all
     * @param what view, {@code requests}, {@code policy}, or nothing
     * @param id id of an entity or a request, or nothing
     */
    private record Place(String cluster, String what, String id) {
        static Place of(List<String> path) {
            if (path.size() < 2 || !path.get(0).equals("v1")) {
                throw new HttpRefusal(HttpRefusal.NOT_FOUND, "Try /v1/clusters or /v1/<cluster>/queue");
            }
            String id = path.size() < 4 ? "" : String.join("/", path.subList(3, path.size()));
            if (id.length() > LONGEST_ID) {
                throw new HttpRefusal(
                        HttpRefusal.BAD_REQUEST,
                        "The id in the path has " + id.length() + " characters; at most " + LONGEST_ID
                                + " are allowed");
            }
            return new Place(path.get(1), path.size() < 3 ? "" : path.get(2), id);
        }

        String allowed() {
            if (what.equals("requests")) {
                return id.isEmpty() ? WRITING : READING;
            }
            return what.equals("policy") && id.isEmpty() ? BOTH : READING;
        }
    }

    /** Work that may wait for the broker. */
    @FunctionalInterface
    private interface Work {
        HttpReply done() throws InterruptedException;
    }

    /** Does {@code work}; what the broker does not answer is for later. */
    private HttpReply told(HttpCall call, Work work) {
        try {
            return warnings.addTo(work.done());
        } catch (KafkaException e) {
            log.warn("{}: broker or registry did not do it: {}", call, BrokerTrouble.describe(e));
            throw HttpRefusal.later(
                    HttpRefusal.UNAVAILABLE,
                    BrokerTrouble.remedy(e)
                            .map(remedy -> e.getMessage() + ". " + remedy)
                            .orElse("The broker or the schema registry does not answer"),
                    5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HttpRefusal(HttpRefusal.UNAVAILABLE, "The service is stopping");
        }
    }

    private HttpReply get(Principal principal, Place place, JobSelection selection) throws InterruptedException {
        String cluster = place.cluster();
        if (place.what().isEmpty() && cluster.equals("clusters")) {
            return ok(image.read(ClusterViews::clusters));
        } else if (place.what().equals("requests")) {
            return ok(RecordJson.of(client.answer(new EntityKey(cluster, RequestForm.recordedId(principal, place.id())))
                    .orElseThrow(() -> new HttpRefusal(HttpRefusal.NOT_FOUND, "No answer to request " + place.id()))));
        }
        PriorityRanking ranking =
                place.what().equals("queue") && selection.limit() > 0 ? ranking(cluster) : PriorityRanking.NONE;
        return ok(image.read(all -> view(all, principal, place, ranking, selection)));
    }

    private HttpReply post(Caller caller, Place place, byte[] body) throws InterruptedException {
        JsonNode parsed = StrictJson.object(body);
        if (place.what().equals("policy")) {
            return ok(publish(caller.principal(), place.cluster(), parsed));
        }
        return RequestBatch.is(parsed)
                ? ok(askAll(caller, place.cluster(), parsed))
                : ask(caller.principal(), place.cluster(), parsed);
    }

    /** Asks for the order of the queue where anything ranks jobs; elsewhere it is that of submission. */
    private PriorityRanking ranking(String cluster) throws InterruptedException {
        boolean weighed = clusters.contains(cluster) && image.read(all -> PriorityRanking.isRanked(all, cluster));
        return weighed
                ? priorities.of(cluster, image.read(all -> StandingJson.iteration(all, cluster)))
                : PriorityRanking.NONE;
    }

    private JsonNode view(
            ClusterImage all, Principal principal, Place place, PriorityRanking ranking, JobSelection selection) {
        String cluster = place.cluster();
        String view = place.what();
        String id = place.id();
        if (!all.clusters().contains(cluster)) {
            throw noCluster(cluster, all.clusters());
        }
        RequestRules rules = new RequestRules(all, cluster);
        rules.checkView(principal, view, id);
        Optional<String> owner = rules.seesOwnOnly(principal) ? Optional.of(principal.name()) : Optional.empty();
        return new ClusterViews(all, cluster, Instant.now(), owner, ranking, selection)
                .view(view, id)
                .map(read -> view.equals("scheduler") ? withLogLevel(read) : read)
                .map(read -> halted.apply(cluster)
                        .map(why -> StandingJson.halted(read, why))
                        .orElse(read))
                .orElseThrow(() -> new HttpRefusal(
                        HttpRefusal.NOT_FOUND,
                        id.isEmpty()
                                ? "There is no view '" + view
                                        + "'; there are queue, jobs, nodes, reservations, explanations, waits,"
                                        + " connectors, scheduler and policy"
                                : "There is no '" + id + "' among the " + view + " of " + cluster));
    }

    /** Adds {@code logLevel}, which is that of this process, to what is told of the scheduler. */
    private static JsonNode withLogLevel(JsonNode scheduler) {
        if (scheduler instanceof ObjectNode object) {
            LogLevel.get().ifPresent(level -> object.put("logLevel", level));
        }
        return scheduler;
    }

    /** What was asked and answered. */
    private record Asked(RequestForm form, RequestResult result) {}

    private HttpReply ask(Principal principal, String cluster, JsonNode body) throws InterruptedException {
        Asked asked = asked(principal, cluster, body);
        setLogLevel(asked);
        HttpReply reply = ok(RecordJson.of(asked.result()));
        return endsService(asked.form().normal(), asked.result()) ? reply.andThen(this::end) : reply;
    }

    /** Returns the scheduler's answer to a request; refuses what the principal may not ask, or what is not answered. */
    RequestResult result(Principal principal, String cluster, JsonNode body) throws InterruptedException {
        return asked(principal, cluster, body).result();
    }

    private Asked asked(Principal principal, String cluster, JsonNode body) throws InterruptedException {
        if (!clusters.contains(cluster)) {
            throw noCluster(cluster, clusters);
        }
        RequestForm form = RequestForm.read(principal, cluster, body, Instant.now());
        Request request = form.request();
        image.read(all -> {
            new RequestRules(all, cluster).checkRequest(principal, form.normal());
            return cluster;
        });
        boolean question = RequestSubject.of(request.getKind()).isQuestion();
        Optional<RequestResult> known = question
                ? image.read(all -> recent.find(request, StandingJson.iteration(all, cluster)))
                : Optional.empty();
        if (known.isPresent()) {
            return new Asked(form, known.get());
        }
        RequestResult result = client.ask(request, form.normal().fingerprint(principal.name()), settings.timeout())
                .orElseThrow(() -> unanswered(cluster, form));
        if (question) {
            recent.keep(request, result);
        }
        return new Asked(form, result);
    }

    /** Asks several requests in their order, but for those that the principal may not make. */
    private JsonNode askAll(Caller caller, String cluster, JsonNode body) throws InterruptedException {
        if (!clusters.contains(cluster)) {
            throw noCluster(cluster, clusters);
        }
        Principal principal = caller.principal();
        List<RequestForm> forms = RequestBatch.read(principal, cluster, body, Instant.now());
        gate.count(caller, forms.size() - 1);
        List<Optional<HttpRefusal>> refusals = image.read(all -> {
            RequestRules rules = new RequestRules(all, cluster);
            return forms.stream()
                    .map(form -> rules.refusal(principal, form.normal()))
                    .toList();
        });
        List<RequestClient.Asked> asked = new ArrayList<>();
        for (int i = 0; i < forms.size(); i++) {
            if (refusals.get(i).isEmpty()) {
                RequestForm form = forms.get(i);
                asked.add(new RequestClient.Asked(form.request(), form.normal().fingerprint(principal.name())));
            }
        }
        Iterator<Optional<RequestResult>> results =
                client.ask(asked, settings.timeout()).iterator();
        List<JsonNode> answers = new ArrayList<>();
        for (int i = 0; i < forms.size(); i++) {
            RequestForm form = forms.get(i);
            answers.add(refusals.get(i)
                    .map(RequestBatch::refusal)
                    .orElseGet(() -> results.next()
                            .map(RecordJson::of)
                            .map(JsonNode.class::cast)
                            .orElseGet(() -> RequestBatch.refusal(unanswered(cluster, form)))));
        }
        return RequestBatch.reply(answers);
    }

    private HttpRefusal unanswered(String cluster, RequestForm form) {
        return new HttpRefusal(
                HttpRefusal.TIMED_OUT,
                "The scheduler has not answered request " + form.id() + " within "
                        + settings.timeout().toSeconds() + " s; it may still do it: GET /v1/" + cluster
                        + "/requests/" + form.id() + ", or ask again with the same id");
    }

    private static boolean endsService(NormalRequest request, RequestResult result) {
        return isAccepted(SchedulerAction.SHUTDOWN, request, result);
    }

    /** Sets how much this process logs, once the scheduler let whoever asked for it do so. */
    private static void setLogLevel(Asked asked) {
        NormalRequest request = asked.form().normal();
        if (!isAccepted(SchedulerAction.LOGLEVEL, request, asked.result())) {
            return;
        }
        String level = request.text("level");
        if (!LogLevel.set(Integer.parseInt(level))) {
            throw new HttpRefusal(
                    HttpRefusal.UNAVAILABLE, "What logs in this process cannot be set while it runs; level " + level);
        }
        log.info("Log level {}, as asked for", level);
    }

    private static boolean isAccepted(SchedulerAction action, NormalRequest request, RequestResult result) {
        return request.kind() == RequestKind.CONTROL_SCHEDULER
                && result.getOutcome() == RequestOutcome.ACCEPTED
                && request.choice("action", SchedulerAction.class) == action;
    }

    private void end() {
        log.info("Shutting down as asked for");
        stop.run();
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
        PublishedPolicy published = image.read(all -> PublishedPolicy.into(all, version));
        client.publish(version);
        long deadline = System.nanoTime() + settings.timeout().toNanos();
        while (!image.read(published::isInForce)) {
            if (System.nanoTime() > deadline) {
                throw new HttpRefusal(
                        HttpRefusal.TIMED_OUT,
                        "Configuration " + version.getVersion() + " is published; it is not in force after "
                                + settings.timeout().toSeconds() + " s");
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return RecordJson.of(version).without("text");
    }

    private static HttpRefusal noCluster(String cluster, Iterable<String> known) {
        return new HttpRefusal(
                HttpRefusal.NOT_FOUND, "There is no cluster '" + cluster + "'; there are: " + String.join(", ", known));
    }

    private static HttpReply ok(JsonNode body) {
        return HttpReply.json(HttpReply.OK, body);
    }
}

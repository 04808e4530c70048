package io.weir.scheduler.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.scheduler.query.nonstop.CallbackRules;
import io.weir.scheduler.query.nonstop.NonstopEventLog;
import io.weir.scheduler.query.view.RecordJson;
import io.weir.schemas.NameValue;
import io.weir.schemas.NonstopEvent;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.service.http.HttpCall;
import io.weir.service.http.HttpHandler;
import io.weir.service.http.HttpRefusal;
import io.weir.service.http.HttpReply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The failure service of one cluster over HTTP; docs/nonstop-api.yaml describes it. Each call is a request to the scheduler
 * in the name of the token's holder. What the scheduler refuses is {@code {"error": CODE, "message": …, "value": …}}.
 * Thread-safe.
 */
final class NonstopRoutes implements HttpHandler {
    /** Paths that are posted to below a job, with the kind of request each makes and the fields its body may have. */
    static final Map<String, Action> JOB_ACTIONS = Map.of(
            "replace", new Action(RequestKind.REPLACE_JOB_NODE, List.of("node")),
            "drop", new Action(RequestKind.DROP_JOB_NODE, List.of("node")),
            "extend", new Action(RequestKind.EXTEND_JOB, List.of("minutes")),
            "subscribe", new Action(RequestKind.SUBSCRIBE_JOB, List.of("endpoint")),
            "unsubscribe", new Action(RequestKind.UNSUBSCRIBE_JOB, List.of("endpoint")),
            "cancel", new Action(RequestKind.CANCEL_JOB, List.of()));

    /** What is posted to {@code drain}. */
    static final Action DRAIN = new Action(RequestKind.DRAIN_NODES, List.of("nodes", "reason"));

    private static final Set<String> LISTS = Set.of("nodes");
    private static final Set<String> NUMBERS =
            Set.of("pendingDelay", "replacedCount", "balance", "lostCount", "nodeCount", "minutes");

    /** How long a call for events waits for the first one: short of what a client or a proxy takes for dead. */
    private static final Duration EVENTS_PATIENCE = Duration.ofSeconds(20);

    private final String cluster;
    private final ApiGate gate;
    private final ApiThreads threads;
    private final Asker asker;
    private final CallbackRules callbacks;
    private final NonstopEventLog events;

    /**
     * What a path makes of a body.
     *
     * @param kind request
     * @param fields fields of the body, which are the request's arguments
     */
    record Action(RequestKind kind, List<String> fields) {}

    /** Puts a request to the scheduler and waits for its answer. */
    @FunctionalInterface
    interface Asker {
        RequestResult ask(Principal principal, JsonNode request) throws InterruptedException;
    }

    NonstopRoutes(
            String cluster,
            ApiGate gate,
            ApiThreads threads,
            Asker asker,
            CallbackRules callbacks,
            NonstopEventLog events) {
        this.cluster = cluster;
        this.gate = gate;
        this.threads = threads;
        this.asker = asker;
        this.callbacks = callbacks;
        this.events = events;
    }

    @Override
    public CompletionStage<HttpReply> answer(HttpCall call) {
        CompletionStage<HttpReply> answer;
        try {
            answer = routed(call);
        } catch (HttpRefusal refusal) {
            return coded(refusal).now();
        }
        return answer.exceptionally(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof HttpRefusal refusal) {
                return coded(refusal);
            }
            throw failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
        });
    }

    /** Returns a refusal with the code by which programs know it. */
    private static HttpReply coded(HttpRefusal refusal) {
        String code = switch (refusal.status()) {
            case HttpRefusal.UNAUTHORIZED, HttpRefusal.FORBIDDEN -> "EPERM";
            case HttpRefusal.UNAVAILABLE, HttpRefusal.FAILED -> "ESERVICE";
            case HttpRefusal.TIMED_OUT, HttpRefusal.REQUEST_TIMEOUT -> "ETIMEDOUT";
            case HttpRefusal.TOO_MANY -> "EBUSY";
            default -> "ECMD";
        };
        HttpReply reply = HttpReply.json(refusal.status(), error(code, String.valueOf(refusal.getMessage())));
        for (Map.Entry<String, String> header : refusal.headers().entrySet()) {
            reply = reply.with(header.getKey(), header.getValue());
        }
        return reply;
    }

    private CompletionStage<HttpReply> routed(HttpCall call) {
        Caller caller = gate.admit(call);
        Principal principal = caller.principal();
        List<String> path = call.path();
        if (path.size() < 3 || !path.get(0).equals("nonstop") || !path.get(1).equals("v1")) {
            throw notFound();
        }
        List<String> place = path.subList(2, path.size());
        boolean reading = call.method().equals("GET");
        if (reading && place.equals(List.of("config"))) {
            return threads.write(caller, () -> asked(principal, request(RequestKind.SHOW_NONSTOP, "config")));
        } else if (reading && place.size() == 2 && place.get(0).equals("jobs")) {
            return threads.write(caller, () -> asked(principal, request(RequestKind.SHOW_JOB_FAILURES, place.get(1))));
        } else if (reading
                && place.size() == 3
                && place.get(0).equals("jobs")
                && place.get(2).equals("events")) {
            return events(caller, place.get(1), call.header("Last-Event-ID").orElse(null));
        }
        boolean drain = place.equals(List.of("drain"));
        Action action =
                drain ? DRAIN : place.size() == 3 && place.get(0).equals("jobs") ? JOB_ACTIONS.get(place.get(2)) : null;
        if (action == null) {
            throw notFound();
        } else if (!call.method().equals("POST")) {
            throw HttpRefusal.method(call.method(), "POST");
        }
        String object = drain ? "nodes" : place.get(1);
        return call.body().thenCompose(bytes -> {
            JsonNode body = StrictJson.object(bytes);
            if (action.kind() == RequestKind.SUBSCRIBE_JOB
                    && !callbacks.mayAllow(body.path("endpoint").asText())) {
                return HttpReply.json(
                                HttpRefusal.BAD_REQUEST,
                                error(
                                        "EPORT",
                                        "The site lets nobody be called back at '"
                                                + body.path("endpoint").asText() + "' (nonstop.callbacks)"))
                        .now();
            }
            JsonNode request = request(action, object, body);
            return threads.write(
                    caller,
                    () -> action.kind() == RequestKind.CANCEL_JOB
                            ? cancelled(principal, object, request)
                            : asked(principal, request));
        });
    }

    /** Cancels a job. Why it could not be is said in this service's words: it is no request of this service alone. */
    private HttpReply cancelled(Principal principal, String job, JsonNode request) {
        HttpReply reply = asked(principal, request, "EJOBUPDATE");
        if (reply.status() != HttpRefusal.FORBIDDEN && reply.status() != HttpRefusal.CONFLICT) {
            return reply;
        }
        HttpReply known = asked(principal, request(RequestKind.SHOW_JOB_FAILURES, job));
        return known.status() == HttpReply.OK ? reply : known;
    }

    /**
     * Answers with the events of a job after the last one known, as server-sent events, as soon as there is one; the client
     * then calls again. Who may is for the scheduler to say, which also knows the job.
     */
    private CompletionStage<HttpReply> events(Caller caller, String job, @Nullable String last) {
        return threads.write(caller, () -> asked(caller.principal(), request(RequestKind.SHOW_JOB_FAILURES, job)))
                .thenCompose(permitted -> permitted.status() != HttpReply.OK
                        ? permitted.now()
                        : this.events.await(cluster, job, last, EVENTS_PATIENCE).thenApply(NonstopRoutes::stream));
    }

    private static HttpReply stream(List<NonstopEvent> found) {
        StringBuilder text = new StringBuilder("retry: 1000\n\n");
        for (NonstopEvent event : found) {
            ObjectNode data = RecordJson.of(event);
            data.remove("endpoints");
            text.append("id: ").append(event.getEventId()).append('\n');
            text.append("event: ").append(event.getKind()).append('\n');
            text.append("data: ").append(data).append("\n\n");
        }
        return HttpReply.text(HttpReply.OK, "text/event-stream", text.toString());
    }

    private static HttpRefusal notFound() {
        return new HttpRefusal(
                HttpRefusal.NOT_FOUND, "Try /nonstop/v1/config or /nonstop/v1/jobs/<id>; the failure service is here");
    }

    private static ObjectNode request(RequestKind kind, String object) {
        return JsonNodeFactory.instance.objectNode().put("kind", kind.name()).put("objectId", object);
    }

    private static ObjectNode request(Action action, String object, JsonNode body) {
        ObjectNode request = request(action.kind(), object);
        ArrayNode arguments = request.putArray("arguments");
        body.properties().forEach(field -> {
            JsonNode value = field.getValue();
            if (field.getKey().equals("requestId") && value.isTextual()) {
                request.set("requestId", value);
            } else if (action.fields().contains(field.getKey()) && value.isValueNode() && !value.isNull()) {
                arguments.addObject().put("name", field.getKey()).put("value", value.asText());
            } else {
                throw new HttpRefusal(
                        HttpRefusal.BAD_REQUEST,
                        "'" + field.getKey() + "' is no field of this request, or has no plain value; there are "
                                + action.fields() + " and requestId");
            }
        });
        return request;
    }

    private HttpReply asked(Principal principal, JsonNode request) {
        return asked(principal, request, "ECMD");
    }

    /** Asks the scheduler; what it refuses without a code has {@code otherwise}. */
    private HttpReply asked(Principal principal, JsonNode request, String otherwise) {
        try {
            return reply(asker.ask(principal, request), otherwise);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HttpRefusal(HttpRefusal.UNAVAILABLE, "The service is stopping");
        } catch (HttpRefusal refusal) {
            if (refusal.status() != HttpRefusal.FORBIDDEN) {
                throw refusal;
            }
            return HttpReply.json(HttpRefusal.FORBIDDEN, error("EPERM", String.valueOf(refusal.getMessage())));
        }
    }

    private static ObjectNode error(String code, String message) {
        return JsonNodeFactory.instance.objectNode().put("error", code).put("message", message);
    }

    private static HttpReply reply(RequestResult result, String otherwise) {
        if (result.getOutcome() == RequestOutcome.ACCEPTED) {
            return HttpReply.json(HttpReply.OK, details(result));
        }
        String code = otherwise;
        String value = null;
        for (NameValue detail : result.getDetails()) {
            if (detail.getName().equals("error")) {
                code = detail.getValue();
            } else if (detail.getName().equals("value")) {
                value = detail.getValue();
            }
        }
        ObjectNode body = error(code, String.valueOf(result.getMessage()));
        int status = switch (code) {
            case "EPERM" -> HttpRefusal.FORBIDDEN;
            case "EJOBID", "ENOHOST" -> HttpRefusal.NOT_FOUND;
            case "ECMD", "EPORT" -> HttpRefusal.BAD_REQUEST;
            case "ESERVICE" -> HttpRefusal.UNAVAILABLE;
            default -> HttpRefusal.CONFLICT;
        };
        return HttpReply.json(status, value == null ? body : body.put("value", value));
    }

    private static ObjectNode details(RequestResult result) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("message", result.getMessage());
        ArrayNode lost = JsonNodeFactory.instance.arrayNode();
        for (NameValue detail : result.getDetails()) {
            String name = detail.getName();
            String text = detail.getValue();
            if (name.equals("lost")) {
                // The node comes first, and its name may have blanks.
                int state = text.lastIndexOf(' ');
                int procs = text.lastIndexOf(' ', state - 1);
                lost.addObject()
                        .put("node", text.substring(0, procs))
                        .put("cpus", Integer.parseInt(text.substring(procs + 1, state)))
                        .put("state", text.substring(state + 1));
            } else if (name.equals("endpoint")) {
                body.withArray("endpoints").add(text);
            } else if (LISTS.contains(name)) {
                ArrayNode list = body.putArray(name);
                for (String item : text.isEmpty() ? new String[0] : text.split(",", -1)) {
                    list.add(item);
                }
            } else if (NUMBERS.contains(name)) {
                body.put(name, Long.parseLong(text));
            } else {
                body.put(name, text);
            }
        }
        if (body.has("lostCount")) {
            body.set("lost", lost);
        }
        return body;
    }
}

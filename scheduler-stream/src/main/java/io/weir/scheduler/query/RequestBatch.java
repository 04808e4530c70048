package io.weir.scheduler.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.scheduler.core.request.form.RequestSubject;
import io.weir.service.http.HttpRefusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Several requests that come together and are put on the topic in their order: {@code {"requests": [{"kind": ...}, ...]}}.
 * Only changes of jobs, nodes and reservations may.
 */
final class RequestBatch {
    /** Requests of one batch at most; so many of one principal may wait for the scheduler's budget. */
    static final int MOST = 100;

    private static final String REQUESTS = "requests";

    private RequestBatch() {}

    /** Returns whether {@code body} has several requests. */
    static boolean is(JsonNode body) {
        return body.has(REQUESTS);
    }

    /**
     * Reads what {@code principal} sent at {@code now}.
     *
     * @throws HttpRefusal when it is no batch; none of its requests is carried out then
     */
    static List<RequestForm> read(Principal principal, String cluster, JsonNode body, Instant now) {
        StrictJson.onlyFields(body, Set.of(REQUESTS));
        JsonNode requests = body.path(REQUESTS);
        if (!requests.isArray() || requests.isEmpty() || requests.size() > MOST) {
            throw new HttpRefusal(HttpRefusal.BAD_REQUEST, "requests is to be a list of 1 to " + MOST + " requests");
        }
        List<RequestForm> forms = new ArrayList<>();
        for (JsonNode request : requests) {
            forms.add(read(principal, cluster, request, now, forms.size() + 1));
        }
        return forms;
    }

    private static RequestForm read(Principal principal, String cluster, JsonNode request, Instant now, int number) {
        RequestForm form;
        try {
            form = RequestForm.read(principal, cluster, request, now);
        } catch (HttpRefusal e) {
            throw new HttpRefusal(e.status(), "request " + number + ": " + e.getMessage());
        }
        if (!RequestSubject.of(form.normal().kind()).goesWithOthers()) {
            throw new HttpRefusal(
                    HttpRefusal.BAD_REQUEST,
                    "request " + number + ": " + form.normal().kind() + " is to be asked by itself; several may be "
                            + "changes of jobs, nodes and reservations");
        }
        return form;
    }

    /** Returns what is told of several requests, {@code answers} in the order of these. */
    static JsonNode reply(List<JsonNode> answers) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        answers.forEach(all::add);
        return JsonNodeFactory.instance.objectNode().set("answers", all);
    }

    /** Returns what is told of a request among several that has no answer of the scheduler. */
    static JsonNode refusal(HttpRefusal refusal) {
        ObjectNode told = JsonNodeFactory.instance.objectNode();
        return told.put("status", refusal.status()).put("error", refusal.getMessage());
    }
}

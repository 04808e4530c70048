package io.weir.scheduler.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.NormalRequest;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.scheduler.core.request.form.UnreadableRequestException;
import io.weir.schemas.NameValue;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.bound.Limit;
import io.weir.service.http.HttpRefusal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request as it comes in: {@code {"kind": "HOLD_JOB", "objectId": "17", "arguments": [{"name": "type", "value":
 * "user"}], "requestId": "...", "comment": "..."}}; the last three may be left out.
 *
 * @param id id by which its sender knows it
 * @param normal what it asks, in the form that is authorised and goes on the topic
 * @param request what goes on the topic: its id begins with the principal, so that nobody meets another's
 */
public record RequestForm(String id, NormalRequest normal, Request request) {
    private static final Set<String> FIELDS = Set.of("kind", "objectId", "arguments", "requestId", "comment");
    private static final Set<String> ARGUMENT_FIELDS = Set.of("name", "value");
    private static final int LONGEST_ID = 128;

    /** What the scheduler takes for an id, the principal's name included; anything longer it would never answer. */
    private static final int LONGEST_RECORDED_ID = Limit.NAME_LENGTH;

    private static final int LONGEST_COMMENT = 4_096;

    /** What the scheduler takes; anything longer it would set aside and never answer. */
    private static final int LONGEST_OBJECT = Limit.NAME_LENGTH;

    /**
     * Returns the id on the topic of what {@code principal} calls {@code id}. There is no colon in {@code id}, so that the
     * principal ends at the last one and nobody can name what is another's.
     */
    static String recordedId(Principal principal, String id) {
        if (id.indexOf(':') >= 0) {
            throw bad("requestId is '" + id + "'; it has no colon");
        }
        String recorded = principal.name() + ":" + id;
        if (recorded.length() > LONGEST_RECORDED_ID) {
            throw bad("requestId has " + id.length() + " characters; with the name " + principal.name() + " at most "
                    + Math.max(0, LONGEST_RECORDED_ID - 1 - principal.name().length()) + " are allowed");
        }
        return recorded;
    }

    /**
     * Reads what {@code principal} sent at {@code now}.
     *
     * @throws HttpRefusal when it is no request
     */
    public static RequestForm read(Principal principal, String cluster, JsonNode body, Instant now) {
        fields("the request", body, FIELDS);
        RequestKind kind = kind(text(body, "kind"));
        String id = text(body, "requestId");
        if (id.isEmpty()) {
            id = UUID.randomUUID().toString();
        } else if (id.length() > LONGEST_ID || id.chars().anyMatch(Character::isISOControl)) {
            throw bad("requestId has " + id.length() + " characters; at most " + LONGEST_ID
                    + " are allowed, and no control characters");
        }
        String comment = text(body, "comment");
        if (comment.length() > LONGEST_COMMENT) {
            throw bad("comment has " + comment.length() + " characters; at most " + LONGEST_COMMENT + " are allowed");
        }
        String object = text(body, "objectId");
        if (object.length() > LONGEST_OBJECT || object.chars().anyMatch(Character::isISOControl)) {
            throw bad("objectId has " + object.length() + " characters; at most " + LONGEST_OBJECT
                    + " are allowed, and no control characters");
        }
        NormalRequest normal;
        try {
            normal = NormalRequest.of(kind, object, arguments(body.path("arguments")));
        } catch (UnreadableRequestException e) {
            throw bad(String.valueOf(e.getMessage()));
        }
        return new RequestForm(
                id,
                normal,
                Request.newBuilder()
                        .setCluster(cluster)
                        .setRequestId(recordedId(principal, id))
                        .setPrincipal(principal.name())
                        .setLevel(level(principal))
                        .setKind(kind)
                        .setObjectId(normal.objectId())
                        .setComment(body.path("comment").isTextual() ? comment : null)
                        .setTime(now.truncatedTo(ChronoUnit.MILLIS))
                        .setArguments(normal.arguments())
                        .build());
    }

    /** Returns the level that a principal's token gives it; null where the configuration is to say. */
    private static @Nullable Integer level(Principal principal) {
        return principal.fixed().map(AccessLevel::number).orElse(null);
    }

    private static RequestKind kind(String name) {
        List<RequestKind> known = Arrays.stream(RequestKind.values())
                .filter(value -> value != RequestKind.UNKNOWN)
                .toList();
        return known.stream()
                .filter(value -> value.name().equals(name))
                .findFirst()
                .orElseThrow(() -> bad("kind is '" + StrictJson.shown(name) + "'; there are " + known));
    }

    private static List<NameValue> arguments(JsonNode given) {
        if (!given.isArray() && !given.isMissingNode() && !given.isNull()) {
            throw bad("arguments is no list; write [{\"name\": \"type\", \"value\": \"user\"}]");
        }
        List<NameValue> arguments = new ArrayList<>();
        for (JsonNode argument : given) {
            fields("an argument", argument, ARGUMENT_FIELDS);
            if (text(argument, "name").isEmpty() || !argument.has("value")) {
                throw bad("an argument has no name or no value; write {\"name\": \"type\", \"value\": \"user\"}");
            }
            arguments.add(new NameValue(text(argument, "name"), text(argument, "value")));
        }
        return arguments;
    }

    /** Refuses what is no object, or has another field than these. */
    private static void fields(String what, JsonNode object, Set<String> known) {
        if (!object.isObject()) {
            throw bad(what + " is no JSON object");
        }
        for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                throw bad("unknown field '" + name + "' of " + what + "; there are "
                        + known.stream().sorted().toList());
            }
        }
    }

    /** Returns a text; nothing when it is left out. */
    private static String text(JsonNode object, String field) {
        JsonNode value = object.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (!value.isTextual()) {
            throw bad(field + " is " + StrictJson.shown(value) + "; a text in quotes is needed");
        }
        return value.textValue();
    }

    private static HttpRefusal bad(String message) {
        return new HttpRefusal(HttpRefusal.BAD_REQUEST, message);
    }
}

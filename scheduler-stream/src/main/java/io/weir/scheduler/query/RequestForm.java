package io.weir.scheduler.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.schemas.NameValue;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * A request as it comes in: {@code {"kind": "HOLD_JOB", "objectId": "17", "arguments": [{"name": "type", "value":
 * "user"}], "requestId": "...", "comment": "..."}}; the last three may be left out.
 *
 * @param id id by which its sender knows it
 * @param request what goes on the topic: its id begins with the principal, so that nobody meets another's
 */
record RequestForm(String id, Request request) {
    private static final String LEVEL = "level";
    private static final int PLAIN_USER = 5;
    private static final int LONGEST_TEXT = 16_384;
    private static final int LONGEST_ID = 128;

    /** What the scheduler takes; anything longer it would set aside and never answer. */
    private static final int LONGEST_OBJECT = 256;

    /** Returns the id on the topic of what {@code principal} calls {@code id}. */
    static String recordedId(Principal principal, String id) {
        return principal.name() + ":" + id;
    }

    /** Reads {@code body}; refuses what is no request. */
    static RequestForm read(Principal principal, String cluster, JsonNode body) {
        RequestKind kind = Arrays.stream(RequestKind.values())
                .filter(value -> value.name().equals(body.path("kind").asText()) && value != RequestKind.UNKNOWN)
                .findFirst()
                .orElseThrow(() -> bad("kind is '" + body.path("kind").asText() + "'; there are "
                        + Arrays.stream(RequestKind.values())
                                .filter(value -> value != RequestKind.UNKNOWN)
                                .toList()));
        String id = body.path("requestId").asText("");
        if (id.isEmpty()) {
            id = UUID.randomUUID().toString();
        } else if (id.length() > LONGEST_ID) {
            throw bad("requestId has " + id.length() + " characters; at most " + LONGEST_ID + " are allowed");
        }
        String comment = body.path("comment").isTextual() ? body.path("comment").asText() : null;
        List<NameValue> arguments = new ArrayList<>();
        for (JsonNode argument : body.path("arguments")) {
            String name = argument.path("name").asText("");
            String value = argument.path("value").asText("");
            if (name.equals(LEVEL)) {
                throw bad("'level' is not for you to say");
            }
            if (name.isEmpty() || value.length() > LONGEST_TEXT) {
                throw bad("argument '" + name + "' has " + value.length()
                        + " characters; a name is needed and a value of at most " + LONGEST_TEXT);
            }
            arguments.add(new NameValue(name, value));
        }
        String object = body.path("objectId").asText("");
        if (object.length() > LONGEST_OBJECT || object.chars().anyMatch(Character::isISOControl)) {
            throw bad("objectId has " + object.length() + " characters; at most " + LONGEST_OBJECT
                    + " are allowed, and no control characters");
        }
        return new RequestForm(
                id,
                Request.newBuilder()
                        .setCluster(cluster)
                        .setRequestId(recordedId(principal, id))
                        .setPrincipal(principal.name())
                        .setKind(kind)
                        .setObjectId(object.isEmpty() ? "-" : object)
                        .setComment(comment)
                        .setTime(Instant.now().truncatedTo(ChronoUnit.MILLIS))
                        .setArguments(arguments)
                        .build());
    }

    /** Returns the request as it goes on the topic: one about reservations says the level of whoever asks, 5 for users. */
    Request at(AccessLevel level) {
        return switch (request.getKind()) {
            case CREATE_RESERVATION,
                    MODIFY_RESERVATION,
                    RELEASE_RESERVATION,
                    ENABLE_RESERVATION,
                    REBUILD_RESERVATION -> {
                List<NameValue> arguments = new ArrayList<>(request.getArguments());
                String label = level == AccessLevel.USER ? Integer.toString(PLAIN_USER) : level.label();
                arguments.add(new NameValue(LEVEL, label));
                yield Request.newBuilder(request).setArguments(arguments).build();
            }
            default -> request;
        };
    }

    private static ApiException bad(String message) {
        return new ApiException(ApiException.BAD_REQUEST, message);
    }
}

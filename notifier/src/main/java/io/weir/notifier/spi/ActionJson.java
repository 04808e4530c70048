package io.weir.notifier.spi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * The JSON form of the event behind an action: one object on one line, its fields always there and always in this order, the
 * time in ISO 8601 UTC, the severity in lower case, {@code owner} null for an object of the site. An action that is carried
 * out again has the same bytes, and so the same {@code id}. One way only. Safe for any thread.
 */
public final class ActionJson {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ActionJson() {}

    /** Returns the event behind {@code action} as one line without its end; its message is the body of the action. */
    public static String of(Action action) {
        ObjectNode json = MAPPER.createObjectNode()
                .put("id", action.id())
                .put("cluster", action.cluster())
                .put("time", action.time().toString())
                .put("severity", action.severity().name().toLowerCase(Locale.ROOT))
                .put("trigger", action.trigger())
                .put("event", action.event())
                .put("objectType", action.objectType())
                .put("objectId", action.objectId())
                .put("owner", action.owner().orElse(null))
                .put("message", action.body().orElse(""));
        try {
            return MAPPER.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of strings cannot fail to be written", e);
        }
    }
}

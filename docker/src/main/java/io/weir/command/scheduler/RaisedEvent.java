package io.weir.command.scheduler;

import io.weir.command.client.OperatorRequest;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event that an operator raises.
 *
 * @param name its name
 * @param message what happened; empty for nothing more
 * @param object what it happened to, {@code node:ID} or {@code job:ID}; null for the scheduler
 */
record RaisedEvent(String name, String message, @Nullable String object) {
    private static final String NODE = "node=";
    private static final String JOB = "job=";
    private static final String MESSAGE = "message=";

    /**
     * Reads what is said of an event: parts {@code node=ID}, {@code job=ID} and {@code message=TEXT}, or a text alone.
     *
     * @param said what happened; null for nothing more
     * @param object what it happened to, which counts more than what is said; null where nothing is stated
     */
    static RaisedEvent of(String name, @Nullable String said, @Nullable String object) {
        List<String> words = new ArrayList<>();
        String found = null;
        for (String part : said == null ? new String[0] : said.split(",", -1)) {
            String word = part.strip();
            if (word.startsWith(NODE)) {
                found = "node:" + word.substring(NODE.length());
            } else if (word.startsWith(JOB)) {
                found = "job:" + word.substring(JOB.length());
            } else {
                words.add(word.startsWith(MESSAGE) ? word.substring(MESSAGE.length()) : part);
            }
        }
        return new RaisedEvent(name, String.join(",", words), object == null ? found : object);
    }

    /** Returns the request to raise it. */
    OperatorRequest request() {
        String text = message.isEmpty() ? name : name + ":" + message;
        if (object == null) {
            return OperatorRequest.about(RequestKind.CONTROL_SCHEDULER, "")
                    .with("action", "gevent")
                    .with("gevent", text);
        }
        int colon = object.indexOf(':');
        return OperatorRequest.about(
                        object.startsWith("node:") ? RequestKind.MODIFY_NODE : RequestKind.MODIFY_JOB,
                        object.substring(colon + 1))
                .with("gevent", text);
    }
}

package io.weir.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * An answer.
 *
 * @param status HTTP status
 * @param type media type of the body
 * @param body body; who reads it duplicates it
 * @param headers further headers by name
 * @param sent run when the answer is sent
 */
public record HttpReply(int status, String type, ByteBuffer body, Map<String, String> headers, Runnable sent) {
    public static final int OK = 200;
    public static final int NO_CONTENT = 204;
    public static final String JSON = "application/json";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Returns an answer with {@code body} as JSON. */
    public static HttpReply json(int status, JsonNode body) {
        try {
            return new HttpReply(
                    status, JSON, ByteBuffer.wrap(MAPPER.writeValueAsBytes(body)), Map.of(), HttpReply::nothing);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A tree is always JSON", e);
        }
    }

    /** Returns an answer with {@code body} as UTF-8. */
    public static HttpReply text(int status, String type, String body) {
        return new HttpReply(
                status, type, ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)), Map.of(), HttpReply::nothing);
    }

    /** Returns the answer to OPTIONS, which lists the methods {@code allow} of a resource. */
    public static HttpReply options(String allow) {
        return text(NO_CONTENT, JSON, "").with("Allow", allow);
    }

    /** Returns this answer under another media type. */
    public HttpReply as(String other) {
        return new HttpReply(status, other, body, headers, sent);
    }

    /** Returns this answer with one more header. */
    public HttpReply with(String header, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(header, value);
        return new HttpReply(status, type, body, more, sent);
    }

    /** Returns this answer with an action for when it is sent. */
    public HttpReply andThen(Runnable action) {
        return new HttpReply(status, type, body, headers, action);
    }

    /** Returns this answer as one that is there already. */
    public CompletionStage<HttpReply> now() {
        return CompletableFuture.completedFuture(this);
    }

    private static void nothing() {
        // Nobody waits for this answer to be sent.
    }
}

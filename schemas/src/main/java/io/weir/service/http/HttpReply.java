package io.weir.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

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

    private static final String GZIP = "gzip";
    private static final int WORTH_COMPRESSING = 65_536;
    private static final int USUAL_RATIO = 8;
    private static final int PART = 8_192;
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

    /**
     * Returns this answer compressed, where it is long and its client takes that.
     *
     * @param accepted the client's header {@code Accept-Encoding}
     */
    public HttpReply compressedFor(String accepted) {
        if (body.remaining() < WORTH_COMPRESSING || !accepts(accepted)) {
            return this;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.remaining() / USUAL_RATIO);
        ByteBuffer rest = body.duplicate();
        try (OutputStream out = new FastGzip(bytes)) {
            byte[] part = new byte[PART];
            while (rest.hasRemaining()) {
                int length = Math.min(part.length, rest.remaining());
                rest.get(part, 0, length);
                out.write(part, 0, length);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written to", e);
        }
        return new HttpReply(status, type, ByteBuffer.wrap(bytes.toByteArray()), headers, sent)
                .with("Content-Encoding", GZIP)
                .with("Vary", "Accept-Encoding");
    }

    private static boolean accepts(String encodings) {
        return Arrays.stream(encodings.split(",", -1))
                .map(each -> each.strip().toLowerCase(Locale.ROOT).replace(" ", ""))
                .anyMatch(
                        each -> each.equals(GZIP) || (each.startsWith(GZIP + ";q=") && !each.matches(".*q=0(\\.0*)?")));
    }

    /** Compresses with little effort: lists repeat their names, and become a tenth with any. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, PART);
            def.setLevel(Deflater.BEST_SPEED);
        }
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

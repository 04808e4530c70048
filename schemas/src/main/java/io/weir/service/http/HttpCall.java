package io.weir.service.http;

import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** A request whose head is read and well-formed; its body is read when it is asked for, once. */
public final class HttpCall {
    /** Characters of a header that a refusal quotes. */
    private static final int SHOWN = 40;

    private final Request request;
    private final List<String> path;
    private final Map<String, String> parameters;
    private final int maxBody;
    private final Duration patience;
    private final Consumer<Boolean> awaited;

    /**
     * Takes a request apart; refuses a path or query that is not well-formed.
     *
     * @param awaited is told when the client has yet to send more of the body, and when no more is waited for
     */
    HttpCall(Request request, int maxBody, Duration patience, Consumer<Boolean> awaited) {
        this.request = request;
        this.path = PercentEncoding.segments(request.getHttpURI().getPath());
        this.parameters = PercentEncoding.parameters(request.getHttpURI().getQuery());
        this.maxBody = maxBody;
        this.patience = patience;
        this.awaited = awaited;
    }

    /** Returns the method in capitals; HEAD is GET, and the server leaves the body of its answer out. */
    public String method() {
        return request.getMethod().equals(HttpMethod.HEAD.asString()) ? "GET" : request.getMethod();
    }

    /** Returns the segments of the path, decoded, without empty ones. */
    public List<String> path() {
        return path;
    }

    /** Returns the path as it was sent. */
    public String rawPath() {
        return request.getHttpURI().getPath();
    }

    /** Returns the parameters of the query, decoded, in order. */
    public Map<String, String> parameters() {
        return parameters;
    }

    /** Returns a header, the first where it occurs more than once. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeaders().get(name));
    }

    /** Returns how often a header occurs. */
    public int count(String name) {
        return request.getHeaders().getValuesList(name).size();
    }

    /** Returns the address of the client. */
    public String remote() {
        return remote(request);
    }

    /** Returns the address from which {@code request} came; empty where there is none. */
    static String remote(Request request) {
        return request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress inet
                ? inet.getAddress().getHostAddress()
                : "";
    }

    /** Says whether it came in by TLS. */
    public boolean isSecure() {
        return request.isSecure();
    }

    /** Returns the name and port by which the server was called; empty where the request does not say. */
    public Optional<String> authority() {
        return Optional.ofNullable(request.getHttpURI().getAuthority());
    }

    /**
     * Reads the body. The future fails with a refusal when it is compressed, too long, or does not come in time, and
     * completes on a thread of the server.
     */
    public CompletableFuture<byte[]> body() {
        String encoding = header("Content-Encoding").orElse("").strip();
        if (!encoding.isEmpty() && !encoding.equalsIgnoreCase("identity")) {
            return CompletableFuture.failedFuture(new HttpRefusal(
                    HttpRefusal.UNSUPPORTED,
                    "A body with Content-Encoding '" + encoding.substring(0, Math.min(SHOWN, encoding.length()))
                            + "' is not read; send it as it is",
                    Map.of("Accept-Encoding", "identity")));
        }
        if (request.getLength() > maxBody) {
            return CompletableFuture.failedFuture(tooLarge());
        }
        CompletableFuture<byte[]> whole = new CompletableFuture<>();
        read(new ByteArrayOutputStream(), whole);
        return whole.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).handle((bytes, failure) -> {
            awaited.accept(false);
            if (failure instanceof TimeoutException) {
                throw new HttpRefusal(
                        HttpRefusal.REQUEST_TIMEOUT,
                        "The body did not come within " + patience.toSeconds() + " s",
                        Map.of("Connection", "close"));
            } else if (failure instanceof HttpRefusal refusal) {
                throw refusal;
            } else if (failure != null) {
                throw new HttpRefusal(HttpRefusal.BAD_REQUEST, "The body cannot be read: " + failure.getMessage());
            }
            return bytes;
        });
    }

    private void read(ByteArrayOutputStream into, CompletableFuture<byte[]> whole) {
        while (!whole.isDone()) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                awaited.accept(true);
                request.demand(() -> read(into, whole));
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                whole.completeExceptionally(chunk.getFailure());
                return;
            }
            ByteBuffer bytes = chunk.getByteBuffer();
            if (into.size() + bytes.remaining() > maxBody) {
                chunk.release();
                whole.completeExceptionally(tooLarge());
                return;
            }
            byte[] part = new byte[bytes.remaining()];
            bytes.get(part);
            into.writeBytes(part);
            boolean last = chunk.isLast();
            chunk.release();
            if (last) {
                whole.complete(into.toByteArray());
            }
        }
    }

    private HttpRefusal tooLarge() {
        return new HttpRefusal(
                HttpRefusal.TOO_LARGE, "A request has at most " + maxBody + " bytes", Map.of("Connection", "close"));
    }

    @Override
    public String toString() {
        return request.getMethod() + " " + rawPath();
    }
}

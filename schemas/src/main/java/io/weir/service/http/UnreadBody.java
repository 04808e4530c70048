package io.weir.service.http;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/**
 * What a request has sent beyond what its handler read. It is taken in and dropped before the answer goes out: a server
 * that closes a connection with unread bytes resets it, and the reset may reach the client before the answer does, so
 * that a refused client would see a broken connection instead of the reason. Bounded in bytes and in time; beyond them
 * the connection is closed behind the answer.
 */
final class UnreadBody {
    /** Greatest body that is taken in only to be dropped, bytes. */
    static final int MOST = 4 << 20;

    private final Request request;
    private final CompletableFuture<Boolean> atEnd = new CompletableFuture<>();
    private long dropped;

    private UnreadBody(Request request) {
        this.request = request;
    }

    /**
     * Drops what is left of a body.
     *
     * @param patience time in which the rest has to come
     * @return whether the end of the body was reached; never fails
     */
    static CompletableFuture<Boolean> drop(Request request, Duration patience) {
        boolean waits = request.getHeaders().contains(HttpHeader.EXPECT);
        if (waits || request.getLength() > MOST) {
            return CompletableFuture.completedFuture(false);
        }
        UnreadBody body = new UnreadBody(request);
        body.read();
        return body.atEnd.isDone()
                ? body.atEnd
                : body.atEnd.completeOnTimeout(false, patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void read() {
        while (!atEnd.isDone()) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this::read);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                atEnd.complete(false);
                return;
            }
            dropped += chunk.remaining();
            boolean last = chunk.isLast();
            chunk.release();
            if (last || dropped > MOST) {
                atEnd.complete(last);
            }
        }
    }
}

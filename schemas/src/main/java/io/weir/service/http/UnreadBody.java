package io.weir.service.http;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/**
 * What a request has sent beyond what its handler read. A server that closes a connection with unread bytes resets it, and
 * the reset may reach the client before the answer does, so that a refused client would see a broken connection instead of
 * the reason. So what the client still sends is taken in and dropped for a while behind the answer, before the connection is
 * closed. Bounded in bytes and in time.
 */
final class UnreadBody {
    /** Greatest body that is taken in only to be dropped, bytes. */
    static final int MOST = 4 << 20;

    /** How long a client is given to see its answer and stop sending. */
    private static final Duration LINGER = Duration.ofSeconds(5);

    private final Request request;
    private final Consumer<Boolean> awaited;
    private final CompletableFuture<Boolean> atEnd = new CompletableFuture<>();
    private long dropped;

    /**
     * The rest of a request.
     *
     * @param awaited is told that the client has yet to send more
     */
    UnreadBody(Request request, Consumer<Boolean> awaited) {
        this.request = request;
        this.awaited = awaited;
    }

    /** Drops what has come by now; says whether that was all. Once, and by no means after {@link #drop}. */
    boolean isAtEnd() {
        boolean waits = request.getHeaders().contains(HttpHeader.EXPECT);
        if (waits || request.getLength() > MOST) {
            atEnd.complete(false);
        } else {
            read();
        }
        return atEnd.getNow(false);
    }

    /** Drops what comes, where it is worth it, and runs {@code then}. */
    void drop(Runnable then) {
        if (atEnd.isDone()) {
            then.run();
            return;
        }
        awaited.accept(true);
        CompletionStage<Boolean> ended = atEnd.completeOnTimeout(false, LINGER.toMillis(), TimeUnit.MILLISECONDS);
        ended.thenRun(then);
        request.demand(this::more);
    }

    private void more() {
        read();
        if (!atEnd.isDone()) {
            request.demand(this::more);
        }
    }

    /** Takes in what is there. */
    private void read() {
        while (!atEnd.isDone()) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
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

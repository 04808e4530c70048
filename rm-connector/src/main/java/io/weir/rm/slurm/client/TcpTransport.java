package io.weir.rm.slurm.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** slurmrestd by TCP, with a token that is read from its file for every request, for tokens expire and are replaced. */
public final class TcpTransport implements RestTransport {
    private final URI address;
    private final String user;
    private final @Nullable Path tokenFile;
    private final int longestReply;
    private final HttpClient client;

    public TcpTransport(URI address, String user, @Nullable Path tokenFile, Duration connectLimit) {
        this(address, user, tokenFile, connectLimit, LONGEST_REPLY);
    }

    TcpTransport(URI address, String user, @Nullable Path tokenFile, Duration connectLimit, int longestReply) {
        this.longestReply = longestReply;
        this.address = address;
        this.user = user;
        this.tokenFile = tokenFile;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(connectLimit)
                .build();
    }

    @Override
    public Reply send(String method, String target, byte @Nullable [] body, Duration limit) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(target))
                .timeout(limit)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        if (tokenFile != null) {
            try {
                request.header("X-SLURM-USER-NAME", user)
                        .header(
                                "X-SLURM-USER-TOKEN",
                                Files.readString(tokenFile).strip());
            } catch (IllegalArgumentException e) {
                // Its message quotes the token.
                throw new IOException("the user or the token in " + tokenFile + " cannot stand in a header");
            }
        }
        return whole(client.sendAsync(request.build(), head -> new LimitedReply(longestReply)), limit);
    }

    /** Waits for the whole answer: the client's own limit ends with the answer's head. */
    private static Reply whole(CompletableFuture<HttpResponse<byte[]>> answer, Duration limit) throws IOException {
        try {
            HttpResponse<byte[]> response = answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return new Reply(response.statusCode(), response.body());
        } catch (TimeoutException e) {
            HttpTimeoutException late = new HttpTimeoutException("no whole answer in time");
            late.initCause(e);
            throw late;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted");
            interrupted.initCause(e);
            throw interrupted;
        } finally {
            answer.cancel(true);
        }
    }

    @Override
    public String toString() {
        return address.toString();
    }
}

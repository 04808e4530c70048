package io.weir.rm.nativerm.call;

import io.weir.service.http.PercentEncoding;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Speaks to web servers. Redirections are not followed: an action belongs to the server that was named. */
final class WebCall {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final int WORDS_KEPT = 500;

    /** Statuses by which a server says that it may be asked again. */
    private static final List<Integer> TEMPORARY = List.of(408, 425, 429);

    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    Reply call(Endpoint.Http http, CallRequest request, CallLimits limits) throws NoReplyException {
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(message(http, request, limits), head -> new LimitedBody(limits.maxBytes()));
        try {
            HttpResponse<String> response = answer.get(limits.timeout().toMillis(), TimeUnit.MILLISECONDS);
            return reply(http, response.statusCode(), response.body());
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw NoReplyException.midway(http + " did not answer within " + limits.timeout(), e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw NoReplyException.midway(http + " was interrupted", e);
        } catch (ExecutionException e) {
            throw failure(http, e);
        }
    }

    private static NoReplyException failure(Endpoint.Http http, ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        String message = http + " failed: " + cause;
        // Nobody was reached, but somebody may be soon: not a matter for a person yet.
        return cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException
                ? NoReplyException.midway(message + ": is the server running?", cause)
                : NoReplyException.midway(message, cause);
    }

    private static Reply reply(Endpoint.Http http, int status, String body) throws NoReplyException {
        if (status >= 200 && status < 300) {
            return new Reply(true, body, "");
        }
        String words = body.strip();
        String failure = http + " answered with status " + status
                + (words.isEmpty() ? "" : ": " + words.substring(0, Math.min(words.length(), WORDS_KEPT)));
        if (status >= 500 || TEMPORARY.contains(status)) {
            throw NoReplyException.midway(failure);
        }
        return new Reply(false, body, failure);
    }

    private static HttpRequest message(Endpoint.Http http, CallRequest request, CallLimits limits) {
        HttpRequest.Builder message =
                HttpRequest.newBuilder(http.uri()).timeout(limits.timeout()).header("Accept", "text/plain");
        if (request.query()) {
            return message.GET().build();
        }
        Stream<String> arguments = request.arguments().stream().map(value -> field("argument", value));
        Stream<String> context = new TreeMap<>(request.context())
                .entrySet().stream().map(entry -> field(entry.getKey().toLowerCase(Locale.ROOT), entry.getValue()));
        return message.header("Content-Type", "application/x-www-form-urlencoded")
                .header("Idempotency-Key", PercentEncoding.encode(request.id()))
                .POST(BodyPublishers.ofString(
                        String.join("&", Stream.concat(arguments, context).toList())))
                .build();
    }

    private static String field(String name, String value) {
        return name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}

package io.weir.notifier.webhook;

import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionJson;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.OneLine;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.service.http.PercentEncoding;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Sends the request that an action describes, once, to a host that is listed; 2xx is success. An action whose setting
 * {@value #CONTENT} is {@value #EVENT} posts the event behind it, as {@link ActionJson} writes it. Messages hold no path, no
 * query and no value of a header, which may be secrets.
 */
final class HttpActor implements Actor {

    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");
    private static final String HEADER = "header.";
    private static final String CONTENT = "content";
    private static final String EVENT = "event";

    private final List<String> hosts;
    private final WebCall call;
    private final Duration timeout;

    HttpActor(List<String> hosts, WebCall call, Duration timeout) {
        this.hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
        this.call = call;
        this.timeout = timeout;
    }

    @Override
    public ActionResult carryOut(Action action) throws RetriableDeliveryException, InterruptedException {
        URI url;
        HttpRequest request;
        try {
            url = new URI(action.target());
            if (!allowed(url)) {
                return refused("action.http.hosts does not list " + url.getHost());
            }
            request = request(url, action);
        } catch (URISyntaxException e) {
            return refused("no such request can be sent: not a URL: " + e.getReason());
        } catch (IllegalArgumentException e) {
            return refused("no such request can be sent: " + e.getMessage());
        }
        String receiver = WebhookProvider.receiver(url);
        try {
            HttpResponse<String> response = call.send(request, receiver, action.timeout(timeout, LONGEST));
            int status = response.statusCode();
            return new ActionResult(
                    status / 100 == 2 ? ActionResult.Outcome.DONE : ActionResult.Outcome.FAILED,
                    "HTTP " + status + " from " + receiver,
                    Optional.of(status),
                    Optional.of(response.body()),
                    Optional.empty(),
                    Map.of());
        } catch (RetriableDeliveryException e) {
            if (e.mayHaveArrived()) {
                return ActionResult.of(ActionResult.Outcome.FAILED, OneLine.of(String.valueOf(e.getMessage())));
            }
            throw e;
        }
    }

    @Override
    public boolean repeatable() {
        return false;
    }

    @Override
    public void close() {
        // The client's connections and thread end with the last reference to it.
    }

    private boolean allowed(URI url) {
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if (url.getHost() == null
                || url.getUserInfo() != null
                || !Set.of("http", "https").contains(scheme)) {
            return false;
        }
        String host = url.getHost().toLowerCase(Locale.ROOT);
        return url.getPort() < 0 ? hosts.contains(host) : hosts.contains(host + ":" + url.getPort());
    }

    private HttpRequest request(URI url, Action action) {
        String method = action.settings().getOrDefault("method", "POST").toUpperCase(Locale.ROOT);
        if (!METHODS.contains(method)) {
            throw new IllegalArgumentException("method " + method);
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(action.timeout(timeout, LONGEST))
                .header("Idempotency-Key", PercentEncoding.encode(action.repetitionKey()))
                .method(
                        method,
                        body(action)
                                .map(text -> HttpRequest.BodyPublishers.ofString(text, StandardCharsets.UTF_8))
                                .orElseGet(HttpRequest.BodyPublishers::noBody));
        if (postsEvent(action)) {
            request.header("Content-Type", "application/json");
        }
        action.settings().forEach((name, value) -> {
            if (name.startsWith(HEADER)) {
                setHeader(request, name.substring(HEADER.length()), value);
            }
        });
        return request.build();
    }

    /** What the client says of a header that it refuses would hold its value. */
    private static void setHeader(HttpRequest.Builder request, String name, String value) {
        try {
            request.setHeader(name, value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the header " + name + " or its value is not permitted", e);
        }
    }

    private static boolean postsEvent(Action action) {
        return EVENT.equals(action.settings().get(CONTENT));
    }

    private static Optional<String> body(Action action) {
        return postsEvent(action) ? Optional.of(ActionJson.of(action)) : action.body();
    }

    private static ActionResult refused(String why) {
        return ActionResult.of(ActionResult.Outcome.REFUSED, OneLine.of(why));
    }
}

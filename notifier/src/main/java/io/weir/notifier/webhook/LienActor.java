package io.weir.notifier.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.OneLine;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.service.http.PercentEncoding;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Asks an allocation manager to set aside what a job will cost: one POST of a CloudEvent. 2xx says that it is set aside,
 * 402, 403 and 409 that the account cannot pay; any other answer says nothing about the account and counts as none.
 */
final class LienActor implements Actor {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Set<Integer> CANNOT_PAY = Set.of(402, 403, 409);
    private static final Set<Integer> LATER = Set.of(408, 429);

    /** What is said of the job by numbers; the rest are texts. */
    private static final Set<String> NUMBERS = Set.of("processors", "seconds");

    private final URI url;
    private final Optional<AuthorizationFile> authorization;
    private final WebCall call;
    private final Duration timeout;

    LienActor(URI url, Optional<AuthorizationFile> authorization, WebCall call, Duration timeout) {
        this.url = url;
        this.authorization = authorization;
        this.call = call;
        this.timeout = timeout;
    }

    @Override
    public ActionResult carryOut(Action action) throws RetriableDeliveryException, InterruptedException {
        String receiver = WebhookProvider.receiver(url);
        Duration patience = action.timeout(timeout, timeout);
        HttpRequest request;
        try {
            request = request(action, patience);
        } catch (IOException e) {
            throw new RetriableDeliveryException(String.valueOf(e.getMessage()), e);
        }
        HttpResponse<String> response = call.send(request, receiver, patience);
        int status = response.statusCode();
        String said = OneLine.of("HTTP " + status + " from " + receiver
                + (response.body().isBlank() ? "" : ": " + response.body().strip()));
        if (LATER.contains(status) || status >= 500) {
            throw new RetriableDeliveryException(said);
        }
        return new ActionResult(
                status / 100 == 2
                        ? ActionResult.Outcome.DONE
                        : CANNOT_PAY.contains(status) ? ActionResult.Outcome.FAILED : ActionResult.Outcome.REFUSED,
                said,
                Optional.of(status),
                Optional.empty(),
                Optional.empty(),
                Map.of());
    }

    /** The receiver is given the id, so that one that comes again sets nothing aside twice. */
    @Override
    public boolean repeatable() {
        return true;
    }

    @Override
    public void close() {
        // The client's connections and thread end with the last reference to it.
    }

    private HttpRequest request(Action action, Duration patience) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(patience)
                .header("Content-Type", "application/cloudevents+json")
                .header("Idempotency-Key", PercentEncoding.encode(action.id()))
                .POST(HttpRequest.BodyPublishers.ofString(body(action), StandardCharsets.UTF_8));
        if (authorization.isPresent()) {
            request.header("Authorization", authorization.get().read());
        }
        return request.build();
    }

    private static String body(Action action) {
        Map<String, String> said = new TreeMap<>(action.settings());
        ObjectNode data = MAPPER.createObjectNode().put("objectType", "job").put("objectId", action.objectId());
        for (Map.Entry<String, String> each : said.entrySet()) {
            if (NUMBERS.contains(each.getKey())) {
                data.put(each.getKey(), Long.parseLong(each.getValue()));
            } else {
                data.put(each.getKey(), each.getValue());
            }
        }
        String payer = List.of("account", "user").stream()
                .map(name -> said.getOrDefault(name, ""))
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse("");
        ObjectNode event = MAPPER.createObjectNode()
                .put("specversion", "1.0")
                .put("id", action.id())
                .put("source", "/weir/" + PercentEncoding.encode(action.cluster()))
                .put("type", "io.weir.lien")
                .put("subject", payer)
                .put("time", action.time().toString())
                .put("datacontenttype", "application/json");
        event.set("data", data);
        try {
            return MAPPER.writeValueAsString(event);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of texts and numbers cannot fail to be written", e);
        }
    }
}

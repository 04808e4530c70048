package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.schemas.NameValue;
import io.weir.schemas.TriggerFiring;
import java.util.ArrayList;
import java.util.List;

/**
 * AType http: {@code METHOD URL [body]}, or a URL alone, to which the notifier posts the event as JSON. Headers are the entries
 * H_NAME of Env.
 */
final class HttpAction implements TriggerAction {
    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");
    private static final String HEADER = "H_";

    private final IterationOutputs outputs;

    HttpAction(IterationOutputs outputs) {
        this.outputs = outputs;
    }

    @Override
    public TriggerOutcome begin(TriggerOccasion occasion) {
        String[] parts = occasion.spec().action().strip().split(" ", 3);
        boolean method = METHODS.contains(parts[0]) && parts.length > 1;
        String url = method ? parts[1] : parts[0];
        String body = method && parts.length > 2 ? parts[2] : null;
        if (!url.startsWith("http://") && !url.startsWith("https://")) {
            return new TriggerOutcome.Done(false, "'" + url + "' is no http:// or https:// address");
        }
        List<NameValue> settings = new ArrayList<>();
        settings.add(new NameValue("method", method ? parts[0] : "POST"));
        if (!method) {
            settings.add(new NameValue("content", "event"));
        }
        for (NameValue entry : occasion.spec().environment()) {
            if (entry.getName().startsWith(HEADER)) {
                settings.add(new NameValue(
                        "header." + entry.getName().substring(HEADER.length()).replace('_', '-'),
                        occasion.substitution().expand(entry.getValue(), Place.LINE)));
            }
        }
        TriggerFiring.Builder firing = FiringBuilder.of(occasion)
                .setTarget(occasion.substitution().expand(url, Place.ADDRESS))
                .setSettings(settings)
                .setEnvironment(List.of());
        if (!method) {
            firing.setBody(FiringBuilder.said(occasion));
        } else if (body != null) {
            boolean json = body.startsWith("{") || body.startsWith("[");
            firing.setBody(occasion.substitution().expand(body, json ? Place.JSON : Place.TEXT));
        }
        return new TriggerOutcome.Sent(outputs.firing(firing));
    }
}

package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.scheduler.core.trigger.action.HttpCall;
import io.weir.scheduler.core.trigger.action.UnfitActionException;
import io.weir.schemas.NameValue;
import io.weir.schemas.TriggerFiring;
import java.util.ArrayList;
import java.util.List;

/**
 * AType http: {@code METHOD URL [body]}, or a URL alone, to which the notifier posts the event as JSON. Headers are the entries
 * H_NAME of Env.
 */
final class HttpAction implements TriggerAction {
    private static final String HEADER = "H_";

    private final IterationOutputs outputs;

    HttpAction(IterationOutputs outputs) {
        this.outputs = outputs;
    }

    @Override
    public TriggerOutcome begin(TriggerOccasion occasion) throws UnfitActionException {
        HttpCall call = HttpCall.read(occasion.spec().action());
        String method = call.method();
        String body = call.body();
        List<NameValue> settings = new ArrayList<>();
        settings.add(new NameValue("method", method == null ? "POST" : method));
        if (method == null) {
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
                .setTarget(occasion.substitution().expand(call.url(), Place.ADDRESS))
                .setSettings(settings)
                .setEnvironment(List.of());
        if (method == null) {
            firing.setBody(FiringBuilder.said(occasion));
        } else if (body != null) {
            boolean json = body.startsWith("{") || body.startsWith("[");
            firing.setBody(occasion.substitution().expand(body, json ? Place.JSON : Place.TEXT));
        }
        return new TriggerOutcome.Sent(outputs.firing(firing));
    }
}

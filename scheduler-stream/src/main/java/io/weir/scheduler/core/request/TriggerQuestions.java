package io.weir.scheduler.core.request;

import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.trigger.TriggerInstance;
import io.weir.scheduler.core.trigger.TriggerSpec;
import io.weir.scheduler.core.trigger.TriggerTemplate;
import io.weir.scheduler.core.trigger.TriggerThreshold;
import io.weir.scheduler.core.trigger.TriggerTime;
import io.weir.scheduler.core.trigger.TriggeredObject;
import io.weir.schemas.NameValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Answers which triggers there are and where they stand: a {@code trigger} names each, the details behind it are about it.
 * First those of the configuration, then those of objects that something happened to.
 */
final class TriggerQuestions {
    private static final String ALL = "ALL";

    /** Triggers that one answer tells of. */
    private static final int MOST = 1_000;

    private final ClusterState state;
    private final IterationOutputs outputs;

    TriggerQuestions(ClusterState state, IterationOutputs outputs) {
        this.state = state;
        this.outputs = outputs;
    }

    /** Answers, and returns what that cost, in looks at nodes. */
    long answer(AuthorisedRequest request) {
        String wanted = request.objectId();
        List<NameValue> rows = new ArrayList<>();
        int shown = 0;
        int found = 0;
        for (TriggerTemplate template : state.triggers.rules().all()) {
            if (wanted.equalsIgnoreCase(ALL) || wanted.equals(template.id())) {
                if (++found <= MOST) {
                    shown++;
                    configured(template, rows);
                }
            }
        }
        for (TriggeredObject object : state.triggers.all()) {
            for (TriggerInstance instance : object.instances()) {
                boolean asked = wanted.equalsIgnoreCase(ALL)
                        || wanted.equals(instance.id())
                        || wanted.equals(object.key().id());
                if (asked && ++found <= MOST) {
                    shown++;
                    instance(object, instance, rows);
                }
            }
        }
        if (found > shown) {
            rows.add(new NameValue(
                    "line", "… and " + (found - shown) + " more triggers; name an object to see its own"));
        }
        outputs.answered(request, found == 0 ? "no triggers" : found + " triggers", rows);
        return Math.max(1, found);
    }

    private static void configured(TriggerTemplate template, List<NameValue> rows) {
        rows.add(new NameValue("trigger", template.id()));
        rows.add(new NameValue("state", "CONFIGURED"));
        spec(template.spec(), rows);
    }

    private void instance(TriggeredObject object, TriggerInstance instance, List<NameValue> rows) {
        rows.add(new NameValue("trigger", instance.id()));
        rows.add(
                new NameValue("object", object.key().type() + ":" + object.key().id()));
        rows.add(new NameValue("state", instance.state().name()));
        TriggerTemplate template = state.triggers.template(instance);
        if (template != null) {
            spec(template.spec(), rows);
        }
        time("due", instance.due(), rows);
        time("fired", instance.fired(), rows);
        rows.add(new NameValue("runs", Long.toString(instance.runs())));
        text("output", instance.output(), rows);
        if (!object.variables().isEmpty()) {
            rows.add(new NameValue(
                    "variables",
                    object.variables().entrySet().stream()
                            .map(entry -> entry.getKey() + "=" + entry.getValue())
                            .collect(Collectors.joining(";"))));
        }
    }

    private static void spec(TriggerSpec spec, List<NameValue> rows) {
        text("name", spec.name(), rows);
        rows.add(new NameValue(
                "event", spec.event().word() + (spec.genericEvent().isEmpty() ? "" : ":" + spec.genericEvent())));
        rows.add(new NameValue("type", spec.kind().word()));
        text("action", spec.action(), rows);
        rows.add(new NameValue("multifire", Boolean.toString(spec.multiFire())));
        rows.add(new NameValue("offset", Long.toString(spec.offsetSeconds() + spec.failOffsetSeconds())));
        TriggerThreshold threshold = spec.threshold();
        if (threshold != null) {
            rows.add(new NameValue(
                    "threshold",
                    threshold.measured()
                            + (threshold.name().isEmpty() ? "" : "[" + threshold.name() + "]")
                            + threshold.operator().sign()
                            + threshold.limit()));
        }
        text(
                "requires",
                spec.requires().stream()
                        .map(condition -> condition.name() + ":"
                                + condition.comparison().name().toLowerCase(Locale.ROOT)
                                + (condition.operand().isEmpty() ? "" : ":" + condition.operand()))
                        .collect(Collectors.joining(".")),
                rows);
        text(
                "sets",
                spec.sets().stream()
                        .map(change -> (change.onFailure() ? "!" : "") + change.name())
                        .collect(Collectors.joining(".")),
                rows);
        text(
                "unsets",
                spec.unsets().stream()
                        .map(change -> (change.onFailure() ? "!" : "") + change.name())
                        .collect(Collectors.joining(".")),
                rows);
    }

    private static void time(String name, @Nullable Long seconds, List<NameValue> rows) {
        if (seconds != null) {
            rows.add(new NameValue(name, TriggerTime.format(seconds)));
        }
    }

    private static void text(String name, String value, List<NameValue> rows) {
        if (!value.isEmpty()) {
            rows.add(new NameValue(name, value));
        }
    }
}

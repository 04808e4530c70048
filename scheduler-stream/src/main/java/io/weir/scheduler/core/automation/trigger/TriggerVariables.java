package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.automation.ObjectVariables;
import io.weir.scheduler.core.automation.Recipients;
import io.weir.scheduler.core.event.EventRule;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeEvent;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.trigger.ObjectKey;
import io.weir.scheduler.core.trigger.Substitution;
import io.weir.scheduler.core.trigger.TriggerFirings;
import io.weir.scheduler.core.trigger.TriggerInstance;
import io.weir.scheduler.core.trigger.TriggerSpec;
import io.weir.scheduler.core.trigger.TriggerThreshold;
import io.weir.scheduler.core.trigger.TriggerTime;
import io.weir.scheduler.core.trigger.TriggeredObject;
import java.util.SortedMap;

/**
 * The variables that the texts of a trigger may name. Of several with one name counts, in this order: that of its Env, what is
 * known of its object, what triggers set on the object, what others set on it, and with the flag globalvars what triggers
 * exported.
 */
final class TriggerVariables {
    private final ClusterState state;
    private final ObjectVariables objects;

    TriggerVariables(ClusterState state, Recipients recipients) {
        this.state = state;
        this.objects = new ObjectVariables(state, recipients);
    }

    /** Returns the variables that others than triggers set on the object of {@code due}. */
    SortedMap<String, String> set(TriggerFirings.Due due) {
        return objects.set(due.object().key().type(), due.object().key().id());
    }

    Substitution of(TriggerFirings.Due due) {
        TriggerInstance instance = due.instance();
        TriggerSpec spec = due.template().spec();
        String type = due.object().key().type();
        String id = due.object().key().id();
        SortedMap<String, String> values = objects.known(type, id, spec.action());
        values.put("ETYPE", instance.event());
        values.put("EVENT", instance.event());
        values.put("TIME", TriggerTime.format(state.clock));
        if (due.object().owner() != null) {
            objects.owned(values, due.object().owner());
        }
        TriggerThreshold threshold = spec.threshold();
        if (threshold != null) {
            values.put("METRIC", threshold.name().isEmpty() ? threshold.measured() : threshold.name());
            values.put("VALUE", instance.value());
            values.put("THRESHOLD", Double.toString(threshold.limit()));
        }
        said(values, type, id, spec.genericEvent());
        ObjectVariables.add(values, due.object().variables());
        ObjectVariables.add(values, objects.set(type, id));
        TriggeredObject shared =
                spec.has(TriggerSpec.SHARED) ? state.triggers.get(new ObjectKey("scheduler", state.cluster)) : null;
        if (shared != null) {
            ObjectVariables.add(values, shared.variables());
        }
        spec.environment().forEach(entry -> values.put(entry.getName(), entry.getValue()));
        return new Substitution(values);
    }

    /** What was said with the event is the message; without an event it is why the object is in its state. */
    private void said(SortedMap<String, String> values, String type, String id, String event) {
        EventRule rule = event.isEmpty() ? null : state.domain.events.rule(event);
        if (rule != null && rule.severity() > 0) {
            values.put("SEVERITY", Integer.toString(rule.severity()));
        }
        Node node = type.equals("node") ? state.nodes.get(id) : null;
        if (node != null) {
            NodeEvent said =
                    event.isEmpty() ? null : node.eventHistory().events().get(event);
            ObjectVariables.put(values, "MESSAGE", said == null ? node.reason() : said.text());
            ObjectVariables.put(values, "COUNT", said == null ? null : Long.toString(said.count()));
        }
        Job job = type.equals("job") ? state.jobs.get(id) : null;
        if (job != null) {
            ObjectVariables.put(values, "MESSAGE", job.reason());
        }
    }
}

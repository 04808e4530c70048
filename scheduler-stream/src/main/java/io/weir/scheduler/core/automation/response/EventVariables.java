package io.weir.scheduler.core.automation.response;

import io.weir.scheduler.core.automation.ObjectVariables;
import io.weir.scheduler.core.automation.Recipients;
import io.weir.scheduler.core.event.MetricCondition;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.trigger.Substitution;
import io.weir.scheduler.core.trigger.TriggerTime;
import java.util.Optional;
import java.util.SortedMap;

/** The variables that texts about an event may name: what is known of it, and those of its object. */
final class EventVariables {
    private final ClusterState state;
    private final ObjectVariables objects;

    EventVariables(ClusterState state, Recipients recipients) {
        this.state = state;
        this.objects = new ObjectVariables(state, recipients);
    }

    Substitution of(Occasion occasion) {
        SortedMap<String, String> values = objects.of(
                occasion.objectType(), occasion.objectId(), occasion.action().argument());
        values.put("ETYPE", occasion.name());
        values.put("EVENT", occasion.name());
        values.put("TIME", TriggerTime.format(state.clock));
        values.put("MESSAGE", occasion.event().text());
        values.put("COUNT", Long.toString(occasion.event().total()));
        values.put("SEVERITY", Integer.toString(occasion.rule().severity()));
        if (occasion.rule().condition()) {
            state.domain.policy.conditions().find(occasion.name()).ifPresent(condition -> {
                values.put("METRIC", condition.metric());
                values.put("THRESHOLD", Double.toString(condition.limit()));
                value(condition, occasion.event().text()).ifPresent(value -> values.put("VALUE", value));
            });
        }
        return new Substitution(values);
    }

    /** Returns the value with which a condition began, as it was told: {@code temp is 51.5, …}. */
    private static Optional<String> value(MetricCondition condition, String told) {
        String begin = condition.metric() + " is ";
        return told.startsWith(begin)
                ? Optional.of(told.substring(begin.length()).split("[,\\s]", 2)[0])
                : Optional.empty();
    }
}

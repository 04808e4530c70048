package io.weir.scheduler.core.automation;

import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.trigger.Substitution;
import io.weir.scheduler.core.trigger.TriggerTime;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The variables that texts about an event may name. */
final class EventVariables {
    private final ClusterState state;

    EventVariables(ClusterState state) {
        this.state = state;
    }

    Substitution of(Occasion occasion) {
        SortedMap<String, String> values = new TreeMap<>();
        values.put("ETYPE", occasion.name());
        values.put("EVENT", occasion.name());
        values.put("OTYPE", occasion.objectType());
        values.put("OID", occasion.objectId());
        values.put("TIME", TriggerTime.format(state.clock));
        values.put("MESSAGE", occasion.event().text());
        values.put("COUNT", Long.toString(occasion.event().total()));
        values.put("SEVERITY", Integer.toString(occasion.rule().severity()));
        Node node = occasion.objectType().equals("node") ? state.nodes.get(occasion.objectId()) : null;
        if (node != null) {
            values.put("STATE", node.state().name());
            add(values, node.annotations().named().variables());
        }
        return new Substitution(values);
    }

    /** Adds variables whose names are not taken. */
    private static void add(SortedMap<String, String> values, SortedMap<String, String> more) {
        for (Map.Entry<String, String> variable : more.entrySet()) {
            values.putIfAbsent(variable.getKey(), variable.getValue());
        }
    }
}

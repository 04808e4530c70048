package io.weir.scheduler.core.automation;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeEvent;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.trigger.Substitution;
import io.weir.scheduler.core.trigger.TriggerInstance;
import io.weir.scheduler.core.trigger.TriggerSpec;
import io.weir.scheduler.core.trigger.TriggerTable;
import io.weir.scheduler.core.trigger.TriggerThreshold;
import io.weir.scheduler.core.trigger.TriggerTime;
import io.weir.schemas.NodeAllocation;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The variables that the texts of a trigger may name: its own, those of its object, and what is known of that. */
final class TriggerVariables {
    /** Nodes that HOSTLIST names. */
    private static final int MOST_HOSTS = 256;

    private final ClusterState state;
    private final Recipients recipients;

    TriggerVariables(ClusterState state, Recipients recipients) {
        this.state = state;
        this.recipients = recipients;
    }

    Substitution of(TriggerTable.Due due) {
        SortedMap<String, String> values = new TreeMap<>();
        TriggerInstance instance = due.instance();
        String type = due.object().key().type();
        String id = due.object().key().id();
        values.put("ETYPE", instance.event());
        values.put("EVENT", instance.event());
        values.put("OTYPE", type.equals("scheduler") ? "sched" : type);
        values.put("OID", id);
        values.put("TIME", TriggerTime.format(state.clock));
        String owner = due.object().owner();
        put(values, "USER", owner);
        put(values, "OWNER", owner);
        put(values, "OWNERMAIL", owner == null ? null : recipients.address(owner));
        TriggerSpec spec = due.template().spec();
        TriggerThreshold threshold = spec.threshold();
        if (threshold != null) {
            values.put("METRIC", threshold.name().isEmpty() ? threshold.metric() : threshold.name());
            values.put("VALUE", instance.value());
            values.put("THRESHOLD", Double.toString(threshold.limit()));
        }
        switch (type) {
            case "node" -> node(values, state.nodes.get(id), spec.genericEvent());
            case "job" -> job(values, state.jobs.get(id));
            case "rsv" -> reservation(values, state.administrativeReservations.get(id));
            default -> {
                // The scheduler and resource managers have no more to tell.
            }
        }
        add(values, due.object().variables());
        spec.environment().forEach(entry -> values.putIfAbsent(entry.getName(), entry.getValue()));
        return new Substitution(values);
    }

    /** What was said with the event is the message; without an event it is why the node is in its state. */
    private static void node(SortedMap<String, String> values, @Nullable Node node, String event) {
        if (node != null) {
            values.put("STATE", node.state().name());
            values.put("HOSTLIST", node.id());
            put(values, "OS", node.attributes().os());
            NodeEvent said =
                    event.isEmpty() ? null : node.eventHistory().events().get(event);
            put(values, "MESSAGE", said == null ? node.reason() : said.text());
            put(values, "COUNT", said == null ? null : Long.toString(said.count()));
            add(values, node.annotations().named().variables());
        }
    }

    private static void job(SortedMap<String, String> values, @Nullable Job job) {
        if (job != null) {
            values.put("JOBID", job.id());
            values.put("STATE", job.state().name());
            List<String> hosts = job.allocation().stream()
                    .limit(MOST_HOSTS)
                    .map(NodeAllocation::getNodeId)
                    .toList();
            values.put("HOSTLIST", String.join(",", hosts));
            values.put("MASTERHOST", hosts.isEmpty() ? "" : hosts.get(0));
            put(values, "MESSAGE", job.reason());
            add(values, job.annotations().variables());
        }
    }

    private static void reservation(SortedMap<String, String> values, @Nullable AdministrativeReservation reservation) {
        if (reservation != null) {
            values.put(
                    "HOSTLIST",
                    String.join(
                            ",",
                            reservation.nodeIds().stream().limit(MOST_HOSTS).toList()));
            add(values, reservation.terms().variables());
        }
    }

    private static void put(SortedMap<String, String> values, String name, @Nullable String value) {
        if (value != null) {
            values.put(name, value);
        }
    }

    /** Adds variables whose names are not taken. */
    private static void add(SortedMap<String, String> values, SortedMap<String, String> more) {
        for (Map.Entry<String, String> variable : more.entrySet()) {
            values.putIfAbsent(variable.getKey(), variable.getValue());
        }
    }
}

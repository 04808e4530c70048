package io.weir.scheduler.core.automation;

import io.weir.scheduler.core.category.ActiveClaims;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.NodeConfig;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.TriggerWatch;
import io.weir.schemas.NodeAllocation;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The variables that texts about an object may name, whatever happened to it: HOSTLIST, STATE, OS, CATEGORY, JOBID,
 * MASTERHOST, COMPLETIONCODE, OBJECTXML, OWNER, USER and OWNERMAIL, as far as it has them, and those that were set on it.
 */
public final class ObjectVariables {
    /** Nodes that HOSTLIST names. */
    private static final int MOST_HOSTS = 256;

    private static final String CATEGORY = "CATEGORY";

    private final ClusterState state;
    private final Recipients recipients;

    public ObjectVariables(ClusterState state, Recipients recipients) {
        this.state = state;
        this.recipients = recipients;
    }

    /**
     * Returns the values of an object, by name; those that were set on it have no name of another.
     *
     * @param text where they are put in: what takes long to find and is not named there is left out
     */
    public SortedMap<String, String> of(String type, String id, String text) {
        SortedMap<String, String> values = known(type, id, text);
        add(values, set(type, id));
        return values;
    }

    /**
     * Returns what is known of an object, by name, without the variables that were set on it.
     *
     * @param text where they are put in: what takes long to find and is not named there is left out
     */
    public SortedMap<String, String> known(String type, String id, String text) {
        SortedMap<String, String> values = new TreeMap<>();
        values.put("OTYPE", type.equals("scheduler") ? "sched" : type);
        values.put("OID", id);
        switch (type) {
            case "node" -> node(values, state.nodes.get(id), text.contains(CATEGORY));
            case "job" -> job(values, state.jobs.get(id));
            case "rsv" -> reservation(values, state.administrativeReservations.get(id));
            default -> {
                // The scheduler and resource managers have no more to tell.
            }
        }
        return values;
    }

    /** Returns the variables that others than triggers set on an object: people, the configuration, the resource manager. */
    public SortedMap<String, String> set(String type, String id) {
        switch (type) {
            case "node" -> {
                Node node = state.nodes.get(id);
                return node == null ? Collections.emptySortedMap() : set(node);
            }
            case "job" -> {
                Job job = state.jobs.get(id);
                return job == null
                        ? Collections.emptySortedMap()
                        : job.annotations().variables();
            }
            case "rsv" -> {
                AdministrativeReservation reservation = state.administrativeReservations.get(id);
                return reservation == null
                        ? Collections.emptySortedMap()
                        : reservation.terms().variables();
            }
            default -> {
                return Collections.emptySortedMap();
            }
        }
    }

    /** What people attached stands above the configuration, and that above what the resource manager reports. */
    private SortedMap<String, String> set(Node node) {
        SortedMap<String, String> values = new TreeMap<>(node.attributes().variables());
        for (String index : List.of(SitePolicy.DEFAULT_OBJECT, node.id())) {
            NodeConfig configured = state.domain.policy.nodes().get(index);
            if (configured != null) {
                values.putAll(configured.variables());
            }
        }
        values.putAll(node.annotations().named().variables());
        return values;
    }

    /**
     * Returns an object as an XML element: a reservation as OBJECTXML describes it, others with their variables as
     * attributes, as far as XML allows the names and there is room.
     */
    public String xml(String type, String id) {
        SortedMap<String, String> values = of(type, id, CATEGORY);
        String reservation = values.get("OBJECTXML");
        return reservation != null && type.equals("rsv") ? reservation : ObjectXml.of(type, values);
    }

    /** Says whose the object is; null for nobody's. */
    public void owned(SortedMap<String, String> values, @Nullable String owner) {
        put(values, "USER", owner);
        put(values, "OWNER", owner);
        put(values, "OWNERMAIL", owner == null ? null : recipients.address(owner));
    }

    private void node(SortedMap<String, String> values, @Nullable Node node, boolean categorized) {
        if (node != null) {
            values.put("STATE", node.state().name());
            values.put("HOSTLIST", node.id());
            put(values, "OS", node.attributes().os());
            if (categorized) {
                values.put(CATEGORY, category(node));
            }
        }
    }

    private String category(Node node) {
        return state.categorizer()
                .of(
                        node,
                        state.nodes.jobsAt(state.nodes.position(node.id())) > 0,
                        ActiveClaims.at(state.clock, node.id(), state.administrativeReservations, state.reservations))
                .category()
                .label();
    }

    private void job(SortedMap<String, String> values, @Nullable Job job) {
        if (job != null) {
            owned(values, job.request().credentials().user());
            values.put("JOBID", job.id());
            values.put("STATE", job.state().name());
            List<String> hosts = job.allocation().isEmpty()
                    ? job.lastNodes()
                    : job.allocation().stream()
                            .limit(MOST_HOSTS)
                            .map(NodeAllocation::getNodeId)
                            .toList();
            values.put("HOSTLIST", String.join(",", hosts));
            String first = job.placements().isEmpty()
                    ? hosts.isEmpty() ? "" : hosts.get(0)
                    : job.placements().get(0).getNodeId();
            values.put("MASTERHOST", first);
            Integer code = job.exitCode();
            put(values, "COMPLETIONCODE", code == null ? null : code.toString());
        }
    }

    private void reservation(SortedMap<String, String> values, @Nullable AdministrativeReservation reservation) {
        if (reservation != null) {
            List<String> hosts =
                    reservation.nodeIds().stream().limit(MOST_HOSTS).toList();
            owned(values, TriggerWatch.owner(reservation));
            values.put("HOSTLIST", String.join(",", hosts));
            TreeSet<String> systems = new TreeSet<>();
            for (String host : hosts) {
                Node node = state.nodes.get(host);
                String system = node == null ? null : node.attributes().os();
                if (system != null) {
                    systems.add(system);
                }
            }
            put(values, "OS", systems.isEmpty() ? null : String.join(",", systems));
            values.put("OBJECTXML", ObjectXml.of(reservation, hosts));
        }
    }

    public static void put(SortedMap<String, String> values, String name, @Nullable String value) {
        if (value != null) {
            values.put(name, value);
        }
    }

    /** Adds variables whose names are not taken. */
    public static void add(SortedMap<String, String> values, SortedMap<String, String> more) {
        for (Map.Entry<String, String> variable : more.entrySet()) {
            values.putIfAbsent(variable.getKey(), variable.getValue());
        }
    }
}

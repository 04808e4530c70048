package io.weir.rm.slurm.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Which nodes a waiting job is to ask for.
 *
 * @param hosts nodes by name; empty for none in particular
 * @param least fewest nodes
 * @param most most nodes
 */
public record NodeChange(List<String> hosts, int least, int most) {
    public NodeChange {
        hosts = List.copyOf(hosts);
    }

    /** Returns the change to these nodes and no other. */
    public static NodeChange to(List<String> nodes) {
        return new NodeChange(nodes, nodes.size(), nodes.size());
    }

    /** Returns the change to what a user wished for. */
    public static NodeChange to(Wishes asked) {
        return new NodeChange(HostList.expand(asked.hosts()), asked.leastNodes(), asked.most());
    }

    ObjectNode toJson(RestVersion version) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        addTo(json, version);
        return json;
    }

    void addTo(ObjectNode json, RestVersion version) {
        if (version.usesJobDescription()) {
            hosts.forEach(json.putArray("required_nodes")::add);
            json.put("minimum_nodes", least);
            json.put("maximum_nodes", most);
        } else {
            json.put("nodelist", String.join(",", hosts));
            // As a range in words: an array is accepted and has no effect.
            json.put("nodes", least + "-" + most);
        }
    }
}

package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/** The nodes that host expressions name, found once for each text while the nodes stay what they are. */
final class NamedHosts {
    private final NodeTable nodes;
    private final SitePolicy policy;
    private final Map<String, BitSet> positions = new LinkedHashMap<>();
    private long layout;

    NamedHosts(NodeTable nodes, SitePolicy policy) {
        this.nodes = nodes;
        this.policy = policy;
    }

    /** Returns the positions of the nodes {@code text} names; not to be changed. */
    BitSet of(String text) {
        if (layout != nodes.layout()) {
            layout = nodes.layout();
            positions.clear();
        }
        return positions.computeIfAbsent(
                text, hosts -> HostExpression.of(hosts, nodes, policy).positions());
    }
}

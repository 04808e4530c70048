package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.node.NodeTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows the sets formed over the nodes of a scene by the ids of their nodes. */
final class FormedSetsScene {
    private FormedSetsScene() {}

    /** Returns the nodes of each set by its name, in the order of sets. */
    static Map<String, List<String>> shown(NodeTable nodes, FormedSets formed) {
        Map<String, List<String>> shown = new LinkedHashMap<>();
        for (int set = 0; set < formed.names().size(); set++) {
            shown.put(formed.names().get(set), ids(nodes, formed.members().get(set)));
        }
        return shown;
    }

    static List<String> ids(NodeTable nodes, BitSet positions) {
        List<String> ids = new ArrayList<>();
        positions.stream().forEach(position -> ids.add(nodes.at(position).id()));
        return ids;
    }
}

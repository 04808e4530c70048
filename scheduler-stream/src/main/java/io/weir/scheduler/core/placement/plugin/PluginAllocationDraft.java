package io.weir.scheduler.core.placement.plugin;

import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.AllocationRequest;
import io.weir.scheduler.core.policy.node.AllocationPlugin;
import io.weir.scheduler.state.AdvisedNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes that were considered for one requirement of a job in the pass under way, best first as LASTAVAILABLE has it:
 * what a plug-in would be asked to choose from. Filled tier by tier, and set by set where node sets divide them.
 */
public final class PluginAllocationDraft {
    /** Nodes a question lists, unless the job has more tasks. */
    private static final int MOST = 2_000;

    private final AllocationRequest request;
    private final AllocationPlugin plugin;

    /** Room by position, in the order considered. */
    private final Map<Integer, Integer> rooms = new LinkedHashMap<>();

    /** Whether nodes were taken without the plug-in's word, because it has not spoken. */
    private boolean provisional;

    public PluginAllocationDraft(AllocationRequest request, AllocationPlugin plugin) {
        this.request = request;
        this.plugin = plugin;
    }

    public void add(int position, int room) {
        rooms.merge(position, room, Math::max);
    }

    public void provisional(boolean without) {
        provisional |= without;
    }

    /** Returns what a question would be about. */
    public PluginAllocation.Key key() {
        return PluginAllocation.Key.of(request);
    }

    /** Returns for what nodes are wanted. */
    public AllocationRequest request() {
        return request;
    }

    /** Returns the plug-in to ask. */
    public AllocationPlugin plugin() {
        return plugin;
    }

    /** Returns the plug-in as an advice remembers it. */
    public String identity() {
        return PluginAllocation.identity(plugin);
    }

    /** Returns whether nodes were taken without the plug-in's word. */
    public boolean provisional() {
        return provisional;
    }

    /** Returns the positions of the nodes considered, in order, as many of them as a question lists. */
    public List<Integer> positions() {
        return rooms.keySet().stream()
                .limit(Math.max(MOST, request.requirement().tasks()))
                .toList();
    }

    /** Returns how many nodes were considered. */
    public int size() {
        return rooms.size();
    }

    /** Returns the tasks that the node at {@code position} has room for. */
    public int room(int position) {
        return rooms.getOrDefault(position, 0);
    }

    /** Returns the nodes a question lists with their room, sorted by name. */
    public List<AdvisedNode> nodes(NodeTable nodes) {
        List<AdvisedNode> list = new ArrayList<>();
        for (int position : positions()) {
            list.add(new AdvisedNode(nodes.at(position).id(), room(position)));
        }
        list.sort((a, b) -> a.getNodeId().compareTo(b.getNodeId()));
        return list;
    }

    /** Returns the number that stands for the nodes a question would list. */
    public long fingerprint(NodeTable nodes) {
        return fingerprint(nodes(nodes));
    }

    /** Returns a number that differs, all but certainly, for other nodes or other room on them. */
    static long fingerprint(List<AdvisedNode> nodes) {
        long hash = 0xcbf29ce484222325L;
        for (AdvisedNode node : nodes) {
            String id = node.getNodeId();
            for (int i = 0; i < id.length(); i++) {
                hash = (hash ^ id.charAt(i)) * 0x100000001b3L;
            }
            hash = (hash ^ (0x10000L + node.getTasks())) * 0x100000001b3L;
        }
        return hash;
    }
}

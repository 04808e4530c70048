package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.policy.nodeset.NodeSetAttribute;
import io.weir.scheduler.core.policy.nodeset.NodeSetPlus;
import io.weir.scheduler.core.policy.nodeset.NodeSetPolicy;
import io.weir.scheduler.core.policy.nodeset.NodeSetPriority;
import io.weir.scheduler.core.policy.nodeset.NodeSetRequest;
import io.weir.scheduler.core.policy.nodeset.NodeSetSettings;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.topics.AvroTrust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A few nodes with something free on each, and a placer that fills them in index order. */
final class SetScene {
    static {
        AvroTrust.install();
    }

    final NodeTable nodes = new NodeTable();
    final NodeSets sets = new NodeSets(nodes);
    private final Map<String, Integer> room = new LinkedHashMap<>();
    private final Map<String, NodeAffinity> affinity = new LinkedHashMap<>();
    private NodeSetPolicy policy = NodeSetPolicy.ONEOF;
    private NodeSetAttribute attribute = NodeSetAttribute.FEATURE;
    private List<String> list = List.of();
    private double tolerance;
    private boolean exact;
    private NodeSetPriority priority = NodeSetPriority.MINLOSS;
    private NodeSetPlus plus = NodeSetPlus.NONE;

    SetScene node(String id, int free, Consumer<NodeReport.Builder> more) {
        NodeReport.Builder report = NodeReport.newBuilder()
                .setCluster("c")
                .setNodeId(id)
                .setState(NodeState.IDLE)
                .setProcs(Math.max(1, free));
        more.accept(report);
        nodes.put(Node.reported(report.build(), null, 0, null, nodes.size() + 1, 0));
        if (free > 0) {
            room.put(id, free);
        }
        return this;
    }

    SetScene node(String id, int free, String... features) {
        return node(id, free, report -> report.setFeatures(Arrays.asList(features)));
    }

    SetScene speed(String id, int free, int mhz) {
        return node(id, free, report -> report.setProcSpeedMhz(mhz));
    }

    SetScene speeds(int... mhz) {
        for (int speed : mhz) {
            speed("n" + (nodes.size() + 1) + "-" + speed, 1, speed);
        }
        return this;
    }

    SetScene free(String id, int tasks) {
        room.put(id, tasks);
        return this;
    }

    SetScene busy(String id) {
        room.remove(id);
        return this;
    }

    SetScene drawn(String id, NodeAffinity how) {
        affinity.put(id, how);
        return this;
    }

    SetScene by(NodeSetPolicy how, NodeSetAttribute what, String... values) {
        policy = how;
        attribute = what;
        list = Arrays.asList(values);
        return this;
    }

    SetScene tolerance(double value) {
        tolerance = value;
        return this;
    }

    SetScene priority(NodeSetPriority value) {
        priority = value;
        return this;
    }

    SetScene plus(NodeSetPlus value) {
        plus = value;
        return this;
    }

    /** Makes jobs lie on as many nodes as they ask for. */
    SetScene exactNode() {
        exact = true;
        sets.configure(TestCluster.policy("JOBNODEMATCHPOLICY EXACTNODE"));
        return this;
    }

    NodeSetRules rules() {
        return java.util.Objects.requireNonNull(NodeSetRules.of(
                new NodeSetSettings(policy, attribute, list, true, 0, tolerance, priority, plus),
                null,
                NodeSetRequest.NOTHING));
    }

    /** Returns the nodes on which {@code tasks} tasks go, each as often as it takes a task; empty for nowhere. */
    List<String> place(SetUse use, int tasks) {
        return place(use, requirement(tasks, null));
    }

    List<String> place(SetUse use, Requirement requirement) {
        List<String> ids = new ArrayList<>();
        for (TaskShare share : sets.place(rules(), use, candidates(), requirement, this::fill)) {
            for (int i = 0; i < share.tasks(); i++) {
                ids.add(nodes.at(share.position()).id());
            }
        }
        return ids;
    }

    List<SetCapacity> capacities(Requirement requirement) {
        return sets.capacities(rules(), candidates(), requirement, this::fill);
    }

    List<SetCapacity> capacities(int tasks) {
        return sets.capacities(rules(), candidates(), requirement(tasks, null), this::fill);
    }

    String describe(int tasks) {
        return sets.describe(rules(), candidates(), requirement(tasks, null), this::fill);
    }

    static Requirement requirement(int tasks, @Nullable Integer nodeCount) {
        return new Requirement(tasks, TaskResources.ofProcs(1), NodeDemands.NONE, nodeCount, null, false);
    }

    Candidates candidates() {
        Candidates candidates = new Candidates(nodes, 8);
        for (int position = 0; position < nodes.size(); position++) {
            String id = nodes.at(position).id();
            Integer free = room.get(id);
            if (free != null) {
                candidates.add(position, free, 0, Candidates.FOREVER, affinity.getOrDefault(id, NodeAffinity.NONE));
            }
        }
        return candidates;
    }

    private List<TaskShare> fill(Candidates among, int tasks, int wanted) {
        List<TaskShare> shares = new ArrayList<>();
        int missing = tasks;
        for (int i = 0; i < among.size() && missing > 0; i++) {
            int kept = Math.max(0, Math.min(among.tasks(i), missing - Math.max(0, (exact ? wanted : 0) - i - 1)));
            shares.add(new TaskShare(among.position(i), 0, kept));
            missing -= kept;
        }
        return missing > 0 ? List.of() : shares;
    }
}

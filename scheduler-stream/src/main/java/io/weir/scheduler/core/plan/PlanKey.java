package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.nodeset.NodeSetRules;
import io.weir.scheduler.core.nodeset.SetTiming;
import io.weir.scheduler.core.policy.node.AllocationPolicyKind;
import io.weir.scheduler.core.timeline.TaskNeed;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What requests have in common that differ at most in the number of tasks and the wallclock limit: what a task takes and
 * which nodes would do. Found once for a configuration of the nodes, then shared by all jobs of the plan key.
 */
final class PlanKey {
    /**
     * What tells plan keys apart.
     *
     * @param requirements the requirements, a single one as if for one task
     * @param together tasks of a single requirement that a node takes together or not at all, 0 where there are fewer tasks than
     *     nodes to use; 1 for several requirements, about which searches teach nothing
     * @param jobClass class, or null
     * @param partitions partitions the job may use
     * @param hosts nodes it asks for by name
     * @param nodeAccess node access policy it asks for
     * @param sets node set rules; null when node sets do not concern the job
     * @param allocation the allocation policy it asks for; null when it asks for none that makes a start harder to find
     */
    record Key(
            List<Requirement> requirements,
            int together,
            @Nullable String jobClass,
            List<String> partitions,
            List<String> hosts,
            List<String> excludedHosts,
            List<String> otherClasses,
            @Nullable String nodeAccess,
            @Nullable NodeSetRules sets,
            @Nullable AllocationPolicyKind allocation) {}

    /** The nodes of partition {@code name} that would do, by requirement. */
    record Part(String name, List<CandidateGroup> groups) {}

    final TaskNeed[] needs;

    /** Distinct nodes each requirement has to use; 0 leaves it open. */
    final int[] nodes;

    /** Positions of the nodes each of which has to get tasks, by requirement. */
    final BitSet[] required;

    /** Whether a node takes one task of its jobs only. */
    final boolean oneTask;

    /** Numbers of the requirements whose tasks share no node with those of others. */
    private final BitSet apart;

    /** Partitions in which every requirement has a node. */
    final List<Part> parts;

    /**
     * How often the requirements, a single one with one task, fit side by side on the nodes of the best partition when nothing
     * runs, whatever the state of these: never more often.
     */
    final long atMost;

    /** Rules about node sets; null when these do not concern its jobs. */
    final @Nullable NodeSetRules sets;

    /** Whether its jobs start inside one node set or not at all. */
    final boolean onlyInSet;

    /** What is known of starts of jobs of this plan key, by the number of their kind. */
    private @Nullable StartTimeCache[] learned = new StartTimeCache[1];

    /** By number of tasks of a single requirement, whether sets could ever hold them; as far as it was asked. */
    final SortedMap<Integer, Boolean> everInSets = new TreeMap<>();

    /** By number of tasks of a single requirement, whether idle nodes could hold them in one run; as far as it was asked. */
    final SortedMap<Integer, Boolean> everTogether = new TreeMap<>();

    PlanKey(
            TaskNeed[] needs,
            int[] nodes,
            BitSet[] required,
            boolean oneTask,
            BitSet apart,
            List<Part> parts,
            long atMost,
            @Nullable NodeSetRules sets) {
        this.needs = needs;
        this.nodes = nodes;
        this.required = required;
        this.oneTask = oneTask;
        this.apart = apart;
        this.parts = List.copyOf(parts);
        this.atMost = atMost;
        this.sets = sets;
        onlyInSet = sets != null && !sets.optional() && !SetTiming.spans(sets);
    }

    /** Returns whether tasks of any requirement share no node with those of others. */
    boolean dividesNodes() {
        return !apart.isEmpty();
    }

    /** Returns whether tasks of requirement {@code one} may lie on a node on which tasks of {@code other} lie. */
    boolean mayShareNode(int one, int other) {
        return one == other || !(apart.get(one) || apart.get(other));
    }

    /** Returns what is known of starts of jobs of this plan key that are of the kind of that number. */
    StartTimeCache learned(int kind) {
        if (kind >= learned.length) {
            learned = Arrays.copyOf(learned, Math.max(kind + 1, 2 * learned.length));
        }
        StartTimeCache those = learned[kind];
        if (those == null) {
            those = new StartTimeCache();
            learned[kind] = those;
        }
        return those;
    }
}

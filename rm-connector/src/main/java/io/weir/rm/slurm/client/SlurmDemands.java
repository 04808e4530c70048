package io.weir.rm.slurm.client;

import io.weir.schemas.TaskRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks for beyond processors, as slurmrestd tells it. Immutable.
 *
 * @param amounts what it takes of its nodes
 * @param features features a node must have; {@code a|b} is a choice
 * @param oneOf features of which all its nodes must have the same one; empty for no such choice
 * @param preferred features a node should have; null for none
 * @param hosts nodes asked for by name, in the order given: it uses all of them
 * @param contiguous whether its nodes follow one another
 * @param layout least sockets, cores and threads of its nodes
 * @param conditions conditions on a node, in the words of reports
 * @param excluded nodes it must not run on, in the order given
 * @param leastNodes fewest nodes to use; 0 leaves it to Weir
 * @param mostNodes most nodes to use; 0 leaves it to Weir
 * @param fewestNodes whether as few nodes are used as have room for the tasks: Slurm has those of a job that gives no number
 *     of nodes on one node where one has room, and takes the fewest of a range where it counts generic resources for the job
 * @param moldable whether the tasks are those of the fewest nodes, and the job gets as many more as are free when it starts
 * @param mostTasksPerNode most tasks on a node; 0 leaves it to Weir
 * @param mostTasksPerSocket most tasks on a socket; 0 for any number
 * @param access SINGLEJOB or SINGLEUSER; null for the default
 * @param reservation reservation asked for
 * @param licences licences of the whole job
 * @param flags flags in Weir's words, sorted
 * @param objection what it asks for that Weir cannot give; null when there is nothing
 */
public record SlurmDemands(
        SlurmAmounts amounts,
        List<String> features,
        List<String> oneOf,
        @Nullable String preferred,
        List<String> hosts,
        List<String> excluded,
        boolean contiguous,
        ProcessorLayout layout,
        List<String> conditions,
        int leastNodes,
        int mostNodes,
        boolean fewestNodes,
        boolean moldable,
        int mostTasksPerNode,
        int mostTasksPerSocket,
        @Nullable String access,
        @Nullable String reservation,
        SortedMap<String, Long> licences,
        List<String> flags,
        @Nullable String objection) {
    /** The access of a job that shares its nodes with no other. */
    public static final String SINGLE_JOB = "SINGLEJOB";

    static SlurmDemands of(SlurmJson json, Wishes asked, int tasks, int procsPerTask) {
        List<String> hosts = HostList.expand(asked.hosts());
        boolean counted = asked.mostNodes() > 0 || asked.leastNodes() > Math.max(1, hosts.size());
        int named = Math.max(1, hosts.size());
        int least = counted ? Math.max(asked.leastNodes(), hosts.size()) : 0;
        int perNode = Math.max(0, json.whole("tasks_per_node", 0));
        int most = asked.mostNodes() > 0 ? asked.mostNodes() : nodesOf(tasks, perNode, Math.max(least, named));
        FeatureExpression features = FeatureExpression.parse(orEmpty(json.text("features")), most);
        FeatureExpression preferred = FeatureExpression.parse(orEmpty(asked.preferred()), most);
        return new SlurmDemands(
                SlurmAmounts.of(json, tasks, procsPerTask, least, most),
                features.features(),
                features.oneOf(),
                preferred.features().isEmpty() ? null : preference(preferred.features()),
                hosts,
                HostList.expand(orEmpty(json.text("excluded_nodes"))),
                json.node().path("contiguous").asBoolean(false) || json.number("contiguous", 0) == 1,
                ProcessorLayout.ofJob(json),
                conditions(json, procsPerTask),
                least,
                most,
                most == 0 ? tasks > 1 : most > Math.max(1, least) && takesFewest(json),
                asked.mostNodes() > Math.max(asked.tasks(), least) && perNode == 0 && !takesFewest(json),
                perNode,
                tasksOfSocket(json),
                access(json.words("shared")),
                asked.reservation(),
                SlurmAmounts.counts(json.text("licenses")),
                json.node().path("requeue").asBoolean(false) || json.number("requeue", 0) == 1
                        ? List.of("RESTARTABLE")
                        : List.of(),
                features.objection());
    }

    /** Returns the same on no more than so many nodes. */
    public SlurmDemands onAtMost(int nodes) {
        return mostNodes > 0 && mostNodes <= nodes
                ? this
                : new SlurmDemands(
                        amounts,
                        features,
                        oneOf,
                        preferred,
                        hosts,
                        excluded,
                        contiguous,
                        layout,
                        conditions,
                        leastNodes,
                        nodes,
                        fewestNodes,
                        moldable,
                        mostTasksPerNode,
                        mostTasksPerSocket,
                        access,
                        reservation,
                        licences,
                        flags,
                        objection);
    }

    /** Says whether the job names nodes and may have others besides, as many as it takes: unless it says that there are no more. */
    public boolean leavesNodesOpen() {
        return !hosts.isEmpty() && (mostNodes == 0 || mostNodes > hosts.size());
    }

    /**
     * Says whether Slurm takes the fewest nodes of a range: on demand, for generic resources that it counts for the whole job, and with
     * processors by GPU of a job without any.
     */
    private static boolean takesFewest(SlurmJson json) {
        return json.words("flags").contains("USE_MIN_NODES")
                || isGiven(json, "tres_per_job")
                || isGiven(json, "tres_per_task")
                || (isGiven(json, "cpus_per_tres")
                        && !isGiven(json, "tres_per_node")
                        && !isGiven(json, "tres_per_socket"));
    }

    private static boolean isGiven(SlurmJson json, String resources) {
        return !SlurmAmounts.counts(json.text(resources)).isEmpty();
    }

    /** Returns on how many nodes tasks lie of which Slurm gives each so many, as far as there are any left; 0 for any number. */
    private static int nodesOf(int tasks, int perNode, int least) {
        return perNode == 0 || tasks <= 1 ? 0 : Math.max(least, (tasks + perNode - 1) / perNode);
    }

    /** Returns features in the words of a preference; of a choice, the first. */
    private static String preference(List<String> features) {
        return features.stream()
                .map(feature -> "feature:" + feature.split("\\|", 2)[0])
                .collect(Collectors.joining("&"));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static List<String> conditions(SlurmJson json, int procsPerTask) {
        List<String> conditions = new ArrayList<>();
        long procs = json.number("minimum_cpus_per_node", 1);
        if (procs > procsPerTask) {
            conditions.add("procs>=" + procs);
        }
        long disk = json.number("minimum_tmp_disk_per_node", 0);
        if (disk > 0) {
            conditions.add("disk>=" + disk);
        }
        return conditions;
    }

    private static @Nullable String access(List<String> shared) {
        if (shared.contains("NONE") || shared.contains("EXCLUSIVE")) {
            return SINGLE_JOB;
        }
        return shared.contains("USER") ? "SINGLEUSER" : null;
    }

    /**
     * Returns the requirement; none when it is processors alone, which a report tells itself.
     *
     * @param spared processors of each node that the job leaves to the system
     */
    public List<TaskRequirement> requirements(int tasks, int procsPerTask, int spared, Counting counting) {
        SlurmAmounts counted = counting.memory() ? amounts : amounts.withoutMemory();
        List<String> all = new ArrayList<>(conditions);
        if (!counting.memory() && amounts.memoryOfNode() > 0) {
            all.add("memory>=" + amounts.memoryOfNode());
        }
        if (spared > 0) {
            // As many tasks as may come to a node have room beside them.
            long there = tasks - Math.max(Math.max(1, hosts.size()), leastNodes) + 1L;
            all.add("procs>="
                    + (procsPerTask * (mostTasksPerNode > 0 ? Math.min(mostTasksPerNode, there) : there) + spared));
        }
        int mostTasks = mostTasksOfNode(procsPerTask, counting);
        boolean bare = counted.isBare()
                && counting.capped() == null
                && features.isEmpty()
                && all.isEmpty()
                && leastNodes == 0
                && mostNodes == 0
                && !fewestNodes
                && mostTasks == 0
                && !leavesNodesOpen();
        if (bare) {
            return List.of();
        }
        TaskRequirement.Builder requirement = requirement(tasks, mostTasks, all);
        counted.write(requirement, tasks, procsPerTask, counting);
        return List.of(requirement.build());
    }

    /** Returns how {@code tasks} of the job are to lie; what they take is still to be written. */
    private TaskRequirement.Builder requirement(int tasks, int mostTasks, List<String> nodeConditions) {
        TaskRequirement.Builder requirement = TaskRequirement.newBuilder()
                .setFeatures(features)
                .setNodeConditions(nodeConditions)
                .setRequiredHosts(leavesNodesOpen() ? hosts : List.of())
                .setLeastNodes(leastNodes)
                .setMostNodes(mostNodes)
                .setFewestNodes(fewestNodes)
                .setMoldable(moldable)
                .setMostTasksPerNode(amounts.together() == 1 ? mostTasks : 0);
        if (amounts.together() == 1 && mostTasksPerNode > 0 && (long) mostTasksPerNode * mostNodes == tasks) {
            requirement.setTasksPerNode(mostTasksPerNode);
        }
        return requirement;
    }

    /** Returns how many tasks a node may have by the job, by its sockets and by its partitions; 0 for any number. */
    private int mostTasksOfNode(int procsPerTask, Counting counting) {
        int most = mostTasksPerNode == 0 ? Integer.MAX_VALUE : mostTasksPerNode;
        if (mostTasksPerSocket > 0) {
            most = Math.min(most, counting.tasksBySockets(mostTasksPerSocket, Math.max(1, procsPerTask)));
        }
        if (counting.mostProcs() < Integer.MAX_VALUE) {
            most = Math.min(most, Math.max(1, counting.mostProcs() / Math.max(1, procsPerTask)));
        }
        return most == Integer.MAX_VALUE ? 0 : most;
    }

    private static int tasksOfSocket(SlurmJson json) {
        int tasks = json.whole("tasks_per_socket", 0);
        return tasks < ProcessorLayout.ANY ? Math.max(0, tasks) : 0;
    }
}

package io.weir.rm.slurm.client;

import io.weir.schemas.NameCount;
import io.weir.schemas.TaskRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks for beyond processors, as slurmrestd tells it. Slurm counts memory and generic resources by node or by
 * processor, Weir by task: what is asked for by node is divided by the fewest tasks a node can get, so that it is never
 * too little. Immutable.
 *
 * @param memoryMb memory of each task; 0 asks for none
 * @param gres generic resources of each task
 * @param features features a node must have
 * @param hosts nodes asked for by name, in the order given
 * @param conditions conditions on a node, in the words of reports
 * @param nodes nodes to use; null leaves it to Weir
 * @param tasksPerNode tasks on each node; null leaves it to Weir
 * @param access SINGLEJOB or SINGLEUSER; null for the default
 * @param reservation reservation asked for
 * @param flags flags in Weir's words, sorted
 * @param objection what it asks for that Weir cannot give; null when there is nothing
 */
public record SlurmDemands(
        long memoryMb,
        SortedMap<String, Long> gres,
        List<String> features,
        List<String> hosts,
        List<String> conditions,
        @Nullable Integer nodes,
        @Nullable Integer tasksPerNode,
        @Nullable String access,
        @Nullable String reservation,
        List<String> flags,
        @Nullable String objection) {
    private static final Pattern REQUESTED_NODES = Pattern.compile("(?:^|,)node=(\\d{1,9})(?:,|$)");
    private static final Pattern COUNT = Pattern.compile("(.*?)[:=](\\d{1,9})(?:\\(.*\\))?");

    static SlurmDemands of(SlurmJson json, int tasks, int procsPerTask) {
        @Nullable Integer nodes = nodes(json);
        int perNode = (int) json.number("tasks_per_node", 0);
        @Nullable
        Integer tasksPerNode = perNode > 0 && (nodes == null ? tasks % perNode == 0 : nodes * perNode == tasks)
                ? Integer.valueOf(perNode)
                : null;
        int fewest = tasksPerNode != null ? tasksPerNode : nodes != null ? Math.max(1, tasks / nodes) : 1;
        SortedMap<String, Long> gres = new TreeMap<>();
        addGres(gres, json.text("tres_per_task"), 1);
        addGres(gres, json.text("tres_per_node"), fewest);
        addGres(gres, json.text("tres_per_job"), tasks);
        String features = orEmpty(json.text("features"));
        @Nullable String excluded = json.text("excluded_nodes");
        return new SlurmDemands(
                memory(json, procsPerTask, fewest),
                gres,
                features.matches("[^|*\\[\\]()]*")
                        ? List.of(features.split("[&,]")).stream()
                                .filter(feature -> !feature.isBlank())
                                .sorted()
                                .toList()
                        : List.of(),
                HostList.expand(orEmpty(json.text("required_nodes"))),
                conditions(json, procsPerTask),
                nodes,
                tasksPerNode,
                access(json.words("shared")),
                json.text("resv_name"),
                json.node().path("requeue").asBoolean(false) || json.number("requeue", 0) == 1
                        ? List.of("RESTARTABLE")
                        : List.of(),
                objection(features, excluded));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static @Nullable String objection(String features, @Nullable String excluded) {
        if (!features.matches("[^|*\\[\\]()]*")) {
            return "Weir knows features that all have to be there, not a choice among them: " + features;
        }
        return excluded == null ? null : "Weir does not know how to leave nodes out: " + excluded;
    }

    /** Slurm tells a number of nodes for every job; asked for is one that came with the request. */
    private static @Nullable Integer nodes(SlurmJson json) {
        Matcher asked = REQUESTED_NODES.matcher(orEmpty(json.text("tres_req_str")));
        int least = asked.find() ? Integer.parseInt(asked.group(1)) : 0;
        long most = json.number("max_nodes", 0);
        if (least == 0 || (most == 0 && least == 1)) {
            return null;
        }
        return most == 0 || most >= least ? least : null;
    }

    private static long memory(SlurmJson json, int procsPerTask, int fewestTasks) {
        long perCpu = json.number("memory_per_cpu", 0);
        if (perCpu > 0) {
            return perCpu * procsPerTask;
        }
        long perNode = json.number("memory_per_node", 0);
        return (perNode + fewestTasks - 1) / fewestTasks;
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
            return "SINGLEJOB";
        }
        return shared.contains("USER") ? "SINGLEUSER" : null;
    }

    /** Adds {@code gres:gpu:tesla:2,gres:fpga:1} divided by {@code share}; types are left to Slurm. */
    private static void addGres(SortedMap<String, Long> gres, @Nullable String text, int share) {
        counts(text).forEach((name, count) -> {
            if (count > 0) {
                gres.merge(name, (count + share - 1) / share, Long::sum);
            }
        });
    }

    /** Returns generic resources by name, of all types together. */
    static SortedMap<String, Long> counts(@Nullable String text) {
        SortedMap<String, Long> counts = new TreeMap<>();
        for (String item : orEmpty(text).split(",(?![^(]*\\))", -1)) {
            String word = item.replaceFirst("^gres[:/]", "");
            if (word.isBlank() || word.equals("(null)")) {
                continue;
            }
            Matcher matcher = COUNT.matcher(word);
            boolean counted = matcher.matches();
            String name = (counted ? matcher.group(1) : word).split(":", -1)[0];
            counts.merge(name, counted ? Long.parseLong(matcher.group(2)) : 1L, Long::sum);
        }
        return counts;
    }

    public static List<NameCount> records(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(count -> new NameCount(count.getKey(), count.getValue()))
                .toList();
    }

    /** Returns the requirement; empty when it is processors alone, which a report tells itself. */
    public List<TaskRequirement> requirements(int tasks, int procsPerTask) {
        boolean bare = memoryMb == 0
                && gres.isEmpty()
                && features.isEmpty()
                && conditions.isEmpty()
                && nodes == null
                && tasksPerNode == null;
        return bare
                ? List.of()
                : List.of(TaskRequirement.newBuilder()
                        .setTasks(tasks)
                        .setProcsPerTask(procsPerTask)
                        .setMemoryMb(memoryMb)
                        .setGres(records(gres))
                        .setFeatures(features)
                        .setNodeConditions(conditions)
                        .setNodes(nodes)
                        .setTasksPerNode(tasksPerNode)
                        .build());
    }
}

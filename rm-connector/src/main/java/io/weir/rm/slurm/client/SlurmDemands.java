package io.weir.rm.slurm.client;

import io.weir.schemas.NameCount;
import io.weir.schemas.TaskRequirement;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks for beyond processors, as slurmrestd tells it. Slurm counts memory and generic resources by node or by
 * processor, Weir by task: where every node gets the same number of tasks they count as one, and what is asked for by node
 * is exact; elsewhere a node may get a single task, and each asks for it, so that it is never too little. Immutable.
 *
 * @param memoryMb memory of each task, or of all tasks of a node where their number is known; 0 asks for none
 * @param memoryPerProcMb memory of each processor, where it is asked for so; else 0
 * @param gres generic resources likewise
 * @param features features a node must have; {@code a|b} is a choice
 * @param preferred features a node should have; null for none
 * @param hosts nodes asked for by name, in the order given
 * @param conditions conditions on a node, in the words of reports
 * @param excluded nodes it must not run on, in the order given
 * @param leastNodes fewest nodes to use; 0 leaves it to Weir
 * @param mostNodes most nodes to use; 0 leaves it to Weir
 * @param mostTasksPerNode most tasks on a node; 0 leaves it to Weir
 * @param tasksPerNode tasks on each node, which Weir places as one; null leaves it to Weir
 * @param together tasks that Weir places as one, at least 1
 * @param access SINGLEJOB or SINGLEUSER; null for the default
 * @param reservation reservation asked for
 * @param licences licences of the whole job
 * @param flags flags in Weir's words, sorted
 * @param objection what it asks for that Weir cannot give; null when there is nothing
 */
public record SlurmDemands(
        long memoryMb,
        long memoryPerProcMb,
        SortedMap<String, Long> gres,
        List<String> features,
        @Nullable String preferred,
        List<String> hosts,
        List<String> excluded,
        List<String> conditions,
        int leastNodes,
        int mostNodes,
        int mostTasksPerNode,
        @Nullable Integer tasksPerNode,
        int together,
        @Nullable String access,
        @Nullable String reservation,
        SortedMap<String, Long> licences,
        List<String> flags,
        @Nullable String objection) {
    private static final int LONGEST_ITEM = 1_024;
    private static final Pattern COUNT = Pattern.compile("(.*?)[:=](\\d{1,9})(?:\\(.*\\))?");

    static SlurmDemands of(SlurmJson json, Wishes asked, int tasks, int procsPerTask) {
        List<String> hosts = HostList.expand(asked.hosts());
        boolean counted = asked.mostNodes() > 0 || asked.leastNodes() > 1;
        int least = Math.max(counted ? asked.leastNodes() : 0, hosts.size());
        int most = asked.mostNodes() == 0 ? hosts.size() : asked.mostNodes();
        int perNode = json.whole("tasks_per_node", 0);
        boolean byNode = json.number("memory_per_node", 0) > 0 || json.text("tres_per_node") != null;
        // What is asked for by node is shared evenly where that can be, for the least that a node gets counts.
        @Nullable
        Integer tasksPerNode = most == 1
                ? Integer.valueOf(tasks)
                : most > 1 && least == most && byNode && tasks % most == 0 ? Integer.valueOf(tasks / most) : null;
        int fewest = tasksPerNode != null
                ? tasksPerNode
                : perNode == 0 ? sharing(json.text("tres_per_job"), tasks, least) : 1;
        int nodes = tasks / fewest;
        SortedMap<String, Long> gres = new TreeMap<>();
        addGres(gres, json.text("tres_per_task"), fewest, 1);
        addGres(gres, json.text("tres_per_node"), 1, 1);
        addGres(gres, json.text("tres_per_job"), 1, nodes);
        FeatureExpression features = FeatureExpression.parse(orEmpty(json.text("features")), most);
        FeatureExpression preferred = FeatureExpression.parse(orEmpty(asked.preferred()), most);
        return new SlurmDemands(
                memory(json, (long) procsPerTask * fewest),
                Math.max(0, json.number("memory_per_cpu", 0)),
                gres,
                features.features(),
                preferred.features().isEmpty() ? null : preference(preferred.features()),
                hosts,
                HostList.expand(orEmpty(json.text("excluded_nodes"))),
                conditions(json, procsPerTask),
                least,
                most,
                perNode,
                tasksPerNode,
                fewest,
                access(json.words("shared")),
                asked.reservation(),
                counts(json.text("licenses")),
                json.node().path("requeue").asBoolean(false) || json.number("requeue", 0) == 1
                        ? List.of("RESTARTABLE")
                        : List.of(),
                hosts.isEmpty() || (least == hosts.size() && most >= least)
                        ? features.objection()
                        : "Weir does not know how to use other nodes besides those named: -w " + asked.hosts());
    }

    /**
     * Returns how many tasks have to stay together for each such group to ask for a whole number of what the job asks for as a
     * whole; 1 where that is no help: all of them would, or there would be fewer groups than {@code nodes}.
     */
    private static int sharing(@Nullable String gresOfJob, int tasks, int nodes) {
        int groups = tasks;
        long least = Long.MAX_VALUE;
        for (long count : counts(gresOfJob).values()) {
            if (count > 0) {
                groups = BigInteger.valueOf(groups)
                        .gcd(BigInteger.valueOf(count))
                        .intValue();
                least = Math.min(least, count);
            }
        }
        return (groups == 1 && least > 1) || groups < nodes ? 1 : tasks / groups;
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

    private static long memory(SlurmJson json, long procs) {
        long perCpu = json.number("memory_per_cpu", 0);
        return perCpu > 0 ? saturated(perCpu, procs) : json.number("memory_per_node", 0);
    }

    private static long saturated(long amount, long times) {
        long product = amount * times;
        return Math.multiplyHigh(amount, times) == 0 && product >= 0 ? product : Long.MAX_VALUE;
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

    /** Adds {@code gres:gpu:tesla:2,gres:fpga:1} times {@code times}, divided by {@code share}. */
    private static void addGres(SortedMap<String, Long> gres, @Nullable String text, int times, int share) {
        counts(text).forEach((name, count) -> {
            if (count > 0) {
                gres.merge(name, (count * times + share - 1) / share, Long::sum);
            }
        });
    }

    /** Returns generic resources by name, {@code gpu} for those of all types together and {@code gpu:tesla} for a type. */
    static SortedMap<String, Long> counts(@Nullable String text) {
        SortedMap<String, Long> counts = new TreeMap<>();
        for (String item : items(orEmpty(text))) {
            String word = item.replaceFirst("^gres[:/]", "");
            if (word.isBlank() || word.equals("(null)")) {
                continue;
            }
            Matcher matcher = COUNT.matcher(word);
            boolean counted = matcher.matches();
            String full = counted ? matcher.group(1) : word;
            String name = full.split(":", -1)[0];
            long count = counted ? Long.parseLong(matcher.group(2)) : 1L;
            counts.merge(name, count, Long::sum);
            if (!full.equals(name)) {
                counts.merge(full, count, Long::sum);
            }
        }
        return counts;
    }

    /** Splits at commas outside of parentheses, in which nodes and sockets stand; longer ones are no resources. */
    private static List<String> items(String text) {
        List<String> items = new ArrayList<>();
        int from = 0;
        int depth = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ',' : text.charAt(i);
            depth += c == '(' ? 1 : c == ')' && depth > 0 ? -1 : 0;
            if (i == text.length() || (c == ',' && depth == 0)) {
                if (i - from <= LONGEST_ITEM) {
                    items.add(text.substring(from, i));
                }
                from = i + 1;
            }
        }
        return items;
    }

    public static List<NameCount> records(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(count -> new NameCount(count.getKey(), count.getValue()))
                .toList();
    }

    /**
     * Returns the requirement; empty when it is processors alone, which a report tells itself. Slurm counts memory by processor for
     * all of the cores it gives: of tasks that may lie anywhere that is not known before.
     *
     * @param threads processors of a core
     */
    public List<TaskRequirement> requirements(int tasks, int procsPerTask, int threads) {
        boolean bare = memoryMb == 0
                && gres.isEmpty()
                && features.isEmpty()
                && conditions.isEmpty()
                && leastNodes == 0
                && mostNodes == 0
                && mostTasksPerNode == 0
                && together == 1
                && tasksPerNode == null;
        int procs = (int) Math.min(Integer.MAX_VALUE, (long) procsPerTask * together);
        boolean known = memoryPerProcMb > 0 && (tasks == together || tasksPerNode != null);
        return bare
                ? List.of()
                : List.of(TaskRequirement.newBuilder()
                        .setTasks(tasks / together)
                        .setProcsPerTask(procs)
                        .setMemoryMb(
                                known
                                        ? saturated(memoryPerProcMb, (procs + threads - 1L) / threads * threads)
                                        : memoryMb)
                        .setGres(records(gres))
                        .setFeatures(features)
                        .setNodeConditions(conditions)
                        .setLeastNodes(leastNodes)
                        .setMostNodes(mostNodes)
                        .setMostTasksPerNode(tasksPerNode == null ? mostTasksPerNode : 1)
                        .build());
    }
}

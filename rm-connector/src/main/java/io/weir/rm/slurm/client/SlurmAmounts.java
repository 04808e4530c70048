package io.weir.rm.slurm.client;

import io.weir.schemas.NameCount;
import io.weir.schemas.TaskRequirement;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a job takes of its nodes. Slurm counts processors and memory by task, processor, node and GPU, and GPUs by task, socket, node
 * and job; Weir by task, and at least by node. What is asked for of the whole job comes in equal parts from its nodes where their number is
 * known and divides it; else tasks stay together by groups that can share it, or each has a part of it, so that it is never too
 * little. What is said of the same resource in several of these ways (--gpus=4 --gpus-per-node=2) is counted once. Immutable.
 *
 * @param together tasks that Weir places as one, at least 1
 * @param memoryMb memory of each of these groups; 0 asks for none
 * @param memoryPerProcMb memory of each processor, where it is asked for so; else 0
 * @param gres generic resources of each group
 * @param nodeMemoryMb memory of each node; 0 for what its tasks take
 * @param nodeGres generic resources of each node
 * @param procsPerGpu processors that come with each GPU at least; 0 for none
 */
public record SlurmAmounts(
        int together,
        long memoryMb,
        long memoryPerProcMb,
        SortedMap<String, Long> gres,
        long nodeMemoryMb,
        SortedMap<String, Long> nodeGres,
        int procsPerGpu) {
    private static final String GPU = "gpu";
    private static final int LONGEST_ITEM = 1_024;
    private static final Pattern COUNT = Pattern.compile("(.*?)[:=](\\d{1,18})(?i:([kmgtp])(?:(b)|ib)?)?(?:\\(.*\\))?");
    private static final String UNITS = "kmgtp";
    private static final long BINARY = 1_024;
    private static final long DECIMAL = 1_000;

    /** Reads what {@code tasks} on {@code least} to {@code most} nodes take, 0 for any number of nodes. */
    static SlurmAmounts of(SlurmJson json, int tasks, int procsPerTask, int least, int most) {
        SortedMap<String, Long> ofJob = counts(json.text("tres_per_job"));
        SortedMap<String, Long> ofNode = counts(json.text("tres_per_node"));
        int sockets = ProcessorLayout.ofJob(json).sockets();
        counts(json.text("tres_per_socket"))
                .forEach((name, count) -> ofNode.merge(name, saturated(count, sockets), Math::max));
        boolean evenly = most == 1 || (most > 1 && least == most && dividesAll(ofJob, most));
        if (evenly) {
            ofJob.forEach((name, count) -> ofNode.merge(name, count / most, Math::max));
            ofJob.clear();
        }
        // What is said of each node, too, is said of the same ones: the number of nodes follows from both.
        ofJob.keySet().removeAll(ofNode.keySet());
        int together = most == 1 ? tasks : json.whole("tasks_per_node", 0) == 0 ? sharing(ofJob, tasks, least) : 1;
        int groups = tasks / together;
        SortedMap<String, Long> gres = new TreeMap<>();
        counts(json.text("tres_per_task"))
                .forEach((name, count) -> gres.merge(name, saturated(count, together), Math::max));
        ofJob.forEach((name, count) -> gres.merge(name, count / groups + (count % groups == 0 ? 0 : 1), Math::max));
        gres.values().removeIf(count -> count == 0);
        ofNode.values().removeIf(count -> count == 0);
        int procsPerGpu = (int) Math.min(Integer.MAX_VALUE, ofGpu(json.text("cpus_per_tres")));
        long memoryPerGpu = ofGpu(json.text("memory_per_tres"));
        if (memoryPerGpu > 0) {
            return new SlurmAmounts(
                    together,
                    saturated(memoryPerGpu, gres.getOrDefault(GPU, 0L)),
                    0,
                    gres,
                    saturated(memoryPerGpu, ofNode.getOrDefault(GPU, 0L)),
                    ofNode,
                    procsPerGpu);
        }
        long memoryPerProc = Math.max(0, json.number("memory_per_cpu", 0));
        long procs = Math.max((long) procsPerTask * together, saturated(procsPerGpu, gres.getOrDefault(GPU, 0L)));
        return new SlurmAmounts(
                together,
                saturated(memoryPerProc, procs),
                memoryPerProc,
                gres,
                memoryPerProc > 0 ? 0 : Math.max(0, json.number("memory_per_node", 0)),
                ofNode,
                procsPerGpu);
    }

    /**
     * Says whether no memory is asked for. Where Slurm counts memory (CR_Core_Memory), that is all memory of each node, on which no
     * other job can have any.
     */
    public boolean areWithoutMemory() {
        return memoryMb == 0 && memoryPerProcMb == 0 && nodeMemoryMb == 0;
    }

    /** Returns the memory that a node has to have where Slurm does not count it, in MB; 0 for any. */
    long memoryOfNode() {
        return Math.max(nodeMemoryMb, memoryPerProcMb);
    }

    /** Returns the same without memory. */
    SlurmAmounts withoutMemory() {
        return new SlurmAmounts(together, 0, 0, gres, 0, nodeGres, procsPerGpu);
    }

    /** Returns whether it is processors alone, as many as the tasks have. */
    boolean isBare() {
        return memoryMb == 0 && gres.isEmpty() && nodeMemoryMb == 0 && nodeGres.isEmpty() && together == 1;
    }

    /**
     * Writes the amounts for {@code tasks} into a requirement. Slurm counts memory by processor for all of the cores it gives: of
     * tasks that may lie anywhere that is not known before.
     */
    void write(TaskRequirement.Builder into, int tasks, int procsPerTask, Counting counting) {
        int threads = counting.threads();
        @Nullable String capped = counting.capped();
        long procs = procsPerGpu == 0
                ? (long) procsPerTask * together
                : Math.max((long) procsPerTask * together, saturated(procsPerGpu, gres.getOrDefault(GPU, 0L)));
        long nodeProcs = saturated(procsPerGpu, nodeGres.getOrDefault(GPU, 0L));
        boolean known = memoryPerProcMb > 0 && tasks == together;
        long cores = tasks == together ? wholeCores(procs, threads) : procs;
        into.setTasks(tasks / together)
                .setProcsPerTask(bounded(procs))
                .setMemoryMb(known ? saturated(memoryPerProcMb, wholeCores(procs, threads)) : memoryMb)
                .setGres(records(with(capped, cores, counting.units().rounded(gres))))
                .setNodeProcs(bounded(nodeProcs))
                .setNodeMemoryMb(
                        memoryPerProcMb > 0 ? saturated(memoryPerProcMb, wholeCores(nodeProcs, threads)) : nodeMemoryMb)
                .setNodeGres(records(with(
                        nodeProcs == 0 ? null : capped,
                        wholeCores(nodeProcs, threads),
                        counting.units().rounded(nodeGres))));
    }

    private static SortedMap<String, Long> with(@Nullable String name, long count, SortedMap<String, Long> others) {
        if (name == null) {
            return others;
        }
        SortedMap<String, Long> all = new TreeMap<>(others);
        all.put(name, count);
        return all;
    }

    private static long wholeCores(long procs, int threads) {
        return (procs + threads - 1L) / threads * threads;
    }

    private static int bounded(long number) {
        return (int) Math.min(Integer.MAX_VALUE, number);
    }

    private static boolean dividesAll(SortedMap<String, Long> counts, int parts) {
        return counts.values().stream().allMatch(count -> count % parts == 0);
    }

    /**
     * Returns how many tasks have to stay together for each such group to ask for a whole number of what the job asks for as a
     * whole; 1 where that is no help: all of them would, or there would be fewer groups than {@code nodes}.
     */
    private static int sharing(SortedMap<String, Long> ofJob, int tasks, int nodes) {
        int groups = tasks;
        long least = Long.MAX_VALUE;
        for (long count : ofJob.values()) {
            if (count > 0) {
                groups = BigInteger.valueOf(groups)
                        .gcd(BigInteger.valueOf(count))
                        .intValue();
                least = Math.min(least, count);
            }
        }
        return (groups == 1 && least > 1) || groups < nodes ? 1 : tasks / groups;
    }

    private static long saturated(long amount, long times) {
        long product = amount * times;
        return Math.multiplyHigh(amount, times) == 0 && product >= 0 ? product : Long.MAX_VALUE;
    }

    private static long ofGpu(@Nullable String text) {
        return counts(text).getOrDefault(GPU, 0L);
    }

    /**
     * Returns generic resources by name, {@code gpu} for those of all types together and {@code gpu:tesla} for a type. A count may have
     * a unit ({@code 4K}); Slurm itself writes one wherever it can be divided by 1024.
     */
    static SortedMap<String, Long> counts(@Nullable String text) {
        SortedMap<String, Long> counts = new TreeMap<>();
        for (String item : items(text == null ? "" : text)) {
            String word = item.replaceFirst("^gres[:/]", "");
            if (word.isBlank() || word.equals("(null)")) {
                continue;
            }
            Matcher matcher = COUNT.matcher(word);
            boolean counted = matcher.matches();
            String full = counted ? matcher.group(1) : word;
            String name = full.split(":", -1)[0];
            long count = counted ? count(matcher) : 1L;
            counts.merge(name, count, SlurmAmounts::sum);
            if (!full.equals(name)) {
                counts.merge(full, count, SlurmAmounts::sum);
            }
        }
        return counts;
    }

    private static long count(Matcher matcher) {
        long count = Long.parseLong(matcher.group(2));
        @Nullable String unit = matcher.group(3);
        if (unit != null) {
            long step = matcher.group(4) == null ? BINARY : DECIMAL;
            for (int i = UNITS.indexOf(unit.toLowerCase(Locale.ROOT)); i >= 0; i--) {
                count = saturated(count, step);
            }
        }
        return count;
    }

    private static long sum(long a, long b) {
        return a + b < 0 ? Long.MAX_VALUE : a + b;
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
}

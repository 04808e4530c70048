package io.weir.rm.slurm.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A node as slurmrestd tells it. Immutable.
 *
 * @param states its state and its flags together, in upper case
 * @param procs configured processors
 * @param usedProcs processors of running jobs
 * @param memoryMb configured memory
 * @param loadHundredths load average times 100; negative when not measured
 * @param usedMemoryMb memory of running jobs
 * @param diskMb local disk for jobs
 * @param gres configured generic resources, of all types together
 * @param partitions partitions it is in, sorted
 * @param os name of the operating system, without version
 */
public record SlurmNode(
        String name,
        Set<String> states,
        int procs,
        int usedProcs,
        long memoryMb,
        long loadHundredths,
        List<String> features,
        @Nullable String reason,
        long usedMemoryMb,
        long diskMb,
        SortedMap<String, Long> gres,
        List<String> partitions,
        @Nullable String arch,
        @Nullable String os) {

    public static SlurmNode of(JsonNode node) {
        SlurmJson json = new SlurmJson(node);
        Set<String> states = new HashSet<>(json.words("state"));
        states.addAll(json.words("state_flags"));
        List<String> features = json.list("active_features");
        @Nullable String os = json.text("operating_system");
        long load = json.number("cpu_load", -1);
        return new SlurmNode(
                node.path("name").asText(),
                states,
                Math.max(1, json.whole("cpus", 1)),
                json.whole("alloc_cpus", 0),
                json.number("real_memory", 0),
                // Slurm says "unknown" with the greatest number there is.
                load > 1_000_000 ? -1 : load,
                (features.isEmpty() ? json.list("features") : features)
                        .stream().sorted().toList(),
                json.text("reason"),
                json.number("alloc_memory", 0),
                json.number("temporary_disk", 0),
                SlurmDemands.counts(json.text("gres")),
                json.list("partitions").stream().sorted().toList(),
                json.text("architecture"),
                // "Linux 6.1.0 #1 SMP": the first word is what jobs ask for.
                os == null ? null : os.split(" ", 2)[0]);
    }

    public boolean hasAny(Set<String> some) {
        return states.stream().anyMatch(some::contains);
    }
}

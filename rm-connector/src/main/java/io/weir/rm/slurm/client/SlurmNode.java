package io.weir.rm.slurm.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node as slurmrestd tells it. Immutable.
 *
 * @param states its state and its flags together, in upper case
 * @param procs configured processors, without those that are kept for the system
 * @param allProcs configured processors, with those
 * @param usedProcs processors of running jobs
 * @param memoryMb configured memory
 * @param loadHundredths load average times 100; negative when not measured
 * @param usedMemoryMb memory of running jobs
 * @param diskMb local disk for jobs
 * @param gres configured generic resources, of all types together
 * @param partitions partitions it is in, sorted
 * @param os name of the operating system, without version
 * @param threads processors of each core, at least 1
 * @param socketProcs processors of each socket, at least 1
 * @param layout its sockets, cores and threads, whatever of them count as processors
 */
public record SlurmNode(
        String name,
        Set<String> states,
        int procs,
        int allProcs,
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
        @Nullable String os,
        int threads,
        int socketProcs,
        ProcessorLayout layout) {
    private static final Pattern GIVEN = Pattern.compile("(?:^|,)cpu=(\\d{1,9})(?:,|$)");

    public static SlurmNode of(JsonNode node) {
        SlurmJson json = new SlurmJson(node);
        Set<String> states = new HashSet<>(json.words("state"));
        states.addAll(json.words("state_flags"));
        List<String> features = json.list("active_features");
        @Nullable String os = json.text("operating_system");
        long load = json.number("cpu_load", -1);
        int cpus = Math.max(1, json.whole("cpus", 1));
        long threads = Math.max(1, json.number("threads", 1));
        long socket = threads * Math.max(1, json.number("cores", 1));
        // Where Slurm counts fewer processors than there are threads, it counts cores.
        boolean counted = socket * Math.max(1, json.number("sockets", 1)) == cpus;
        return new SlurmNode(
                node.path("name").asText(),
                states,
                given(cpus, json),
                cpus,
                json.whole("alloc_cpus", 0),
                json.number("real_memory", 0),
                // Slurm says "unknown" with the greatest number there is.
                load > 1_000_000 ? -1 : load,
                (features.isEmpty() ? json.list("features") : features)
                        .stream().sorted().toList(),
                json.text("reason"),
                json.number("alloc_memory", 0),
                json.number("temporary_disk", 0),
                SlurmAmounts.counts(json.text("gres")),
                json.list("partitions").stream().sorted().toList(),
                json.text("architecture"),
                // "Linux 6.1.0 #1 SMP": the first word is what jobs ask for.
                os == null ? null : os.split(" ", 2)[0],
                counted ? (int) threads : 1,
                counted ? (int) socket : 1,
                ProcessorLayout.ofNode(json));
    }

    /** Returns how many of {@code cpus} jobs can be given: cores may be kept for the system (CoreSpecCount). */
    private static int given(int cpus, SlurmJson json) {
        int effective = json.whole("effective_cpus", 0);
        @Nullable String tres = json.text("tres");
        Matcher matcher = GIVEN.matcher(tres == null ? "" : tres);
        int told = effective > 0 ? effective : matcher.find() ? Integer.parseInt(matcher.group(1)) : cpus;
        return told > 0 ? Math.min(told, cpus) : cpus;
    }

    /** Returns the node as one that has so much memory for jobs. */
    SlurmNode withMemory(long other) {
        return having(procs, other, features);
    }

    /** Returns the node as one of which jobs get all processors. */
    public SlurmNode whole() {
        return having(allProcs, memoryMb, features);
    }

    /** Returns the node with its switch among its features, where that is known. */
    public SlurmNode on(Switches switches) {
        return with(switches.feature(name));
    }

    /** Returns the node with the magnetic reservation that it is in among its features, or none, while there are any. */
    public SlurmNode in(MagneticNodes reserved) {
        return with(reserved.feature(name));
    }

    private SlurmNode with(Optional<String> more) {
        return more.map(feature -> having(
                        procs,
                        memoryMb,
                        Stream.concat(features.stream(), Stream.of(feature))
                                .sorted()
                                .toList()))
                .orElse(this);
    }

    private SlurmNode having(int otherProcs, long otherMemoryMb, List<String> otherFeatures) {
        return new SlurmNode(
                name,
                states,
                otherProcs,
                allProcs,
                usedProcs,
                otherMemoryMb,
                loadHundredths,
                otherFeatures,
                reason,
                usedMemoryMb,
                diskMb,
                gres,
                partitions,
                arch,
                os,
                threads,
                socketProcs,
                layout);
    }

    public boolean hasAny(Set<String> some) {
        return states.stream().anyMatch(some::contains);
    }
}

package io.weir.rm.slurm.control;

import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long Slurm lets jobs that are preempted go on: the GraceTime of their partition or QOS, as PreemptType has it. Preemptions are
 * few, so Slurm is asked at each; what it said last counts where it does not answer. One thread.
 */
final class GraceTimes {
    private static final Logger log = LoggerFactory.getLogger(GraceTimes.class);
    private static final Pattern TYPE = Pattern.compile("(?m)^PreemptType\\s*=\\s*preempt/(\\S+)");

    private final SlurmCommands commands;

    /** What was said last, by partition or QOS. */
    private final Map<String, Duration> known = new TreeMap<>();

    GraceTimes(SlurmCommands commands) {
        this.commands = commands;
    }

    /** Returns how long {@code job} may go on once it is preempted; zero for not at all. */
    Duration of(SlurmJob job) {
        Matcher type = TYPE.matcher(commands.config());
        return switch (type.find() ? type.group(1) : "none") {
            case "partition_prio" -> of("partition", job.partition());
            case "qos" -> of("qos", job.qos());
            default -> Duration.ZERO;
        };
    }

    private Duration of(String kind, @Nullable String name) {
        if (name == null) {
            return Duration.ZERO;
        }
        String key = kind + " " + name;
        Optional<Duration> said = kind.equals("qos") ? commands.graceOfQos(name) : commands.graceOfPartition(name);
        said.ifPresent(time -> known.put(key, time));
        if (said.isEmpty()) {
            log.warn(
                    "GraceTime of {} cannot be asked; it counts as {} s",
                    key,
                    known(key).toSeconds());
        }
        return known(key);
    }

    private Duration known(String key) {
        return known.getOrDefault(key, Duration.ZERO);
    }
}

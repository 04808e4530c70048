package io.weir.rm.slurm.client;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the user asked for, of the things a start writes over: Slurm has one field for the nodes somebody wants and the nodes
 * a job is told to run on. They are kept in {@link AdminNote} while Weir's own words stand in the job, so that the two are
 * never taken for each other, and put back when the job waits again. Immutable.
 *
 * @param hosts nodes asked for by name, as Slurm writes them; empty for none
 * @param leastNodes fewest nodes, at least 1
 * @param mostNodes most nodes; 0 when no most was given
 * @param tasks tasks, those that share a processor included
 * @param reservation reservation asked for; null for none
 * @param preferred preferred features; null for none
 * @param partition partition, or several by comma; null for none
 * @param limit the time limit before the start changed it; null when the start left it as it was
 */
public record Wishes(
        String hosts,
        int leastNodes,
        int mostNodes,
        int tasks,
        @Nullable String reservation,
        @Nullable String preferred,
        @Nullable String partition,
        @Nullable ChangedLimit limit) {
    private static final String SEPARATOR = ";";

    /** What Slurm is told of a job that may have as many nodes as there are: a most, once given, cannot be taken back. */
    static final int ANY_NODES = 500_000;

    /**
     * A time limit that a start changed.
     *
     * @param asked minutes before
     * @param given minutes after; another value on the job was set by somebody else since, and stays
     */
    public record ChangedLimit(long asked, long given) {}

    /** Returns the wishes as one word without blanks and brackets. */
    String encoded() {
        StringBuilder text = new StringBuilder("n:" + leastNodes + "-" + mostNodes + SEPARATOR + "k:" + tasks);
        if (!hosts.isEmpty()) {
            text.append(SEPARATOR).append("w:").append(hosts);
        }
        if (reservation != null) {
            text.append(SEPARATOR).append("r:").append(reservation);
        }
        if (preferred != null) {
            text.append(SEPARATOR).append("p:").append(preferred);
        }
        if (severalPartitions()) {
            text.append(SEPARATOR).append("q:").append(partition);
        }
        if (limit != null) {
            text.append(SEPARATOR)
                    .append("t:")
                    .append(limit.asked())
                    .append('-')
                    .append(limit.given());
        }
        return URLEncoder.encode(text.toString(), StandardCharsets.UTF_8);
    }

    /** Reads what {@link #encoded} wrote; null when it cannot be read. */
    static @Nullable Wishes decode(String word) {
        Map<String, String> parts = new HashMap<>();
        try {
            for (String part : URLDecoder.decode(word, StandardCharsets.UTF_8).split(SEPARATOR, -1)) {
                int colon = part.indexOf(':');
                if (colon > 0) {
                    parts.put(part.substring(0, colon), part.substring(colon + 1));
                }
            }
            long[] nodes = pair(parts.getOrDefault("n", ""));
            @Nullable String limit = parts.get("t");
            long[] minutes = limit == null ? new long[2] : pair(limit);
            return new Wishes(
                    parts.getOrDefault("w", ""),
                    Math.toIntExact(nodes[0]),
                    Math.toIntExact(nodes[1]),
                    Integer.parseInt(parts.getOrDefault("k", "")),
                    parts.get("r"),
                    parts.get("p"),
                    parts.get("q"),
                    limit == null ? null : new ChangedLimit(minutes[0], minutes[1]));
        } catch (IllegalArgumentException | ArithmeticException e) {
            return null;
        }
    }

    private static long[] pair(String text) {
        String[] ends = text.split("-", -1);
        if (ends.length != 2) {
            throw new IllegalArgumentException("no range: " + text);
        }
        return new long[] {Long.parseLong(ends[0]), Long.parseLong(ends[1])};
    }

    /** Says whether several partitions would do; only then a start says which. */
    public boolean severalPartitions() {
        return partition != null && partition.indexOf(',') >= 0;
    }

    /** Returns these wishes, of which a start changes the time limit. */
    public Wishes withLimit(long asked, long given) {
        return new Wishes(
                hosts, leastNodes, mostNodes, tasks, reservation, preferred, partition, new ChangedLimit(asked, given));
    }

    /** Returns the most nodes as Slurm is told them. */
    int most() {
        return mostNodes == 0 ? ANY_NODES : mostNodes;
    }

    /** Returns what makes {@code job} ask for this again, in the words of scontrol. */
    public List<String> restoring(SlurmJob job) {
        return restoring(
                job.written().tasks(), job.limitMinutes(), job.written().reservation() != null, wasTold(job));
    }

    /** Says whether a start may have changed the number of nodes of {@code job}, which Slurm does not tell of one that ran. */
    private boolean wasTold(SlurmJob job) {
        boolean differs =
                job.written().leastNodes() != leastNodes || job.written().mostNodes() != mostNodes;
        return differs || (job.restarts() > 0 && !job.sharesProcessors());
    }

    /** Does so for a job with so many tasks and minutes that is in a reservation or not. */
    public List<String> restoring(int tasksNow, long minutesNow, boolean reserved) {
        return restoring(tasksNow, minutesNow, reserved, true);
    }

    private List<String> restoring(int tasksNow, long minutesNow, boolean reserved, boolean toldNodes) {
        List<String> fields = new ArrayList<>();
        fields.add("ReqNodeList=" + hosts);
        if (toldNodes) {
            fields.add("NumNodes=" + leastNodes + "-" + most());
        }
        if (tasksNow != tasks) {
            fields.add("NumTasks=" + tasks);
        }
        if (reserved || reservation != null) {
            fields.add("ReservationName=" + (reservation == null ? "" : reservation));
        }
        if (severalPartitions()) {
            fields.add("Partition=" + partition);
        }
        if (preferred != null) {
            fields.add("Prefer=" + preferred);
        }
        if (limit != null && minutesNow == limit.given()) {
            fields.add("TimeLimit=" + (limit.asked() >= SlurmJob.UNLIMITED_MINUTES ? "UNLIMITED" : limit.asked()));
        }
        return fields;
    }
}

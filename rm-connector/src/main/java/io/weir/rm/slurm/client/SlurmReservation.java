package io.weir.rm.slurm.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A reservation as slurmrestd tells it. Immutable.
 *
 * @param name its name
 * @param nodes names of its nodes, sorted
 * @param start when it begins; null when that is not told
 * @param end when it ends; null for never
 * @param flexible whether its jobs may also run elsewhere, and before it begins
 * @param anyNodes whether its jobs may also run elsewhere, once it has begun
 * @param cores cores it keeps, on all its nodes together; 0 when that is not told
 * @param admission whose jobs it is for
 * @param magnetic whether it takes those jobs though they do not name it
 */
public record SlurmReservation(
        String name,
        Set<String> nodes,
        @Nullable Instant start,
        @Nullable Instant end,
        boolean flexible,
        boolean anyNodes,
        long cores,
        Admission admission,
        boolean magnetic) {
    /**
     * Whose jobs a reservation is for: those of which user, account and group are among these, as far as any are given.
     *
     * @param users names of users, any with a minus in front of it is kept out; empty for no matter who
     * @param accounts accounts, in the same way
     * @param groups groups, in the same way
     */
    public record Admission(List<String> users, List<String> accounts, List<String> groups) {
        public Admission {
            users = List.copyOf(users);
            accounts = List.copyOf(accounts);
            groups = List.copyOf(groups);
        }

        boolean admits(SlurmJob job) {
            boolean anybody = users.isEmpty() && accounts.isEmpty() && groups.isEmpty();
            return !anybody && among(users, job.user()) && among(accounts, job.account()) && among(groups, job.group());
        }

        private static boolean among(List<String> names, @Nullable String name) {
            return names.isEmpty() || (name != null && names.contains(name));
        }
    }

    static SlurmReservation of(JsonNode node) {
        SlurmJson json = new SlurmJson(node);
        String name = json.text("name");
        String nodes = json.text("node_list");
        return new SlurmReservation(
                name == null ? "" : name,
                new TreeSet<>(HostList.expand(nodes == null ? "" : nodes)),
                json.instant("start_time"),
                json.instant("end_time"),
                json.words("flags").contains("FLEX"),
                json.words("flags").contains("ANY_NODES"),
                json.number("core_count", 0),
                new Admission(json.list("users"), json.list("accounts"), json.list("groups")),
                json.words("flags").contains("MAGNETIC"));
    }

    /** Says whether it takes the job now, though the job does not name it; a job may go on when it is over. */
    public boolean attracts(SlurmJob job, Instant now) {
        return magnetic && hasBegun(now) && admission.admits(job);
    }

    /** Says whether jobs that name it run on its nodes and nowhere else. */
    public boolean confines() {
        return !flexible && !anyNodes;
    }

    /** Says whether it has begun by then. */
    public boolean hasBegun(Instant now) {
        return start == null || !start.isAfter(now);
    }

    /** Says whether it keeps its nodes at some time between these two. */
    public boolean overlaps(Instant from, Instant until) {
        return (start == null || start.isBefore(until)) && (end == null || end.isAfter(from));
    }
}

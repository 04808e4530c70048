package io.weir.rm.slurm.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.schemas.NodeAllocation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A job as slurmrestd tells it. Immutable.
 *
 * @param id Slurm's number of the job
 * @param states its state, and from version 40 on flags beside it
 * @param reason why it waits, or how it ended
 * @param requeuedHeld Slurm's words for why it put the job back into the queue held, which it says until the job starts again,
 *     released or not; null when it did not
 * @param partition the partition it runs in, or by comma all it may run in
 * @param association Slurm's number of the association of its user and account; 0 for none
 * @param priority 0 while it is held
 * @param nice by how much its user lets others go first (sbatch --nice)
 * @param tasks tasks, at least 1
 * @param procsPerTask processors of each task, at least 1
 * @param limitMinutes time limit; {@link #UNLIMITED_MINUTES} when Slurm sets none, 0 when none is told
 * @param end when it ended, or will have reached its limit
 * @param latestStart when it has to begin at the latest to be over by its deadline; null for a job without one
 * @param deadDependency what becomes of it when its dependency can never be fulfilled
 * @param waitStatus exit code and signal, as wait(2) tells them
 * @param restarts how often it was requeued
 * @param requeueable whether it may be put back into the queue ({@code --no-requeue} and JobRequeue say otherwise)
 * @param hadNodes whether it has or had nodes: a job cancelled in the queue has a start time too, that of its end;
 *     while a job completes Slurm may list no node any more
 * @param component which component of a heterogeneous job it is; null for a job of its own
 * @param array what of a job array it is; null for a job of its own
 * @param cores how many cores it has of each of its nodes; empty when that is not told
 * @param written the nodes, tasks and reservation that stand in the job, whoever wrote them there
 * @param threadsPerCore processors of a core that it uses at most; 0 for all
 * @param coresApart whether no two of its tasks share a core
 * @param demands what it asks for beyond processors
 * @param batch whether it has a script that Slurm runs
 * @param batchHost node on which that runs; null when it is not told
 */
public record SlurmJob(
        long id,
        @Nullable String name,
        @Nullable String user,
        @Nullable String group,
        @Nullable String account,
        @Nullable String partition,
        @Nullable String qos,
        Set<String> states,
        String reason,
        @Nullable String requeuedHeld,
        long association,
        long priority,
        int nice,
        int tasks,
        int procsPerTask,
        long limitMinutes,
        @Nullable Instant submitted,
        @Nullable Instant eligible,
        @Nullable Instant started,
        @Nullable Instant end,
        @Nullable Instant latestStart,
        @Nullable String dependency,
        DeadDependencyRule deadDependency,
        long waitStatus,
        int restarts,
        boolean requeueable,
        boolean hadNodes,
        @Nullable JobComponent component,
        @Nullable ArrayPart array,
        @Nullable String comment,
        AdminNote note,
        List<NodeAllocation> allocation,
        Map<String, Integer> cores,
        Wishes written,
        int threadsPerCore,
        boolean coresApart,
        SlurmDemands demands,
        boolean batch,
        @Nullable String batchHost) {
    /** A job that gives its nodes back; while EpilogSlurmctld runs none is listed. */
    public static final String COMPLETING = "COMPLETING";

    /** A job that ended well: its exit code is 0. */
    public static final String COMPLETED = "COMPLETED";

    private static final String PENDING = "PENDING";

    /** How Slurm shows a waiting job that was put back into the queue as one that ended otherwise than it should. */
    private static final String SPECIAL_EXIT = "SPECIAL_EXIT";

    /** What somebody asked for, and what Slurm does where a job could not be launched, as when a prolog failed. */
    private static final Set<String> REQUEUED_HELD = Set.of(
            "job requeued in held state",
            "job requeued in special exit state",
            "launch failed requeued held",
            "JobHoldMaxRequeue");

    /** Stands for a job that may run for ever: a hundred years, as in all of Weir's limits. */
    public static final long UNLIMITED_MINUTES = 52_704_000;

    /** From so many on it is Slurm's word for any number of threads or tasks of a core. */
    private static final int ANY_THREADS = 0xfffe;

    private static final long UNSIGNED_MOST = 0xffff_ffffL;

    private static final Pattern REQUESTED = Pattern.compile("(?:^|,)cpu=(\\d{1,9})(?:,|$)");
    private static final Pattern REQUESTED_NODES = Pattern.compile("(?:^|,)node=(\\d{1,9})(?:,|$)");
    private static final Set<String> ENDS = Set.of(
            COMPLETED,
            "CANCELLED",
            "FAILED",
            "TIMEOUT",
            "NODE_FAIL",
            "PREEMPTED",
            "BOOT_FAIL",
            "DEADLINE",
            "OUT_OF_MEMORY",
            "REVOKED");

    public static SlurmJob of(JsonNode node) {
        SlurmJson json = new SlurmJson(node);
        long cpus = json.number("cpus", 1);
        long told = Math.max(1, Math.min(Integer.MAX_VALUE, json.number("tasks", cpus)));
        AdminNote note = AdminNote.parse(orElse(json.text("admin_comment"), ""));
        Wishes written = written(json, (int) told);
        Wishes asked = note.asked().orElseGet(() -> completed(written, note));
        // Every node is used: those asked for by name, and as many as there are to be (MinNodes of a partition),
        // however few the tasks.
        long onNodes = Math.max(HostList.expand(asked.hosts()).size(), asked.leastNodes() > 1 ? asked.leastNodes() : 0);
        long present = Math.max(placed(json, told), onNodes);
        int perTask =
                (int) Math.max(json.whole("cpus_per_task", 1), (requestedProcs(json, present) + present - 1) / present);
        // A start on more nodes than there are tasks has Slurm count a task for each.
        long tasks = asked.tasks() < told ? Math.max(asked.tasks(), onNodes) : present;
        // A job of one task gets all the processors that it wants its node to give.
        int procsPerTask = tasks == 1 ? Math.max(perTask, json.whole("minimum_cpus_per_node", 1)) : perTask;
        JsonNode exit = node.path("exit_code");
        return new SlurmJob(
                json.number("job_id", 0),
                json.text("name"),
                json.text("user_name"),
                json.text("group_name"),
                json.text("account"),
                json.text("partition"),
                json.text("qos"),
                new HashSet<>(json.words("job_state")),
                orElse(json.text("state_reason"), ""),
                requeuedHeld(json),
                json.number("association_id", 0),
                json.number("priority", 0),
                nice(json.number("nice", 0)),
                (int) tasks,
                procsPerTask,
                json.isInfinite("time_limit")
                        ? UNLIMITED_MINUTES
                        : Math.max(0, Math.min(UNLIMITED_MINUTES, json.number("time_limit", 0))),
                json.instant("submit_time"),
                json.instant("eligible_time"),
                json.instant("start_time"),
                json.instant("end_time"),
                latestStart(json),
                json.text("dependency"),
                DeadDependencyRule.of(json.words("flags")),
                exit.has("return_code") ? waitStatus(exit) : json.number("exit_code", 0),
                json.whole("restart_cnt", 0),
                node.path("requeue").asBoolean(true),
                json.text("nodes") != null || json.words("job_state").contains(COMPLETING),
                JobComponent.of(json),
                ArrayPart.of(json),
                json.text("comment"),
                note,
                allocation(node.path("job_resources"), cpus),
                cores(node.path("job_resources")),
                written,
                few(json, "threads_per_core"),
                few(json, "tasks_per_core") == 1,
                SlurmDemands.of(json, asked, (int) tasks, procsPerTask),
                node.path("batch_flag").asBoolean(false),
                json.text("batch_host"));
    }

    /**
     * Returns before when the job may not begin by its user's word; null when there is none. When it puts a job back into the queue
     * Slurm itself sets a begin time a little ahead, which is taken back together with the words of the last start; and so does
     * Weir's plug-in at first, which a start takes back.
     */
    @Nullable
    public Instant begins() {
        boolean requeued = restarts > 0 && note.asked().isPresent();
        return requeued || (eligible != null && note.gave(eligible)) ? null : eligible;
    }

    /**
     * Returns the processors that each task keeps from others where a core has {@code threads}: the others of its cores, too, when
     * it leaves them idle or shares none.
     */
    public int procsPerTask(int threads) {
        int used = threadsPerCore > 0 && threadsPerCore < threads ? threadsPerCore : threads;
        long cores = (procsPerTask + used - 1L) / used;
        return used < threads || coresApart ? (int) Math.min(Integer.MAX_VALUE, cores * threads) : procsPerTask;
    }

    /** Returns what follows from the deadline and the shortest time that the job is content with. */
    private static @Nullable Instant latestStart(SlurmJson json) {
        @Nullable Instant deadline = json.instant("deadline");
        long least = json.number("time_minimum", 0);
        long minutes =
                least > 0 ? least : json.isInfinite("time_limit") ? UNLIMITED_MINUTES : json.number("time_limit", 0);
        return deadline == null ? null : deadline.minusSeconds(Math.min(minutes, UNLIMITED_MINUTES) * 60);
    }

    private static @Nullable String requeuedHeld(SlurmJson json) {
        String words = orElse(json.text("state_description"), orElse(json.text("state_reason"), ""))
                .replace('_', ' ');
        if (REQUEUED_HELD.contains(words)) {
            return words;
        }
        // One that ended with a code of RequeueExitHold comes without words.
        return json.words("job_state").contains(SPECIAL_EXIT) ? "job requeued in special exit state" : null;
    }

    /** Returns a number of threads or tasks, as far as it was asked for; Slurm says "any" with one that is too large. */
    private static int few(SlurmJson json, String field) {
        int number = json.whole(field, 0);
        return number > 0 && number < ANY_THREADS ? number : 0;
    }

    /** Returns the most of nodes; 0 for as many as there are. */
    private static int mostNodes(SlurmJson json) {
        int most = json.whole("max_nodes", 0);
        return most >= Wishes.ANY_NODES ? 0 : most;
    }

    private static Wishes written(SlurmJson json, int tasks) {
        return new Wishes(
                orElse(json.text("required_nodes"), ""),
                leastNodes(json),
                mostNodes(json),
                tasks,
                json.text("resv_name"),
                json.text("prefer"),
                json.text("partition"),
                null);
    }

    /** Once a job ran, Slurm does not tell its most nodes any more: they are as they were put back. */
    private static Wishes completed(Wishes written, AdminNote note) {
        return note.restored()
                .filter(before -> written.mostNodes() == 0 && written.leastNodes() == before.leastNodes())
                .map(before -> new Wishes(
                        written.hosts(),
                        written.leastNodes(),
                        before.mostNodes(),
                        written.tasks(),
                        written.reservation(),
                        written.preferred(),
                        written.partition(),
                        null))
                .orElse(written);
    }

    /** Returns what its user asks for, whatever a start wrote over it. */
    public Wishes wishes() {
        return note.asked().orElseGet(() -> completed(written, note));
    }

    /**
     * Says whether Slurm gives the job a single node, however little that has left: one task is never divided. A component, and a
     * job whose number of nodes was put back, may have as many as there are by Slurm's own record, which then waits for more.
     */
    public boolean staysOnOneNode() {
        return component == null
                && note.restored().isEmpty()
                && written.tasks() == 1
                && written.leastNodes() <= 1
                && written.mostNodes() <= 1
                && demands.amounts().gres().isEmpty()
                && demands.amounts().nodeGres().isEmpty();
    }

    /**
     * Says whether tasks of the job share a processor (sbatch -O) where it has fewer than that of them. Slurm counts a processor for
     * each task whenever it is told a number of nodes.
     */
    public boolean sharesProcessors() {
        return written.tasks() > tasks;
    }

    /** Tasks that share a processor (sbatch -O) are placed as the processors they share, one on each node at least. */
    private static long placed(SlurmJson json, long tasks) {
        long procs = requestedProcs(json, tasks);
        return procs < tasks ? Math.max(procs, Math.min(tasks, leastNodes(json))) : tasks;
    }

    private static int leastNodes(SlurmJson json) {
        Matcher nodes = REQUESTED_NODES.matcher(orElse(json.text("tres_req_str"), ""));
        return nodes.find() ? Math.max(1, Integer.parseInt(nodes.group(1))) : 1;
    }

    /** Slurm does not always tell the processors of a task; those of the whole request it does, before and after. */
    private static long requestedProcs(SlurmJson json, long otherwise) {
        Matcher matcher = REQUESTED.matcher(orElse(json.text("tres_req_str"), ""));
        return matcher.find() ? Long.parseLong(matcher.group(1)) : otherwise;
    }

    private static String orElse(@Nullable String text, String otherwise) {
        return text == null ? otherwise : text;
    }

    private static long waitStatus(JsonNode exit) {
        SlurmJson json = new SlurmJson(exit);
        long signal = new SlurmJson(exit.path("signal")).number("id", json.number("signal", 0));
        return (json.number("return_code", 0) << 8) | signal;
    }

    /** Slurm lists cores; a job's processors are a multiple of them where cores have threads. */
    private static List<NodeAllocation> allocation(JsonNode resources, long cpus) {
        List<NodeAllocation> nodes = new ArrayList<>();
        JsonNode list = resources.path("nodes").path("allocation");
        if (list.isArray()) {
            for (JsonNode node : list) {
                SlurmJson json = new SlurmJson(node);
                long count = new SlurmJson(node.path("cpus")).number("count", 0);
                add(nodes, json.text("name"), count);
            }
        } else {
            long total = 0;
            for (JsonNode node : resources.path("allocated_nodes")) {
                int cores = cores(node.path("sockets"), core -> true);
                total += cores;
                add(nodes, new SlurmJson(node).text("nodename"), cores);
            }
            long threads = total == 0 ? 1 : Math.max(1, cpus / total);
            if (threads > 1) {
                nodes.replaceAll(node -> new NodeAllocation(
                        node.getNodeId(), (int) Math.min(Integer.MAX_VALUE, node.getProcs() * threads)));
            }
        }
        nodes.sort(Comparator.comparing(NodeAllocation::getNodeId));
        return List.copyOf(nodes);
    }

    /** From version 40 on Slurm lists all cores of a node, and says which of them the job has. */
    private static Map<String, Integer> cores(JsonNode resources) {
        Map<String, Integer> cores = new HashMap<>();
        for (JsonNode node : resources.path("allocated_nodes")) {
            add(cores, new SlurmJson(node).text("nodename"), cores(node.path("sockets"), core -> true));
        }
        for (JsonNode node : resources.path("nodes").path("allocation")) {
            add(
                    cores,
                    new SlurmJson(node).text("name"),
                    cores(
                            node.path("sockets"),
                            core -> new SlurmJson(core).words("status").contains("ALLOCATED")));
        }
        return Map.copyOf(cores);
    }

    private static int cores(JsonNode sockets, Predicate<JsonNode> has) {
        int count = 0;
        for (JsonNode socket : sockets) {
            for (JsonNode core : socket.path("cores")) {
                count += has.test(core) ? 1 : 0;
            }
        }
        return count;
    }

    private static void add(Map<String, Integer> cores, @Nullable String node, int count) {
        if (node != null && count > 0) {
            cores.put(node, count);
        }
    }

    private static void add(List<NodeAllocation> nodes, @Nullable String name, long procs) {
        if (name != null) {
            nodes.add(new NodeAllocation(name, (int) Math.max(1, Math.min(Integer.MAX_VALUE, procs))));
        }
    }

    /** Returns the partitions it may run in, in the order given. */
    public List<String> partitions() {
        String asked = isPending() && wishes().severalPartitions() ? wishes().partition() : partition;
        return asked == null ? List.of() : List.of(asked.split(",", -1));
    }

    /** Returns the partitions that stand in the job, whoever wrote them there: a start writes those that it tries. */
    public List<String> triedPartitions() {
        return partition == null ? List.of() : List.of(partition.split(",", -1));
    }

    public boolean is(String state) {
        return states.contains(state);
    }

    /** Returns a nice value, of which Slurm 22.05 tells a negative one as the unsigned number of the same 32 bits. */
    private static int nice(long told) {
        long signed = told > Integer.MAX_VALUE && told <= UNSIGNED_MOST ? (int) told : told;
        return (int) Math.max(-Integer.MAX_VALUE, Math.min(Integer.MAX_VALUE, signed));
    }

    /** Says whether it is neither a task of an array nor a component of a heterogeneous job. */
    public boolean isWhole() {
        return array == null && component == null;
    }

    /** Says whether it is a task of an array of which any number may run at a time. */
    public boolean isUnlimitedTask() {
        return array != null && array.most() == 0 && component == null;
    }

    /** Says whether the job waits, held or not, and has left its nodes if it was requeued. */
    public boolean isPending() {
        return (is(PENDING) || is(SPECIAL_EXIT)) && !isCompleting();
    }

    public boolean isHeld() {
        return priority == 0;
    }

    /**
     * Says whether Slurm holds it because it can not run where it was to. Slurm ends that hold with the next change of the job,
     * whatever is changed, and then starts the job by itself.
     */
    public boolean isHeldAsUnfit() {
        return isHeld() && reason.equals("BadConstraints");
    }

    /** Says whether the job has nodes and has not begun to leave them. */
    public boolean isRunning() {
        return (is("RUNNING") || is("CONFIGURING") || is("SUSPENDED")) && !isCompleting();
    }

    /** Says whether the job is leaving its nodes, to its end or back to the queue. */
    public boolean isCompleting() {
        return is("COMPLETING");
    }

    /** Says whether that is a state, as Slurm writes it, in which jobs stay when they have left their nodes. */
    public static boolean isEnd(String state) {
        return ENDS.contains(state);
    }

    /** Says whether the job has ended and left its nodes. */
    public boolean hasEnded() {
        return !isCompleting() && states.stream().anyMatch(ENDS::contains);
    }

    /** Returns the job on these nodes, which Slurm did not list. */
    public SlurmJob on(List<NodeAllocation> nodes) {
        return with(states, reason, started, end, waitStatus, hadNodes, array, List.copyOf(nodes));
    }

    /** Returns the waiting job as it runs on these nodes. */
    public SlurmJob running(List<NodeAllocation> nodes, @Nullable Instant since, String why) {
        return with(Set.of("RUNNING"), why, since, end, waitStatus, true, array, List.copyOf(nodes));
    }

    /** Returns the running job as it leaves its nodes since then; how it ends is not known yet. */
    public SlurmJob leaving(@Nullable Instant since) {
        return with(Set.of(COMPLETING), reason, started, since, waitStatus, hadNodes, array, allocation);
    }

    /** Returns the job that ran as it ended then, well. */
    public SlurmJob completed(Instant then, String why) {
        return with(Set.of(COMPLETED), why, started, then, 0, hadNodes, array, allocation);
    }

    /** Returns the waiting job as it is held for that reason. */
    public SlurmJob held(String why) {
        return with(states, why, started, end, waitStatus, hadNodes, array, allocation);
    }

    /** Returns the task of an array of which so many may run at a time, 0 for any number. */
    public SlurmJob limited(int most) {
        return with(
                states,
                reason,
                started,
                end,
                waitStatus,
                hadNodes,
                array == null ? null : array.limited(most),
                allocation);
    }

    /** Returns one of the tasks this job stands for. */
    SlurmJob task(long number) {
        return with(
                states,
                reason,
                started,
                end,
                waitStatus,
                hadNodes,
                array == null ? null : array.only(number),
                allocation);
    }

    /**
     * Returns the name under which users know it: a number, {@code 12_3} for a task of an array, {@code 12+1} for another than
     * the first component of a heterogeneous job. Slurm's commands take it, and that of a first component for all of them.
     */
    public String key() {
        if (component != null) {
            return component.key();
        }
        return array == null ? Long.toString(id) : array.key();
    }

    /** Returns by which name scontrol changes it and nothing else. */
    public String alone() {
        if (component == null) {
            return key();
        }
        String number = Long.toString(id);
        return component.offset() == 0 ? JobComponent.first(number) : number;
    }

    /** Returns its place in the order of submission. */
    public long sequence() {
        return ArrayPart.sequence(id, array);
    }

    /** Says whether it is the job or task of that name. */
    boolean isCalled(String name) {
        return key().equals(name);
    }

    /** Returns the task of that name if this job stands for it and others, and itself if the name is its own; else null. */
    public @Nullable SlurmJob called(String name) {
        if (isCalled(name)) {
            return this;
        }
        if (array == null || array.task() != null || !name.startsWith(array.array() + "_")) {
            return null;
        }
        long number = Long.parseLong(name.substring(name.indexOf('_') + 1));
        return array.mayHave(number) ? task(number) : null;
    }

    private SlurmJob with(
            Set<String> now,
            String why,
            @Nullable Instant since,
            @Nullable Instant until,
            long status,
            boolean onNodes,
            @Nullable ArrayPart part,
            List<NodeAllocation> nodes) {
        return new SlurmJob(
                id,
                name,
                user,
                group,
                account,
                partition,
                qos,
                now,
                why,
                requeuedHeld,
                association,
                priority,
                nice,
                tasks,
                procsPerTask,
                limitMinutes,
                submitted,
                eligible,
                since,
                until,
                latestStart,
                dependency,
                deadDependency,
                status,
                restarts,
                requeueable,
                onNodes,
                component,
                part,
                comment,
                note,
                nodes,
                cores,
                written,
                threadsPerCore,
                coresApart,
                demands,
                batch,
                batchHost);
    }

    /** Returns the node on which its script runs, which is always one of its nodes; null for none, or when it is not known. */
    public @Nullable String scriptNode() {
        if (!batch || !isRunning()) {
            return null;
        }
        return allocation.size() == 1 ? allocation.get(0).getNodeId() : batchHost;
    }

    /** Returns the names of its nodes. */
    public Set<String> nodes() {
        return allocation.stream().map(NodeAllocation::getNodeId).collect(Collectors.toSet());
    }

    /** Returns seconds as Slurm counts limits, in minutes begun. */
    public static long minutes(long seconds) {
        return (seconds + 59) / 60;
    }

    /** Returns what a shell would tell as exit code. */
    public int exitCode() {
        int signal = (int) (waitStatus & 0x7f);
        return signal != 0 ? 128 + signal : (int) (waitStatus >> 8) & 0xff;
    }
}

package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.Wishes;
import io.weir.schemas.NodeAllocation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What kept jobs from starting, while it lasts as far as is known. A job that waits for something passing is tried again after
 * a while that doubles with each attempt; earlier when the licences it wants are free, when a job leaves the nodes that had no
 * room for it, when one ends that counted for the same limit, when its partition, account or QOS is changed, or when it asks for
 * something else. Nodes that did not suit a job are left out for a while, and so are partitions that do not admit a job which may
 * run in others. A job that may not have so many nodes is tried on fewer. Nothing of it outlives the process; losing it costs an
 * attempt. One thread.
 */
public final class StartObstacles {
    private static final Duration FIRST_WAIT = Duration.ofSeconds(10);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    /** So much of a wait passes in any case, the longest first wait at most. */
    private static final int PART_AT_LEAST = 5;

    /** What only an administrator or the job's user ends is seen when it ends, nearly always. */
    private static final Duration LONGEST_OF_JOB_ALONE = Duration.ofMinutes(15);

    /** What falls with each minute that other jobs run. */
    private static final Duration LONGEST_OF_TIME_LEFT = Duration.ofMinutes(1);

    private static final Duration NODES_LEFT_OUT = Duration.ofMinutes(5);
    private static final String LICENCES = "Licenses";
    private static final int JOBS_KEPT = 100_000;

    private final Map<String, Wait> waits = new LinkedHashMap<>();
    private final Map<String, TreeMap<String, LeftOut>> unsuited = new LinkedHashMap<>();

    private final NodeLimits nodeLimits = new NodeLimits();

    /** When nodes came back lately. */
    private final Map<String, Instant> returned = new HashMap<>();

    /** Partitions that do not admit a job which may run in others, too, by job. */
    private final Map<String, TreeMap<String, Wait>> closed = new LinkedHashMap<>();

    /** Jobs that were tried in several partitions at once and not admitted by one of them. */
    private final Set<String> apart = new HashSet<>();

    /** Partitions that start no job, and Slurm's reason for that. */
    private Map<String, String> shut = Map.of();

    /** Partitions that have a QOS, whose limits hold for all of their jobs together. */
    private Set<String> partitionsWithQos = Set.of();

    /** Of each account, those above it that limit their jobs together. */
    private Map<String, List<String>> accountsAbove = Map.of();

    /** Jobs whose wait ended before its time and that are still to be told. */
    private final Set<String> ended = new LinkedHashSet<>();

    private record Wait(
            StartObstacle obstacle,
            Duration length,
            Instant since,
            Instant until,
            Map<String, Long> licences,
            Request request) {
        /** Returns when it may end at the soonest, whatever changes: the more often the job was tried in vain, the later. */
        Instant soonest() {
            Duration part = length.dividedBy(PART_AT_LEAST);
            return since.plus(part.compareTo(FIRST_WAIT) < 0 ? part : FIRST_WAIT);
        }

        Wait until(Instant end) {
            return new Wait(obstacle, length, since, end, licences, request);
        }

        /** Says whether it holds the job back, which asks for the same as then. */
        boolean isOf(SlurmJob job, Instant now) {
            return until.isAfter(now) && request.equals(Request.of(job));
        }

        /** Returns the wait of which nothing counts any more but what it was for: the next one begins anew. */
        Wait overAt(Instant end) {
            return new Wait(obstacle, Duration.ZERO, since, end, licences, request);
        }
    }

    /**
     * What is held against a job's limits.
     *
     * @param user who owns it; empty when that is not told
     * @param partitions those it may run in
     * @param minutes its time limit
     */
    record Request(
            String user,
            @Nullable String account,
            @Nullable String qos,
            Set<String> partitions,
            long minutes,
            int tasks) {
        static Request of(SlurmJob job) {
            Wishes wishes = job.wishes();
            Wishes.@Nullable ChangedLimit changed = wishes.limit();
            boolean byStart = changed != null && changed.given() == job.limitMinutes();
            return new Request(
                    job.user() == null ? "" : job.user(),
                    job.account(),
                    job.qos(),
                    Set.copyOf(job.partitions()),
                    changed != null && byStart ? changed.asked() : job.limitMinutes(),
                    wishes.tasks());
        }
    }

    private record LeftOut(StartObstacle obstacle, Instant since, Instant until) {}

    /** A start of the job was taken back for this. */
    public void met(SlurmJob job, StartObstacle obstacle, Instant now) {
        if (waits.size() + unsuited.size() + closed.size() + nodeLimits.size() > JOBS_KEPT) {
            forget();
        }
        switch (obstacle.kind()) {
            case PASSING -> {
                if (!close(job, obstacle, now) && !nodeLimits.met(job, obstacle, now)) {
                    waits.put(job.key(), wait(waits.get(job.key()), job, obstacle, now));
                }
            }
            case NODES -> {
                TreeMap<String, LeftOut> nodes = unsuited.computeIfAbsent(job.key(), id -> new TreeMap<>());
                obstacle.nodes()
                        .forEach(node ->
                                nodes.put(node, new LeftOut(obstacle, now, now.plus(leftOutFor(obstacle, node, now)))));
            }
            case REQUEST, OTHER -> {
                // The scheduler's business.
            }
        }
    }

    private static Wait wait(@Nullable Wait before, SlurmJob job, StartObstacle obstacle, Instant now) {
        Duration longest = longest(obstacle);
        Duration length = before == null || before.length().isZero()
                ? FIRST_WAIT
                : before.length().multipliedBy(2);
        Duration wait = length.compareTo(longest) < 0 ? length : longest;
        return new Wait(
                obstacle,
                wait,
                now,
                now.plus(wait),
                obstacle.reason().startsWith(LICENCES) ? job.demands().licences() : Map.of(),
                Request.of(job));
    }

    private static Duration longest(StartObstacle obstacle) {
        if (obstacle.isOfJobAlone()) {
            return LONGEST_OF_JOB_ALONE;
        }
        return obstacle.isLimitOfTimeLeft() ? LONGEST_OF_TIME_LEFT : LONGEST_WAIT;
    }

    /**
     * Leaves out the partition in which a job was tried, where that may be what does not admit it and it may run in others. With
     * none left it waits, and is then tried in each of them anew. Of several in which it was tried at once Slurm does not say which one
     * it was: from then on it is tried in one after the other.
     */
    private boolean close(SlurmJob job, StartObstacle obstacle, Instant now) {
        List<String> asked = job.partitions();
        if (asked.size() < 2 || !obstacle.isAllowance()) {
            return false;
        }
        List<String> tried = job.triedPartitions();
        if (tried.size() > 1 && apart.add(job.key())) {
            return true;
        }
        Set<String> open = new TreeSet<>(asked);
        open.removeAll(closedTo(job, now));
        tried.forEach(open::remove);
        if (open.isEmpty()) {
            closed.remove(job.key());
            return false;
        }
        TreeMap<String, Wait> partitions = closed.computeIfAbsent(job.key(), id -> new TreeMap<>());
        tried.forEach(partition -> partitions.compute(partition, (name, before) -> wait(before, job, obstacle, now)));
        return true;
    }

    /** Returns those of several partitions of a waiting job that did not admit it lately. */
    Set<String> closedTo(SlurmJob job, Instant now) {
        TreeMap<String, Wait> partitions = closed.getOrDefault(job.key(), new TreeMap<>());
        Set<String> all = partitions.entrySet().stream()
                .filter(partition -> partition.getValue().isOf(job, now))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        List<String> asked = job.partitions();
        if (asked.size() > 1) {
            asked.stream().filter(shut::containsKey).forEach(all::add);
        }
        return all;
    }

    /** Returns those of {@code having}, in which a job could start, in which it is tried: not those that did not admit it lately. */
    public List<String> triable(SlurmJob job, List<String> having, Instant now) {
        Set<String> closedToIt = closedTo(job, now);
        List<String> open = having.stream()
                .filter(partition -> !closedToIt.contains(partition))
                .toList();
        List<String> left = open.isEmpty() ? having : open;
        return apart.contains(job.key()) ? left.subList(0, Math.min(1, left.size())) : left;
    }

    /** These partitions start no job now, each for a reason of Slurm's. Returns whether these are others than before. */
    boolean shut(Map<String, String> partitions) {
        boolean changed = !partitions.equals(shut);
        shut = Map.copyOf(partitions);
        return changed;
    }

    /** Says whether some partition is known to start no job. */
    boolean knowsShut() {
        return !shut.isEmpty();
    }

    /** What kept jobs back by {@code obstacle} is over: they may be tried again at once. */
    public void end(StartObstacle obstacle, Instant now) {
        waits.replaceAll((job, wait) -> {
            if (!wait.obstacle().reason().equals(obstacle.reason())
                    || !wait.until().isAfter(now)) {
                return wait;
            }
            ended.add(job);
            return wait.until(now);
        });
    }

    /**
     * Jobs have left their nodes: those that found no room there may be tried again, and for each job that left, the first of
     * those that wait for a limit for which it may have counted; none of them sooner than a part of its wait after its last
     * attempt.
     */
    void left(Collection<SlurmJob> jobs, Instant now) {
        if (jobs.isEmpty() || (waits.isEmpty() && unsuited.isEmpty())) {
            return;
        }
        Set<String> nodes = jobs.stream()
                .flatMap(job -> job.allocation().stream())
                .map(NodeAllocation::getNodeId)
                .collect(Collectors.toSet());
        freed(nodes, now);
        takeTurns(jobs, now);
    }

    /** There may be more room on these nodes than before: jobs that found too little there may be tried again. */
    void freed(Set<String> nodes, Instant now) {
        waits.replaceAll((job, wait) -> wait.obstacle().mayEndWithRoom()
                        && !Collections.disjoint(wait.obstacle().nodes(), nodes)
                ? wait.until(again(job, wait.soonest(), wait.until(), now))
                : wait);
        unsuited.forEach((job, out) -> out.replaceAll((node, left) -> left.obstacle()
                                .isRoom()
                        && nodes.contains(node)
                ? new LeftOut(
                        left.obstacle(), left.since(), again(job, left.since().plus(FIRST_WAIT), left.until(), now))
                : left));
    }

    /** Returns how long a node is left out: one that came back while Slurm was asked to start something there may suit soon. */
    private Duration leftOutFor(StartObstacle obstacle, String node, Instant now) {
        @Nullable Instant back = returned.get(node);
        boolean lately = back != null && back.plus(FIRST_WAIT).isAfter(now);
        return lately && obstacle.isUnavailability() ? FIRST_WAIT : NODES_LEFT_OUT;
    }

    /** These nodes are up again: jobs for which they were not available may be tried there again. */
    void returned(Set<String> nodes, Instant now) {
        returned.values().removeIf(back -> !back.plus(FIRST_WAIT).isAfter(now));
        nodes.forEach(node -> returned.put(node, now));
        unsuited.forEach((job, out) -> out.replaceAll((node, left) -> left.obstacle()
                                .isUnavailability()
                        && nodes.contains(node)
                ? new LeftOut(
                        left.obstacle(), left.since(), again(job, left.since().plus(FIRST_WAIT), left.until(), now))
                : left));
    }

    /** Returns the users of the jobs that may be tried again when a partition, an account or a QOS allows more. */
    Set<String> usersThatMayBeAllowed(Instant now) {
        Stream<String> waiting = Stream.concat(
                        waits.values().stream(),
                        closed.values().stream().flatMap(partitions -> partitions.values().stream()))
                .filter(wait -> wait.until().isAfter(now) && wait.obstacle().isAllowance())
                .map(wait -> wait.request().user());
        return Stream.concat(waiting, nodeLimits.users(now)).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Something else is allowed to jobs with such requests: they may be tried again, none sooner than a part of its wait after its
     * last attempt.
     */
    void allow(Predicate<Request> concerned, Instant now) {
        waits.replaceAll((job, wait) -> allowed(job, wait, concerned, now));
        closed.forEach(
                (job, partitions) -> partitions.replaceAll((partition, wait) -> allowed(job, wait, concerned, now)));
        ended.addAll(nodeLimits.allow(concerned));
    }

    private Wait allowed(String job, Wait wait, Predicate<Request> concerned, Instant now) {
        return wait.until().isAfter(now) && wait.obstacle().isAllowance() && concerned.test(wait.request())
                ? wait.overAt(again(job, wait.soonest(), wait.until(), now))
                : wait;
    }

    /** For each of the jobs that are gone the first that waits for a limit of its user, account or QOS is tried again. */
    private void takeTurns(Collection<SlurmJob> gone, Instant now) {
        Map<String, Deque<SlurmJob>> counted = new HashMap<>();
        gone.forEach(job -> countedFor(Request.of(job))
                .forEach(limit ->
                        counted.computeIfAbsent(limit, l -> new ArrayDeque<>()).add(job)));
        waits.replaceAll((job, wait) -> {
            if (!wait.obstacle().isLimitOfJobs() || !wait.until().isAfter(later(wait.soonest(), now))) {
                return wait;
            }
            for (String limit : countedFor(wait.request())) {
                @Nullable Deque<SlurmJob> turns = counted.get(limit);
                if (turns != null) {
                    SlurmJob turn = turns.element();
                    countedFor(Request.of(turn))
                            .forEach(each -> counted.computeIfPresent(each, (l, left) -> without(left, turn)));
                    return wait.until(again(job, wait.soonest(), wait.until(), now));
                }
            }
            return wait;
        });
    }

    /** Takes {@code job} out, which is the first nearly always; null when none is left. */
    private static @Nullable Deque<SlurmJob> without(Deque<SlurmJob> jobs, SlurmJob job) {
        jobs.remove(job);
        return jobs.isEmpty() ? null : jobs;
    }

    /** Forgets all of it: the clock by which it was to end was wrong. */
    void forget() {
        waits.clear();
        unsuited.clear();
        closed.clear();
        apart.clear();
        nodeLimits.forget();
        returned.clear();
        ended.clear();
        shut = Map.of();
    }

    /** Returns when a job that was to wait longer may be tried again, now that something changed. */
    private Instant again(String job, Instant soonest, Instant until, Instant now) {
        Instant end = later(soonest, now);
        if (!until.isAfter(end)) {
            return until;
        }
        ended.add(job);
        return end;
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    /** Returns for whom a limit can be that a job counts for: its user, account, QOS, accounts above and the QOS of its partition. */
    private List<String> countedFor(Request job) {
        List<String> all = new ArrayList<>();
        if (!job.user().isEmpty()) {
            all.add("user " + job.user());
        }
        if (job.account() != null) {
            all.add("account " + job.account());
            accountsAbove.getOrDefault(job.account(), List.of()).forEach(account -> all.add("account " + account));
        }
        if (job.qos() != null) {
            all.add("QOS " + job.qos());
        }
        job.partitions().stream()
                .filter(partitionsWithQos::contains)
                .sorted()
                .forEach(partition -> all.add("partition " + partition));
        return all;
    }

    /** These partitions have a QOS, whose limits hold for all of their jobs together. */
    void seePartitionsWithQos(Set<String> partitions) {
        partitionsWithQos = Set.copyOf(partitions);
    }

    /** Of each account, these above it limit their jobs together. */
    void seeAccountsAbove(Map<String, List<String>> above) {
        accountsAbove = Map.copyOf(above);
    }

    /** Returns the jobs whose wait has ended before its time since the last call, in the order in which they began to wait. */
    List<String> takeEnded() {
        List<String> jobs = List.copyOf(ended);
        ended.clear();
        return jobs;
    }

    /** The job started, or is gone. */
    public void forget(String job) {
        waits.remove(job);
        unsuited.remove(job);
        closed.remove(job);
        apart.remove(job);
        nodeLimits.forget(job);
        ended.remove(job);
    }

    /** Returns what a waiting job waits for besides nodes; empty when it may be tried. */
    Optional<String> waitsFor(SlurmJob job, Instant now) {
        @Nullable Wait wait = waits.get(job.key());
        @Nullable
        String why = wait != null && wait.isOf(job, now) ? wait.obstacle().reason() : shutTo(job);
        return Optional.ofNullable(why).map(StartObstacles::words);
    }

    /** Returns the most nodes that the limits of a waiting job admit, as far as is known; 0 for any number. */
    int mostNodes(SlurmJob job, Instant now) {
        return nodeLimits.most(job, now);
    }

    /** Returns what a job waits for that cannot be on as few nodes as its limits admit. */
    Optional<String> waitsForMoreNodes(SlurmJob job, Instant now) {
        return Optional.ofNullable(nodeLimits.reason(job, now)).map(StartObstacles::words);
    }

    private static String words(String reason) {
        return "Slurm would not start it now: " + reason;
    }

    /** Returns why none of the partitions of a job starts any; null when one does. */
    private @Nullable String shutTo(SlurmJob job) {
        List<String> asked = job.partitions();
        return asked.isEmpty() || !shut.keySet().containsAll(asked) ? null : shut.get(asked.get(0));
    }

    /** Returns the nodes that did not suit the job lately. */
    public Set<String> leftOut(SlurmJob job, Instant now) {
        @Nullable TreeMap<String, LeftOut> nodes = unsuited.get(job.key());
        if (nodes == null) {
            return Set.of();
        }
        nodes.values().removeIf(left -> !left.until().isAfter(now));
        if (nodes.isEmpty()) {
            unsuited.remove(job.key());
        }
        return nodes.keySet();
    }

    /** Returns when an answer changes by the passing of time; null for not. */
    @Nullable
    Instant nextChange(SlurmJob job, Instant now) {
        @Nullable Wait wait = waits.get(job.key());
        @Nullable Instant next = nodeLimits.end(job, now);
        if (wait != null && wait.until().isAfter(now)) {
            next = next == null || wait.until().isBefore(next) ? wait.until() : next;
        }
        for (LeftOut left : unsuited.getOrDefault(job.key(), new TreeMap<>()).values()) {
            next = next == null || left.until().isBefore(next) ? left.until() : next;
        }
        for (Wait left : closed.getOrDefault(job.key(), new TreeMap<>()).values()) {
            next = left.until().isAfter(now) && (next == null || left.until().isBefore(next)) ? left.until() : next;
        }
        return next;
    }

    /** Says whether some job waits for licences. */
    boolean wantsLicences(Instant now) {
        return waits.values().stream()
                .anyMatch(wait -> !wait.licences().isEmpty() && wait.until().isAfter(now));
    }

    /** Takes note of free licences; returns the jobs that may be tried again, in the order in which they began to wait. */
    List<String> licencesFree(Map<String, Long> free, Instant now) {
        Map<String, Long> left = new TreeMap<>(free);
        List<String> again = new ArrayList<>();
        waits.replaceAll((job, wait) -> {
            boolean enough = !wait.licences().isEmpty()
                    && wait.until().isAfter(now)
                    && wait.licences().entrySet().stream()
                            .allMatch(wanted -> left.getOrDefault(wanted.getKey(), 0L) >= wanted.getValue());
            if (!enough) {
                return wait;
            }
            wait.licences().forEach((name, count) -> left.merge(name, -count, Long::sum));
            again.add(job);
            return wait.until(now);
        });
        return again;
    }
}

package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.ArrayPart;
import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the cluster looked like at the last look, so that the next one costs little: nodes are asked for by the time of
 * their last change ({@link NodeView}), the queue is listed by squeue, and only jobs whose line changed are fetched, unless
 * the line itself tells all that changed ({@link QueueReading}). Nothing of it outlives the process; losing it costs one full
 * look. One thread.
 */
public final class ClusterView {
    /** So many jobs are asked for one by one, whatever else there is. */
    private static final int FEW = 10;

    /** So many ends are looked at before listing the queue costs less. */
    private static final int MOST_LOOKED_AT = 32;

    /** In a list of all jobs so many cost as much as one that is asked for alone. */
    private static final int LISTED_LIKE_ONE = 16;

    /** How jobs end when something else fails, which a look at them alone does not show. */
    private static final Set<String> ENDED_BY_OTHERS =
            Set.of("NODE_FAIL", "BOOT_FAIL", "PREEMPTED", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT", "REVOKED");

    private final SlurmRest rest;
    private final @Nullable SlurmCommands commands;
    private final SlurmJobTranslation slurmJobTranslation;
    private final StartObstacles obstacles;
    private final Allowances allowances;
    private final NodeView nodes;
    private final QueueReading reading;
    private final int fetchAllAbove;
    private final Consumer<SlurmJob> waiting;
    private final ObjLongConsumer<Map<String, QueueLine>> listed;

    private final ChangesSince changes = new ChangesSince();
    private Instant lastLook = Instant.MIN;
    private boolean nodesTaken;

    private Map<String, KnownJob> jobs = new LinkedHashMap<>();
    private final Set<String> touched = new HashSet<>();
    private final Objections objections = new Objections();
    private final ArrayLimits limits = new ArrayLimits();
    private final UnlistedChanges unlisted = new UnlistedChanges();
    private final LeftToSlurm late;
    private final LeftToSlurm hopeless;

    /**
     * Creates a view that has seen nothing yet.
     *
     * @param commands null where there are none
     * @param startedOn where a job was to go when it was started last
     * @param starting whether a start of that job is under way
     * @param waiting told of each job that waits, when it is new or changed
     * @param listed told of each listing of the queue, and when it was begun, in monotonic nanoseconds
     */
    public ClusterView(
            SlurmRest rest,
            @Nullable SlurmCommands commands,
            SlurmJobTranslation slurmJobTranslation,
            SlurmNodeTranslation slurmNodeTranslation,
            StartObstacles obstacles,
            NodePartitions partitions,
            int fetchAllAbove,
            Function<String, List<NodeAllocation>> startedOn,
            Predicate<String> starting,
            Consumer<SlurmJob> waiting,
            ObjLongConsumer<Map<String, QueueLine>> listed) {
        this.rest = rest;
        this.commands = commands;
        this.slurmJobTranslation = slurmJobTranslation;
        this.late = new LeftToSlurm(
                (job, now) -> Deadlines.isMissed(job, now) && slurmJobTranslation.isWaiting(job, now),
                "can be over by its deadline no longer");
        this.hopeless = new LeftToSlurm(
                (job, now) -> slurmJobTranslation.isHopeless(job), "waits for what can not come any more");
        this.obstacles = obstacles;
        this.allowances = new Allowances(rest, commands, obstacles);
        this.nodes = new NodeView(rest, commands, slurmJobTranslation, slurmNodeTranslation, obstacles, partitions);
        this.fetchAllAbove = fetchAllAbove;
        this.reading = new QueueReading(slurmJobTranslation, startedOn, starting);
        this.waiting = waiting;
        this.listed = listed;
    }

    /** Has the next look fetch that job: what a command changed need not show in the queue's listing. */
    public void touch(String job) {
        touched.add(job);
    }

    /** Looks at the nodes. */
    public List<NodeReport> nodes(Instant now) {
        return nodes.look(now);
    }

    /** Returns the nodes as they were seen last. */
    public List<NodeReport> latestNodes() {
        return nodes.latest();
    }

    /** Looks at the jobs, in the order of their numbers. */
    public List<JobReport> jobs(Instant now) {
        boolean wentBack = now.isBefore(lastLook);
        lastLook = now;
        if (wentBack) {
            obstacles.forget();
        }
        if (slurmJobTranslation.see(rest.reservations(), now) || wentBack) {
            // What was said of waiting jobs no longer holds.
            jobs.replaceAll((id, known) -> known.outdated());
        }
        nodes.drawn(slurmJobTranslation.magnetic(now));
        if (nodes.takeReconfigured()) {
            jobs.replaceAll((id, known) -> known.outdated());
        }
        if (allowances.look(now)) {
            jobs.replaceAll((id, known) -> known.outdated());
        }
        obstacles.takeEnded().forEach(this::outdate);
        if (obstacles.wantsLicences(now)) {
            obstacles.licencesFree(rest.freeLicences(), now).forEach(this::outdate);
        }
        Map<String, KnownJob> before = jobs;
        if (commands == null) {
            lookByRest(now);
        } else {
            touchChanged(unlisted.look(commands, now));
            lookByQueue(commands, now);
        }
        nodesTaken = jobs.entrySet().stream().anyMatch(job -> lacksNodes(job.getValue(), before.get(job.getKey())));
        obstacles.left(left(before.keySet(), before, jobs), now);
        return ArrayTasks.reports(HeterogeneousJobs.whole(jobs.values()));
    }

    /** Has those of the records with these numbers fetched that are known to wait. */
    private void touchChanged(Set<String> numbers) {
        jobs.values().stream()
                .map(KnownJob::job)
                .filter(job -> job.isPending() && numbers.contains(Long.toString(job.id())))
                .forEach(job -> {
                    rest.outdated(job.id());
                    touch(job.key());
                });
    }

    private void outdate(String job) {
        jobs.computeIfPresent(job, (same, known) -> known.outdated());
    }

    /**
     * Says whether a job that ran has fewer nodes in the last look at the jobs than in the one before, or waits again. Slurm may
     * have taken nodes from it that failed after the last look at the nodes.
     */
    public boolean nodesTaken() {
        return nodesTaken;
    }

    /** Returns the numbers of the jobs that began to leave their nodes so lately that they may have left them in a moment. */
    public Set<String> settling(Instant now) {
        Instant lately = now.minus(ChangesSince.OVERLAP);
        return jobs.values().stream()
                .map(KnownJob::job)
                .filter(job ->
                        job.isCompleting() && job.end() != null && job.end().isAfter(lately))
                .map(job -> Long.toString(job.id()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * Looks at jobs that leave their nodes or have left them, without listing the queue. Empty when that is not all there is to
     * see: there are many of them, one is not known, it goes on otherwise, or others wait for it to end.
     *
     * @param numbers of the jobs' records
     */
    public Optional<List<JobReport>> look(Set<String> numbers, Instant now) {
        if (commands == null || numbers.size() > MOST_LOOKED_AT || slurmJobTranslation.knowsOpenDependencies()) {
            return Optional.empty();
        }
        rest.forgetAhead();
        rest.readAhead(numbers);
        Map<String, KnownJob> seen = new LinkedHashMap<>();
        for (String number : numbers) {
            @Nullable KnownJob before = named(number);
            if (before == null || touched.contains(before.job().key())) {
                return Optional.empty();
            }
            List<SlurmJob> records = rest.records(number);
            if (records.size() != 1 || !isLeaving(records.get(0), before.job())) {
                return Optional.empty();
            }
            @Nullable KnownJob known = reading.byRecord(before, before.line(), records.get(0), now);
            if (known == null) {
                return Optional.empty();
            }
            seen.put(before.job().key(), known);
        }
        obstacles.left(left(seen.keySet(), jobs, seen), now);
        jobs.putAll(seen);
        return Optional.of(seen.values().stream().map(KnownJob::report).toList());
    }

    /** Returns the job of that number, unless its end changes what is said of another; null for none. */
    private @Nullable KnownJob named(String number) {
        @Nullable KnownJob whole = jobs.get(number);
        if (whole != null && whole.job().isWhole()) {
            return whole;
        }
        return jobs.values().stream()
                .filter(known -> Long.toString(known.job().id()).equals(number)
                        && known.job().isUnlimitedTask()
                        && !known.job().isPending())
                .findFirst()
                .orElse(null);
    }

    /** Says whether a job ends by itself, rather than by the failure of a node. */
    private static boolean isLeaving(SlurmJob job, SlurmJob before) {
        return job.key().equals(before.key())
                && (job.isCompleting() || job.hasEnded())
                && job.states().stream().noneMatch(ENDED_BY_OTHERS::contains)
                && job.restarts() == 0;
    }

    /** Returns those of the jobs that had nodes and have them no longer, as they were. */
    private static List<SlurmJob> left(Set<String> ids, Map<String, KnownJob> before, Map<String, KnownJob> after) {
        return ids.stream()
                .filter(id -> isRunning(before.get(id)) && !isRunning(after.get(id)))
                .flatMap(id -> Stream.ofNullable(before.get(id)))
                .map(KnownJob::job)
                .toList();
    }

    private static boolean isRunning(@Nullable KnownJob job) {
        return job != null && job.report().getState() == JobState.RUNNING;
    }

    private static boolean lacksNodes(KnownJob now, @Nullable KnownJob before) {
        JobState state = now.report().getState();
        boolean live = state == JobState.RUNNING || state == JobState.IDLE || state == JobState.HOLD;
        if (before == null || !live) {
            return false;
        }
        Set<String> has = now.report().getAllocation().stream()
                .map(NodeAllocation::getNodeId)
                .collect(Collectors.toSet());
        return before.report().getAllocation().stream().anyMatch(node -> !has.contains(node.getNodeId()));
    }

    private void lookByRest(Instant now) {
        Optional<List<SlurmJob>> fresh = rest.jobs(changes.at(now));
        changes.told(now);
        Map<String, KnownJob> seen = new LinkedHashMap<>();
        if (fresh.isPresent()) {
            nodes.meetPartitions(fresh.get(), now);
            fresh.get().forEach(job -> {
                @Nullable KnownJob known = reading.byRecord(jobs.get(job.key()), null, job, now);
                if (known != null) {
                    seen.put(job.key(), known);
                }
            });
        } else {
            jobs.forEach((id, known) -> seen.put(id, reading.renewed(known, now)));
        }
        jobs = seen;
    }

    private void lookByQueue(SlurmCommands queue, Instant now) {
        long taken = System.nanoTime();
        Map<String, QueueLine> lines = queue.queue();
        listed.accept(lines, taken);
        rest.listed(lines.values());
        slurmJobTranslation.see(lines.values(), jobs.values()).forEach(this::outdate);
        touched.addAll(late.due(jobs, now));
        touched.addAll(hopeless.due(jobs, now));
        Map<String, KnownJob> seen = new LinkedHashMap<>(lines.size() * 4 / 3 + 1);
        List<QueueLine> changed = new ArrayList<>();
        for (QueueLine line : ArrayTasks.told(lines.values())) {
            @Nullable KnownJob before = jobs.get(line.id());
            @Nullable
            KnownJob after = before == null || touched.contains(line.id()) ? null : reading.byLine(before, line, now);
            if (line.hasNoRecord() && before != null && !line.isSameAs(before.line())) {
                rest.outdated(line.array());
            }
            if (after == null) {
                changed.add(line);
            } else {
                seen.put(line.id(), after);
            }
        }
        Map<String, SlurmJob> fetched = fetch(changed, lines.size());
        nodes.meetPartitions(fetched.values(), now);
        HoldsOfDeleted.takeBack(queue, fetched, this::jobBefore, obstacles, now);
        DeadDependencies.look(queue, fetched, this::jobBefore);
        AdministratorHolds.look(queue, fetched, this::jobBefore, now, () -> isPluginInPlace(fetched));
        late.look(queue, fetched, now);
        hopeless.look(queue, fetched, now);
        for (QueueLine line : changed) {
            @Nullable SlurmJob job = fetched.get(line.id());
            if (job != null) {
                objections.tell(queue, job);
                if (job.isPending()) {
                    waiting.accept(job);
                }
                @Nullable KnownJob known = reading.byRecord(jobs.get(job.key()), line, job, now);
                if (known != null) {
                    seen.put(line.id(), known);
                }
            }
        }
        limits.due(seen.values(), now).forEach((array, number) -> limit(seen, array, number));
        jobs = seen;
        touched.clear();
        objections.retain(seen.keySet());
    }

    /** Says whether some job bears a note or the mark of a user's hold: job_submit.lua writes one or the other on nearly all of them. */
    private boolean isPluginInPlace(Map<String, SlurmJob> fetched) {
        return Stream.concat(jobs.values().stream().map(KnownJob::job), fetched.values().stream())
                .anyMatch(job -> !job.note().marks().isEmpty() || SlurmJobTranslation.isMarked(job.comment()));
    }

    private @Nullable SlurmJob jobBefore(String id) {
        @Nullable KnownJob before = jobs.get(id);
        return before == null ? null : before.job();
    }

    /** Looks at one record of an array for the limit of all of its tasks. */
    private void limit(Map<String, KnownJob> seen, long array, String number) {
        rest.records(number).stream()
                .flatMap(job -> Stream.ofNullable(job.array()))
                .filter(part -> part.array() == array)
                .findFirst()
                .ifPresent(fresh -> seen.replaceAll((id, known) -> {
                    @Nullable ArrayPart part = known.job().array();
                    return part == null || part.array() != array || part.most() == fresh.most()
                            ? known
                            : known.limited(fresh.most());
                }));
    }

    private Map<String, SlurmJob> fetch(List<QueueLine> changed, int all) {
        Set<String> numbers =
                changed.stream().map(QueueLine::number).collect(Collectors.toCollection(LinkedHashSet::new));
        List<SlurmJob> records = new ArrayList<>();
        if (numbers.size() > Math.min(fetchAllAbove, Math.max(FEW, all / LISTED_LIKE_ONE))) {
            records.addAll(rest.jobs(null).orElseGet(List::of));
        } else {
            // Tasks of an array that are new here are as it was read last; what was known of them may be outdated.
            Set<String> own = changed.stream()
                    .filter(line -> !line.hasNoRecord() || jobs.containsKey(line.id()))
                    .map(QueueLine::number)
                    .collect(Collectors.toSet());
            numbers.forEach(
                    number -> records.addAll(own.contains(number) ? rest.records(number) : rest.waitingTasks(number)));
        }
        Map<String, SlurmJob> byName = new HashMap<>();
        records.forEach(job -> byName.put(job.key(), job));
        Map<String, SlurmJob> fetched = new HashMap<>();
        for (QueueLine line : changed) {
            @Nullable SlurmJob own = byName.get(line.id());
            @Nullable SlurmJob whole = line.array() == 0 ? null : byName.get(Long.toString(line.array()));
            @Nullable SlurmJob job = own != null || whole == null ? own : whole.called(line.id());
            if (job != null) {
                fetched.put(line.id(), job);
            }
        }
        return fetched;
    }
}

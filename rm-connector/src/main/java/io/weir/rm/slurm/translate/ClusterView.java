package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.AdminNote;
import io.weir.rm.slurm.client.ArrayPart;
import io.weir.rm.slurm.client.HostList;
import io.weir.rm.slurm.client.MagneticNodes;
import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmNode;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the cluster looked like at the last look, so that the next one costs little: nodes are asked for by the time of
 * their last change, the queue is listed by squeue, and only jobs whose line changed are fetched, unless the line itself
 * tells all that changed. Nothing of it outlives the process; losing it costs one full look. One thread.
 */
public final class ClusterView {
    private static final Duration VAIN_LOOKS_APART = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(ClusterView.class);

    /** How far to look back for changes: the clocks are compared in whole seconds. */
    private static final int OVERLAP_SECONDS = 3;

    /** So many jobs are asked for one by one, whatever else there is. */
    private static final int FEW = 10;

    /** So many ends are looked at before listing the queue costs less. */
    private static final int MOST_LOOKED_AT = 32;

    /** In a list of all jobs so many cost as much as one that is asked for alone. */
    private static final int LISTED_LIKE_ONE = 16;

    /** How jobs end when something else fails, which a look at them alone does not show. */
    private static final Set<String> ENDED_BY_OTHERS =
            Set.of("NODE_FAIL", "BOOT_FAIL", "PREEMPTED", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT", "REVOKED");

    /** States of nodes on which jobs start. */
    private static final Set<NodeState> UP = EnumSet.of(NodeState.IDLE, NodeState.RUNNING, NodeState.BUSY);

    private final SlurmRest rest;
    private final @Nullable SlurmCommands commands;
    private final SlurmJobTranslation slurmJobTranslation;
    private final SlurmNodeTranslation slurmNodeTranslation;
    private final StartObstacles obstacles;
    private final Allowances allowances;
    private final NodePartitions partitions;
    private final SlurmConfiguration configuration;
    private final int fetchAllAbove;
    private final Function<String, List<NodeAllocation>> startedOn;
    private final Predicate<String> starting;
    private final Consumer<SlurmJob> waiting;
    private final ObjLongConsumer<Map<String, QueueLine>> listed;

    private List<NodeReport> nodes = List.of();
    private @Nullable Instant nodesSince;
    private MagneticNodes magnetic = MagneticNodes.NONE;
    private @Nullable Instant jobsSince;
    private Instant lastLook = Instant.MIN;
    private boolean nodesTaken;

    /** When a partition without nodes was looked for last: each look is one at all nodes. */
    private final Map<String, Instant> soughtInVain = new HashMap<>();

    /** Whether what is said of jobs may be another since nodes or partitions were looked at. */
    private boolean reconfigured;

    private Map<String, KnownJob> jobs = new LinkedHashMap<>();
    private final Set<String> touched = new HashSet<>();
    private final Set<String> told = new HashSet<>();
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
        this.slurmNodeTranslation = slurmNodeTranslation;
        this.late = new LeftToSlurm(
                (job, now) -> Deadlines.isMissed(job, now) && slurmJobTranslation.isWaiting(job, now),
                "can be over by its deadline no longer");
        this.hopeless = new LeftToSlurm(
                (job, now) -> slurmJobTranslation.isHopeless(job), "waits for what can not come any more");
        this.obstacles = obstacles;
        this.allowances = new Allowances(rest, commands, obstacles);
        this.partitions = partitions;
        this.configuration = new SlurmConfiguration(commands, slurmJobTranslation, partitions);
        this.fetchAllAbove = fetchAllAbove;
        this.startedOn = startedOn;
        this.starting = starting;
        this.waiting = waiting;
        this.listed = listed;
    }

    /** Has the next look fetch that job: what a command changed need not show in the queue's listing. */
    public void touch(String job) {
        touched.add(job);
    }

    /** Returns the time from which on changes are wanted; null for all there is, as when the clock went back meanwhile. */
    private static @Nullable Instant since(@Nullable Instant last, Instant now) {
        return last == null || last.isAfter(now.minusSeconds(OVERLAP_SECONDS)) ? null : last;
    }

    /** Looks at the nodes. */
    public List<NodeReport> nodes(Instant now) {
        if (configuration.look(now)) {
            reconfigured = true;
            nodesSince = null;
        }
        Optional<List<SlurmNode>> fresh = rest.nodes(since(nodesSince, now));
        nodesSince = now.minusSeconds(OVERLAP_SECONDS);
        fresh.ifPresent(list -> {
            Map<String, NodeReport> before =
                    nodes.stream().collect(Collectors.toMap(NodeReport::getNodeId, Function.identity()));
            reconfigured |= partitions.see(list);
            reconfigured |=
                    configuration.meet(list.stream().map(SlurmNode::name).collect(Collectors.toSet()), now);
            List<NodeReport> after = new ArrayList<>(list.size());
            for (int i = 0; i < list.size(); i++) {
                slurmNodeTranslation
                        .report(
                                configuration.describe(list.get(i)).in(magnetic),
                                i,
                                configuration.unit(),
                                configuration.caps(),
                                partitions.units())
                        .ifPresent(report -> {
                            @Nullable NodeReport same = before.get(report.getNodeId());
                            after.add(report.equals(same) ? same : report);
                        });
            }
            nodes = List.copyOf(after);
            obstacles.returned(returned(before, after), now);
        });
        return nodes;
    }

    /** Returns the nodes that can be given to jobs and could not be before. */
    private static Set<String> returned(Map<String, NodeReport> before, List<NodeReport> after) {
        return after.stream()
                .filter(node ->
                        isUp(node) && before.containsKey(node.getNodeId()) && !isUp(before.get(node.getNodeId())))
                .map(NodeReport::getNodeId)
                .collect(Collectors.toSet());
    }

    private static boolean isUp(@Nullable NodeReport node) {
        return node != null && !node.getFailing() && UP.contains(node.getState());
    }

    /** Returns the nodes as they were seen last. */
    public List<NodeReport> latestNodes() {
        return nodes;
    }

    /**
     * Looks at all nodes, and at what partitions are like, where a job waits for a partition that no node was seen in: of one that
     * is made Slurm does not say that it changes any node.
     */
    private void meetPartitions(Collection<SlurmJob> fetched, Instant now) {
        Set<String> unknown = new HashSet<>();
        fetched.stream()
                .filter(SlurmJob::isPending)
                .flatMap(job -> job.partitions().stream())
                .filter(name -> !partitions.knowsAll(List.of(name)))
                .forEach(unknown::add);
        soughtInVain.values().removeIf(since -> since.plus(VAIN_LOOKS_APART).isBefore(now));
        if (!soughtInVain.keySet().containsAll(unknown)) {
            nodesSince = null;
            configuration.forget();
            nodes(now);
            unknown.forEach(name -> soughtInVain.put(name, now));
        }
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
        MagneticNodes drawn = slurmJobTranslation.magnetic(now);
        if (!drawn.equals(magnetic)) {
            magnetic = drawn;
            nodesSince = null;
        }
        if (reconfigured) {
            reconfigured = false;
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
        Instant lately = now.minusSeconds(OVERLAP_SECONDS);
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
            @Nullable KnownJob known = known(before.line(), records.get(0), now);
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
        Optional<List<SlurmJob>> fresh = rest.jobs(since(jobsSince, now));
        jobsSince = now.minusSeconds(OVERLAP_SECONDS);
        Map<String, KnownJob> seen = new LinkedHashMap<>();
        if (fresh.isPresent()) {
            meetPartitions(fresh.get(), now);
            fresh.get().forEach(job -> {
                @Nullable KnownJob known = known(null, job, now);
                if (known != null) {
                    seen.put(job.key(), known);
                }
            });
        } else {
            jobs.forEach((id, known) -> seen.put(id, renewed(known, now)));
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
            @Nullable KnownJob after = before == null || touched.contains(line.id()) ? null : after(before, line, now);
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
        meetPartitions(fetched.values(), now);
        takeBackHolds(queue, fetched, now);
        DeadDependencies.look(queue, fetched, this::jobBefore);
        AdministratorHolds.look(queue, fetched, this::jobBefore, now, () -> isPluginInPlace(fetched));
        late.look(queue, fetched, now);
        hopeless.look(queue, fetched, now);
        for (QueueLine line : changed) {
            @Nullable SlurmJob job = fetched.get(line.id());
            if (job != null) {
                tell(queue, job);
                if (job.isPending()) {
                    waiting.accept(job);
                }
                @Nullable KnownJob known = known(line, job, now);
                if (known != null) {
                    seen.put(line.id(), known);
                }
            }
        }
        limits.due(seen.values(), now).forEach((array, number) -> limit(seen, array, number));
        jobs = seen;
        touched.clear();
        told.retainAll(seen.keySet());
    }

    /**
     * Slurm holds jobs whose association or QOS is deleted like an administrator, and never lets them go. They are held for Weir or
     * by their users as before, and an administrator's hold that comes later is one.
     */
    private void takeBackHolds(SlurmCommands queue, Map<String, SlurmJob> fetched, Instant now) {
        Map<String, StartObstacle> held = new LinkedHashMap<>();
        fetched.forEach((id, job) -> {
            @Nullable KnownJob before = jobs.get(id);
            @Nullable StartObstacle deleted = before == null ? null : SlurmJobTranslation.deleted(before.job(), job);
            if (deleted != null) {
                held.put(id, deleted);
            }
        });
        if (held.isEmpty()) {
            return;
        }
        try {
            queue.holdAsUser(held.keySet());
        } catch (SlurmRefusal e) {
            log.warn("jobs={} stay held like by an administrator: {}", held.keySet(), e.getMessage());
            return;
        }
        held.forEach((id, deleted) -> {
            log.info("job={} was held by Slurm: {}", id, deleted.reason());
            fetched.computeIfPresent(id, (same, job) -> {
                obstacles.met(job, deleted, now);
                return job.held(SlurmJobTranslation.HELD_AS_USER);
            });
        });
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

    /** Returns what is known of a job by its line alone; null if it has to be fetched. */
    private @Nullable KnownJob after(KnownJob before, QueueLine line, Instant now) {
        SlurmJob job = before.job();
        if (before.line() == null) {
            return null;
        }
        if (line.text().equals(before.line().text())) {
            return renewed(before, now);
        }
        if (job.isPending() && line.onlyMissedStart(before.line(), now)) {
            return known(line, job, now);
        }
        if (line.state().equals("PENDING") && job.isPending() && starting.test(line.id())) {
            // What changed is what the start wrote. Its line is still to come.
            return renewed(before, now);
        }
        if (!line.terms().equals(before.line().terms())) {
            return null;
        }
        if (wasSeenToLeave(job, line)) {
            return known(line, job, now);
        }
        if (line.state().equals("RUNNING") && job.isPending() && runsAsTold(job, line)) {
            return known(line, job.running(startedOn.apply(line.id()), line.started(), line.reason()), now);
        }
        if (line.state().equals(SlurmJob.COMPLETED) && line.ended() != null) {
            @Nullable SlurmJob ran = ran(job, line);
            return ran == null ? null : known(line, ran.completed(line.ended(), line.reason()), now);
        }
        boolean leaves = line.state().equals(SlurmJob.COMPLETING) && job.isRunning();
        return leaves && job.nodes().equals(Set.copyOf(HostList.expand(line.nodes())))
                ? known(line, job.leaving(line.ended()), now)
                : null;
    }

    /** Says whether a line tells nothing new of a job that was seen to leave its nodes, or to have left them. */
    private static boolean wasSeenToLeave(SlurmJob job, QueueLine line) {
        boolean leaves = line.state().equals(SlurmJob.COMPLETING);
        return (leaves ? job.isCompleting() : job.hasEnded())
                && job.is(line.state())
                && job.end() != null
                && job.end().equals(line.ended());
    }

    /** Returns a job that has ended as it ran; null if the line does not tell that it ran as known. */
    private @Nullable SlurmJob ran(SlurmJob job, QueueLine line) {
        if (job.isPending()) {
            return runsAsTold(job, line)
                    ? job.running(startedOn.apply(line.id()), line.started(), line.reason())
                    : null;
        }
        boolean started = job.isRunning() || (job.isCompleting() && job.started() != null);
        return started && job.started() != null && job.started().equals(line.started()) ? job : null;
    }

    /** Says whether a job runs where Weir started it. On several nodes the line does not tell the processors of each. */
    private boolean runsAsTold(SlurmJob job, QueueLine line) {
        return job.array() == null
                && job.restarts() == 0
                && startedOn.apply(line.id()).equals(List.of(new NodeAllocation(line.nodes(), line.procs())));
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

    /**
     * Writes on a job that Weir does not start why it does not, where its user sees it. While Slurm schedules, jobs are not
     * held, and nothing is written on them.
     */
    private void tell(SlurmCommands queue, SlurmJob job) {
        String id = job.key();
        @Nullable String why = job.demands().objection();
        if (why == null
                || job.array() != null
                || !job.isPending()
                || !job.isHeld()
                || job.note().others().contains(why)
                || !told.add(id)) {
            return;
        }
        String others = job.note().others();
        AdminNote note = new AdminNote(
                (others.isEmpty() ? "" : others + " ") + why, job.note().marks());
        try {
            queue.updateInSession(job.alone(), List.of("AdminComment=" + note.text()));
        } catch (SlurmRefusal e) {
            log.warn("job={} could not be told why it does not start: {}", id, e.getMessage());
        }
    }

    /**
     * Returns what to say of a job. While EpilogSlurmctld runs Slurm lists no nodes, which are not free all the same: they
     * are those it was seen on, or else was started on. A job of which nothing more is known is not spoken of until it has
     * left them: null, or what was said before.
     */
    private @Nullable KnownJob known(@Nullable QueueLine line, SlurmJob listed, Instant now) {
        String id = listed.key();
        @Nullable KnownJob before = jobs.get(id);
        SlurmJob job = listed;
        if (listed.isCompleting() && listed.allocation().isEmpty()) {
            List<NodeAllocation> nodes =
                    before != null && !before.job().allocation().isEmpty()
                            ? before.job().allocation()
                            : startedOn.apply(id);
            if (nodes.isEmpty()) {
                return before == null ? null : new KnownJob(line, before.job(), before.report(), before.validUntil());
            }
            job = listed.on(nodes);
        }
        JobReport report = slurmJobTranslation.report(job, now);
        return new KnownJob(
                line,
                job,
                before != null && report.equals(before.report()) ? before.report() : report,
                slurmJobTranslation.validUntil(job, now));
    }

    private KnownJob renewed(KnownJob known, Instant now) {
        return known.validUntil() == null || now.isBefore(known.validUntil())
                ? known
                : new KnownJob(
                        known.line(),
                        known.job(),
                        slurmJobTranslation.report(known.job(), now),
                        slurmJobTranslation.validUntil(known.job(), now));
    }
}

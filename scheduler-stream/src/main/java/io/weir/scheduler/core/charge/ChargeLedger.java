package io.weir.scheduler.core.charge;

import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.job.FailedNodes;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.scheduler.ChargeSettings;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.scheduler.state.ChargeRun;
import io.weir.schemas.Charge;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Counts what jobs hold and what reservations keep unused, and makes charges of it: some while they last, the last one at
 * the end. What a charge says is the difference to those before it, so that they add up to the total whatever the rates
 * are; a difference below zero gives back. Charges wait here until an iteration publishes them. Owned by the core's thread.
 */
public final class ChargeLedger {
    private static final String RESERVATION = "reservation";
    /** Why a run is over that the system ended. */
    private static final String SYSTEM = "SYSTEM";

    private static final int MOST_NODES = 1_000;

    private final String cluster;
    private final NodeTable nodes;
    private final SortedMap<String, ChargedRun> runs = new TreeMap<>();
    private final SortedMap<Long, SortedSet<String>> due = new TreeMap<>();
    /** Runs that failed a moment ago, by the nodes they had: one that turns out to be down ended them. */
    private final SuspectNodes suspects = new SuspectNodes();

    private final SortedMap<String, Charge> waiting = new TreeMap<>();
    private final SortedSet<String> changedRuns = new TreeSet<>();
    private final SortedSet<String> changedCharges = new TreeSet<>();
    private ChargeSettings settings = ChargeSettings.OFF;
    private Tariff tariff;

    /** Since when what is used is charged, epoch seconds. */
    private long since = Job.NONE;

    private Predicate<String> aside = id -> false;

    /** Keeps the ledger of {@code cluster}, on {@code nodes}. */
    public ChargeLedger(String cluster, NodeTable nodes) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.tariff = new Tariff(SitePolicy.DEFAULT, nodes);
    }

    /** Asks {@code aside} which nodes only look down because the scheduler set them aside. */
    public void settingAside(Predicate<String> aside) {
        this.aside = aside;
    }

    /** Goes by {@code policy} from now on; what was used before {@code from}, epoch seconds, is not charged. */
    public void configure(SitePolicy policy, long from) {
        settings = policy.charging();
        since = from;
        tariff = new Tariff(policy, nodes);
    }

    /** Returns whether anything is charged. */
    public boolean on() {
        return settings.on();
    }

    /** Returns whether somebody answers for what {@code reservation} keeps unused. */
    public static boolean isCharged(AdministrativeReservation reservation) {
        return !reservation.terms().accountable().isEmpty();
    }

    /**
     * There is an allocation manager from {@code now} on: what lasts is charged from then on, not for what it used before.
     *
     * @param running jobs that hold something
     * @param counted reservations that others answer for, counted up to {@code now}
     */
    public void begin(Collection<Job> running, List<AdministrativeReservation> counted, long now) {
        for (Job job : running) {
            ChargedRun run = begin(job);
            run.notBefore(now);
            run.free = usedBefore(job).minus(run.counted);
        }
        for (AdministrativeReservation reservation : counted) {
            ChargedRun known = runs.get(RESERVATION + ":" + reservation.id());
            ChargedRun run = known != null ? known : begin(reservation);
            run.notBefore(now);
            run.free = total(reservation).minus(run.counted);
            unschedule(run);
            schedule(run, next(run, settings.reservationFlushSeconds()));
        }
    }

    /**
     * There is no allocation manager any more: what lasts is charged up to {@code now}, and remembered in case there is one
     * again, so that nothing is charged twice.
     */
    public void suspend(
            Function<String, @Nullable Job> jobs,
            Function<String, @Nullable AdministrativeReservation> counted,
            long now) {
        for (ChargedRun run : List.copyOf(runs.values())) {
            unschedule(run);
            schedule(run, ChargedRun.NEVER);
            Job job = run.objectType.equals(ChargedRun.JOB) && !run.isPast ? jobs.apply(run.objectId) : null;
            AdministrativeReservation reservation =
                    run.objectType.equals(RESERVATION) ? counted.apply(run.objectId) : null;
            if (job != null && job.active() && job.start() == run.start) {
                suspend(run, job, now);
            } else if (reservation != null && isCharged(reservation)) {
                charge(run, reservation, null, true);
            }
        }
    }

    /** What has to be completed to be charged was not while it would have been. */
    private void suspend(ChargedRun run, Job job, long now) {
        if (settings.policy().completedOnly()) {
            run.counted = run.charged;
            return;
        }
        count(run, job.shares(), now);
        countUsed(run, job.usedCpuSeconds());
        if (!run.counted.equals(run.charged)) {
            charge(run, job, null, true);
        }
    }

    /** A job has another version, {@code before} being null for a new one; what it held is counted up to {@code now}. */
    public void job(@Nullable Job before, Job after, long now) {
        boolean was = before != null && before.active();
        if (!settings.on() || (!was && !after.active())) {
            return;
        }
        if (before == null || !was) {
            begin(after);
            return;
        }
        if (after.active() && before.start() != after.start()) {
            restarted(before, after, now);
            return;
        }
        if (after.active() && sameShares(before, after)) {
            return;
        }
        ChargedRun run = run(before);
        long end = after.active() ? now : after.finished() && after.end() != Job.NONE ? after.end() : now;
        count(run, before.shares(), end);
        if (!after.active()) {
            finish(run, before, after);
        }
    }

    /** Its resource manager says that a job began at another time: what was charged already is a run of its own. */
    private void restarted(Job before, Job after, long now) {
        ChargedRun run = runs.get(ChargedRun.JOB + ":" + before.id());
        if (run != null && run.number > 0 && run.start == before.start()) {
            count(run, before.shares(), Math.max(run.start, Math.min(now, after.start())));
            finish(run, before, after);
        }
        begin(after);
    }

    private static boolean sameShares(Job before, Job after) {
        return before.shares().equals(after.shares());
    }

    private ChargedRun run(Job job) {
        ChargedRun known = runs.get(ChargedRun.JOB + ":" + job.id());
        return known != null && known.start == job.start() ? known : begin(ChargedRun.JOB, job.id(), job.start(), 0);
    }

    /** Begins to charge a job that runs. */
    private ChargedRun begin(Job job) {
        ChargedRun old = runs.get(ChargedRun.JOB + ":" + job.id());
        ChargedRun run = begin(
                ChargedRun.JOB,
                job.id(),
                job.start(),
                settings.policy().completedOnly() ? 0 : settings.jobFlushSeconds());
        boolean goesOn = old != null && old.start == run.start;
        if (!goesOn && run.start < since) {
            run.free = usedBefore(job);
        }
        return run;
    }

    /** Begins to charge those who answer for a reservation. */
    private ChargedRun begin(AdministrativeReservation reservation) {
        ChargedRun run = begin(RESERVATION, reservation.id(), reservation.start(), settings.reservationFlushSeconds());
        if (run.start < since) {
            run.free = total(reservation);
        }
        return run;
    }

    private static Quantities usedBefore(Job job) {
        Long cpu = job.usedCpuSeconds();
        return new Quantities(cpu == null ? 0 : cpu, 0, 0, 0, 0, 0, 0);
    }

    private static long next(ChargedRun run, long flushSeconds) {
        return flushSeconds == 0 ? ChargedRun.NEVER : run.chargedTo + flushSeconds;
    }

    private ChargedRun begin(String type, String id, long start, long flushSeconds) {
        ChargedRun run = new ChargedRun(type, id, start);
        ChargedRun old = runs.put(run.key(), run);
        if (old != null) {
            unschedule(old);
            setPast(old, start);
            run.follow(old);
        }
        run.notBefore(since);
        schedule(run, flushSeconds == 0 ? ChargedRun.NEVER : Math.max(start, since) + flushSeconds);
        changedRuns.add(run.key());
        return run;
    }

    /** Another run takes the place of {@code old}: that one is kept while a node may have ended it. */
    private void setPast(ChargedRun old, long start) {
        boolean suspected = !old.suspects.isEmpty() && old.start != start;
        List<String> nodesOfOld = old.suspects;
        int polls = old.suspectedFor;
        suspects.clear(old);
        if (suspected) {
            ChargedRun past = old.past();
            ChargedRun before = runs.put(past.key(), past);
            if (before != null) {
                suspects.clear(before);
            }
            suspects.add(past, nodesOfOld, polls);
            changedRuns.add(past.key());
        }
    }

    private void count(ChargedRun run, List<NodeShare> shares, long to) {
        long until = Math.max(to, since);
        run.counted = run.counted.plus(Quantities.of(shares, until - run.countedTo, tariff::ofNode));
        run.countedTo = until;
        changedRuns.add(run.key());
    }

    /** Where processor time is charged, that is what counts, not the time for which processors were held. */
    private void countUsed(ChargedRun run, @Nullable Long cpuSeconds) {
        if (settings.policy().used()) {
            long seconds = Math.max(0, (cpuSeconds == null ? 0 : cpuSeconds) - run.free.processorSeconds());
            run.counted = new Quantities(
                    seconds,
                    Quantities.AMOUNTS.product(seconds, 1_000),
                    run.counted.nodeSeconds(),
                    run.counted.gpuSeconds(),
                    run.counted.memoryMbSeconds(),
                    0,
                    0);
        }
    }

    private void finish(ChargedRun run, Job job, Job after) {
        boolean completed = after.state() == JobState.COMPLETED;
        boolean failed = !completed && endedBySystem(job, after);
        if (!settings.policy().completedOnly() || completed) {
            Long cpu = after.usedCpuSeconds() == null ? job.usedCpuSeconds() : after.usedCpuSeconds();
            countUsed(run, cpu);
            String reason = failed ? SYSTEM : after.finished() ? after.state().name() : "REQUEUED";
            charge(run, job, reason, false);
            if (failed && settings.refunds() && run.amount > 0) {
                refund(run, job, nodes(job));
            } else if (!completed && settings.refunds()) {
                suspects.add(run, suspected(job, after), SuspectNodes.POLLS);
            }
        }
        unschedule(run);
        run.due = ChargedRun.NEVER;
        changedRuns.add(run.key());
    }

    /** Returns whether a node that failed ended a run, as far as that is known already. */
    private boolean endedBySystem(Job job, Job after) {
        if (confirmed(job.failedNodes()) || confirmed(after.failedNodes())) {
            return true;
        }
        return after.state() == JobState.FAILED
                && (NodeFailReason.in(after.reason())
                        || job.shares().stream().anyMatch(share -> isDown(nodes.get(share.nodeId()))));
    }

    private static boolean confirmed(FailedNodes failed) {
        return failed.list().stream().anyMatch(FailedNode::confirmed);
    }

    private boolean isDown(@Nullable Node node) {
        return node != null && node.state() == NodeState.DOWN && !node.isUnheardOf() && !aside.test(node.id());
    }

    /** Returns the nodes of which one may have ended a run without having been reported down yet. */
    private static List<String> suspected(Job job, Job after) {
        SortedSet<String> ids = new TreeSet<>();
        job.failedNodes().list().forEach(node -> ids.add(node.nodeId()));
        after.failedNodes().list().forEach(node -> ids.add(node.nodeId()));
        if (after.state() == JobState.FAILED) {
            job.shares().forEach(share -> ids.add(share.nodeId()));
        }
        return List.copyOf(ids);
    }

    /** A node has another version: where it is down now, it ended the runs that failed a moment ago and had it. */
    public void node(@Nullable Node before, Node after, Function<String, @Nullable Job> jobs) {
        if (suspects.isEmpty() || !isDown(after) || isDown(before)) {
            return;
        }
        for (String key : suspects.of(after.id())) {
            ChargedRun run = Objects.requireNonNull(runs.get(key), "a run is suspected that is not known");
            List<String> had = run.suspects.stream().limit(MOST_NODES).toList();
            suspects.clear(run);
            Job job = jobs.apply(run.objectId);
            if (settings.refunds() && run.amount > 0 && job != null) {
                refund(run, job, had);
            }
            settled(run);
        }
    }

    /**
     * The resource manager {@code connector} was asked for everything: nodes that are up still after a poll that began when the
     * end of a run was known did not end it.
     */
    public void polled(String connector, Function<String, @Nullable Job> jobs) {
        for (String key : suspects.runs()) {
            ChargedRun run = Objects.requireNonNull(runs.get(key), "a run is suspected that is not known");
            Job job = jobs.apply(run.objectId);
            if (job == null || connector.equals(job.request().connector())) {
                suspects.polled(run);
                settled(run);
            }
        }
    }

    /** A run changed; one of the past of which nothing is open is of no more use. */
    private void settled(ChargedRun run) {
        if (run.isPast && run.suspects.isEmpty()) {
            runs.remove(run.key());
        }
        changedRuns.add(run.key());
    }

    /** A job is removed for good; what came of its last run was kept until now, lest it go on or another begin at its start. */
    public void gone(String jobId) {
        for (String key : List.of(ChargedRun.JOB + ":" + jobId, ChargedRun.PAST + ChargedRun.JOB + ":" + jobId)) {
            ChargedRun run = runs.get(key);
            if (run != null) {
                forget(run);
            }
        }
    }

    /** Charges a running job up to {@code now}. */
    private void flush(ChargedRun run, Job job, long now) {
        if (!settings.policy().used()) {
            count(run, job.shares(), now);
            charge(run, job, null, true);
        }
    }

    private void charge(ChargedRun run, Job job, @Nullable String reason, boolean interim) {
        long total = tariff.amount(run.counted.weighted(), job);
        Charge.Builder charge = draft(run, total - run.amount, reason, interim);
        ChargeDraft.toOwner(charge, job, nodes(job));
        add(run, charge.build(), total);
    }

    private static List<String> nodes(Job job) {
        return job.shares().stream().limit(MOST_NODES).map(NodeShare::nodeId).toList();
    }

    /** Gives back all that was charged for a run on {@code had}, which the system ended. */
    private void refund(ChargedRun run, Job job, List<String> had) {
        Charge.Builder refund = Charge.newBuilder(draft(run, -run.amount, SYSTEM, false)
                        .setUsedProcSeconds(run.counted.processorSeconds())
                        .setProcessorSeconds(run.counted.processorSeconds())
                        .setNodeSeconds(run.counted.nodeSeconds())
                        .setGpuSeconds(run.counted.gpuSeconds())
                        .setMemoryMbSeconds(run.counted.memoryMbSeconds())
                        .build())
                .setStart(Instant.ofEpochSecond(run.start));
        ChargeDraft.toOwner(refund, job, had);
        Charge made = refund.build();
        waiting.put(made.getChargeId(), made);
        changedCharges.add(made.getChargeId());
        run.givenBack();
    }

    private Charge.Builder draft(ChargedRun run, long amount, @Nullable String reason, boolean interim) {
        return ChargeDraft.of(run, amount, settings.policy())
                .setCluster(cluster)
                .setEndReason(reason)
                .setInterim(interim);
    }

    private void add(ChargedRun run, Charge charge, long total) {
        waiting.put(charge.getChargeId(), charge);
        changedCharges.add(charge.getChargeId());
        run.lastId = charge.getChargeId();
        run.number++;
        run.charged = run.counted;
        run.chargedTo = run.countedTo;
        run.amount = total;
        changedRuns.add(run.key());
    }

    /** A reservation is in force in another version; those without accountable credentials are not charged. */
    public void reservation(AdministrativeReservation reservation) {
        if (settings.on() && isCharged(reservation) && !runs.containsKey(RESERVATION + ":" + reservation.id())) {
            begin(reservation);
        }
    }

    /** A reservation, counted up to its end, is over. */
    public void ended(AdministrativeReservation reservation, boolean released) {
        ChargedRun known = runs.get(RESERVATION + ":" + reservation.id());
        if (!settings.on() || !isCharged(reservation)) {
            if (known != null) {
                forget(known);
            }
            return;
        }
        ChargedRun run = known != null ? known : begin(reservation);
        charge(run, reservation, released ? "RELEASED" : "COMPLETED", false);
        forget(run);
    }

    private void charge(
            ChargedRun run, AdministrativeReservation reservation, @Nullable String reason, boolean interim) {
        run.counted = total(reservation).minus(run.free);
        run.countedTo = Math.max(Math.max(run.start, since), reservation.accountedTo());
        if (run.counted.reserved() == 0 && run.number == 0) {
            return;
        }
        long total = run.counted.weighted();
        Charge.Builder charge = draft(run, total - run.amount, reason, interim).setRateMillis(rate(reservation));
        ChargeDraft.toAccountable(
                charge,
                reservation,
                reservation.nodeIds().stream().limit(MOST_NODES).toList());
        add(run, charge.build(), total);
    }

    private Quantities total(AdministrativeReservation reservation) {
        long reserved = reservation.reservedProcSeconds();
        long used = reservation.usedProcSeconds();
        return new Quantities(
                reserved - used,
                Quantities.AMOUNTS.product(reserved - used, rate(reservation)),
                0,
                0,
                0,
                reserved,
                used);
    }

    /** Returns the rate of the nodes, averaged over the processors that are reserved on them, in thousandths. */
    private long rate(AdministrativeReservation reservation) {
        long processors = 0;
        long weighted = 0;
        for (ReservedNode node : reservation.nodes()) {
            processors += node.amount().procs();
            weighted += Quantities.AMOUNTS.product(node.amount().procs(), tariff.ofNode(node.nodeId()));
        }
        return processors == 0 ? 1_000 : weighted / processors;
    }

    /**
     * What lasts and is to be charged again.
     *
     * @param job the job's id; null when it is a reservation
     * @param reservation the reservation's id; null when it is a job
     */
    public record Due(@Nullable String job, @Nullable String reservation) {}

    /** Returns up to {@code most} of what is to be charged again at {@code now}. */
    public List<Due> takeDue(long now, int most) {
        List<Due> taken = new ArrayList<>();
        while (!due.isEmpty() && due.firstKey() <= now && taken.size() < most) {
            ChargedRun run =
                    runs.get(Objects.requireNonNull(due.get(due.firstKey())).first());
            if (run == null) {
                throw new IllegalStateException("a run is due that is not known");
            }
            boolean ofJob = run.objectType.equals(ChargedRun.JOB);
            long interval = ofJob ? settings.jobFlushSeconds() : settings.reservationFlushSeconds();
            long missed = interval == 0 ? 0 : (now - run.due) / interval;
            unschedule(run);
            schedule(run, !settings.on() || interval == 0 ? ChargedRun.NEVER : run.due + (missed + 1) * interval);
            taken.add(ofJob ? new Due(run.objectId, null) : new Due(null, run.objectId));
        }
        return taken;
    }

    /** Charges a job that runs on. */
    public void flush(Job job, long now) {
        ChargedRun run = runs.get(ChargedRun.JOB + ":" + job.id());
        if (settings.on() && run != null && job.active() && run.start == job.start()) {
            flush(run, job, now);
        }
    }

    /** Charges a reservation that lasts, counted up to now. */
    public void flush(AdministrativeReservation reservation) {
        ChargedRun run = runs.get(RESERVATION + ":" + reservation.id());
        if (settings.on() && run != null) {
            charge(run, reservation, null, true);
        }
    }

    /** Returns what was charged for a reservation so far, in thousandths; 0 for nothing. */
    public long charged(AdministrativeReservation reservation) {
        ChargedRun run = runs.get(RESERVATION + ":" + reservation.id());
        return run == null ? 0 : run.amount;
    }

    /** Returns up to {@code most} charges that wait, by id; they wait no longer. */
    public List<Charge> takeWaiting(int most) {
        List<Charge> taken = new ArrayList<>();
        while (!waiting.isEmpty() && taken.size() < most) {
            String id = waiting.firstKey();
            Charge charge = waiting.remove(id);
            changedCharges.add(id);
            taken.add(charge);
        }
        return taken;
    }

    private void forget(ChargedRun run) {
        unschedule(run);
        suspects.clear(run);
        runs.remove(run.key());
        changedRuns.add(run.key());
    }

    private void schedule(ChargedRun run, long at) {
        run.due = at;
        if (at != ChargedRun.NEVER) {
            due.computeIfAbsent(at, instant -> new TreeSet<>()).add(run.key());
        }
        changedRuns.add(run.key());
    }

    private void unschedule(ChargedRun run) {
        SortedSet<String> there = run.due == ChargedRun.NEVER ? null : due.get(run.due);
        if (there != null && there.remove(run.key()) && there.isEmpty()) {
            due.remove(run.due);
        }
    }

    /** Returns when there is something to do without anything happening, epoch seconds; null for never. */
    public @Nullable Long nextWake(long now) {
        if (!waiting.isEmpty()) {
            return now + 1;
        }
        return due.isEmpty() ? null : Long.valueOf(Math.max(now + 1, due.firstKey()));
    }

    /** Returns the ids of stored runs, sorted. */
    public List<String> runIds() {
        return List.copyOf(runs.keySet());
    }

    /** Returns the ids of the charges that wait, sorted. */
    public List<String> chargeIds() {
        return List.copyOf(waiting.keySet());
    }

    /** Takes over a stored run. */
    public void restore(ChargeRun record) {
        ChargedRun run = ChargedRun.from(record);
        runs.put(run.key(), run);
        suspects.restore(run);
        if (run.due != ChargedRun.NEVER) {
            due.computeIfAbsent(run.due, instant -> new TreeSet<>()).add(run.key());
        }
    }

    /** Takes over a charge that waits. */
    public void restore(Charge charge) {
        waiting.put(charge.getChargeId(), charge);
    }

    /** Returns a stored run; null when it is over. */
    public @Nullable ChargeRun runRecord(String id) {
        ChargedRun run = runs.get(id);
        return run == null ? null : run.toRecord(cluster);
    }

    /** Returns a charge that waits; null when it was published. */
    public @Nullable Charge chargeRecord(String id) {
        return waiting.get(id);
    }

    /** Returns the ids of runs that changed since the last call, sorted. */
    public SortedSet<String> drainRuns() {
        return drain(changedRuns);
    }

    /** Returns the ids of charges that changed since the last call, sorted. */
    public SortedSet<String> drainCharges() {
        return drain(changedCharges);
    }

    private static SortedSet<String> drain(SortedSet<String> changed) {
        if (changed.isEmpty()) {
            return Collections.emptySortedSet();
        }
        SortedSet<String> ids = new TreeSet<>(changed);
        changed.clear();
        return ids;
    }
}

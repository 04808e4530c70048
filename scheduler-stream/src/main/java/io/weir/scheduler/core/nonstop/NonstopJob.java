package io.weir.scheduler.core.nonstop;

import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.scheduler.state.NonstopRecord;
import io.weir.scheduler.state.RefusedNode;
import io.weir.scheduler.state.ReplacedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the failure service knows of a running job: its failed and failing nodes, the minutes its time limit may be extended
 * by, what is under way for it, and who is told. Changed through {@link NonstopTable#edit} alone; the balance is never
 * below 0.
 */
public final class NonstopJob {
    /** Replaced nodes that are remembered, so that a repeated request finds its answer. */
    private static final int REMEMBERED = 64;

    /** Lost nodes that are kept; of more at once no application could make good use. */
    private static final int MOST_LOSSES = 1_024;

    /** Refused nodes that are remembered, so that others are tried before them. */
    private static final int MOST_REFUSED = 32;

    /** How long others are tried before a refused node, in seconds: what was the matter may have passed by then. */
    private static final long REFUSED_SECONDS = 600;

    /** Addresses that are told of a job's events. */
    public static final int MOST_ENDPOINTS = 8;

    private final String jobId;
    private final List<NodeLoss> losses = new ArrayList<>();
    private final List<ReplacedNode> replaced = new ArrayList<>();
    private final List<RefusedNode> refused = new ArrayList<>();
    private final List<String> endpoints = new ArrayList<>();
    private final SortedSet<String> unremoved = new TreeSet<>();
    private long balance;
    private int replacedCount;
    private int sparesTaken;
    private long limitSeconds;
    private long extendCommand;
    private long extendedFrom;
    private long limitCommand;
    private long changedLimitSeconds;
    private @Nullable PendingReplacement pending;
    private @Nullable Recovery step;

    NonstopJob(String jobId) {
        this.jobId = jobId;
    }

    static NonstopJob from(NonstopRecord stored) {
        NonstopJob job = new NonstopJob(stored.getJobId());
        job.balance = stored.getBalance();
        stored.getLost().forEach(loss -> job.losses.add(NodeLoss.from(loss)));
        job.replaced.addAll(stored.getReplaced());
        job.replacedCount = stored.getReplacedCount();
        job.sparesTaken = stored.getSparesTaken();
        job.limitSeconds = stored.getLimitSeconds();
        job.extendCommand = stored.getExtendCommand();
        job.extendedFrom = stored.getExtendedFrom();
        job.limitCommand = stored.getLimitCommand();
        job.changedLimitSeconds = stored.getChangedLimitSeconds();
        String node = stored.getPendingNode();
        String kept = stored.getPendingReplacement();
        job.pending = node == null
                ? null
                : new PendingReplacement(
                        node,
                        kept == null ? "" : kept,
                        stored.getPendingTime(),
                        stored.getPendingDelay(),
                        stored.getPendingAnnounced());
        job.step = stored.getStep() == null ? null : Recovery.from(stored.getStep());
        job.endpoints.addAll(stored.getEndpoints());
        job.unremoved.addAll(stored.getUnremoved());
        job.refused.addAll(stored.getRefused());
        return job;
    }

    NonstopRecord toRecord(String cluster) {
        PendingReplacement waits = pending;
        Recovery under = step;
        return new NonstopRecord(
                cluster,
                jobId,
                balance,
                losses.stream().map(NodeLoss::toRecord).toList(),
                List.copyOf(replaced),
                replacedCount,
                sparesTaken,
                limitSeconds,
                waits == null ? null : waits.nodeId(),
                waits == null ? null : waits.replacement(),
                waits == null ? 0 : waits.time(),
                waits == null ? 0 : waits.delay(),
                waits != null && waits.announced(),
                under == null ? null : under.toRecord(),
                List.copyOf(endpoints),
                List.copyOf(unremoved),
                extendCommand,
                extendedFrom,
                limitCommand,
                changedLimitSeconds,
                List.copyOf(refused));
    }

    public String jobId() {
        return jobId;
    }

    /** Returns the minutes by which the time limit may be extended. */
    public long balance() {
        return balance;
    }

    /** Returns the failed and failing nodes, in the order noticed. */
    public List<NodeLoss> losses() {
        return losses.stream().filter(loss -> loss.kind() != LossKind.MISSING).toList();
    }

    /** Returns what left the allocation and may have failed, too. */
    public List<NodeLoss> noticed() {
        return List.copyOf(losses);
    }

    /** Returns what is known of a node; null when nothing is the matter with it. */
    public @Nullable NodeLoss loss(String nodeId) {
        return losses.stream()
                .filter(loss -> loss.nodeId().equals(nodeId))
                .findFirst()
                .orElse(null);
    }

    /** Returns the node that replaced another for {@code requestId}, or of late for any; null for none. */
    public @Nullable String replacementOf(String nodeId) {
        for (int i = replaced.size() - 1; i >= 0; i--) {
            if (replaced.get(i).getNodeId().equals(nodeId)) {
                return replaced.get(i).getReplacement();
            }
        }
        return null;
    }

    /** Returns whether what {@code ended}, a step, came to has taken effect: a failure has none, a success removed the loss. */
    public boolean isSettled(Recovery ended) {
        return switch (ended.kind()) {
            case REPLACE ->
                ended.stage() == Recovery.Stage.ADDING
                        ? ended.outcome() == Recovery.Outcome.FAILED
                                || ended.replacement().equals(replacementOf(ended.nodeId()))
                        : ended.replacement().equals(replacementOf(ended.nodeId())) && loss(ended.nodeId()) == null;
            case DROP -> ended.outcome() == Recovery.Outcome.FAILED || loss(ended.nodeId()) == null;
            case EXTEND ->
                ended.outcome() == Recovery.Outcome.FAILED
                        || extendCommand == ended.command()
                        // Stored by a version that did not keep the number.
                        || (extendCommand == 0 && limitSeconds == ended.limitSeconds());
        };
    }

    /** Returns the nodes that the resource manager refused as replacements for {@code requestId}. */
    public Set<String> refusedFor(String requestId) {
        Set<String> nodes = new TreeSet<>();
        refused.stream()
                .filter(node -> node.getRequestId().equals(requestId))
                .forEach(node -> nodes.add(node.getNodeId()));
        return nodes;
    }

    /** Returns the nodes that it refused as replacements, for whatever request, not long before {@code now}. */
    public Set<String> refusedOfLate(long now) {
        Set<String> nodes = new TreeSet<>();
        refused.stream().filter(node -> isLate(node, now)).forEach(node -> nodes.add(node.getNodeId()));
        return nodes;
    }

    private static boolean isLate(RefusedNode node, long now) {
        return node.getAt() + REFUSED_SECONDS > now;
    }

    /** Returns whether a node was replaced and is the job's still, since the resource manager refused to remove it. */
    public boolean isUnremoved(String nodeId) {
        return unremoved.contains(nodeId);
    }

    /** Returns the nodes that are, in the order of their ids. */
    public List<String> unremoved() {
        return List.copyOf(unremoved);
    }

    /** Returns how many nodes were replaced. */
    public int replacedCount() {
        return replacedCount;
    }

    /** Returns how many hot spares it took. */
    public int sparesTaken() {
        return sparesTaken;
    }

    /** Returns the time limit it was extended to last, seconds; 0 for none. Others may have changed the limit since. */
    public long limitSeconds() {
        return limitSeconds;
    }

    /** Returns the number of the command that gave it {@link #limitSeconds}; 0 for none. */
    public long extendCommand() {
        return extendCommand;
    }

    /** Returns the time limit that was reported when it was extended, seconds; 0 once another is. */
    public long extendedFrom() {
        return extendedFrom;
    }

    /** Returns the number of the last command by which an operator changed its time limit; 0 for none. */
    public long limitCommand() {
        return limitCommand;
    }

    /** Returns the time limit that this command gives it, seconds; 0 where it was not carried out. */
    public long changedLimitSeconds() {
        return changedLimitSeconds;
    }

    /** Returns the replacement that is awaited; null for none. */
    public @Nullable PendingReplacement pending() {
        return pending;
    }

    /** Returns what is under way; null for nothing. */
    public @Nullable Recovery step() {
        return step;
    }

    /** Returns the addresses that are told of events, in the order given. */
    public List<String> endpoints() {
        return List.copyOf(endpoints);
    }

    /** Returns whether a node was replaced or given up, or the time limit extended. */
    public boolean hasHistory() {
        return replacedCount > 0 || limitSeconds > 0;
    }

    /** Returns whether there is nothing to keep. */
    public boolean isEmpty() {
        return losses.isEmpty()
                && balance == 0
                && replacedCount == 0
                && limitSeconds == 0
                && limitCommand == 0
                && pending == null
                && step == null
                && endpoints.isEmpty();
    }

    /** A node is not in the allocation any more. */
    public void missing(String nodeId, int procs, long at) {
        add(nodeId, procs, LossKind.MISSING, at);
    }

    /** A node went out of service: TimeLimitExtend is credited, once. */
    public void failed(String nodeId, int procs, long at, NonstopSettings settings) {
        NodeLoss known = loss(nodeId);
        if (known != null && known.kind() == LossKind.FAILED) {
            return;
        }
        if (known == null && !add(nodeId, procs, LossKind.FAILED, at)) {
            return;
        } else if (known != null) {
            put(known.as(LossKind.FAILED, at));
        }
        balance += settings.extendMinutes();
    }

    /** A node is expected to fail. */
    public void failing(String nodeId, int procs, long at) {
        add(nodeId, procs, LossKind.FAILING, at);
    }

    /** A node is in service again, and the job's still: what was credited for it is withdrawn. */
    public void recovered(NodeLoss loss, NonstopSettings settings) {
        long credited = loss.kind() == LossKind.FAILED ? settings.extendMinutes() : 0;
        balance = Math.max(0, balance - credited - loss.credit() - abortPending(loss.nodeId()));
        losses.remove(loss);
    }

    /** Forgets what left the allocation and did not fail. */
    public void forget(NodeLoss loss) {
        losses.remove(loss);
    }

    /** A node was given up. */
    public void dropped(String nodeId, NonstopSettings settings) {
        NodeLoss loss = loss(nodeId);
        if (loss == null) {
            return;
        }
        long granted = loss.kind() == LossKind.FAILED
                ? settings.dropMinutes() - settings.extendMinutes()
                : settings.dropMinutes();
        balance = Math.max(0, Math.max(0, balance - loss.credit() - abortPending(nodeId)) + granted);
        losses.remove(loss);
    }

    /**
     * A node was replaced; it counts once, however often its removal had to be asked for.
     *
     * @param done the step, whose removal the resource manager may have refused
     */
    public void replaced(Recovery done, NonstopSettings settings) {
        NodeLoss loss = loss(done.nodeId());
        if (loss != null) {
            long granted = loss.kind() == LossKind.FAILING ? settings.extendMinutes() : 0;
            balance = Math.max(0, balance - loss.credit()) + granted;
            losses.remove(loss);
        }
        if (pending != null && pending.nodeId().equals(done.nodeId())) {
            pending = null;
        }
        boolean counted = unremoved.remove(done.nodeId());
        if (done.outcome() == Recovery.Outcome.FAILED) {
            unremoved.add(done.nodeId());
        }
        if (counted) {
            return;
        }
        replacedCount++;
        sparesTaken += done.spare() ? 1 : 0;
        replaced.add(new ReplacedNode(done.nodeId(), done.replacement(), done.requestId()));
        if (replaced.size() > REMEMBERED) {
            replaced.remove(0);
        }
    }

    /** A replacement will be there at {@code time}: minutes are granted for the wait. */
    public void expects(String nodeId, String replacement, long time, long now, NonstopSettings settings) {
        PendingReplacement waits = pending;
        if (waits != null && waits.nodeId().equals(nodeId)) {
            pending = waits.expected(replacement, time);
            return;
        }
        long minutes = Math.max(0, time - now + 59) / 60;
        long delay = settings.delayMinutes() == 0
                ? 0
                : Math.max(Math.min(minutes, settings.delayMinutes()), settings.extendMinutes());
        balance += delay;
        pending = new PendingReplacement(nodeId, replacement, time, delay, false);
    }

    /** The resource manager would not give the job the node that a step was to add. */
    public void refused(Recovery adding, long now) {
        refused.removeIf(node -> !isLate(node, now)
                || (node.getNodeId().equals(adding.replacement())
                        && node.getRequestId().equals(adding.requestId())));
        refused.add(new RefusedNode(adding.replacement(), adding.requestId(), now));
        if (refused.size() > MOST_REFUSED) {
            refused.remove(0);
        }
    }

    /** A node that was replaced has left the job after all. */
    public void removed(String nodeId) {
        unremoved.remove(nodeId);
    }

    /** There is no replacement and none in sight: TimeLimitDelay is credited, once for each node. */
    public void waitsInVain(String nodeId, NonstopSettings settings) {
        NodeLoss loss = loss(nodeId);
        if (loss != null && !loss.delayed() && settings.delayMinutes() > 0) {
            put(loss.granted(settings.delayMinutes()));
            balance += settings.delayMinutes();
        }
    }

    /** An operator has the time limit changed by {@code command}: what it was extended to counts no more. */
    public void limitOrdered(long seconds, long command) {
        limitCommand = command;
        changedLimitSeconds = seconds;
    }

    /** The operator's command was not carried out, or it is not known whether it was. */
    public void limitRefused() {
        changedLimitSeconds = 0;
    }

    /**
     * The time limit was extended by {@code command}.
     *
     * @param minutes by how much
     * @param newLimitSeconds what it was extended to
     * @param command number of the command that did it
     * @param reported time limit that is reported at present, seconds
     */
    public void extended(long minutes, long newLimitSeconds, long command, long reported) {
        charge(minutes);
        limitSeconds = newLimitSeconds;
        extendCommand = command;
        extendedFrom = reported == newLimitSeconds ? 0 : reported;
    }

    /** The resource manager reports another time limit than before it was extended: from now on it says what holds. */
    public void extensionReported() {
        extendedFrom = 0;
    }

    /** The balance is used without another time limit: of it what was granted for waiting goes first. */
    public void charge(long minutes) {
        long left = minutes;
        for (NodeLoss loss : List.copyOf(losses)) {
            long taken = Math.min(left, loss.credit());
            if (taken > 0) {
                put(loss.creditLeft(loss.credit() - taken));
                left -= taken;
            }
        }
        PendingReplacement waits = pending;
        if (waits != null && left > 0) {
            pending = waits.left(Math.max(0, waits.delay() - left));
        }
        balance = Math.max(0, balance - minutes);
    }

    /** Gives up the replacement that is awaited; returns what is left of the minutes granted for it. */
    private long abortPending(String nodeId) {
        PendingReplacement waits = pending;
        if (waits == null || !waits.nodeId().equals(nodeId)) {
            return 0;
        }
        pending = null;
        return waits.delay();
    }

    /** Begins, goes on with or, with null, ends what is under way. */
    public void step(@Nullable Recovery next) {
        step = next;
    }

    /** Subscribers were told that the replacement is ready. */
    public void toldOfReplacement() {
        pending = pending == null ? null : pending.told();
    }

    /** Tells {@code endpoint} of events; returns false when there are too many already. */
    public boolean subscribe(String endpoint) {
        if (endpoints.contains(endpoint)) {
            return true;
        }
        return endpoints.size() < MOST_ENDPOINTS && endpoints.add(endpoint);
    }

    /** Tells {@code endpoint}, or with null nobody, of events any more. */
    public void unsubscribe(@Nullable String endpoint) {
        if (endpoint == null) {
            endpoints.clear();
        } else {
            endpoints.remove(endpoint);
        }
    }

    /** Returns whether the loss is new, and there is room for it. */
    private boolean add(String nodeId, int procs, LossKind kind, long at) {
        return loss(nodeId) == null
                && losses.size() < MOST_LOSSES
                && losses.add(NodeLoss.noticed(nodeId, procs, kind, at));
    }

    private void put(NodeLoss loss) {
        for (int i = 0; i < losses.size(); i++) {
            if (losses.get(i).nodeId().equals(loss.nodeId())) {
                losses.set(i, loss);
            }
        }
    }
}

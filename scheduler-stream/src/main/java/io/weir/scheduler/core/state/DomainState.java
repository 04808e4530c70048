package io.weir.scheduler.core.state;

import io.weir.scheduler.core.backfill.PlanProgress;
import io.weir.scheduler.core.event.BuiltInEvents;
import io.weir.scheduler.core.event.EventKey;
import io.weir.scheduler.core.event.EventTable;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.language.RuntimeSettings;
import io.weir.scheduler.core.policy.nonstop.NonstopReader;
import io.weir.scheduler.core.policy.nonstop.NonstopText;
import io.weir.scheduler.core.reservation.control.ReservationLedger;
import io.weir.scheduler.state.Argument;
import io.weir.scheduler.state.ConnectorStatus;
import io.weir.scheduler.state.DisabledSlot;
import io.weir.scheduler.state.DomainStatus;
import io.weir.scheduler.state.LimitViolation;
import io.weir.scheduler.state.PendingNotice;
import io.weir.scheduler.state.PlanStatus;
import io.weir.scheduler.state.PolicyStatus;
import io.weir.schemas.CommandCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.Severity;
import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.Limit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The part of a cluster's state that belongs to no single entity. Owned by the core's thread. */
public final class DomainState {
    private static final Bound.Prose NOTICE = new Bound.Prose(1_024, true);

    /** Number of the last iteration; 0 before the first. */
    public long iteration;

    /** Instant of the last iteration, epoch milliseconds; {@link Job#NONE} before the first. */
    public long nowMillis = Job.NONE;

    /** Version of the policy in force; empty for the built-in defaults. */
    public String policyVersion = "";

    /** Its meaning. */
    public SitePolicy policy = SitePolicy.DEFAULT;

    /** Policy the next iteration puts in force; null for none. */
    @Nullable
    public PendingPolicy nextPolicy;

    /** Capacity came free since the last iteration. */
    public boolean capacityFreed;

    /** How far a plan came that takes several iterations; null where the next one begins anew. */
    @Nullable
    public PlanProgress planProgress;

    /** Until when room that came free is kept for wide jobs, epoch seconds; {@link Job#NONE} for none. */
    public long chunkEnd = Job.NONE;

    /** Since when what is used is charged, epoch seconds; {@link Job#NONE} for always, or while nothing is. */
    public long chargingSince = Job.NONE;

    /** Since when no job starts because actions of triggers are awaited, epoch seconds; {@link Job#NONE} while none are. */
    public long blockedSince = Job.NONE;

    /** Partition of the last job that started and could have used several, where they take turns; null for none. */
    @Nullable
    public String lastPartition;

    /** Index the next new node gets. */
    public int nextNodeIndex;

    /** By id. */
    public final SortedMap<String, ConnectorState> connectors = new TreeMap<>();

    /** What is remembered about reservations that are no job's, beyond those in force. */
    public final ReservationLedger reservations = new ReservationLedger();

    /** Requests the next iteration carries out. */
    public final PendingRequests requests = new PendingRequests();

    /** What requests may cost. */
    public final RequestBudget budget = new RequestBudget();

    /** What occurred of the events that the configuration acts on; stored by itself. */
    public final EventTable events = new EventTable();

    /** Learns of each event that is raised. */
    private Consumer<EventKey> raised = key -> {};

    /** Notifications the next iteration publishes, in the order raised. */
    private final List<PendingNotice> notices = new ArrayList<>();

    /** Notices that found no room among them. */
    private long noticesOmitted;

    /** Running jobs that use more than they asked for, by job and resource. */
    public final SortedMap<String, LimitViolation> violations = new TreeMap<>();

    /** Reservations that resource managers show or are to show, by {@link ReservationCopy#key()}. */
    public final SortedMap<String, ReservationCopy> copies = new TreeMap<>();

    /** Whether jobs are scheduled. */
    public SchedulerStatus standing = SchedulerStatus.RUNNING;

    private String policyText = "";

    /** What the failure service keeps in it, as what came later was refused; null for nothing. */
    private @Nullable String keptFailureService;

    /** Whether the text in force is stored. */
    private boolean textStored;

    /** The policy that waits, as stored. */
    private @Nullable PendingPolicy storedNext;

    /** What of it was added at run time. */
    private RuntimeSettings runtime = RuntimeSettings.NONE;

    /** A policy waiting for the next iteration. */
    public record PendingPolicy(String version, String text) {}

    /** Takes over a stored version; returns whether the policy was in it, as it was before that was stored by itself. */
    public boolean restore(DomainStatus status) {
        iteration = status.getIteration();
        Instant now = status.getNow();
        nowMillis = now == null ? Job.NONE : now.toEpochMilli();
        policyVersion = status.getPolicyVersion();
        boolean withPolicy = !status.getPolicyText().isEmpty() || status.getNextPolicyText() != null;
        if (withPolicy) {
            restore(status.getPolicyText(), status.getNextPolicyVersion(), status.getNextPolicyText());
        }
        capacityFreed = status.getCapacityFreed();
        PlanStatus plan = status.getPlan();
        planProgress = plan == null
                ? null
                : new PlanProgress(
                        plan.getSeen(),
                        plan.getOrder(),
                        plan.getSearches(),
                        Objects.requireNonNullElse(plan.getBegun(), plan.getNow()),
                        plan.getNow(),
                        plan.getDelayed(),
                        plan.getNextStep());
        nextNodeIndex = status.getNextNodeIndex();
        Long chunk = status.getChunkEnd();
        chunkEnd = chunk == null ? Job.NONE : chunk;
        lastPartition = status.getLastPartition();
        Long blocked = status.getBlockedSince();
        blockedSince = blocked == null ? Job.NONE : blocked;
        Long charging = status.getChargingSince();
        chargingSince = charging == null ? Job.NONE : charging;
        connectors.clear();
        status.getConnectors().forEach(c -> connectors.put(c.getConnector(), ConnectorState.from(c)));
        requests.restore(status.getRequests());
        Long second = status.getSpendingSecond();
        budget.restore(second == null ? Long.MIN_VALUE : second, status.getSpending());
        notices.clear();
        notices.addAll(status.getNotices());
        noticesOmitted = status.getNoticesOmitted();
        reservations.restore(status.getReservationCount(), status.getDisabledSlots());
        copies.clear();
        status.getReservationCopies().forEach(c -> {
            ReservationCopy copy = ReservationCopy.from(c);
            copies.put(copy.key(), copy);
        });
        standing = SchedulerStatus.from(status.getStanding().stream()
                .map(value -> new NameValue(value.getName(), value.getValue()))
                .toList());
        violations.clear();
        status.getViolations().forEach(v -> violations.put(v.getJobId() + "/" + v.getResource(), v));
        return withPolicy;
    }

    /** Takes over a stored policy. */
    public void restore(PolicyStatus status) {
        restore(status.getText(), status.getNextVersion(), status.getNextText());
    }

    private void restore(String text, @Nullable String nextVersion, @Nullable String nextText) {
        changeText(text);
        policy = SitePolicy.read(policyText).policy();
        nextPolicy = nextVersion == null || nextText == null ? null : new PendingPolicy(nextVersion, nextText);
    }

    /** Returns the text in force and the policy that waits. */
    public PolicyStatus policyRecord(String cluster) {
        PendingPolicy next = nextPolicy;
        return new PolicyStatus(
                cluster, policyText, next == null ? null : next.version(), next == null ? null : next.text());
    }

    /** Returns what {@link #policyRecord} does if it changed since the last call; else null. */
    @Nullable
    PolicyStatus drainPolicy(String cluster) {
        if (textStored && Objects.equals(nextPolicy, storedNext)) {
            return null;
        }
        textStored = true;
        storedNext = nextPolicy;
        return policyRecord(cluster);
    }

    /** Returns all but the policy's text. */
    public DomainStatus toRecord(String cluster) {
        return new DomainStatus(
                cluster,
                iteration,
                nowMillis == Job.NONE ? null : Instant.ofEpochMilli(nowMillis),
                policyVersion,
                "",
                null,
                null,
                capacityFreed,
                nextNodeIndex,
                connectorRecords(),
                requests.toRecords(),
                List.copyOf(notices),
                List.copyOf(violations.values()),
                reservations.count(),
                reservations.disabled(),
                chunkEnd == Job.NONE ? null : Long.valueOf(chunkEnd),
                copies.values().stream().map(ReservationCopy::toRecord).toList(),
                standing.toRecords().stream()
                        .map(value -> new Argument(value.getName(), value.getValue()))
                        .toList(),
                budget.second(),
                budget.toRecords(),
                noticesOmitted,
                lastPartition,
                chargingSince == Job.NONE ? null : Long.valueOf(chargingSince),
                blockedSince == Job.NONE ? null : Long.valueOf(blockedSince),
                planRecord());
    }

    private @Nullable PlanStatus planRecord() {
        PlanProgress plan = planProgress;
        return plan == null
                ? null
                : new PlanStatus(
                        plan.seen(),
                        plan.order(),
                        plan.searches(),
                        plan.now(),
                        plan.nextStep(),
                        plan.begun(),
                        plan.delayed());
    }

    /**
     * Returns the scheduler's standing as everybody may know it, with the slots of standing reservations that are left out, and
     * with what the failure service keeps of its configuration.
     */
    public List<NameValue> publicStanding() {
        String kept = keptFailureService;
        List<DisabledSlot> disabled = reservations.disabled();
        if (disabled.isEmpty() && kept == null) {
            return standing.toRecords();
        }
        List<NameValue> records = new ArrayList<>(standing.toRecords());
        for (DisabledSlot slot : disabled) {
            records.add(new NameValue(
                    "disabledSlot", slot.getStanding() + " " + slot.getReservationId() + " " + slot.getStart()));
        }
        if (kept != null) {
            records.add(new NameValue(NonstopText.RECORD, kept));
        }
        return List.copyOf(records);
    }

    private List<ConnectorStatus> connectorRecords() {
        List<ConnectorStatus> records = new ArrayList<>(connectors.size());
        for (ConnectorState connector : connectors.values()) {
            records.add(connector.toRecord());
        }
        return records;
    }

    /** Puts the waiting policy in force and returns what was read; null when none waits. */
    public SitePolicy.@Nullable Reading adoptPolicy() {
        PendingPolicy next = nextPolicy;
        if (next == null) {
            return null;
        }
        nextPolicy = null;
        policyVersion = next.version();
        RuntimeSettings kept = runtimeSettings().persistentOnly();
        SitePolicy.Reading reading = SitePolicy.read(kept.appendedTo(next.text()));
        boolean refused = NonstopReader.enabled(reading.settings())
                && reading.policy().nonstop() == null
                && policy.nonstop() != null;
        changeText(kept.appendedTo(refused ? NonstopText.keeping(next.text(), versionText()) : next.text()));
        policy = refused ? SitePolicy.read(policyText).policy() : reading.policy();
        return reading;
    }

    /** Returns the text of the policy version in force, without what was added at run time. */
    public String versionText() {
        return RuntimeSettings.versionText(policyText);
    }

    /** Returns the configuration in force as read, what was added at run time included. */
    public PolicySettings settings() {
        return PolicySettings.read(policyText);
    }

    /** Returns what was added to the policy at run time. */
    public RuntimeSettings runtimeSettings() {
        return runtime;
    }

    private void changeText(String text) {
        policyText = text;
        keptFailureService = NonstopText.kept(text);
        textStored = false;
        runtime = RuntimeSettings.of(text);
    }

    /** Puts settings made at run time in force, behind the policy version. */
    public void changeSettings(RuntimeSettings changed, SitePolicy.Reading reading) {
        changeText(changed.appendedTo(versionText()));
        policy = reading.policy();
    }

    /** Returns the instant of the last iteration in epoch seconds; 0 before the first. */
    public long now() {
        return nowMillis == Job.NONE ? 0 : Math.floorDiv(nowMillis, 1000L);
    }

    /** Returns the iteration that publishes what changes now. */
    public long nextIteration() {
        return iteration + 1;
    }

    /** Has {@code listener} learn of each event that is raised, whether or not anything is done about it. */
    void whenRaised(Consumer<EventKey> listener) {
        raised = listener;
    }

    /**
     * An event occurs; another that it ends is over. Returns whether the configuration acts on it, so that nobody else need be
     * told.
     */
    boolean raise(EventKey key, String text) {
        BuiltInEvents.ended(key.event())
                .ifPresent(over -> events.over(new EventKey(key.objectType(), key.objectId(), over)));
        raised.accept(key);
        return events.occurred(key, text);
    }

    /** Tells of an event: those who act on it by the configuration, else everybody. */
    public void notice(Severity severity, String event, String objectType, String objectId, String text) {
        if (raise(new EventKey(objectType, objectId, event), text)) {
            return;
        }
        if (!policy.scheduler().recorded().holds(event)) {
            return;
        }
        if (notices.size() < Limit.NOTICES) {
            notices.add(new PendingNotice(severity.name(), event, objectType, objectId, NOTICE.cut(text)));
            return;
        }
        noticesOmitted++;
    }

    /** Returns the notices to be published, which wait no longer; the last says how many more there would have been. */
    public List<PendingNotice> takeNotices(String cluster) {
        if (notices.isEmpty() && noticesOmitted == 0) {
            return List.of();
        }
        List<PendingNotice> taken = new ArrayList<>(notices);
        if (noticesOmitted > 0) {
            taken.add(new PendingNotice(
                    Severity.WARNING.name(),
                    "noticesomitted",
                    "scheduler",
                    cluster,
                    noticesOmitted + " further notices since the last iteration are left out"));
        }
        notices.clear();
        noticesOmitted = 0;
        return taken;
    }

    /** Has a connector list everything with its next poll; null and one that is not known are passed over. */
    public void askForEverything(@Nullable String id) {
        ConnectorState connector = id == null ? null : connectors.get(id);
        if (connector != null) {
            connectors.put(connector.id(), connector.fullPoll(true));
        }
    }

    /** Returns the instant of a connector's last complete poll, not after {@code now}; {@code now} when there was none. */
    public long lastMeasured(@Nullable String id, long now) {
        ConnectorState connector = id == null ? null : connectors.get(id);
        Instant polled = connector == null ? null : connector.rmTime();
        return polled == null ? now : Math.min(now, polled.getEpochSecond());
    }

    /** Returns the number up to which the commands of a connector were finished when its last poll began; 0 for none. */
    public long finishedCommand(@Nullable String id) {
        ConnectorState connector = id == null ? null : connectors.get(id);
        return connector == null ? 0 : connector.finishedCommand();
    }

    public List<CommandCount> commandCounts() {
        List<CommandCount> counts = new ArrayList<>(connectors.size());
        for (ConnectorState connector : connectors.values()) {
            counts.add(new CommandCount(connector.id(), connector.issuedCommand()));
        }
        return counts;
    }
}

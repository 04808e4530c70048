package io.weir.scheduler.core.state;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.scheduler.core.trigger.ObjectKey;
import io.weir.scheduler.core.trigger.TriggerEvent;
import io.weir.scheduler.core.trigger.TriggerMetric;
import io.weir.scheduler.core.trigger.TriggerSpec;
import io.weir.scheduler.core.trigger.TriggerTable;
import io.weir.scheduler.core.trigger.TriggerTemplate;
import io.weir.scheduler.core.trigger.TriggerText;
import io.weir.scheduler.core.trigger.TriggerThreshold;
import io.weir.scheduler.core.trigger.TriggeredObject;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tells triggers what happens: compares each new version of a node, a job or a reservation with the one before. Where no
 * trigger waits for anything it costs a comparison. Owned by the core's thread.
 */
public final class TriggerWatch {
    /** QFLAGS by which the jobs of a QoS may have triggers of their own. */
    private static final String ALLOWED = "TRIGGER";

    private static final SortedMap<String, String> CONFIGURED = Collections.emptySortedMap();
    private static final String USER = "USER:";

    /** What the triggers of a job may wait for that was cancelled. */
    private static final Set<TriggerEvent> CANCELLED = EnumSet.of(TriggerEvent.CANCEL);

    /** What the triggers of a job may wait for that ended otherwise. */
    private static final Set<TriggerEvent> ENDED = EnumSet.of(TriggerEvent.END, TriggerEvent.FAIL);

    private final TriggerTable table;
    private SitePolicy policy = SitePolicy.DEFAULT;

    TriggerWatch(TriggerTable table) {
        this.table = table;
    }

    void configure(SitePolicy inForce) {
        policy = inForce;
        table.configure(inForce.triggers());
    }

    private boolean idle() {
        return table.isIdle();
    }

    /** A node has another version; {@code before} is null for a new one. */
    void node(@Nullable Node before, Node after, long now) {
        if (idle() || after.state() == NodeState.REMOVED) {
            return;
        }
        ObjectKey key = new ObjectKey("node", after.id());
        List<TriggerTemplate> templates = table.rules().of("NODECFG", after.id());
        if (before == null) {
            happened(key, templates, TriggerEvent.CREATE);
        }
        if (after.state() == NodeState.DOWN && (before == null || before.state() != NodeState.DOWN)) {
            happened(key, templates, TriggerEvent.FAIL);
        }
        measure(key, templates, before, after);
        if (before != null
                && !before.attributes().variables().equals(after.attributes().variables())) {
            table.firings().variablesChanged(key, now);
        }
    }

    /**
     * The configuration changed at {@code now}: what nodes measure may pass other thresholds, and triggers may have the
     * variables that they wait for.
     */
    public void measureAnew(NodeTable nodes, long now) {
        table.firings().variablesChanged(now);
        if (!table.rules().hasThresholdsOf("NODECFG")) {
            return;
        }
        for (Node node : nodes.all()) {
            measure(new ObjectKey("node", node.id()), table.rules().of("NODECFG", node.id()), null, node);
        }
    }

    /** Triggers were attached to a node: what it measures may pass their thresholds. */
    public void attached(Node node) {
        measure(new ObjectKey("node", node.id()), List.of(), null, node);
    }

    /** Returns {@code templates} of the configuration, and those with a threshold that were attached to the object. */
    private List<TriggerTemplate> withOwnThresholds(ObjectKey key, List<TriggerTemplate> templates) {
        List<TriggerTemplate> own = table.ownThresholds(key);
        if (own.isEmpty()) {
            return templates;
        }
        List<TriggerTemplate> all = new ArrayList<>(templates);
        all.addAll(own);
        return all;
    }

    private void measure(ObjectKey key, List<TriggerTemplate> templates, @Nullable Node before, Node after) {
        for (TriggerTemplate template : withOwnThresholds(key, templates)) {
            TriggerThreshold threshold = template.spec().threshold();
            if (threshold != null) {
                Double value = value(threshold, after);
                Double old = before == null ? null : value(threshold, before);
                if (value != null && (old == null || !old.equals(value))) {
                    table.measured(key, null, template, null, threshold.passed(value), text(value));
                }
            }
        }
    }

    private static String text(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private static @Nullable Double value(TriggerThreshold threshold, Node node) {
        TriggerMetric metric = threshold.metric();
        if (metric == null) {
            return null;
        }
        return switch (metric) {
            case GMETRIC -> {
                Double attached = node.annotations().named().metrics().get(threshold.name());
                yield attached != null ? attached : node.attributes().metrics().get(threshold.name());
            }
            case CPULOAD -> node.attributes().usage().load();
            case AVAILMEM -> decimal(node.attributes().usage().availableMemoryMb());
            case AVAILPROC -> decimal(node.attributes().usage().availableProcs());
            case USAGE, BACKLOG, FREENODES, DOWNNODES -> null;
        };
    }

    private static @Nullable Double decimal(@Nullable Number number) {
        return number == null ? null : Double.valueOf(number.doubleValue());
    }

    /** A generic event was raised on a node, or is over. Returns whether a trigger of the node waits for it. */
    public boolean event(String nodeId, String name, boolean active) {
        if (idle()) {
            return false;
        }
        ObjectKey key = new ObjectKey("node", nodeId);
        List<TriggerTemplate> templates = table.rules().of("NODECFG", nodeId);
        boolean awaited = table.awaits(key, name);
        if (active) {
            table.happened(key, null, templates, CONFIGURED, TriggerEvent.GEVENT, name, null);
        }
        for (TriggerTemplate template : withOwnThresholds(key, templates)) {
            TriggerThreshold threshold = template.spec().threshold();
            if (threshold != null
                    && threshold.metric() == TriggerMetric.GMETRIC
                    && threshold.condition().equals(name)) {
                table.measured(key, null, template, null, active, "");
            }
            awaited |= template.spec().genericEvent().equals(name);
        }
        return awaited;
    }

    private void happened(ObjectKey key, List<TriggerTemplate> templates, TriggerEvent event) {
        table.happened(key, null, templates, CONFIGURED, event, "", null);
    }

    /** A node is gone. */
    void nodeGone(String id) {
        table.ends().gone(new ObjectKey("node", id));
    }

    /** A job has another version, {@code before} being null for a new one; {@code nodes} know that already. */
    void job(@Nullable Job before, Job after, NodeTable nodes, long now) {
        if (table.rules().isEmpty() && after.request().extension().triggers().isEmpty() && idle()) {
            return;
        }
        SortedMap<String, String> texts = new TreeMap<>();
        List<TriggerTemplate> templates = templates(after, texts);
        RunChange run = RunChange.between(before, after);
        if (run.left()) {
            table.ends().disarm(new ObjectKey("job", after.id()), TriggerEvent.END);
        }
        if (before == null) {
            job(after, templates, texts, TriggerEvent.CREATE, null);
        }
        if (run.began()) {
            job(after, templates, texts, TriggerEvent.START, after.start());
        }
        if (after.runs() && (run.began() || (before != null && before.limitEnd() != after.limitEnd()))) {
            job(after, ahead(templates, true), texts, TriggerEvent.END, after.limitEnd());
        }
        if (before != null && isHeld(after) && !isHeld(before)) {
            job(after, templates, texts, TriggerEvent.HOLD, null);
        }
        boolean suspended =
                after.state() == JobState.SUSPENDED && (before == null || before.state() != JobState.SUSPENDED);
        if ((run.left() && !after.finished()) || suspended) {
            job(after, templates, texts, TriggerEvent.PREEMPT, null);
        }
        if (run.left() && !after.finished() && checkpointable(after)) {
            job(after, templates, texts, TriggerEvent.CHECKPOINT, null);
        }
        if (before != null && !before.finished() && !after.finished() && modified(before, after)) {
            job(after, templates, texts, TriggerEvent.MODIFY, null);
        }
        if (before != null && migrated(before, after)) {
            job(after, templates, texts, TriggerEvent.MIGRATE, null);
        }
        if (after.finished() && (before == null || !before.finished())) {
            finished(after, templates, texts, now);
        }
        if (run.left() && before != null) {
            leftNodes(before, nodes);
        }
        if (before != null
                && !before.annotations().variables().equals(after.annotations().variables())) {
            table.firings().variablesChanged(new ObjectKey("job", after.id()), now);
        }
    }

    /** Returns whether somebody holds a job, be it the resource manager. */
    private static boolean isHeld(Job job) {
        return job.state() == JobState.HOLD || !job.holds().isEmpty();
    }

    /** A job that was cancelled fires only what waits for that; others what waits for an end or a failure. */
    private void finished(Job job, List<TriggerTemplate> templates, SortedMap<String, String> texts, long now) {
        ObjectKey key = new ObjectKey("job", job.id());
        if (job.state() == JobState.CANCELLED) {
            table.ends().over(key, CANCELLED, now);
            job(job, templates, texts, TriggerEvent.CANCEL, null);
            return;
        }
        table.ends().over(key, ENDED, now);
        if (job.state() == JobState.FAILED) {
            job(job, templates, texts, TriggerEvent.FAIL, null);
        }
        job(job, ahead(templates, false), texts, TriggerEvent.END, job.end());
    }

    /** Returns whether a job says that it goes on from a checkpoint when it is put back into the queue. */
    private static boolean checkpointable(Job job) {
        return Boolean.TRUE.equals(job.request().extension().failure().checkpointable());
    }

    private static boolean modified(Job before, Job after) {
        return before.request().walltimeSeconds() != after.request().walltimeSeconds()
                || !before.overrides().equals(after.overrides());
    }

    /** Returns whether a job that runs has another node in the place of one that it had. */
    private static boolean migrated(Job before, Job after) {
        return before.active()
                && after.active()
                && before.start() == after.start()
                && before.allocation() != after.allocation()
                && !nodes(before).containsAll(nodes(after))
                && !nodes(after).containsAll(nodes(before));
    }

    private static SortedSet<String> nodes(Job job) {
        SortedSet<String> ids = new TreeSet<>();
        job.allocation().forEach(node -> ids.add(node.getNodeId()));
        return ids;
    }

    /** Returns those that fire before their event, or those that fire after it. */
    private static List<TriggerTemplate> ahead(List<TriggerTemplate> templates, boolean before) {
        return templates.stream()
                .filter(template -> (template.spec().offsetSeconds() < 0) == before)
                .toList();
    }

    private void leftNodes(Job job, NodeTable nodes) {
        for (NodeShare share : job.shares()) {
            List<TriggerTemplate> templates = table.rules().of("NODECFG", share.nodeId());
            boolean waits =
                    templates.stream().anyMatch(template -> template.spec().event() == TriggerEvent.END);
            int position = waits ? nodes.position(share.nodeId()) : -1;
            if (position >= 0 && nodes.jobsAt(position) == 0) {
                happened(new ObjectKey("node", share.nodeId()), templates, TriggerEvent.END);
            }
        }
    }

    private void job(
            Job job,
            List<TriggerTemplate> templates,
            SortedMap<String, String> texts,
            TriggerEvent event,
            @Nullable Long at) {
        Long instant = at == null || at == Job.NONE ? null : at;
        String user = job.request().credentials().user();
        table.happened(new ObjectKey("job", job.id()), user, templates, texts, event, "", instant);
    }

    /** Returns the triggers of a job's class, and its own as far as its QoS and its owner's rights allow. */
    private List<TriggerTemplate> templates(Job job, SortedMap<String, String> texts) {
        List<TriggerTemplate> ofClass =
                table.rules().of("CLASSCFG", job.request().credentials().jobClass());
        List<String> own = job.request().extension().triggers();
        if (own.isEmpty() || !policy.qos(job.qos()).flags().contains(ALLOWED)) {
            return ofClass;
        }
        List<TriggerTemplate> templates = new ArrayList<>(ofClass);
        String user = job.request().credentials().user();
        for (int i = 0; i < Math.min(own.size(), TriggeredObject.MOST_OWN); i++) {
            TriggerSpec spec = TriggerText.read(own.get(i)).spec();
            if (spec != null && spec.misfit("job") == null && spec.beyondOwner() == null) {
                String id = "trig." + (i + 1);
                texts.put(id, own.get(i));
                templates.add(new TriggerTemplate(id, spec, user == null ? "" : user, null));
            }
        }
        return templates;
    }

    /** A job is gone. */
    void jobGone(String id) {
        table.ends().gone(new ObjectKey("job", id));
    }

    /** A reservation that is no job's has another version; {@code before} is null for a new one. */
    void reservation(@Nullable AdministrativeReservation before, AdministrativeReservation after, long now) {
        if (idle()) {
            return;
        }
        boolean startMoved = before == null || before.start() != after.start();
        boolean endMoved = before == null || before.end() != after.end();
        List<TriggerTemplate> templates = templates(after);
        if (before == null) {
            reservation(after, templates, TriggerEvent.CREATE, null);
        } else if (!before.reservesAs(after)) {
            reservation(after, templates, TriggerEvent.MODIFY, null);
        }
        if (startMoved) {
            reservation(after, templates, TriggerEvent.START, after.start());
        }
        if (endMoved && after.end() < TimeArgument.FOREVER) {
            reservation(after, templates, TriggerEvent.END, after.end());
        }
        if (before != null && !before.terms().variables().equals(after.terms().variables())) {
            table.firings().variablesChanged(new ObjectKey("rsv", after.id()), now);
        }
    }

    /** Begins the triggers that were attached to a reservation after it was made. */
    public void attached(AdministrativeReservation reservation) {
        reservation(reservation, List.of(), TriggerEvent.CREATE, null);
        reservation(reservation, List.of(), TriggerEvent.START, reservation.start());
        if (reservation.end() < TimeArgument.FOREVER) {
            reservation(reservation, List.of(), TriggerEvent.END, reservation.end());
        }
    }

    /** A reservation ended at {@code now}, or was released before its time. */
    void reservationGone(AdministrativeReservation reservation, long now) {
        if (idle()) {
            return;
        }
        ObjectKey key = new ObjectKey("rsv", reservation.id());
        if (now < reservation.end()) {
            table.ends().disarm(key, TriggerEvent.END);
            reservation(reservation, templates(reservation), TriggerEvent.CANCEL, null);
        }
        table.ends().gone(key);
    }

    private void reservation(
            AdministrativeReservation reservation,
            List<TriggerTemplate> templates,
            TriggerEvent event,
            @Nullable Long at) {
        table.happened(
                new ObjectKey("rsv", reservation.id()), owner(reservation), templates, CONFIGURED, event, "", at);
    }

    /** Returns the user who owns a reservation; null for none. */
    public static @Nullable String owner(AdministrativeReservation reservation) {
        String owner = reservation.terms().owner();
        return owner != null && owner.startsWith(USER) ? owner.substring(USER.length()) : null;
    }

    /** Returns the triggers with a threshold that a reservation has, by the configuration or attached. */
    public List<TriggerTemplate> thresholds(AdministrativeReservation reservation) {
        return withOwnThresholds(new ObjectKey("rsv", reservation.id()), templates(reservation)).stream()
                .filter(template -> template.spec().threshold() != null)
                .toList();
    }

    /** Returns the triggers that the configuration has for a reservation. */
    private List<TriggerTemplate> templates(AdministrativeReservation reservation) {
        List<TriggerTemplate> templates = new ArrayList<>();
        if (reservation.terms().standing() != null) {
            templates.addAll(table.rules().of("SRCFG", reservation.terms().standing()));
        }
        if (reservation.terms().profile() != null) {
            templates.addAll(table.rules().of("RSVPROFILE", reservation.terms().profile()));
        }
        return templates;
    }

    /** Something happened to a connector; {@code known} are the ids of those of the cluster, with or without its own. */
    public void connector(String id, Set<String> known, TriggerEvent event) {
        if (!idle()) {
            boolean only = known.stream().allMatch(id::equals);
            happened(new ObjectKey("rm", id), table.rules().ofManager(id, only), event);
        }
    }

    /** Something happened to the scheduler of {@code cluster}. */
    public void scheduler(String cluster, TriggerEvent event) {
        if (!idle()) {
            happened(new ObjectKey("scheduler", cluster), table.rules().ofScheduler(), event);
        }
    }
}

package io.weir.scheduler.core.explain;

import io.weir.scheduler.core.charge.Lien;
import io.weir.scheduler.core.charge.LienTable;
import io.weir.scheduler.core.job.Hold;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.RejectionReason;
import io.weir.scheduler.core.placement.Rejections;
import io.weir.scheduler.core.placement.plugin.PluginAllocation;
import io.weir.scheduler.core.placement.plugin.PluginAllocationTable;
import io.weir.scheduler.core.placement.selection.NodePlacer;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.scheduler.BackfillPolicy;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationTable;
import io.weir.schemas.NameCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds what keeps jobs from running at one instant, after the planning pass: constraints on the job itself, then nodes
 * that can never run it, then nodes that are taken, then reservations. What nodes say is kept per shape of request. One
 * explainer serves one iteration.
 */
public final class Explainer {
    /** What explaining a job costs beside looking at nodes, in nodes. */
    private static final int PER_JOB = 10;

    private final JobTable jobs;
    private final NodeTable nodes;
    private final ReservationTable reservations;
    private final AdministrativeReservationTable administrativeReservations;
    private final ReservationAccess access;
    private final NodePlacer placement;
    private final UsableNodes inSets;
    private final DividedNodes divided;
    private final PluginAllocationTable pluginAllocations;
    private final LienTable liens;
    private final int planned;
    private final SitePolicy policy;
    private final long now;
    private final NodeScans scans;
    private final Blockers holding;

    /** Nodes and shares looked at so far. */
    private long visits;

    /** Prepares to explain {@code situation}. */
    public Explainer(ExplanationContext context) {
        jobs = context.jobs();
        nodes = context.nodes();
        reservations = context.reservations();
        administrativeReservations = context.administrativeReservations();
        access = context.access();
        placement = context.placement();
        pluginAllocations = context.pluginAllocations();
        liens = context.liens();
        planned = context.planned();
        policy = context.policy();
        now = context.now();
        inSets = new UsableNodes(context);
        divided = new DividedNodes(context);
        scans = new NodeScans(context);
        holding = new Blockers(context);
    }

    /** Returns how many nodes and shares of nodes have been looked at; a measure of the work done. */
    public long visits() {
        return visits + scans.visits() + holding.visits();
    }

    /** Returns whether nodes need not be looked at to explain {@code job}. */
    public boolean evident(Job job) {
        return evidently(job) != null;
    }

    /** Finds what keeps {@code job} from running. */
    public WaitCause explain(Job job) {
        WaitCause evident = evidently(job);
        if (evident != null) {
            return evident;
        }
        WaitCause cause = shortage(job);
        return job.deadline() == Job.NONE ? cause : cause.adding(deadline(job));
    }

    /** Says whether a job will be over by its deadline, as the end of a sentence. */
    private String deadline(Job job) {
        Reservation own = reservations.get(job.id());
        String deadline = "its deadline " + Instant.ofEpochSecond(job.deadline());
        if (own == null) {
            return "; nothing is reserved for " + deadline;
        }
        return (job.inTime(own.start()) ? ", in time for " : ", too late for ") + deadline;
    }

    private WaitCause shortage(Job job) {
        visits += PER_JOB;
        NodeScans.Finding found = scans.of(job);
        NodeScans.Scan scan = found.scan();
        int asked = found.requirement().tasks();
        Reservation own = reservations.get(job.id());
        long expected = own == null ? Job.NONE : own.start();
        if (scan.ever() < asked) {
            String constraint = scan.fixed().most(null).label();
            String now = job.request().options().excludedForNow() ? ", without those left out for now" : "";
            return cause(
                    constraint,
                    scan,
                    List.of(),
                    expected,
                    () -> "asks for " + tasks(asked) + "; all nodes together" + now + " could hold " + scan.ever()
                            + " (" + constraint + ")");
        }
        if (scan.room() < asked) {
            String constraint = scan.all().most(scan.fixed()).label();
            List<String> blockers = own == null ? holding.holders(found) : holding.enders(scan, own.start());
            return cause(
                    constraint,
                    scan,
                    blockers,
                    expected,
                    () -> "has room for " + scan.room() + " of "
                            + tasks(asked) + " now (" + constraint + ")"
                            + (blockers.isEmpty() ? "" : "; waits for " + String.join(", ", blockers)));
        }
        return passedOver(job, scan, expected);
    }

    /** Returns whether everything named as blocker of {@code constraint} still blocks. */
    public boolean stillBlocked(String constraint, List<String> blockers) {
        boolean reserved = constraint.equals(RejectionReason.RESERVED.label());
        for (String id : blockers) {
            Job job = jobs.get(id);
            boolean blocks = reserved
                    ? reservations.get(id) != null || lasting(administrativeReservations.get(id))
                    : job != null && (job.active() || (job.waiting() && job.notBefore() <= now));
            if (!blocks) {
                return false;
            }
        }
        return true;
    }

    private boolean lasting(@Nullable AdministrativeReservation reservation) {
        return reservation != null && reservation.end() > now;
    }

    private static String holds(Job job) {
        return job.holds().stream().map(Hold::label).collect(Collectors.joining(", "));
    }

    private @Nullable WaitCause evidently(Job job) {
        if (job.finished() || job.active()) {
            return WaitCause.plain(WaitCause.NOTHING, job.start(), "does not wait but is " + job.state());
        }
        if (job.pending() != null) {
            return WaitCause.plain(WaitCause.COMMAND, Job.NONE, "waits for the answer to " + job.pending());
        }
        if (job.failedNodes().uncertain()) {
            return WaitCause.plain(
                    WaitCause.COMMAND, Job.NONE, "was requeued by the resource manager, which has yet to say why");
        }
        if (!job.waiting()) {
            return WaitCause.plain(
                    WaitCause.HOLD,
                    Job.NONE,
                    job.held() ? "is held by request (" + holds(job) + ")" : "is held by the resource manager");
        }
        if (job.request().options().startAfter() > now) {
            return WaitCause.plain(
                    WaitCause.START_DATE,
                    job.notBefore(),
                    "is not to start before "
                            + Instant.ofEpochSecond(job.request().options().startAfter()));
        }
        if (job.notBefore() > now) {
            return WaitCause.plain(
                    WaitCause.DEFERRED,
                    job.notBefore(),
                    "is not tried again before " + Instant.ofEpochSecond(job.notBefore()));
        }
        if (job.monitoredStart() != Job.NONE) {
            return WaitCause.plain(WaitCause.MONITOR, Job.NONE, "would have been started; MODE is MONITOR");
        }
        Lien lien = liens.get(job.id());
        if (lien != null && lien.state() == Lien.State.ASKED) {
            return WaitCause.plain(
                    WaitCause.FUNDS,
                    Job.NONE,
                    "waits for the allocation manager to say whether "
                            + (lien.account() == null ? "somebody" : "account " + lien.account()) + " can pay for it");
        }
        if (job.request().connector() == null) {
            return WaitCause.plain(WaitCause.CONNECTOR, Job.NONE, "came without a connector that could start it");
        }
        return null;
    }

    /** There is room for the job, and yet it was passed over. */
    private WaitCause passedOver(Job job, NodeScans.Scan scan, long expected) {
        if (policy.backfill().policy() == BackfillPolicy.NONE) {
            Job first = firstEligible();
            if (first != null && !first.id().equals(job.id())) {
                return cause(
                        RejectionReason.POLICY.label(),
                        scan,
                        List.of(first.id()),
                        expected,
                        () -> "waits behind job " + first.id() + ", as jobs start strictly in order");
            }
        }
        String asked = asked(job);
        if (asked != null) {
            return cause(
                    WaitCause.PLUGIN,
                    scan,
                    List.of(),
                    expected,
                    () -> "has room and waits for the answer of allocation plug-in " + asked);
        }
        if (planned != Integer.MAX_VALUE && jobs.queue().position(job) >= planned) {
            return cause(
                    RejectionReason.POLICY.label(),
                    scan,
                    List.of(),
                    expected,
                    () -> "has room; jobs ahead of it are planned first, " + planned + " so far");
        }
        int full = fullRequired(job);
        if (full >= 0) {
            List<String> there = holding.on(full);
            return cause(
                    RejectionReason.CPU.label(),
                    scan,
                    there,
                    expected,
                    () -> "has to use node " + nodes.at(full).id() + ", which has no room now"
                            + (there.isEmpty() ? "" : "; waits for " + String.join(", ", there)));
        }
        if (lacksNodes(job)) {
            return otherwise(scan, expected);
        }
        if (outsideSets(job)) {
            return cause(
                    RejectionReason.SET.label(),
                    scan,
                    List.of(),
                    expected,
                    () -> "has room, but not within one node set");
        }
        if (access.confined(job)) {
            return cause(
                    RejectionReason.RESERVED.label(),
                    reserved(scan),
                    List.of(),
                    expected,
                    () -> "has to stay inside " + inside(job));
        }
        List<String> closed = holding.closed(job, scan);
        List<String> ahead = closed.isEmpty() ? holding.overlapping(job) : closed;
        if (!ahead.isEmpty()) {
            return cause(
                    RejectionReason.RESERVED.label(),
                    reserved(scan),
                    ahead,
                    expected,
                    () -> (closed.isEmpty() ? "would delay what is reserved for " : "is kept out by reservation ")
                            + String.join(", ", ahead));
        }
        if (placement.lacksFloating(job)) {
            return cause(
                    RejectionReason.FEATURES.label(),
                    scan,
                    List.of(),
                    expected,
                    () -> "has room, but asks for more than is free of what floats over the cluster");
        }
        if (job.request().requirements().size() > 1) {
            return cause(
                    RejectionReason.POLICY.label(),
                    scan,
                    List.of(),
                    expected,
                    () -> "has room for each of its requirements, but not for all of them side by side");
        }
        return otherwise(scan, expected);
    }

    private static WaitCause otherwise(NodeScans.Scan scan, long expected) {
        return cause(
                RejectionReason.POLICY.label(),
                scan,
                List.of(),
                expected,
                () -> "has room, but not in the way its tasks have to lie");
    }

    /** Returns the plug-in whose answer {@code job} needs to start now; null for none. */
    private @Nullable String asked(Job job) {
        if (pluginAllocations.isEmpty()) {
            return null;
        }
        for (PluginAllocation about : pluginAllocations.of(job.id())) {
            if (about.state() == PluginAllocation.State.ASKED && about.key().immediate()) {
                return about.pluginName();
            }
        }
        return null;
    }

    /** Returns the position of a node that {@code job} has to use and that has room for none of its tasks now; -1 for none. */
    private int fullRequired(Job job) {
        for (Requirement requirement : job.request().requirements()) {
            BitSet required = placement.required(requirement);
            for (int at = required.nextSetBit(0); at >= 0; at = required.nextSetBit(at + 1)) {
                visits++;
                if (placement.present(at, job, requirement) == 0) {
                    return at;
                }
            }
        }
        return -1;
    }

    /** Returns whether requirements of {@code job} have to lie apart and there are too few nodes with room now. */
    private boolean lacksNodes(Job job) {
        if (!DividedNodes.matter(job)) {
            return false;
        }
        visits += (long) nodes.size() * job.request().requirements().size();
        return divided.lacking(job);
    }

    /** Returns whether {@code job} has to stay inside node sets, and none could hold it now. */
    private boolean outsideSets(Job job) {
        if (!inSets.matter(job)) {
            return false;
        }
        for (int number = 0; number < job.request().requirements().size(); number++) {
            visits += nodes.size();
            BitSet usable = inSets.of(job, number);
            if (usable != null && usable.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Returns {@code scan} with every node that has room removed by reservations. */
    private static NodeScans.Scan reserved(NodeScans.Scan scan) {
        Rejections rejections = new Rejections();
        rejections.copy(scan.all());
        rejections.reject(RejectionReason.RESERVED, scan.all().left());
        return new NodeScans.Scan(scan.ever(), scan.room(), scan.fixed(), rejections, scan.those(), scan.everywhere());
    }

    private String inside(Job job) {
        List<String> names =
                access.names(job).stream().filter(name -> !name.isEmpty()).toList();
        String which = names.isEmpty() ? "a reservation it may use" : "reservation " + String.join(" and ", names);
        if (access.admitted(job)) {
            return which + ", where there is no room for it now";
        }
        if (names.isEmpty()) {
            return which + ", and there is none";
        }
        return which + (access.named(job) ? ", which does not let it in" : ", which there is not at present");
    }

    private static WaitCause cause(
            String constraint, NodeScans.Scan scan, List<String> blockers, long expected, Supplier<String> message) {
        List<NameCount> rejections = new ArrayList<>();
        for (RejectionReason reason : RejectionReason.values()) {
            if (scan.all().count(reason) > 0) {
                rejections.add(new NameCount(reason.label(), (long) scan.all().count(reason)));
            }
        }
        rejections.sort((a, b) -> a.getName().compareTo(b.getName()));
        return new WaitCause(
                constraint,
                scan.all().considered(),
                rejections,
                blockers,
                expected,
                () -> message.get()
                        + (expected == Job.NONE ? "" : "; expected to start at " + Instant.ofEpochSecond(expected)));
    }

    private @Nullable Job firstEligible() {
        JobQueue queue = jobs.queue();
        for (int i = 0; i < queue.size(); i++) {
            if (queue.get(i).notBefore() <= now) {
                return queue.get(i);
            }
        }
        return null;
    }

    private static String tasks(int count) {
        return count == 1 ? "1 task" : count + " tasks";
    }
}

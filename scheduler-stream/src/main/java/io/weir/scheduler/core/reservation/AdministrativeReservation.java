package io.weir.scheduler.core.reservation;

import io.weir.scheduler.core.bound.Saturation;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.policy.reservation.ReservedTasksPerNode;
import io.weir.scheduler.core.reservation.acl.AccessControlList;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.ReservationType;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.TaskRequirement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A reservation that is no job's: made by an operator or user, an instance of a standing one, or made by the system. It
 * names its nodes; an instance that has found none yet has an empty list. Immutable.
 *
 * @param id unique in the cluster
 * @param type ADMINISTRATIVE, STANDING or SYSTEM
 * @param terms what was asked for
 * @param start first second, epoch seconds
 * @param end end, exclusive, epoch seconds; {@link TimeArgument#FOREVER} for none
 * @param nodes nodes, sorted by node index when chosen
 * @param reservedProcSeconds processor seconds set aside up to {@code accountedTo}
 * @param usedProcSeconds of these, processor seconds that jobs used
 * @param unusedWeighted those set aside and not used, each times the charge rate its node had then, in thousandths; null where
 *     a part was counted without the rates
 * @param accountedTo instant up to which these are counted, epoch seconds
 * @param createdAt when it was made, epoch seconds
 * @param requestedStart start asked for, epoch seconds; another than {@code start} when it was moved (TIMEFLEX)
 * @param spent whether it is for a single use and has had it
 * @param chargedMillis charged so far to accountable credentials, in thousandths
 * @param changedIn iteration that publishes this version
 */
public record AdministrativeReservation(
        String id,
        ReservationType type,
        ReservationTerms terms,
        long start,
        long end,
        List<ReservedNode> nodes,
        long reservedProcSeconds,
        long usedProcSeconds,
        @Nullable Long unusedWeighted,
        long accountedTo,
        long createdAt,
        long requestedStart,
        boolean spent,
        long chargedMillis,
        long changedIn) {
    /** Keeps weighted seconds so far from the limits of a long that differences do not overflow either. */
    public static final Saturation WEIGHTS = new Saturation(Long.MAX_VALUE / 4);

    public AdministrativeReservation {
        nodes = List.copyOf(nodes);
    }

    /** Makes a reservation as it was asked for; nothing is counted yet. */
    public static AdministrativeReservation made(
            String id,
            ReservationType type,
            ReservationTerms terms,
            long start,
            long end,
            List<ReservedNode> nodes,
            long createdAt) {
        return new AdministrativeReservation(
                id, type, terms, start, end, nodes, 0, 0, 0L, start, createdAt, start, false, 0, 0);
    }

    /** Returns whether {@code status} is a version of such a reservation; false for one of a job. */
    public static boolean describes(ReservationStatus status) {
        return switch (status.getType()) {
            case ADMINISTRATIVE, STANDING, SYSTEM -> true;
            case PRIORITY, DEADLINE, UNKNOWN -> false;
        };
    }

    /** Restores a reservation from its stored version. */
    public static AdministrativeReservation from(ReservationStatus status) {
        Instant accounted = status.getAccountedTo();
        Instant created = status.getCreatedAt();
        Instant requested = status.getRequestedStart();
        return new AdministrativeReservation(
                status.getReservationId(),
                status.getType(),
                terms(status),
                status.getStart().getEpochSecond(),
                status.getEnd().getEpochSecond(),
                nodes(status),
                status.getReservedProcSeconds(),
                status.getUsedProcSeconds(),
                unusedWeighted(status),
                (accounted == null ? status.getStart() : accounted).getEpochSecond(),
                (created == null ? status.getStart() : created).getEpochSecond(),
                (requested == null ? status.getStart() : requested).getEpochSecond(),
                status.getSpent(),
                status.getChargedMillis(),
                status.getChangedIn());
    }

    /** Returns this reservation as the record that stores and topics hold. */
    public ReservationStatus toRecord(String cluster) {
        return ReservationStatus.newBuilder()
                .setCluster(cluster)
                .setReservationId(id)
                .setType(type)
                .setJobId(null)
                .setProcs(procs())
                .setStart(Instant.ofEpochSecond(start))
                .setEnd(Instant.ofEpochSecond(end))
                .setAllocation(nodes.stream()
                        .map(node ->
                                new NodeAllocation(node.nodeId(), node.amount().procs()))
                        .toList())
                .setPlacements(nodes.stream()
                        .map(node -> new TaskPlacement(node.nodeId(), 0, node.tasks()))
                        .toList())
                .setLabel(terms.label())
                .setOwner(terms.owner())
                .setGroup(terms.group())
                .setSubtype(terms.subtype())
                .setAcl(terms.acl().canonical())
                .setHostExpression(terms.hostExpression())
                .setTaskCount(terms.taskCount() == 0 ? null : terms.taskCount())
                .setTask(taskRecord())
                .setFeatures(terms.features())
                .setPartition(terms.partition())
                .setFlags(terms.flags())
                .setPriority(terms.priority())
                .setProfile(terms.profile())
                .setStanding(terms.standing())
                .setComment(terms.comment())
                .setVariables(pairs(terms.variables()))
                .setAccountable(pairs(terms.accountable()))
                .setMessages(terms.messages())
                .setReservedProcSeconds(reservedProcSeconds)
                .setUsedProcSeconds(usedProcSeconds)
                .setUnusedWeighted(unusedWeighted)
                .setAccountedTo(Instant.ofEpochSecond(accountedTo))
                .setCreatedAt(Instant.ofEpochSecond(createdAt))
                .setRequestedStart(requestedStart == start ? null : Instant.ofEpochSecond(requestedStart))
                .setSpent(spent)
                .setChargedMillis(chargedMillis)
                .setChangedIn(changedIn)
                .build();
    }

    /** Returns the processors of all nodes. */
    public int procs() {
        int sum = 0;
        for (ReservedNode node : nodes) {
            sum += node.amount().procs();
        }
        return sum;
    }

    /** Returns the tasks on all nodes. */
    public int tasks() {
        int sum = 0;
        for (ReservedNode node : nodes) {
            sum += node.tasks();
        }
        return sum;
    }

    /** Returns what it sets aside by node, in the order of the nodes; made for each call, so ask once for many nodes. */
    public Map<String, ReservedNode> byNode() {
        Map<String, ReservedNode> byNode = new LinkedHashMap<>();
        for (ReservedNode node : nodes) {
            byNode.putIfAbsent(node.nodeId(), node);
        }
        return byNode;
    }

    /** Returns the node ids. */
    public List<String> nodeIds() {
        return nodes.stream().map(ReservedNode::nodeId).toList();
    }

    /** Returns whether it has a second in common with [from, to). */
    public boolean overlaps(long from, long to) {
        return start < to && from < end;
    }

    /** Returns whether {@code name} is its id, its label, its group or its standing reservation. */
    public boolean goesBy(String name) {
        return name.equals(id)
                || name.equals(terms.label())
                || name.equals(terms.group())
                || name.equals(terms.standing());
    }

    /** Returns whether it keeps the same from the same jobs as {@code other}. */
    public boolean reservesAs(AdministrativeReservation other) {
        return start == other.start && end == other.end && nodes.equals(other.nodes) && terms.equals(other.terms);
    }

    /** Returns it with other terms. */
    public AdministrativeReservation with(ReservationTerms changed) {
        return changed(edit -> edit.terms = changed);
    }

    /** Returns it with the id {@code given}. */
    public AdministrativeReservation named(String given) {
        return changed(edit -> edit.id = given);
    }

    /** Returns it at another time, asked for. */
    public AdministrativeReservation at(long newStart, long newEnd) {
        return changed(edit -> {
            edit.start = newStart;
            edit.end = newEnd;
            edit.requestedStart = newStart;
        });
    }

    /** Returns it moved to begin at {@code newStart}, as long as before; what was asked for stays. */
    public AdministrativeReservation movedTo(long newStart) {
        return changed(edit -> {
            edit.start = newStart;
            edit.end = shifted(end, newStart - start);
            edit.accountedTo = newStart;
        });
    }

    /** Returns it on other nodes. */
    public AdministrativeReservation on(List<ReservedNode> others) {
        return changed(edit -> edit.nodes = others);
    }

    /**
     * Returns it with more processor seconds counted, up to {@code instant}.
     *
     * @param weighted those of them that were not used, each times the charge rate of its node in thousandths
     */
    public AdministrativeReservation accounted(long reserved, long used, long weighted, long instant) {
        return changed(edit -> {
            edit.reservedProcSeconds += reserved;
            edit.usedProcSeconds += used;
            edit.unusedWeighted = unusedWeighted == null ? null : Long.valueOf(WEIGHTS.sum(unusedWeighted, weighted));
            edit.accountedTo = instant;
        });
    }

    /** Returns it with {@code millis} charged so far, in thousandths. */
    public AdministrativeReservation charged(long millis) {
        return changed(edit -> edit.chargedMillis = millis);
    }

    /** Returns it after its single use. */
    public AdministrativeReservation used() {
        return changed(edit -> edit.spent = true);
    }

    /** Returns it as published by {@code iteration}. */
    public AdministrativeReservation changedIn(long iteration) {
        return changed(edit -> edit.changedIn = iteration);
    }

    private AdministrativeReservation changed(Consumer<Edit> change) {
        Edit edit = new Edit(this);
        change.accept(edit);
        return edit.done();
    }

    /** The next version in the making. */
    private static final class Edit {
        private final AdministrativeReservation basis;
        private String id;
        private ReservationTerms terms;
        private long start;
        private long end;
        private List<ReservedNode> nodes;
        private long reservedProcSeconds;
        private long usedProcSeconds;
        private @Nullable Long unusedWeighted;
        private long accountedTo;
        private long requestedStart;
        private boolean spent;
        private long chargedMillis;
        private long changedIn;

        Edit(AdministrativeReservation basis) {
            this.basis = basis;
            id = basis.id;
            terms = basis.terms;
            start = basis.start;
            end = basis.end;
            nodes = basis.nodes;
            reservedProcSeconds = basis.reservedProcSeconds;
            usedProcSeconds = basis.usedProcSeconds;
            unusedWeighted = basis.unusedWeighted;
            accountedTo = basis.accountedTo;
            requestedStart = basis.requestedStart;
            spent = basis.spent;
            chargedMillis = basis.chargedMillis;
            changedIn = basis.changedIn;
        }

        AdministrativeReservation done() {
            return new AdministrativeReservation(
                    id,
                    basis.type,
                    terms,
                    start,
                    end,
                    nodes,
                    reservedProcSeconds,
                    usedProcSeconds,
                    unusedWeighted,
                    accountedTo,
                    basis.createdAt,
                    requestedStart,
                    spent,
                    chargedMillis,
                    changedIn);
        }
    }

    /** Returns the end it was asked for with. */
    public long requestedEnd() {
        return shifted(end, requestedStart - start);
    }

    private static long shifted(long instant, long seconds) {
        return instant >= TimeArgument.FOREVER ? instant : instant + seconds;
    }

    private @Nullable TaskRequirement taskRecord() {
        TaskResources task = terms.task();
        if (task == null) {
            return null;
        }
        return new Requirement(
                        Math.max(1, terms.taskCount()),
                        task,
                        NodeDemands.NONE,
                        null,
                        terms.tasksPerNode().number() == 0
                                ? null
                                : terms.tasksPerNode().number(),
                        terms.tasksPerNode().atLeast())
                .toRecord();
    }

    /** Returns the weighted seconds of a stored version; where there were none yet they are 0. */
    private static @Nullable Long unusedWeighted(ReservationStatus status) {
        Long weighted = status.getUnusedWeighted();
        return weighted != null ? weighted : status.getReservedProcSeconds() == 0 ? Long.valueOf(0) : null;
    }

    private static ReservationTerms terms(ReservationStatus status) {
        TaskRequirement task = status.getTask();
        TermsEdit edit = new TermsEdit()
                .label(status.getLabel())
                .owner(status.getOwner())
                .group(status.getGroup())
                .subtype(status.getSubtype())
                .acl(AccessControlList.of(status.getAcl()))
                .hosts(status.getHostExpression())
                .features(status.getFeatures())
                .partition(status.getPartition())
                .flags(status.getFlags())
                .priority(status.getPriority())
                .profile(status.getProfile())
                .standing(status.getStanding())
                .comment(status.getComment());
        Integer tasks = status.getTaskCount();
        edit.tasks(tasks == null ? 0 : tasks);
        if (task != null) {
            Integer perNode = task.getTasksPerNode();
            edit.task(resources(task))
                    .tasksPerNode(
                            perNode == null || perNode == 0
                                    ? ReservedTasksPerNode.ANY
                                    : new ReservedTasksPerNode(perNode, task.getTasksPerNodeAtLeast()));
        }
        status.getVariables().forEach(pair -> edit.variables().put(pair.getName(), pair.getValue()));
        status.getAccountable().forEach(pair -> edit.accountable().put(pair.getName(), pair.getValue()));
        status.getMessages().forEach(edit::message);
        return edit.done();
    }

    private static TaskResources resources(TaskRequirement task) {
        SortedMap<String, Long> gres = new TreeMap<>();
        task.getGres().forEach(g -> gres.put(g.getName(), g.getCount()));
        return new TaskResources(task.getProcsPerTask(), task.getMemoryMb(), task.getSwapMb(), task.getDiskMb(), gres);
    }

    private static List<ReservedNode> nodes(ReservationStatus status) {
        List<ReservedNode> nodes = new ArrayList<>(status.getAllocation().size());
        TaskRequirement task = status.getTask();
        for (int i = 0; i < status.getAllocation().size(); i++) {
            NodeAllocation share = status.getAllocation().get(i);
            int tasks = status.getPlacements().get(i).getTasks();
            Capacity amount = task == null
                    ? new Capacity(share.getProcs(), 0, 0, 0)
                    : new Capacity(
                            share.getProcs(),
                            tasks * task.getMemoryMb(),
                            tasks * task.getSwapMb(),
                            tasks * task.getDiskMb());
            nodes.add(new ReservedNode(share.getNodeId(), tasks, amount));
        }
        return nodes;
    }

    private static List<NameValue> pairs(SortedMap<String, String> map) {
        return map.entrySet().stream()
                .map(pair -> new NameValue(pair.getKey(), pair.getValue()))
                .toList();
    }
}

package io.weir.scheduler.query.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.scheduler.core.category.CategoryFinding;
import io.weir.scheduler.core.category.NodeCategorizer;
import io.weir.scheduler.core.category.ReservationClaim;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeUsage;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import io.weir.scheduler.core.policy.node.AvailabilityMeasure;
import io.weir.scheduler.core.policy.node.ResourceKind;
import io.weir.scheduler.query.image.ClusterImage;
import io.weir.scheduler.query.image.JobStanding;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.TaskRequirement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What jobs and reservations have of each node of a cluster, and what the configuration makes of it: amounts and attributes
 * are those placement goes by, NODECFG included.
 */
final class NodeUse {
    private final Instant now;
    private final SitePolicy policy;
    private final PolicySettings settings;
    private final NodeCategorizer categorizer;
    private final Map<String, List<Share<JobStatus>>> jobs = new HashMap<>();
    private final Map<String, List<Share<ReservationStatus>>> reservations = new HashMap<>();

    private NodeUse(Instant now, SitePolicy.Reading reading) {
        this.now = now;
        policy = reading.policy();
        settings = reading.settings();
        categorizer = new NodeCategorizer(policy.categories());
    }

    static NodeUse of(ClusterImage image, String cluster, Instant now) {
        NodeUse use = new NodeUse(now, image.reading(cluster));
        for (JobStatus job : image.jobsOf(cluster)) {
            if (JobStanding.isActive(job)) {
                spread(job, job.getAllocation(), byNode(job.getPlacements()), use.jobs);
            }
        }
        for (ReservationStatus reservation : image.reservationsOf(cluster)) {
            spread(reservation, shares(image, cluster, reservation), Map.of(), use.reservations);
        }
        return use;
    }

    /** What a reservation has of each node; one of a waiting job says only where its tasks are to be. */
    private static List<NodeAllocation> shares(ClusterImage image, String cluster, ReservationStatus reservation) {
        String owner = reservation.getJobId();
        JobStatus job = owner == null ? null : ClusterImage.find(cluster, owner, image.jobs());
        if (job == null || !reservation.getAllocation().isEmpty()) {
            return reservation.getAllocation();
        }
        Map<String, Integer> procs = new TreeMap<>();
        for (TaskPlacement placed : reservation.getPlacements()) {
            int each = placed.getRequirement() < job.getRequirements().size()
                    ? job.getRequirements().get(placed.getRequirement()).getProcsPerTask()
                    : job.getProcsPerTask();
            procs.merge(placed.getNodeId(), placed.getTasks() * each, Integer::sum);
        }
        List<NodeAllocation> shares = new ArrayList<>();
        procs.forEach((node, count) -> shares.add(new NodeAllocation(node, count)));
        return shares;
    }

    /** Adds to a node's JSON what is held of it. */
    ObjectNode addTo(ObjectNode object, NodeStatus node) {
        List<Share<JobStatus>> here = jobs.getOrDefault(node.getNodeId(), List.of());
        int dedicated = here.stream().mapToInt(NodeUse::held).sum();
        EffectiveNode effective = EffectiveNode.of(Node.from(node), policy);
        configured(object, effective);
        int procs = effective.configured().procs();
        object.put("now", now.toString())
                .put("stateSeconds", Duration.between(node.getStateSince(), now).toSeconds())
                .put("shownState", state(node, procs, dedicated).name())
                .put("dedicatedProcs", dedicated)
                .put("freeProcs", Math.max(0, procs - dedicated));
        ObjectNode resources = object.putObject("resources");
        for (ResourceKind kind : ResourceKind.values()) {
            Amounts amounts = Amounts.of(kind, effective, here);
            if (amounts.configured() > 0) {
                resources
                        .putObject(kind.name())
                        .put("configured", amounts.configured())
                        .put("utilized", amounts.utilized())
                        .put("dedicated", amounts.dedicated())
                        .put("available", amounts.available())
                        .put("policy", amounts.measure().name());
            }
        }
        BlockedProcs blocked = new BlockedProcs(now);
        ArrayNode jobList = object.putArray("jobs");
        for (Share<JobStatus> share : here) {
            JobStatus job = share.holder();
            jobList.addObject()
                    .put("jobId", job.getJobId())
                    .put("user", job.getUser())
                    .put("account", job.getAccount())
                    .put("procs", share.procs())
                    .put(
                            "start",
                            Objects.requireNonNullElse(job.getStartTime(), now).toString())
                    .put("end", JobStanding.end(job, now).toString());
            blocked.add(held(share), now, JobStanding.end(job, now));
        }
        List<ReservationStatus> reserving = reservations.getOrDefault(node.getNodeId(), List.of()).stream()
                .map(Share::holder)
                .toList();
        CategoryFinding category = categorizer.of(effective.node(), !here.isEmpty(), claims(reserving));
        object.put("category", category.category().label())
                .put("categorySource", category.cause())
                .put("categoryRule", category.rule());
        object.put("plannable", Node.from(node).plannable());
        ArrayNode warnings = object.putArray("warnings");
        NodeWarnings.of(node, effective, here.size(), dedicated).forEach(warnings::add);
        ArrayNode sets = object.putArray("nodeSets");
        NodeSetNames.of(effective, policy.nodeSets()).forEach(sets::add);
        object.set("metricSummaries", metrics(effective.node()));
        for (JsonNode event : object.path("events")) {
            ((ObjectNode) event).put("severity", severity(event.path("name").asText()));
        }
        ArrayNode reservationList = object.putArray("reservations");
        for (Share<ReservationStatus> share : reservations.getOrDefault(node.getNodeId(), List.of())) {
            ReservationStatus reservation = share.holder();
            reservationList
                    .addObject()
                    .put("reservationId", reservation.getReservationId())
                    .put("type", reservation.getType().name())
                    .put("procs", share.procs())
                    .put("jobId", reservation.getJobId())
                    .put("active", !reservation.getStart().isAfter(now))
                    .put("start", reservation.getStart().toString())
                    .put("end", reservation.getEnd().toString());
            blocked.add(share.procs(), reservation.getStart(), reservation.getEnd());
        }
        ArrayNode steps = object.putArray("blocked");
        for (BlockedProcs.Step step : blocked.steps(procs)) {
            steps.addObject().put("from", step.from().toString()).put("procs", step.procs());
        }
        return object;
    }

    /** What the reservations that are active say of the category of a node. */
    private List<ReservationClaim> claims(List<ReservationStatus> reserving) {
        return reserving.stream()
                .filter(reservation -> !reservation.getStart().isAfter(now)
                        && reservation.getEnd().isAfter(now))
                .map(ReservationClaim::of)
                .toList();
    }

    /** What was seen of each metric: its value now, and its average over time, least and greatest since it is reported. */
    private ObjectNode metrics(Node node) {
        ObjectNode metrics = JsonNodeFactory.instance.objectNode();
        node.eventHistory().metrics().forEach((name, range) -> {
            Double current = node.attributes().metrics().get(name);
            if (current != null) {
                metrics.putObject(name)
                        .put("current", current)
                        .put("average", range.average(current, now.getEpochSecond()))
                        .put("least", range.least())
                        .put("most", range.most())
                        .put("since", Instant.ofEpochSecond(range.since()).toString());
            }
        });
        return metrics;
    }

    /** What GEVENTCFG says how grave an event is; 0 when it does not say. */
    private int severity(String event) {
        PolicyValue value = settings.object("GEVENTCFG", event).value("SEVERITY");
        return value == null ? 0 : Integer.parseInt(value.text());
    }

    /** Puts what NODECFG says in place of what is reported. */
    private static void configured(ObjectNode object, EffectiveNode node) {
        Capacity amounts = node.configured();
        object.put("procs", amounts.procs())
                .put("memoryMb", amounts.memoryMb())
                .put("swapMb", amounts.swapMb())
                .put("diskMb", amounts.diskMb())
                .put("index", node.index())
                .put("partition", node.partition())
                .put("arch", node.arch())
                .put("os", node.os())
                .put("speed", node.speed())
                .put("procSpeedMhz", node.procSpeedMhz())
                .put("rack", node.rack())
                .put("slot", node.slot())
                .put("nodeType", node.nodeType())
                .put("comment", node.comment())
                .put("nodeAccess", node.access().name())
                .put("priority", node.priority())
                .put("priorityFunction", node.priorityFunction())
                .put("maxLoad", node.maxLoad())
                .put("chargeRate", node.chargeRate());
        ArrayNode features = object.putArray("features");
        node.features().forEach(features::add);
        ArrayNode networks = object.putArray("networks");
        node.networks().forEach(networks::add);
        ObjectNode classes = object.putObject("classes");
        node.classes().forEach(classes::put);
        ObjectNode gres = object.putObject("gres");
        node.gres().forEach(gres::put);
    }

    /** Returns the processors that a job keeps from others. */
    private static int held(Share<JobStatus> share) {
        return share.holder().getProcsReleased() ? 0 : share.procs();
    }

    /** A resource manager need not tell nodes in use from idle ones. */
    private static NodeState state(NodeStatus node, int procs, int dedicated) {
        if (node.getState() != NodeState.IDLE || dedicated == 0) {
            return node.getState();
        }
        return dedicated < procs ? NodeState.RUNNING : NodeState.BUSY;
    }

    /** Returns placements by node: a job may have as many as the cluster has nodes. */
    private static Map<String, List<TaskPlacement>> byNode(List<TaskPlacement> placements) {
        Map<String, List<TaskPlacement>> byNode = new HashMap<>();
        for (TaskPlacement placed : placements) {
            byNode.computeIfAbsent(placed.getNodeId(), node -> new ArrayList<>(1))
                    .add(placed);
        }
        return byNode;
    }

    private static <T> void spread(
            T holder,
            List<NodeAllocation> over,
            Map<String, List<TaskPlacement>> placements,
            Map<String, List<Share<T>>> into) {
        for (NodeAllocation part : over) {
            List<TaskPlacement> placed = placements.getOrDefault(part.getNodeId(), List.of());
            into.computeIfAbsent(part.getNodeId(), node -> new ArrayList<>())
                    .add(new Share<>(holder, part.getProcs(), placed));
        }
    }

    /**
     * What a job or a reservation has of a node.
     *
     * @param placements which tasks of a job are there, as far as Weir placed them
     */
    private record Share<T>(T holder, int procs, List<TaskPlacement> placements) {}

    /** Amounts of one resource of a node: what there is, what is measured in use, what jobs were given, what is left. */
    private record Amounts(
            long configured, double utilized, long dedicated, long available, AvailabilityMeasure measure) {
        static Amounts of(ResourceKind kind, EffectiveNode node, List<Share<JobStatus>> jobs) {
            Capacity whole = node.configured();
            NodeUsage usage = node.node().attributes().usage();
            AvailabilityMeasure measure = node.measure(kind);
            return switch (kind) {
                case PROC -> {
                    Double load = usage.load();
                    long held = jobs.stream().mapToLong(NodeUse::held).sum();
                    yield of(whole.procs(), load == null ? 0 : load, held, measure);
                }
                case MEM -> of(whole.memoryMb(), usage.availableMemoryMb(), held(jobs, node, kind), measure);
                case SWAP -> of(whole.swapMb(), usage.availableSwapMb(), held(jobs, node, kind), measure);
                case DISK -> of(whole.diskMb(), usage.availableDiskMb(), held(jobs, node, kind), measure);
            };
        }

        private static Amounts of(long configured, @Nullable Long free, long held, AvailabilityMeasure measure) {
            return of(configured, free == null ? 0.0 : Math.max(0, configured - free), held, measure);
        }

        private static Amounts of(long configured, double utilized, long held, AvailabilityMeasure measure) {
            long undedicated = configured - held;
            long unused = (long) Math.ceil(configured - utilized - 1e-6);
            long available = switch (measure) {
                case DEDICATED -> undedicated;
                case UTILIZED -> unused;
                case COMBINED -> Math.min(undedicated, unused);
            };
            return new Amounts(configured, utilized, held, Math.max(0, available), measure);
        }

        /** What the tasks of jobs on the node were given of it. */
        private static long held(List<Share<JobStatus>> jobs, EffectiveNode node, ResourceKind kind) {
            long sum = 0;
            for (Share<JobStatus> share : jobs) {
                List<TaskRequirement> requirements = share.holder().getRequirements();
                for (TaskPlacement placed : placements(share, node.id())) {
                    if (placed.getRequirement() < requirements.size()) {
                        TaskRequirement task = requirements.get(placed.getRequirement());
                        sum += switch (kind) {
                            case PROC -> 0;
                            case MEM -> Math.max(placed.getTasks() * task.getMemoryMb(), task.getNodeMemoryMb());
                            case SWAP -> placed.getTasks() * task.getSwapMb();
                            case DISK -> placed.getTasks() * task.getDiskMb();
                        };
                    }
                }
            }
            return sum;
        }

        /**
         * Returns the tasks of a job on a node. Where nobody knows, as of jobs that Weir did not place, they are taken for tasks
         * of the first requirement, as placement takes them.
         */
        private static List<TaskPlacement> placements(Share<JobStatus> share, String node) {
            List<TaskPlacement> known = share.placements();
            List<TaskRequirement> requirements = share.holder().getRequirements();
            if (!known.isEmpty() || requirements.isEmpty()) {
                return known;
            }
            int each = Math.max(1, requirements.get(0).getProcsPerTask());
            return List.of(new TaskPlacement(node, 0, Math.max(1, share.procs() / each)));
        }
    }
}

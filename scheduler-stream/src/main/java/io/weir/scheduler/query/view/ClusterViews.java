package io.weir.scheduler.query.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.scheduler.core.policy.language.RuntimeSettings;
import io.weir.scheduler.query.image.ClusterImage;
import io.weir.scheduler.query.image.JobStanding;
import io.weir.scheduler.query.image.WaitHistory;
import io.weir.schemas.Explanation;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.Iteration;
import io.weir.schemas.JobNodeFailure;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.TaskPlacement;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The views of one cluster as JSON: {@code queue}, {@code jobs}, {@code nodes}, {@code reservations},
 * {@code explanations}, {@code waits}, {@code connectors}, {@code scheduler} and {@code policy}; jobs, nodes, reservations
 * and explanations also with an id behind. A record's own fields keep the names of its schema; what is worked out is added
 * beside them. Instants in ISO 8601, spans in seconds.
 */
public final class ClusterViews {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final Set<NodeState> FAILED = EnumSet.of(NodeState.DOWN, NodeState.REMOVED);

    /** A resource manager not heard of for longer counts as silent; it is looked at every few seconds. */
    private static final long SILENT_SECONDS = 60;

    /** What the view of jobs adds to their records. */
    private static final Set<String> WORKED_OUT = Set.of("now", "section", "procs", "usedSeconds", "remainingSeconds");

    private final ClusterImage image;
    private final String cluster;
    private final Instant now;
    private final Instant moment;
    private final Optional<String> owner;
    private final PriorityRanking ranking;
    private final JobSelection selection;

    /** Looks at {@code cluster} in {@code image}; the real time is {@code moment}. */
    public ClusterViews(ClusterImage image, String cluster, Instant moment) {
        this(image, cluster, moment, JobSelection.ALL);
    }

    /** Looks at {@code cluster} in {@code image}, at those jobs that {@code selection} chooses. */
    public ClusterViews(ClusterImage image, String cluster, Instant moment, JobSelection selection) {
        this(image, cluster, moment, Optional.empty(), PriorityRanking.NONE, selection);
    }

    /**
     * Looks at {@code cluster} in {@code image}, at jobs of {@code owner} alone where they are listed in full, with the
     * queue in the order of {@code ranking}; of jobs and queue, at what {@code selection} chooses.
     */
    public ClusterViews(
            ClusterImage image,
            String cluster,
            Instant moment,
            Optional<String> owner,
            PriorityRanking ranking,
            JobSelection selection) {
        this.image = image;
        this.cluster = cluster;
        this.moment = moment;
        this.owner = owner;
        this.ranking = ranking;
        this.selection = selection;
        this.now = image.now(cluster).orElse(Instant.EPOCH);
    }

    /** Returns the names of the fields that a job may have in {@code view}, {@code queue} or {@code jobs}; to be read. */
    public static Set<String> jobFields(String view) {
        if (view.equals("queue")) {
            return QueueJson.FIELDS;
        }
        Set<String> fields = new TreeSet<>(WORKED_OUT);
        JobStatus.getClassSchema().getFields().forEach(field -> fields.add(field.name()));
        return fields;
    }

    /** Returns every cluster of {@code image} with its last iteration. */
    public static ArrayNode clusters(ClusterImage image) {
        ArrayNode array = JSON.arrayNode();
        for (String name : image.clusters()) {
            Iteration last = image.iterations().get(name);
            array.addObject()
                    .put("cluster", name)
                    .put("now", last == null ? null : last.getNow().toString())
                    .put("iteration", last == null ? 0 : last.getNumber())
                    .put("policyVersion", last == null ? "" : last.getPolicyVersion())
                    .put("nodes", image.nodesOf(name).size())
                    .put("jobs", image.jobsOf(name).size());
        }
        return array;
    }

    /**
     * Returns a view.
     *
     * @param view its name, such as {@code jobs}
     * @param id the one entity to show; empty for all
     * @return empty when there is no such view or entity
     */
    public Optional<JsonNode> view(String view, String id) {
        return Optional.ofNullable(
                switch (view) {
                    case "queue" -> id.isEmpty() ? queue() : null;
                    case "scheduler" ->
                        id.isEmpty() ? StandingJson.of(image.iterations().get(cluster)) : null;
                    case "policy" -> id.isEmpty() ? policy() : null;
                    case "jobs" -> id.isEmpty() ? jobs() : job(ClusterImage.find(cluster, id, image.jobs()));
                    case "waits" -> id.isEmpty() ? waits() : null;
                    case "connectors" -> id.isEmpty() ? connectors() : null;
                    case "nodes" -> id.isEmpty() ? nodes() : node(ClusterImage.find(cluster, id, image.nodes()));
                    case "reservations" -> id.isEmpty() ? reservations() : reservation(id);
                    case "explanations" ->
                        id.isEmpty()
                                ? explanations()
                                : explanation(ClusterImage.find(cluster, id, image.explanations()));
                    default -> null;
                });
    }

    private JsonNode queue() {
        return QueueJson.of(image, QueueListing.of(image, cluster, now, ranking), ranking, selection);
    }

    /** The version in force, with the text in force: settings made at run time stand behind, each under a marker. */
    private JsonNode policy() {
        Optional<PolicyVersion> version = image.policy(cluster);
        ObjectNode object = version.isPresent()
                ? RecordJson.of(version.get())
                : JSON.objectNode().put("cluster", cluster).put("version", "");
        object.put("text", image.policyText(cluster));
        ArrayNode added = object.putArray("runtimeSettings");
        for (RuntimeSettings.Line line : image.runtimeSettings(cluster).lines()) {
            added.addObject().put("setting", line.text()).put("persistent", line.persistent());
        }
        return object;
    }

    private ArrayNode jobs() {
        ArrayNode array = JSON.arrayNode();
        image.jobsOf(cluster).stream()
                .filter(job -> shown(job) && selection.includes(job, now))
                .limit(selection.limit())
                .forEach(job -> array.add(selected(job)));
        return array;
    }

    private ArrayNode explanations() {
        ArrayNode array = JSON.arrayNode();
        for (Explanation why : image.explanationsOf(cluster)) {
            JobStatus job = ClusterImage.find(cluster, why.getJobId(), image.jobs());
            if (job != null && shown(job)) {
                array.add(RecordJson.of(why));
            }
        }
        return array;
    }

    private boolean shown(JobStatus job) {
        return owner.isEmpty() || owner.get().equals(job.getUser());
    }

    private @Nullable JsonNode job(@Nullable JobStatus job) {
        if (job == null) {
            return null;
        }
        ObjectNode object = summary(job);
        Explanation why = ClusterImage.find(cluster, job.getJobId(), image.explanations());
        ArrayNode held = object.putArray("reservations");
        image.reservationsOf(cluster).stream()
                .filter(reservation -> job.getJobId().equals(reservation.getJobId()))
                .forEach(reservation -> held.add(reservation(reservation)));
        SortedSet<String> failed = new TreeSet<>();
        for (JobNodeFailure failure : job.getFailedNodes()) {
            if (failure.getSince() != null) {
                failed.add(failure.getNodeId());
            }
        }
        for (NodeAllocation part : job.getAllocation()) {
            NodeStatus node = ClusterImage.find(cluster, part.getNodeId(), image.nodes());
            if (node == null || node.getFailing() || FAILED.contains(node.getState())) {
                failed.add(part.getNodeId());
            }
        }
        ArrayNode names = object.putArray("failedNodes");
        failed.forEach(names::add);
        object.set("explanation", why == null ? JSON.nullNode() : RecordJson.of(why));
        return object;
    }

    private ObjectNode selected(JobStatus job) {
        ObjectNode object = addTo(RecordJson.of(job, selection::tells), job);
        selection.restrict(object);
        return object;
    }

    private ObjectNode summary(JobStatus job) {
        return addTo(RecordJson.of(job), job);
    }

    /** Adds to a job's record what is worked out: {@link #WORKED_OUT}. */
    private ObjectNode addTo(ObjectNode object, JobStatus job) {
        object.put("now", now.toString())
                .put("section", JobSection.of(job, now).name())
                .put("procs", JobStanding.procs(job));
        Instant start = job.getStartTime();
        if (JobStanding.isActive(job) && start != null) {
            object.put("usedSeconds", Duration.between(start, now).toSeconds())
                    .put(
                            "remainingSeconds",
                            Duration.between(now, JobStanding.end(job, now)).toSeconds());
        }
        return object;
    }

    /** How long jobs waited that started of late, by size and length. */
    private ArrayNode waits() {
        ArrayNode array = JSON.arrayNode();
        WaitHistory history = image.waits().get(cluster);
        if (history != null) {
            for (WaitHistory.Kind kind : history.kinds()) {
                array.addObject()
                        .put("mostProcs", kind.mostProcs())
                        .put("longestSeconds", kind.longestSeconds())
                        .put("jobs", kind.jobs())
                        .put("medianWaitSeconds", kind.medianWaitSeconds());
            }
        }
        return array;
    }

    /**
     * The resource managers as they were heard of last. How long ago that was is told by real time: the cluster's own stands
     * still while its only resource manager is away.
     */
    private ArrayNode connectors() {
        SortedMap<String, Long> issued = new TreeMap<>();
        Iteration last = image.iterations().get(cluster);
        if (last != null) {
            last.getCommands().forEach(count -> issued.put(count.getConnector(), count.getNumber()));
        }
        ArrayNode array = JSON.arrayNode();
        for (Heartbeat word : image.heartbeatsOf(cluster)) {
            String name = word.getConnector();
            Instant heard = image.heard().getOrDefault(cluster + "/" + name, moment);
            long silence = Math.max(0, Duration.between(heard, moment).toSeconds());
            ObjectNode object = RecordJson.of(word)
                    .put("epoch", image.epochs().get(cluster + "/" + name))
                    .put("silentSeconds", silence)
                    .put("late", isLate(word, silence))
                    .put("silent", silence > SILENT_SECONDS)
                    .put("issuedCommand", issued.getOrDefault(name, 0L))
                    .put(
                            "nodes",
                            image.nodesOf(cluster).stream()
                                    .filter(node -> name.equals(node.getConnector()))
                                    .count())
                    .put(
                            "jobs",
                            image.jobsOf(cluster).stream()
                                    .filter(job -> name.equals(job.getConnector()))
                                    .count());
            array.add(object);
        }
        return array;
    }

    /** Says whether so many seconds are more than lie between polls that the resource manager answers. */
    private static boolean isLate(Heartbeat word, long silence) {
        Long between = word.getPollSeconds();
        return between != null && silence / 2 > between;
    }

    private ArrayNode nodes() {
        NodeUse use = NodeUse.of(image, cluster, now);
        ArrayNode array = JSON.arrayNode();
        image.nodesOf(cluster).forEach(node -> array.add(use.addTo(RecordJson.of(node), node)));
        return array;
    }

    private @Nullable JsonNode node(@Nullable NodeStatus node) {
        return node == null ? null : NodeUse.of(image, cluster, now).addTo(RecordJson.of(node), node);
    }

    /** Reservations of every type, and what running jobs hold, which is a reservation until their limit. */
    private ArrayNode reservations() {
        ArrayNode array = JSON.arrayNode();
        image.jobsOf(cluster).stream()
                .filter(job -> JobStanding.isActive(job) && job.getStartTime() != null)
                .forEach(job -> array.add(held(job)));
        image.reservationsOf(cluster).forEach(reservation -> array.add(reservation(reservation)));
        return array;
    }

    private @Nullable JsonNode reservation(String id) {
        ReservationStatus found = ClusterImage.find(cluster, id, image.reservations());
        return found == null ? null : reservation(found);
    }

    private ObjectNode reservation(ReservationStatus reservation) {
        boolean begun = !reservation.getStart().isAfter(now);
        ObjectNode object = RecordJson.of(reservation);
        object.put("now", now.toString())
                .put("category", reservation.getJobId() == null ? "User" : "Job")
                .put("active", begun)
                .put("running", false)
                .put("nodes", nodes(reservation))
                .put(
                        "durationSeconds",
                        Duration.between(reservation.getStart(), reservation.getEnd())
                                .toSeconds());
        String owner = reservation.getJobId();
        JobStatus job = owner == null ? null : ClusterImage.find(cluster, owner, image.jobs());
        Instant deadline = job == null ? null : job.getDeadline();
        if (deadline != null) {
            object.put("deadline", deadline.toString());
        }
        credentials(object, job);
        return object;
    }

    /** A priority reservation names its nodes with its tasks, if it names any. */
    private static int nodes(ReservationStatus reservation) {
        return reservation.getAllocation().isEmpty()
                ? (int) reservation.getPlacements().stream()
                        .map(TaskPlacement::getNodeId)
                        .distinct()
                        .count()
                : reservation.getAllocation().size();
    }

    /** The credentials a reservation of a job lets in: those of the job. */
    private static void credentials(ObjectNode object, @Nullable JobStatus job) {
        ArrayNode list = object.putArray("credentials");
        if (job == null) {
            return;
        }
        credential(list, "JOB", job.getJobId());
        credential(list, "USER", job.getUser());
        credential(list, "GROUP", job.getGroup());
        credential(list, "ACCT", job.getAccount());
        credential(list, "CLASS", job.getJobClass());
        credential(list, "QOS", job.getQos());
    }

    private static void credential(ArrayNode list, String type, @Nullable String name) {
        if (name != null) {
            list.add(type + "==" + name);
        }
    }

    private ObjectNode held(JobStatus job) {
        Instant start = Objects.requireNonNullElse(job.getStartTime(), now);
        ObjectNode object = JSON.objectNode()
                .put("cluster", cluster)
                .put("reservationId", job.getJobId())
                .put("type", "JOB")
                .put("jobId", job.getJobId())
                .put("procs", JobStanding.procs(job))
                .put("start", start.toString())
                .put("end", JobStanding.end(job, now).toString())
                .put("now", now.toString())
                .put("category", "Job")
                .put("active", true)
                .put("running", job.getState() != JobState.STARTING)
                .put("nodes", job.getAllocation().size())
                .put("durationSeconds", job.getWalltimeSeconds());
        ArrayNode allocation = object.putArray("allocation");
        for (NodeAllocation part : job.getAllocation()) {
            allocation.add(RecordJson.of(part));
        }
        object.set("placements", RecordJson.array(job.getPlacements()));
        credentials(object, job);
        return object;
    }

    private static @Nullable JsonNode explanation(@Nullable Explanation explanation) {
        return explanation == null ? null : RecordJson.of(explanation);
    }
}

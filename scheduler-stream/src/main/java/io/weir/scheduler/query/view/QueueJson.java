package io.weir.scheduler.query.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.scheduler.core.explain.WaitCause;
import io.weir.scheduler.query.image.ClusterImage;
import io.weir.scheduler.query.image.JobStanding;
import io.weir.schemas.Explanation;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.ReservationStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A {@link QueueListing} as JSON: instants in ISO 8601, spans in seconds. */
final class QueueJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final double LEAST_LIMIT_SECONDS = 60;

    /** What is told of jobs; some of it only of those that run, or wait. */
    static final Set<String> FIELDS = new TreeSet<>(List.of(
            "jobId",
            "name",
            "user",
            "group",
            "account",
            "jobClass",
            "qos",
            "state",
            "held",
            "procs",
            "walltimeSeconds",
            "submitTime",
            "startTime",
            "endTime",
            "notBefore",
            "exitCode",
            "reason",
            "lastMessage",
            "reservation",
            "backfilled",
            "preemptible",
            "systemPriority",
            "userPriority",
            "eligibleSince",
            "holds",
            "firstNode",
            "partition",
            "remainingSeconds",
            "overLimit",
            "xfactor",
            "reserved",
            "priority",
            "constraint",
            "earliestStart",
            "expectedStart"));

    private final ClusterImage image;
    private final QueueListing queue;
    private final PriorityRanking ranking;
    private final JobSelection selection;

    /** Jobs rank by the minutes they have waited: nothing else counts. */
    private final boolean byWait;

    private QueueJson(ClusterImage image, QueueListing queue, PriorityRanking ranking, JobSelection selection) {
        this.image = image;
        this.queue = queue;
        this.ranking = ranking;
        this.selection = selection;
        this.byWait = !PriorityRanking.isRanked(image, queue.cluster());
    }

    /** Returns the listing as an object, with those jobs that {@code selection} chooses. */
    static ObjectNode of(ClusterImage image, QueueListing queue, PriorityRanking ranking, JobSelection selection) {
        return new QueueJson(image, queue, ranking, selection).object();
    }

    private ObjectNode object() {
        ObjectNode root = NODES.objectNode()
                .put("cluster", queue.cluster())
                .put("now", queue.now().toString())
                .put("procsInUse", queue.procsInUse())
                .put("procs", queue.procs())
                .put("nodesInUse", queue.nodesInUse())
                .put("nodes", queue.nodes());
        root.set("scheduler", StandingJson.of(image.iterations().get(queue.cluster())));
        root.set("systemReservations", systemReservations());
        if (ranking.isCut()) {
            root.put("ranked", ranking.places().size());
        }
        ObjectNode counts = root.putObject("counts");
        section(root, counts, "active", queue.active());
        section(root, counts, "eligible", queue.eligible());
        section(root, counts, "blocked", queue.blocked());
        section(root, counts, "completed", queue.completed());
        return root;
    }

    /** Adds those jobs of a section that are asked for, and how many there are of them, beyond the limit, too. */
    private void section(ObjectNode root, ObjectNode counts, String name, List<JobStatus> jobs) {
        List<JobStatus> chosen = jobs.stream()
                .filter(job -> selection.includes(job, queue.now()))
                .toList();
        counts.put(name, chosen.size());
        ArrayNode array = root.putArray(name);
        for (JobStatus job : chosen.subList(0, Math.min(chosen.size(), selection.limit()))) {
            ObjectNode node = job(job);
            selection.restrict(node);
            array.add(node);
        }
    }

    private ObjectNode job(JobStatus job) {
        ObjectNode node = NODES.objectNode()
                .put("jobId", job.getJobId())
                .put("name", job.getName())
                .put("user", job.getUser())
                .put("group", job.getGroup())
                .put("account", job.getAccount())
                .put("jobClass", job.getJobClass())
                .put("qos", job.getQos())
                .put("state", job.getState().name())
                .put("held", job.getHeld())
                .put("procs", JobStanding.procs(job))
                .put("walltimeSeconds", job.getWalltimeSeconds())
                .put("submitTime", job.getSubmitTime().toString())
                .put("startTime", text(job.getStartTime()))
                .put("endTime", text(job.getEndTime()))
                .put("notBefore", text(job.getNotBefore()))
                .put("exitCode", job.getExitCode())
                .put("reason", job.getReason())
                .put("lastMessage", last(job.getMessages()))
                .put("reservation", job.getReservation())
                .put("backfilled", job.getBackfilled())
                .put("preemptible", job.getFlags().contains("PREEMPTEE"))
                .put("systemPriority", job.getSystemPriority())
                .put("userPriority", job.getUserPriority())
                .put("eligibleSince", text(job.getEligibleSince()));
        ArrayNode holds = node.putArray("holds");
        job.getHolds().forEach(holds::add);
        place(job, node);
        if (JobStanding.isActive(job)) {
            node.put("remainingSeconds", queue.remaining(job).toSeconds()).put("overLimit", isOverLimit(job));
            Instant start = job.getStartTime();
            node.put("xfactor", xfactor(job, start == null ? queue.now() : start));
        } else if (JobStanding.isWaiting(job)) {
            waiting(job, node);
        }
        return node;
    }

    /** Adds the first node a job has, and that node's partition. */
    private void place(JobStatus job, ObjectNode node) {
        if (!job.getAllocation().isEmpty()) {
            String first = job.getAllocation().get(0).getNodeId();
            NodeStatus status = ClusterImage.find(queue.cluster(), first, image.nodes());
            node.put("firstNode", first).put("partition", status == null ? null : status.getPartition());
        }
    }

    private void waiting(JobStatus job, ObjectNode node) {
        node.put("reserved", queue.reserved().contains(job.getJobId())).put("xfactor", xfactor(job, queue.now()));
        Explanation why = ClusterImage.find(queue.cluster(), job.getJobId(), image.explanations());
        node.put("priority", priority(job, why));
        if (why != null) {
            // Before a date nothing is expected of a job: whether it can start then is not known.
            boolean dated = why.getConstraint().equals(WaitCause.DEFERRED)
                    || why.getConstraint().equals(WaitCause.START_DATE);
            node.put("constraint", why.getConstraint())
                    .put(dated ? "earliestStart" : "expectedStart", text(why.getExpectedStart()));
        }
    }

    /** How much longer than its limit a job takes, its wait until {@code started} included. */
    private static double xfactor(JobStatus job, Instant started) {
        double waited = Duration.between(job.getSubmitTime(), started).toSeconds();
        return 1 + Math.max(0, waited) / Math.max(LEAST_LIMIT_SECONDS, (double) job.getWalltimeSeconds());
    }

    /** Says whether a running job uses more than it asked for: wall time, processor time or memory. */
    private boolean isOverLimit(JobStatus job) {
        Long cpu = job.getUsedCpuSeconds();
        Long mostCpu = job.getCpuLimitSeconds();
        Long memory = job.getUsedMemoryMb();
        long mostMemory = job.getRequirements().stream()
                .mapToLong(part -> Math.max(
                        part.getMemoryMb() * part.getTasks(),
                        part.getNodeMemoryMb() * job.getAllocation().size()))
                .sum();
        return queue.remaining(job).isNegative()
                || (cpu != null && mostCpu != null && cpu > mostCpu)
                || (memory != null && mostMemory > 0 && memory > mostMemory);
    }

    /** Reservations of operators that take every node that is up. */
    private ArrayNode systemReservations() {
        ArrayNode array = NODES.arrayNode();
        Set<String> up = image.nodesOf(queue.cluster()).stream()
                .filter(node -> !QueueListing.isAway(node))
                .map(NodeStatus::getNodeId)
                .collect(Collectors.toSet());
        for (ReservationStatus reservation : image.reservationsOf(queue.cluster())) {
            Set<String> nodes = reservation.getAllocation().stream()
                    .map(NodeAllocation::getNodeId)
                    .collect(Collectors.toSet());
            if (reservation.getJobId() == null && !up.isEmpty() && nodes.containsAll(up)) {
                array.addObject()
                        .put("reservationId", reservation.getReservationId())
                        .put("start", reservation.getStart().toString())
                        .put("end", reservation.getEnd().toString());
            }
        }
        return array;
    }

    private @Nullable Long priority(JobStatus job, @Nullable Explanation why) {
        if (ranking.priority(job.getJobId()).isPresent()) {
            return ranking.priority(job.getJobId()).get();
        }
        Instant since = job.getEligibleSince();
        if (byWait && since != null) {
            long waited = job.getAccruedSeconds()
                    + Math.max(0, Duration.between(since, queue.now()).toSeconds());
            return Math.max(1, waited / 60);
        }
        return why == null ? null : why.getPriority();
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }

    private static @Nullable String last(List<String> messages) {
        return messages.isEmpty() ? null : messages.get(messages.size() - 1);
    }
}

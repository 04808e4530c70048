package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.job.JobOptions;
import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.job.extension.JobExtension;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationTable;
import io.weir.scheduler.core.reservation.ReservationTerms;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.scheduler.core.reservation.TermsEdit;
import io.weir.scheduler.core.reservation.acl.AccessControlList;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.ReservationType;
import io.weir.topics.AvroTrust;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tables of a small cluster, filled by hand. Times are epoch seconds; jobs queue in the order in which they come. */
public final class TestCluster {
    static {
        AvroTrust.install();
    }

    public final JobTable jobs = new JobTable();
    public final NodeTable nodes = new NodeTable();
    public final ReservationTable reservations = new ReservationTable();
    public final AdministrativeReservationTable administrative = new AdministrativeReservationTable();
    public final ReservationAccess access = new ReservationAccess(administrative, nodes, jobs);
    public final TightestFit placement = new TightestFit(nodes);
    private int known;

    /** Adds {@code count} idle nodes n1, n2 and so on. */
    public TestCluster nodes(int count, int procs) {
        for (int i = 1; i <= count; i++) {
            node("n" + i, procs, 0, Node.DEFAULT_PARTITION);
        }
        return this;
    }

    /** Adds an idle node. */
    public TestCluster node(String id, int procs, long memoryMb, String partition) {
        return node(id, procs, report -> report.setMemoryMb(memoryMb).setPartition(partition));
    }

    /** Adds an idle node whose report {@code more} completes. */
    public TestCluster node(String id, int procs, Consumer<NodeReport.Builder> more) {
        NodeReport.Builder report = NodeReport.newBuilder()
                .setCluster("c")
                .setNodeId(id)
                .setState(NodeState.IDLE)
                .setProcs(procs);
        more.accept(report);
        nodes.put(Node.reported(report.build(), "rm", 1, null, ++known, 0));
        return this;
    }

    /** Adds a waiting job of single-processor tasks. */
    public Job waiting(String id, int tasks, long seconds) {
        return waiting(id, null, seconds, Requirement.ofProcs(tasks, 1));
    }

    /** Adds a waiting job of single-processor tasks that asks for {@code options} besides. */
    public Job waiting(String id, int tasks, long seconds, JobOptions options) {
        Job job = JobEdit.submitted(request(id, null, List.of(Requirement.ofProcs(tasks, 1)), options, seconds))
                .eligibleSince(0)
                .done();
        jobs.put(job);
        return job;
    }

    /** Adds a waiting job. */
    public Job waiting(String id, @Nullable String qos, long seconds, Requirement... requirements) {
        Job job = JobEdit.submitted(request(id, qos, List.of(requirements), JobOptions.NONE, seconds))
                .effectiveQos(qos)
                .eligibleSince(0)
                .done();
        jobs.put(job);
        return job;
    }

    /** Adds a waiting job of single-processor tasks that has to be over {@code deadline} seconds after its submission. */
    public Job due(String id, int tasks, long seconds, long deadline) {
        JobRequest request = new JobRequest(
                id,
                "rm",
                jobs.all().size(),
                new JobCredentials(null, "ann", null, null, null, null),
                List.of(Requirement.ofProcs(tasks, 1)),
                JobOptions.NONE,
                JobExtension.parse("deadline=+" + deadline),
                seconds,
                0);
        Job job = JobEdit.submitted(request).eligibleSince(0).done();
        jobs.put(job);
        return job;
    }

    /** Adds a job that holds {@code procs} processors of {@code node} from {@code start} on. */
    public TestCluster running(String id, int procs, String node, long start, long seconds) {
        JobRequest request = request(id, null, List.of(Requirement.ofProcs(procs, 1)), JobOptions.NONE, seconds);
        Job job = JobEdit.submitted(request)
                .running(JobState.RUNNING, start, List.of(new NodeAllocation(node, procs)))
                .done();
        jobs.put(job);
        nodes.hold(job.id(), job.shares());
        return this;
    }

    /** Adds a job that holds its shares, if it runs. */
    public TestCluster job(Job job) {
        jobs.put(job);
        nodes.hold(job.id(), job.shares());
        return this;
    }

    /** Reserves {@code procs} processors of each of {@code ids} for those that {@code acl} lets in. */
    public TestCluster reserved(String id, String acl, long start, long end, int procs, String... ids) {
        List<ReservedNode> parts = Arrays.stream(ids)
                .map(node -> new ReservedNode(node, 1, new Capacity(procs, 0, 0, 0)))
                .toList();
        ReservationTerms terms =
                new TermsEdit().acl(AccessControlList.read(acl).list()).done();
        administrative.put(
                AdministrativeReservation.made(id, ReservationType.ADMINISTRATIVE, terms, start, end, parts, start));
        return this;
    }

    /** Returns {@code tasks} tasks that each take one processor and {@code memoryMb}. */
    public static Requirement tasksWithMemory(int tasks, long memoryMb) {
        return new Requirement(
                tasks,
                new TaskResources(1, memoryMb, 0, 0, Collections.emptySortedMap()),
                NodeDemands.NONE,
                null,
                null,
                false);
    }

    /** Returns the policy of a configuration without mistakes. */
    public static SitePolicy policy(String... lines) {
        SitePolicy.Reading reading = SitePolicy.read(String.join("\n", lines));
        return reading.policy();
    }

    private JobRequest request(
            String id, @Nullable String qos, List<Requirement> requirements, JobOptions options, long seconds) {
        return new JobRequest(
                id,
                "rm",
                jobs.all().size(),
                new JobCredentials(null, "ann", null, null, null, qos),
                requirements,
                options,
                JobExtension.NONE,
                seconds,
                0);
    }
}

package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.AllocationRequest;
import io.weir.scheduler.core.placement.Availability;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.GlobalResources;
import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.scheduler.core.placement.PlacementPreferences;
import io.weir.scheduler.core.placement.TaskShape;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.placement.history.NodeHistory;
import io.weir.scheduler.core.placement.plugin.PluginAllocationTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.AllocationChoice;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** A few candidates, in index order, and a job that wants nodes among them: all that an allocation policy looks at. */
final class PolicyScene {
    static {
        AvroTrust.install();
    }

    static final String JOB = "j";

    final NodeTable nodes = new NodeTable();
    final PluginAllocationTable pluginAllocations = new PluginAllocationTable();
    private final Availability availability = new Availability(nodes, new JobTable(), new GlobalResources(nodes));
    private final NodeAllocationPolicies policies = new NodeAllocationPolicies(
            nodes, new JobTable(), availability, NodeHistory.NONE, (position, now, horizon) -> 0, pluginAllocations);
    private final Map<String, Candidate> candidates = new LinkedHashMap<>();
    private List<String> required = List.of();
    private SitePolicy site = SitePolicy.DEFAULT;
    private boolean immediate = true;
    private long seed = 1;

    private record Candidate(int tasks, long availableSince, long slack, NodeAffinity affinity) {}

    /** Goes by the parameters {@code text}. */
    PolicyScene site(String text) {
        site = SitePolicy.read(text).policy();
        return this;
    }

    /** Adds a node that holds one task. */
    PolicyScene node(String id) {
        return node(id, report -> {});
    }

    PolicyScene node(String id, Consumer<NodeReport.Builder> more) {
        NodeReport.Builder report = NodeReport.newBuilder()
                .setCluster("c")
                .setNodeId(id)
                .setState(NodeState.IDLE)
                .setProcs(1);
        more.accept(report);
        nodes.put(Node.reported(report.build(), null, 0, null, nodes.size() + 1, 0));
        candidates.put(id, new Candidate(1, 0, Candidates.FOREVER, NodeAffinity.NONE));
        return this;
    }

    /** Adds {@code ids} as nodes that hold one task each. */
    PolicyScene nodes(String... ids) {
        for (String id : ids) {
            node(id);
        }
        return this;
    }

    /** Takes {@code ids} out of the candidates; they keep their index. */
    PolicyScene busy(String... ids) {
        for (String id : ids) {
            candidates.remove(id);
        }
        return this;
    }

    PolicyScene tasks(String id, int tasks) {
        Candidate was = candidate(id);
        candidates.put(id, new Candidate(tasks, was.availableSince, was.slack, was.affinity));
        return this;
    }

    /** Has each of {@code ids} get a task. */
    PolicyScene require(String... ids) {
        required = List.of(ids);
        return this;
    }

    /** Lets {@code id} be free since {@code since}, epoch seconds. */
    PolicyScene availableSince(String id, long since) {
        Candidate was = candidate(id);
        candidates.put(id, new Candidate(was.tasks, since, was.slack, was.affinity));
        return this;
    }

    /** Lets {@code id} be needed again {@code seconds} after the job. */
    PolicyScene slack(String id, long seconds) {
        Candidate was = candidate(id);
        candidates.put(id, new Candidate(was.tasks, was.availableSince, seconds, was.affinity));
        return this;
    }

    PolicyScene affinity(String id, NodeAffinity affinity) {
        Candidate was = candidate(id);
        candidates.put(id, new Candidate(was.tasks, was.availableSince, was.slack, affinity));
        return this;
    }

    /** Lets the job start later instead of now. */
    PolicyScene later() {
        immediate = false;
        return this;
    }

    PolicyScene seed(long other) {
        seed = other;
        return this;
    }

    /** Returns the policy that NODEALLOCATIONPOLICY {@code name} stands for. */
    NodeAllocationPolicy policy(String name) {
        configure();
        return policies.of(AllocationChoice.of(name));
    }

    /** Returns the nodes that {@code policy} chooses for {@code tasks} tasks, best first; empty when it finds none. */
    List<String> choose(NodeAllocationPolicy policy, int tasks) {
        return choose(policy, TaskShape.of(tasks));
    }

    List<String> choose(NodeAllocationPolicy policy, TaskShape shape) {
        List<String> ids = new ArrayList<>();
        for (TaskShare share : shares(policy, shape)) {
            ids.add(nodes.at(share.position()).id());
        }
        return ids;
    }

    /** Returns all candidates in the order in which {@code policy} takes them. */
    List<String> order(NodeAllocationPolicy policy) {
        return choose(policy, candidates.size());
    }

    List<TaskShare> shares(NodeAllocationPolicy policy, TaskShape shape) {
        configure();
        AllocationRequest request = request(shape.tasks());
        return new CandidateRanking(new Candidates(nodes, 0))
                .choose(policy.forStart(immediate), request, candidates(), shape, required(), seed);
    }

    private BitSet required() {
        BitSet positions = new BitSet();
        required.forEach(id -> positions.set(nodes.position(id)));
        return positions;
    }

    AllocationRequest request(int tasks) {
        Job job = job(tasks);
        return new AllocationRequest(job, 0, job.request().first(), PlacementPreferences.NONE, 0, immediate);
    }

    Candidates candidates() {
        Candidates list = new Candidates(nodes, candidates.size());
        for (int position = 0; position < nodes.size(); position++) {
            Candidate one = candidates.get(nodes.at(position).id());
            if (one != null) {
                list.add(position, one.tasks, one.availableSince, one.slack, one.affinity);
            }
        }
        return list;
    }

    private void configure() {
        nodes.configure(site);
        availability.begin(site, List.of());
        policies.begin(site, 1);
    }

    private Candidate candidate(String id) {
        return Objects.requireNonNull(candidates.get(id), id);
    }

    private static Job job(int tasks) {
        JobReport report = JobReport.newBuilder()
                .setCluster("c")
                .setJobId(JOB)
                .setState(JobState.IDLE)
                .setQueueSequence(1)
                .setUser("anna")
                .setSubmitTime(Instant.EPOCH)
                .setTasks(tasks)
                .build();
        return JobEdit.submitted(JobRequest.from(report, null)).done();
    }
}

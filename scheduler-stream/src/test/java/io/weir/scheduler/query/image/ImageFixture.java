package io.weir.scheduler.query.image;

import io.weir.scheduler.core.policy.language.RuntimeSettings;
import io.weir.schemas.Explanation;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.Iteration;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.ReservationType;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Fills an image of a cluster called kth, at noon. */
public final class ImageFixture {
    static {
        AvroTrust.install();
    }

    public static final Instant NOW = Instant.parse("2000-01-03T12:00:00Z");

    public final ClusterImage image = ClusterImage.empty();

    public ImageFixture() {
        iteration("");
    }

    public static List<NodeAllocation> on(String node, int procs) {
        return List.of(
                NodeAllocation.newBuilder().setNodeId(node).setProcs(procs).build());
    }

    public static JobStatus.Builder job(String id, JobState state, long walltime) {
        return JobStatus.newBuilder()
                .setCluster("kth")
                .setJobId(id)
                .setQueueSequence(Long.parseLong(id))
                .setState(state)
                .setTasks(1)
                .setProcsPerTask(1)
                .setWalltimeSeconds(walltime)
                .setSubmitTime(NOW)
                .setHeld(false)
                .setStartFailures(0)
                .setCommandNumber(0)
                .setReportedEpoch(0)
                .setChangedIn(1);
    }

    public static ReservationStatus.Builder reservation(String id, ReservationType type) {
        return ReservationStatus.newBuilder()
                .setCluster("kth")
                .setReservationId(id)
                .setType(type)
                .setProcs(8)
                .setStart(NOW.plusSeconds(3600))
                .setEnd(NOW.plusSeconds(7200))
                .setChangedIn(1);
    }

    public void put(JobStatus.Builder builder) {
        JobStatus job = builder.build();
        image.jobs().put(job.getCluster() + "/" + job.getJobId(), job);
    }

    public void put(ReservationStatus.Builder builder) {
        ReservationStatus reservation = builder.build();
        image.reservations().put("kth/" + reservation.getReservationId(), reservation);
    }

    public void node(String id, NodeState state) {
        node(id, state, more -> {});
    }

    public void node(String id, NodeState state, Consumer<NodeStatus.Builder> more) {
        NodeStatus.Builder node = NodeStatus.newBuilder()
                .setCluster("kth")
                .setNodeId(id)
                .setIndex(0)
                .setState(state)
                .setFailing(false)
                .setProcs(8)
                .setMemoryMb(0)
                .setFeatures(List.of())
                .setPartition("DEFAULT")
                .setStateSince(NOW.minusSeconds(90))
                .setReportedEpoch(0)
                .setChangedIn(1);
        more.accept(node);
        image.nodes().put("kth/" + id, node.build());
    }

    public void explain(String job, String constraint) {
        Explanation why = Explanation.newBuilder()
                .setCluster("kth")
                .setJobId(job)
                .setIteration(1)
                .setTime(NOW)
                .setConstraint(constraint)
                .setNodesConsidered(3)
                .build();
        image.explanations().put("kth/" + job, why);
    }

    public void policy(String text) {
        PolicyVersion policy = PolicyVersion.newBuilder()
                .setCluster("kth")
                .setVersion("v1")
                .setText(text)
                .setTime(NOW)
                .build();
        image.policies().put("kth/v1", policy);
        iteration("v1");
    }

    private void iteration(String policy) {
        iteration(7, policy, RuntimeSettings.NONE);
    }

    public void iteration(long number, String policy, RuntimeSettings settings) {
        iteration(number, policy, settings, List.of());
    }

    public void iteration(long number, String policy, RuntimeSettings settings, List<NameValue> standing) {
        Iteration last = Iteration.newBuilder()
                .setCluster("kth")
                .setNumber(number)
                .setNow(NOW)
                .setTrigger(IterationTrigger.HEARTBEAT)
                .setPolicyVersion(policy)
                .setBuild("test")
                .setDecisionVersion(1)
                .setLastInput(1)
                .setInputsDigest("")
                .setOutputsDigest("")
                .setPrevious("")
                .setRuntimeSettings(settings.toRecords())
                .setStanding(standing)
                .build();
        image.iterations().put("kth", last);
    }

    /** A connector's latest word, written at {@code moment}; its resource manager's clock is an hour behind. */
    public void heard(String connector, Instant moment) {
        heard(connector, moment, null);
    }

    /** A connector whose polls are so many seconds apart was heard of last at {@code moment}. */
    public void heard(String connector, Instant moment, @Nullable Long pollSeconds) {
        String key = "kth/" + connector;
        image.heartbeats()
                .put(
                        key,
                        Heartbeat.newBuilder()
                                .setCluster("kth")
                                .setConnector(connector)
                                .setKind(HeartbeatKind.HEARTBEAT)
                                .setNumber(3)
                                .setRmTime(moment.minusSeconds(3600))
                                .setPollSeconds(pollSeconds)
                                .build());
        image.heard().put(key, moment);
    }
}

package io.weir.command.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import io.weir.topics.AvroTrust;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueListingTest {
    static {
        AvroTrust.install();
    }

    private static final Instant NOW = Instant.parse("2000-01-03T12:00:00Z");

    private final ClusterImage image = ClusterImage.empty();

    @Test
    void shouldSortJobsIntoActiveEligibleAndBlocked() {
        node("n0", NodeState.IDLE);
        node("n1", NodeState.IDLE);
        node("n2", NodeState.DOWN);
        put(job("1", JobState.RUNNING, 7200).setStartTime(NOW.minusSeconds(600)).setAllocation(on("n0", 8)));
        put(job("2", JobState.RUNNING, 1200).setStartTime(NOW.minusSeconds(600)).setAllocation(on("n1", 2)));
        put(job("3", JobState.IDLE, 60).setQueueSequence(9));
        put(job("4", JobState.IDLE, 60).setQueueSequence(4));
        put(job("5", JobState.IDLE, 60).setHeld(true));
        put(job("6", JobState.IDLE, 60).setNotBefore(NOW.plusSeconds(60)));
        put(job("7", JobState.COMPLETED, 60));

        QueueListing queue = QueueListing.of(image, "kth", NOW);

        assertThat(queue.active()).extracting(JobStatus::getJobId).containsExactly("2", "1");
        assertThat(queue.eligible()).extracting(JobStatus::getJobId).containsExactly("4", "3");
        assertThat(queue.blocked()).extracting(JobStatus::getJobId).containsExactly("5", "6");
        assertThat(queue.procsInUse()).isEqualTo(10);
        assertThat(queue.procs()).isEqualTo(16);
        assertThat(queue.nodesInUse()).isEqualTo(2);
        assertThat(queue.nodes()).isEqualTo(2);
    }

    @Test
    void shouldShowOnlyTheClusterAskedFor() {
        put(job("1", JobState.IDLE, 60));
        put(job("1", JobState.IDLE, 60).setCluster("other"));

        assertThat(QueueListing.of(image, "other", NOW).eligible()).hasSize(1);
        assertThat(image.clusters()).containsExactly("kth", "other");
    }

    @Test
    void shouldPrintThreeSectionsWithTheirCounts() {
        node("n0", NodeState.IDLE);
        put(job("17", JobState.RUNNING, 93_600)
                .setUser("anna")
                .setStartTime(NOW.minusSeconds(3600))
                .setAllocation(on("n0", 6)));
        put(job("18", JobState.IDLE, 3600).setTasks(4));

        StringWriter text = new StringWriter();
        QueueText printer = new QueueText(new PrintWriter(text));
        printer.print(QueueListing.of(image, "kth", NOW));

        assertThat(text.toString())
                .contains("kth at Mon Jan 03 12:00:00")
                .contains("17                       anna    Running      6   1:01:00:00  Mon Jan 03 11:00:00")
                .contains("1     active jobs   6 of 8 processors in use (75.00%), 1 of 1 nodes")
                .contains("18                          -       Idle      4     01:00:00  Mon Jan 03 12:00:00")
                .contains("1     eligible jobs")
                .contains("0     blocked jobs")
                .contains("Total jobs:  2");
    }

    @Test
    void shouldSayTheSameInJson() {
        put(job("17", JobState.RUNNING, 600).setStartTime(NOW.minusSeconds(60)).setAllocation(on("n0", 6)));
        put(job("18", JobState.IDLE, 60).setNotBefore(NOW.plusSeconds(30)).setReason("start refused"));

        JsonNode json = QueueJson.of(QueueListing.of(image, "kth", NOW));

        assertThat(json.at("/active/0/remainingSeconds").asLong()).isEqualTo(540);
        assertThat(json.at("/blocked/0/notBefore").asText()).isEqualTo("2000-01-03T12:00:30Z");
        assertThat(json.at("/blocked/0/reason").asText()).isEqualTo("start refused");
        assertThat(json.at("/now").asText()).isEqualTo("2000-01-03T12:00:00Z");
    }

    @Test
    void shouldCountAJobPastItsLimitBackwards() {
        assertThat(QueueText.span(Duration.ofSeconds(-61))).isEqualTo("-00:01:01");
    }

    private static List<NodeAllocation> on(String node, int procs) {
        return List.of(
                NodeAllocation.newBuilder().setNodeId(node).setProcs(procs).build());
    }

    private void put(JobStatus.Builder builder) {
        JobStatus job = builder.build();
        image.jobs().put(job.getCluster() + "/" + job.getJobId(), job);
    }

    private void node(String id, NodeState state) {
        NodeStatus node = NodeStatus.newBuilder()
                .setCluster("kth")
                .setNodeId(id)
                .setIndex(0)
                .setState(state)
                .setFailing(false)
                .setProcs(8)
                .setMemoryMb(0)
                .setFeatures(List.of())
                .setPartition("DEFAULT")
                .setStateSince(NOW)
                .setReportedEpoch(0)
                .setChangedIn(1)
                .build();
        image.nodes().put("kth/" + id, node);
    }

    private static JobStatus.Builder job(String id, JobState state, long walltime) {
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
}

package io.weir.scheduler.query.view;

import static io.weir.scheduler.query.image.ImageFixture.NOW;
import static io.weir.scheduler.query.image.ImageFixture.job;
import static io.weir.scheduler.query.image.ImageFixture.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.scheduler.query.image.ClusterImage;
import io.weir.scheduler.query.image.ImageFixture;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueListingTest {
    private final ImageFixture fixture = new ImageFixture();
    private final ClusterImage image = fixture.image;

    @Test
    void shouldSortJobsIntoActiveEligibleAndBlocked() {
        fixture.node("n0", NodeState.IDLE);
        fixture.node("n1", NodeState.IDLE);
        fixture.node("n2", NodeState.DOWN);
        fixture.put(job("1", JobState.RUNNING, 7200)
                .setStartTime(NOW.minusSeconds(600))
                .setAllocation(on("n0", 8)));
        fixture.put(job("2", JobState.RUNNING, 1200)
                .setStartTime(NOW.minusSeconds(600))
                .setAllocation(on("n1", 2)));
        fixture.put(job("3", JobState.IDLE, 60).setQueueSequence(9));
        fixture.put(job("4", JobState.IDLE, 60).setQueueSequence(4));
        fixture.put(job("5", JobState.IDLE, 60).setHeld(true));
        fixture.put(job("6", JobState.IDLE, 60).setNotBefore(NOW.plusSeconds(60)));
        fixture.put(job("7", JobState.COMPLETED, 60));

        QueueListing queue = QueueListing.of(image, "kth", NOW);

        assertThat(queue.active()).extracting(JobStatus::getJobId).containsExactly("2", "1");
        assertThat(queue.eligible()).extracting(JobStatus::getJobId).containsExactly("4", "3");
        assertThat(queue.blocked()).extracting(JobStatus::getJobId).containsExactly("5", "6");
        assertThat(queue.completed()).extracting(JobStatus::getJobId).containsExactly("7");
        assertThat(queue.procsInUse()).isEqualTo(10);
        assertThat(queue.procs()).isEqualTo(16);
        assertThat(queue.nodesInUse()).isEqualTo(2);
        assertThat(queue.nodes()).isEqualTo(2);
    }

    @Test
    void shouldCountProcessorsAsTheConfigurationHasThem() {
        fixture.node("n0", NodeState.IDLE);
        fixture.node("n1", NodeState.IDLE);
        fixture.policy("NODECFG[n1] RCPROC=32");

        assertThat(QueueListing.of(image, "kth", NOW).procs()).isEqualTo(8 + 32);
    }

    @Test
    void shouldCountWhatIsInUseOfTheNodesThatAreUp() {
        fixture.node("n0", NodeState.IDLE);
        fixture.node("n1", NodeState.DOWN);
        fixture.put(job("1", JobState.RUNNING, 7200)
                .setStartTime(NOW.minusSeconds(600))
                .setAllocation(List.of(on("n0", 2).get(0), on("n1", 8).get(0))));

        QueueListing queue = QueueListing.of(image, "kth", NOW);

        assertThat(queue.procsInUse()).isEqualTo(2);
        assertThat(queue.procs()).isEqualTo(8);
        assertThat(queue.nodesInUse()).isEqualTo(1);
        assertThat(queue.nodes()).isEqualTo(1);
    }

    @Test
    void shouldPutJobsWithASystemPriorityFirst() {
        fixture.put(job("1", JobState.IDLE, 60));
        fixture.put(job("2", JobState.IDLE, 60).setSystemPriority(1));
        fixture.put(job("3", JobState.IDLE, 60).setSystemPriority(10));

        QueueListing queue = QueueListing.of(image, "kth", NOW);

        assertThat(queue.eligible()).extracting(JobStatus::getJobId).containsExactly("3", "2", "1");
    }

    @Test
    void shouldOrderTheQueueAsItWasRanked() {
        fixture.put(job("1", JobState.IDLE, 60));
        fixture.put(job("2", JobState.IDLE, 60));
        fixture.put(job("3", JobState.IDLE, 60));
        PriorityRanking ranking = PriorityRanking.of(RequestResult.newBuilder()
                .setCluster("kth")
                .setRequestId("r")
                .setOutcome(RequestOutcome.ACCEPTED)
                .setIteration(1)
                .setDetails(List.of(
                        new NameValue("waiting", "3"),
                        new NameValue("ranks", "12 3  -5 2"),
                        new NameValue("line", "… and 1 more lines")))
                .build());

        QueueListing queue = QueueListing.of(image, "kth", NOW, ranking);

        assertThat(queue.eligible()).extracting(JobStatus::getJobId).containsExactly("3", "2", "1");
        JsonNode json = QueueJson.of(image, queue, ranking, JobSelection.ALL);
        assertThat(json.at("/eligible/0/priority").asLong()).isEqualTo(12);
        assertThat(json.at("/eligible/1/priority").asLong()).isEqualTo(-5);
        assertThat(json.at("/eligible/2/priority").isNull()).isTrue();
        assertThat(json.path("ranked").asInt()).isEqualTo(2);
    }

    @Test
    void shouldReadALongConfigurationOnceHoweverManyJobsWait() {
        for (int i = 0; i < 10_000; i++) {
            fixture.put(job(String.valueOf(i), JobState.IDLE, 60).setEligibleSince(NOW));
        }
        StringBuilder policy = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            policy.append("USERCFG[user")
                    .append(i)
                    .append("] MAXJOB=100 PRIORITY=")
                    .append(i)
                    .append('\n');
        }
        fixture.policy(policy.toString());
        QueueListing queue = QueueListing.of(image, "kth", NOW);

        JsonNode json = assertTimeout(
                Duration.ofSeconds(5), () -> QueueJson.of(image, queue, PriorityRanking.NONE, JobSelection.ALL));

        assertThat(json.path("eligible")).hasSize(10_000);
    }

    @Test
    void shouldShowOnlyTheClusterAskedFor() {
        fixture.put(job("1", JobState.IDLE, 60));
        fixture.put(job("1", JobState.IDLE, 60).setCluster("other"));

        assertThat(QueueListing.of(image, "other", NOW).eligible()).hasSize(1);
        assertThat(image.clusters()).containsExactly("kth", "other");
    }

    @Test
    void shouldSayTheSameInJson() {
        fixture.put(job("17", JobState.RUNNING, 600)
                .setStartTime(NOW.minusSeconds(60))
                .setAllocation(on("n0", 6)));
        fixture.put(
                job("18", JobState.IDLE, 60).setNotBefore(NOW.plusSeconds(30)).setReason("start refused"));

        JsonNode json = QueueJson.of(image, QueueListing.of(image, "kth", NOW), PriorityRanking.NONE, JobSelection.ALL);

        assertThat(json.at("/active/0/remainingSeconds").asLong()).isEqualTo(540);
        assertThat(json.at("/blocked/0/notBefore").asText()).isEqualTo("2000-01-03T12:00:30Z");
        assertThat(json.at("/blocked/0/reason").asText()).isEqualTo("start refused");
        assertThat(json.at("/now").asText()).isEqualTo("2000-01-03T12:00:00Z");
    }
}

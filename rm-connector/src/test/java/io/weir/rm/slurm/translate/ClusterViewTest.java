package io.weir.rm.slurm.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.weir.rm.slurm.client.RestTransport;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeAllocation;
import io.weir.topics.AvroTrust;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said of jobs between two looks, and while Slurm itself says less than is true. */
class ClusterViewTest {
    static {
        AvroTrust.install();
    }

    private static final Instant NOW = Instant.ofEpochSecond(2000);
    private static final String COMPLETING = "\"job_state\":\"COMPLETING\",\"start_time\":1500,\"job_resources\":{}";
    private static final String RUNNING =
            "\"job_state\":\"RUNNING\",\"start_time\":1500,\"nodes\":\"n1\",\"cpus\":2,\"job_resources\":{\"allocated_nodes\":"
                    + "[{\"nodename\":\"n1\",\"sockets\":{\"0\":{\"cores\":{\"0\":\"a\",\"1\":\"a\"}}}}]}";

    private final Map<String, List<NodeAllocation>> started = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private String jobs = "";
    private String nodes = "";

    private final RestTransport service = new RestTransport() {
        @Override
        public Reply send(String method, String target, byte @Nullable [] body, Duration limit) {
            asked.add(target);
            String text = target.startsWith("/openapi")
                    ? "{\"paths\":{\"/slurm/v0.0.38/jobs\":{}}}"
                    : "{\"meta\":{},\"jobs\":[" + jobs + "],\"nodes\":[" + nodes + "],\"reservations\":[]}";
            return new Reply(200, text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String toString() {
            return "test";
        }
    };
    private final ClusterView view = new ClusterView(
            new SlurmRest(service, null, Duration.ofSeconds(1)),
            null,
            new SlurmJobTranslation("c1", true, new StartObstacles(), new NodePartitions()),
            new SlurmNodeTranslation("c1", true, false),
            new StartObstacles(),
            new NodePartitions(),
            300,
            job -> started.getOrDefault(job, List.of()),
            job -> false,
            job -> {},
            (lines, taken) -> {});

    private List<JobReport> look(String fields) {
        jobs = "{\"job_id\":17,\"submit_time\":1000," + fields + "}";
        return view.jobs(NOW);
    }

    @Test
    void shouldSayWhenNodesWereTakenFromAJob() {
        look(RUNNING);
        assertThat(view.nodesTaken()).isFalse();
        look(RUNNING);
        assertThat(view.nodesTaken()).isFalse();

        look(RUNNING.replace("n1", "n2"));
        assertThat(view.nodesTaken()).isTrue();
        look("\"job_state\":\"PENDING\",\"priority\":0");
        assertThat(view.nodesTaken()).as("put back into the queue").isTrue();
        look("\"job_state\":\"PENDING\",\"priority\":0");
        assertThat(view.nodesTaken()).isFalse();
    }

    @Test
    void shouldAskForAllWhenTheClockWentBack() {
        view.jobs(NOW.plusSeconds(7200));
        view.nodes(NOW.plusSeconds(7200));
        asked.clear();

        view.jobs(NOW);
        view.nodes(NOW);
        assertThat(asked).noneMatch(target -> target.contains("update_time="));
        view.jobs(NOW);
        view.nodes(NOW);
        assertThat(asked).filteredOn(target -> target.contains("update_time=")).hasSize(2);
    }

    @Test
    void shouldLookAtAllNodesForAJobOfAPartitionThatNoneWasSeenIn() {
        nodes = "{\"name\":\"n1\",\"cpus\":4,\"state\":\"idle\",\"partitions\":[\"batch\"]}";
        view.nodes(NOW);
        view.nodes(NOW.plusSeconds(5));
        asked.clear();
        look("\"job_state\":\"PENDING\",\"priority\":0,\"partition\":\"batch\"");
        assertThat(asked).noneMatch(target -> target.contains("nodes"));

        nodes = nodes.replace("\"batch\"", "\"batch\",\"new\"");
        look("\"job_state\":\"PENDING\",\"priority\":0,\"partition\":\"new\"");
        assertThat(asked)
                .filteredOn(target -> target.contains("nodes"))
                .singleElement(STRING)
                .doesNotContain("update_time");
        assertThat(view.latestNodes())
                .singleElement()
                .satisfies(node -> assertThat(node.getClasses())
                        .extracting(NameCount::getName)
                        .containsExactly("batch", "new"));
    }

    @Test
    void shouldLookForAPartitionWithoutNodesOnceForManyJobs() {
        nodes = "{\"name\":\"n1\",\"cpus\":4,\"state\":\"idle\",\"partitions\":[\"batch\"]}";
        view.nodes(NOW);
        asked.clear();
        look("\"job_state\":\"PENDING\",\"priority\":0,\"partition\":\"empty\"");
        look("\"job_state\":\"PENDING\",\"priority\":1,\"partition\":\"empty\"");
        assertThat(asked).filteredOn(target -> target.contains("nodes")).hasSize(1);
    }

    @Test
    void shouldRememberNodesOfJobThatLeavesThem() {
        look(RUNNING);

        assertThat(look(COMPLETING)).singleElement().satisfies(job -> {
            assertThat(job.getState()).isEqualTo(JobState.RUNNING);
            assertThat(job.getAllocation()).containsExactly(new NodeAllocation("n1", 2));
        });
    }

    @Test
    void shouldKnowNodesOfJobThatEndedBetweenTwoLooksByItsStart() {
        look("\"job_state\":\"PENDING\",\"priority\":0");
        started.put("17", List.of(new NodeAllocation("n2", 1)));

        assertThat(look(COMPLETING)).singleElement().satisfies(job -> {
            assertThat(job.getState()).isEqualTo(JobState.RUNNING);
            assertThat(job.getAllocation()).containsExactly(new NodeAllocation("n2", 1));
        });
    }

    @Test
    void shouldNotCallJobRunningNobodyKnowsWhere() {
        assertThat(look(COMPLETING)).isEmpty();
        assertThat(look("\"job_state\":\"COMPLETED\",\"start_time\":1500,\"end_time\":1900,\"nodes\":\"n1\""))
                .extracting(JobReport::getState)
                .containsExactly(JobState.COMPLETED);
    }
}

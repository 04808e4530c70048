package io.weir.rm.slurm.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.TaskRequirement;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Components of heterogeneous jobs, put together from the records of Slurm. */
class HeterogeneousJobsTest {
    static {
        AvroTrust.install();
    }

    private static final Instant NOW = Instant.ofEpochSecond(2000);
    private static final String WAITS = "\"job_state\":\"PENDING\",\"state_reason\":\"JobHeldUser\",\"priority\":0";
    private static final String RUNS = "\"job_state\":\"RUNNING\",\"start_time\":1500,";

    private final SlurmJobTranslation translation =
            new SlurmJobTranslation("c1", false, new StartObstacles(), new NodePartitions());

    private static SlurmJob component(int offset, String fields) {
        return job("\"job_id\":" + (17 + offset) + ",\"het_job_id\":17,\"het_job_offset\":" + offset + "," + fields);
    }

    private static SlurmJob job(String fields) {
        try {
            return SlurmJob.of(new ObjectMapper().readTree("{\"submit_time\":1000," + fields + "}"));
        } catch (JsonProcessingException e) {
            throw new AssertionError(fields, e);
        }
    }

    private List<JobReport> reports(SlurmJob... jobs) {
        return HeterogeneousJobs.whole(Stream.of(jobs)
                        .map(job -> new KnownJob(null, job, translation.report(job, NOW), null))
                        .toList())
                .stream()
                .map(KnownJob::report)
                .toList();
    }

    private static String on(String node) {
        return "\"nodes\":\"" + node + "\",\"job_resources\":{\"nodes\":{\"allocation\":[{\"name\":\"" + node
                + "\",\"cpus\":{\"count\":2}}]}}";
    }

    @Test
    void shouldNameComponentsForUsersAndForScontrol() {
        SlurmJob first = component(0, WAITS);
        SlurmJob second = component(1, WAITS);

        assertThat(first.key()).isEqualTo("17");
        assertThat(first.alone()).isEqualTo("17+0");
        assertThat(second.key()).isEqualTo("17+1");
        assertThat(second.alone()).isEqualTo("18");
        assertThat(QueueLines.parse(QueueLines.line("%A", "17", "%i", "17+0", "%T", "PENDING") + "\n"
                                + QueueLines.line("%A", "18", "%i", "17+1", "%T", "PENDING") + "\n"
                                + QueueLines.line("%A", "19", "%i", "19", "%T", "PENDING"))
                        .values())
                .extracting(QueueLine::id, QueueLine::number)
                .containsExactly(tuple("17", "17"), tuple("17+1", "18"), tuple("19", "19"));
    }

    @Test
    void shouldTellComponentsAsRequirementsOfOneJob() {
        List<JobReport> reports = reports(
                job("\"job_id\":5,\"partition\":\"cpu\"," + WAITS),
                component(0, "\"partition\":\"cpu\",\"tasks\":4,\"time_limit\":10,\"shared\":[\"none\"]," + WAITS),
                component(
                        1,
                        "\"partition\":\"gpu,big\",\"tasks\":1,\"time_limit\":20,\"tres_per_node\":\"gres:gpu:1\","
                                + "\"excluded_nodes\":\"n7\"," + WAITS),
                job("\"job_id\":40," + WAITS));

        assertThat(reports).extracting(JobReport::getJobId).containsExactly("5", "17", "40");
        JobReport report = reports.get(1);
        assertThat(report.getState()).isEqualTo(JobState.IDLE);
        assertThat(report.getReason()).isNull();
        assertThat(report.getJobClass()).isEqualTo("cpu");
        assertThat(report.getTasks()).isEqualTo(5);
        assertThat(report.getWalltimeSeconds()).isEqualTo(1200);
        assertThat(report.getNodeAccess()).isEqualTo("SINGLEJOB");
        assertThat(report.getExcludedHosts()).isEmpty();
        assertThat(report.getRequirements())
                .extracting(
                        TaskRequirement::getTasks,
                        TaskRequirement::getClasses,
                        TaskRequirement::getExcludedHosts,
                        TaskRequirement::getApart)
                .containsExactly(
                        tuple(4, List.of("cpu"), List.of(), true),
                        tuple(1, List.of("gpu", "big"), List.of("n7"), true));
        assertThat(report.getRequirements().get(1).getNodeGres()).hasSize(1);
    }

    @Test
    void shouldHoldTheJobForWhatHoldsOneComponent() {
        JobReport report = reports(component(0, WAITS), component(1, "\"comment\":\"[held by user]\"," + WAITS))
                .get(0);

        assertThat(report.getState()).isEqualTo(JobState.HOLD);
        assertThat(report.getReason()).isEqualTo("held by its user");
        assertThat(report.getOwnerMayRelease()).isTrue();
    }

    @Test
    void shouldHoldAJobOfWhichNotAllIsKnown() {
        JobReport report = reports(component(0, WAITS), component(2, WAITS)).get(0);

        assertThat(report.getState()).isEqualTo(JobState.HOLD);
        assertThat(report.getReason()).contains("not told of all components");
    }

    /** Slurm may put only some of the components back into the queue when a node of theirs fails, and end the others. */
    @Test
    void shouldHoldAJobOfWhichAComponentHasEnded() {
        JobReport report = reports(
                        component(0, WAITS),
                        component(
                                1,
                                "\"job_state\":\"CANCELLED\",\"start_time\":1500,\"end_time\":1600,\"nodes\":\"n2\""))
                .get(0);

        assertThat(report.getState()).isEqualTo(JobState.HOLD);
        assertThat(report.getReason()).contains("component 17+1 has ended");
    }

    @Test
    void shouldHoldAJobOfTooManyComponents() {
        JobReport report = reports(IntStream.range(0, 70)
                        .mapToObj(offset -> component(offset, WAITS))
                        .toArray(SlurmJob[]::new))
                .get(0);

        assertThat(report.getState()).isEqualTo(JobState.HOLD);
        assertThat(report.getReason()).contains("more than 64");
        assertThat(report.getRequirements()).hasSize(64);
    }

    @Test
    void shouldHaveTheNodesOfAllComponentsUntilTheLastLeft() {
        JobReport running = reports(component(0, RUNS + on("n4")), component(1, RUNS + on("n2")))
                .get(0);

        assertThat(running.getState()).isEqualTo(JobState.RUNNING);
        assertThat(running.getStartTime()).isEqualTo(Instant.ofEpochSecond(1500));
        assertThat(running.getAllocation()).containsExactly(new NodeAllocation("n2", 2), new NodeAllocation("n4", 2));

        JobReport one = reports(
                        component(0, RUNS + on("n4")),
                        component(
                                1,
                                "\"job_state\":\"COMPLETED\",\"start_time\":1500,\"end_time\":1600,\"nodes\":\"n2\""))
                .get(0);
        assertThat(one.getState()).isEqualTo(JobState.RUNNING);
        assertThat(one.getEndTime()).isNull();
        assertThat(one.getAllocation()).containsExactly(new NodeAllocation("n4", 2));
    }

    @Test
    void shouldEndAsTheFirstComponentAndWithTheLast() {
        JobReport ended = reports(
                        component(
                                0,
                                "\"job_state\":\"FAILED\",\"start_time\":1500,\"end_time\":1600,\"nodes\":\"n4\","
                                        + "\"exit_code\":768"),
                        component(
                                1,
                                "\"job_state\":\"COMPLETED\",\"start_time\":1500,\"end_time\":1700,\"nodes\":\"n2\""))
                .get(0);

        assertThat(ended.getState()).isEqualTo(JobState.FAILED);
        assertThat(ended.getExitCode()).isEqualTo(3);
        assertThat(ended.getEndTime()).isEqualTo(Instant.ofEpochSecond(1700));
        assertThat(ended.getAllocation()).isEmpty();
    }

    @Test
    void shouldHaveNodesWhileAComponentThatWasPutBackLeavesThem() {
        JobReport report = reports(
                        component(0, WAITS),
                        component(
                                1,
                                "\"job_state\":[\"PENDING\",\"COMPLETING\"],\"priority\":0,\"start_time\":1500,"
                                        + on("n2")))
                .get(0);

        assertThat(report.getState()).isEqualTo(JobState.RUNNING);
        assertThat(report.getAllocation()).containsExactly(new NodeAllocation("n2", 2));
    }

    @Test
    void shouldWaitUntilAllComponentsAreSeenToRun() {
        JobReport report =
                reports(component(0, RUNS + on("n4")), component(1, WAITS)).get(0);

        assertThat(report.getState()).isEqualTo(JobState.IDLE);
        assertThat(report.getAllocation()).isEmpty();
        assertThat(report.getStartTime()).isNull();
    }
}

package io.weir.rm.slurm.translate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tasks of job arrays in the queue's listing and in the records of Slurm. */
class ArrayTasksTest {
    static {
        AvroTrust.install();
    }

    private static final Instant NOW = Instant.ofEpochSecond(2000);
    private static final String WAITS = "\"job_state\":\"PENDING\",\"state_reason\":\"JobHeldUser\",\"priority\":0";

    private final SlurmJobTranslation translation =
            new SlurmJobTranslation("c1", false, new StartObstacles(), new NodePartitions());

    private static SlurmJob job(String fields) {
        try {
            return SlurmJob.of(new ObjectMapper().readTree("{\"submit_time\":1000," + fields + "}"));
        } catch (JsonProcessingException e) {
            throw new AssertionError(fields, e);
        }
    }

    private KnownJob known(SlurmJob job) {
        return new KnownJob(null, job, translation.report(job, NOW), null);
    }

    private static String line(String number, String array, String task, String state) {
        return QueueLines.line("%A", number, "%F", array, "%K", task, "%T", state, "%r", "JobHeldUser");
    }

    @Test
    void shouldNameTasksAsUsersDo() {
        SlurmJob whole =
                job("\"job_id\":17,\"array_job_id\":17,\"array_task_string\":\"0-8:4,10%3\",\"array_max_tasks\":3,"
                        + WAITS);

        assertThat(whole.key()).isEqualTo("17");
        assertThat(whole.called("17_4")).extracting(SlurmJob::key).isEqualTo("17_4");
        assertThat(whole.called("17_10")).isNotNull();
        assertThat(whole.called("17_5")).isNull();
        assertThat(whole.called("18_4")).isNull();
        assertThat(job("\"job_id\":21,\"array_job_id\":17,\"array_task_id\":0," + WAITS))
                .satisfies(task -> {
                    assertThat(task.key()).isEqualTo("17_0");
                    assertThat(task.sequence()).isGreaterThan(whole.sequence());
                    assertThat(task.sequence())
                            .isLessThan(job("\"job_id\":18," + WAITS).sequence());
                });
    }

    @Test
    void shouldTakeATaskForOneOfThoseWhoseListSlurmCut() {
        SlurmJob whole = job("\"job_id\":17,\"array_job_id\":17,\"array_task_string\":\"1,3,5,...\"," + WAITS);

        assertThat(whole.called("17_2000")).isNotNull();
    }

    @Test
    void shouldTellOfTheFirstTasksWithoutARecord() {
        StringBuilder listing = new StringBuilder();
        for (int task = 3000; task >= 1; task--) {
            listing.append(line("17", "17", Integer.toString(task), "PENDING")).append('\n');
        }
        listing.append(line("40", "17", "3001", "PENDING")).append('\n');
        listing.append(line("41", "41", "N/A", "RUNNING")).append('\n');

        List<String> told = ArrayTasks.told(QueueLines.parse(listing.toString()).values()).stream()
                .map(QueueLine::id)
                .toList();

        assertThat(told)
                .hasSize(ArrayTasks.TOLD + 2)
                .contains("17_1", "17_" + ArrayTasks.TOLD, "17_3001", "41")
                .doesNotContain("17_" + (ArrayTasks.TOLD + 1));
    }

    @Test
    void shouldHoldBackTasksBeyondTheLimitOfTheirArray() {
        String array = ",\"array_job_id\":17,\"array_max_tasks\":3,\"array_task_id\":";
        List<KnownJob> jobs = new ArrayList<>();
        jobs.add(known(job("\"job_id\":30," + WAITS + array + 2)));
        jobs.add(known(job("\"job_id\":31," + WAITS + array + 10)));
        jobs.add(
                known(job("\"job_id\":32,\"job_state\":\"RUNNING\",\"start_time\":1500,\"nodes\":\"n1\"" + array + 7)));
        jobs.add(known(job("\"job_id\":33,\"job_state\":\"PENDING\",\"priority\":5" + array + 9)));
        jobs.add(known(job("\"job_id\":34,\"job_state\":\"COMPLETED\",\"start_time\":1500" + array + 1)));
        jobs.add(known(job("\"job_id\":35," + WAITS + ",\"comment\":\"[held by user]\"" + array + 0)));

        List<JobReport> reports = ArrayTasks.reports(jobs);

        assertThat(reports)
                .extracting(JobReport::getJobId)
                .containsExactly("17_0", "17_1", "17_2", "17_7", "17_9", "17_10");
        assertThat(reports)
                .extracting(JobReport::getState)
                .containsExactly(
                        JobState.HOLD,
                        JobState.COMPLETED,
                        JobState.IDLE,
                        JobState.RUNNING,
                        JobState.IDLE,
                        JobState.HOLD);
        assertThat(reports.get(5).getReason()).contains("at most 3");
    }

    @Test
    void shouldLookAtTheLimitOfArraysWithWaitingTasksEveryFewSeconds() {
        ArrayLimits limits = new ArrayLimits();
        List<KnownJob> jobs = new ArrayList<>();
        jobs.add(known(job("\"job_id\":17,\"array_job_id\":17,\"array_max_tasks\":3,\"array_task_id\":1," + WAITS)));
        jobs.add(known(job("\"job_id\":32,\"array_job_id\":17,\"array_max_tasks\":3,\"array_task_id\":7,"
                + "\"job_state\":\"RUNNING\",\"start_time\":1500,\"nodes\":\"n1\"")));
        jobs.add(known(job("\"job_id\":40,\"array_job_id\":40,\"array_max_tasks\":1,\"array_task_id\":1," + WAITS)));
        jobs.add(known(job("\"job_id\":50,\"array_job_id\":50,\"array_task_id\":1," + WAITS)));
        jobs.add(known(job("\"job_id\":60," + WAITS)));

        assertThat(limits.due(jobs, NOW)).as("just fetched").isEmpty();
        assertThat(limits.due(jobs, NOW.plusSeconds(4))).isEmpty();
        assertThat(limits.due(jobs, NOW.plusSeconds(5)))
                .as("the record of a task where there is one")
                .containsOnly(Map.entry(17L, "32"), Map.entry(40L, "40"));
        assertThat(limits.due(jobs, NOW.plusSeconds(6))).isEmpty();
        assertThat(limits.due(jobs, NOW.plusSeconds(30))).containsOnlyKeys(17L, 40L, 50L);
        assertThat(limits.due(jobs.subList(3, 5), NOW.plusSeconds(90))).containsOnlyKeys(50L);
    }

    @Test
    void shouldLookAtTheLimitsOfManyArraysInTurn() {
        ArrayLimits limits = new ArrayLimits();
        List<KnownJob> jobs = new ArrayList<>();
        for (int array = 1; array <= 9; array++) {
            jobs.add(known(job("\"job_id\":" + array + ",\"array_job_id\":" + array
                    + ",\"array_max_tasks\":1,\"array_task_id\":1," + WAITS)));
        }
        limits.due(jobs, NOW);

        List<Long> looked = new ArrayList<>();
        for (int second = 5; second < 9; second++) {
            looked.addAll(limits.due(jobs, NOW.plusSeconds(second)).keySet());
        }

        assertThat(looked).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }
}

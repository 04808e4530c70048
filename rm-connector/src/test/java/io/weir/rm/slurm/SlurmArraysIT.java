package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.rm.slurm.client.RestTransport;
import io.weir.rm.slurm.client.UnixSocketTransport;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Job arrays and dependencies of a real Slurm. */
class SlurmArraysIT extends LiveSlurmTest {
    SlurmArraysIT() {
        super(Map.of("SLURM_NODES", "4", "SLURM_MIN_JOB_AGE", "3600"), Map.of());
    }

    private JobState state(String job) {
        return drive.job(job).getState();
    }

    private List<JobReport> tasks(String array) {
        return drive.poll().jobs().stream()
                .filter(job -> job.getJobId().startsWith(array + "_"))
                .toList();
    }

    @Test
    void shouldRunEachTaskWhereItWasToldAndSoManyAtATime() throws IOException {
        Path log = cluster.directory().resolve("tasks");
        cluster.run("install", "-o", "nobody", "/dev/null", log.toString());
        String array = cluster.submit(
                "echo $SLURM_ARRAY_JOB_ID $SLURM_ARRAY_TASK_ID $SLURM_JOB_NODELIST >>" + log
                        + "; [ $SLURM_ARRAY_TASK_ID = 2 ] || sleep 1000",
                "--array=2-10:4,11%2");
        assertThat(tasks(array))
                .extracting(JobReport::getJobId)
                .containsExactly(array + "_2", array + "_6", array + "_10", array + "_11");
        assertThat(tasks(array))
                .extracting(JobReport::getState)
                .containsExactly(JobState.IDLE, JobState.IDLE, JobState.HOLD, JobState.HOLD);
        assertThat(tasks(array).get(3).getReason()).contains("at most 2 run at a time");

        assertDone(drive.start(array + "_6", "n3"));
        assertThat(tasks(array))
                .extracting(JobReport::getState)
                .containsExactly(JobState.IDLE, JobState.RUNNING, JobState.HOLD, JobState.HOLD);
        assertDone(drive.start(array + "_2", "n2"));
        await().untilAsserted(() -> assertThat(tasks(array))
                .extracting(JobReport::getState)
                .containsExactly(JobState.COMPLETED, JobState.RUNNING, JobState.IDLE, JobState.HOLD));
        assertDone(drive.start(array + "_10", "n1"));
        assertDone(drive.carryOut(CommandKind.CANCEL_JOB, array + "_6"));
        assertThat(state(array + "_11")).isEqualTo(JobState.IDLE);

        // The last task has the number of the whole array.
        assertDone(drive.start(array + "_11", "n4"));
        assertThat(drive.job(array + "_11").getAllocation()).containsExactly(new NodeAllocation("n4", 1));
        assertDone(drive.carryOut(CommandKind.CANCEL_JOB, array + "_11"));
        assertThat(state(array + "_11")).isEqualTo(JobState.CANCELLED);
        assertThat(state(array + "_10")).isEqualTo(JobState.RUNNING);
        assertThat(Files.readAllLines(log))
                .containsExactlyInAnyOrder(array + " 6 n3", array + " 2 n2", array + " 10 n1", array + " 11 n4");
    }

    @Test
    void shouldHoldReleaseRequeueAndCancelSingleTasks() {
        String array = cluster.submit("sleep 1000", "--array=0-3", "-n2");

        assertDone(drive.carryOut(CommandKind.HOLD_JOB, array + "_1"));
        assertThat(tasks(array))
                .extracting(JobReport::getState)
                .containsExactly(JobState.IDLE, JobState.HOLD, JobState.IDLE, JobState.IDLE);
        assertThat(drive.start(array + "_1", "n1").outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertDone(drive.carryOut(CommandKind.RELEASE_JOB, array + "_1"));
        assertThat(state(array + "_1")).isEqualTo(JobState.IDLE);

        assertDone(drive.start(array + "_1", "n1"));
        assertDone(drive.carryOut(CommandKind.REQUEUE_JOB, array + "_1"));
        assertThat(state(array + "_1")).isEqualTo(JobState.IDLE);
        assertThat(drive.job(array + "_1").getHosts()).isEmpty();
        assertDone(drive.start(array + "_1", "n2"));
        assertThat(drive.job(array + "_1").getTasks()).isEqualTo(2);

        cluster.run(SlurmTestCluster.asUser("scontrol", "requeuehold", array + "_1"));
        await().untilAsserted(() -> assertThat(state(array + "_1")).isEqualTo(JobState.HOLD));
        assertThat(state(array + "_2")).isEqualTo(JobState.IDLE);
        cluster.run(SlurmTestCluster.asUser("scontrol", "release", array + "_1"));
        assertThat(state(array + "_1")).isEqualTo(JobState.IDLE);
        assertDone(drive.start(array + "_1", "n3"));

        assertDone(drive.carryOut(CommandKind.CANCEL_JOB, array + "_3"));
        // Slurm keeps no record of a task that never had one.
        assertThat(tasks(array))
                .extracting(JobReport::getState)
                .containsExactly(JobState.IDLE, JobState.RUNNING, JobState.IDLE);
        cluster.run("scancel", array);
        await().untilAsserted(() ->
                assertThat(tasks(array)).extracting(JobReport::getState).containsOnly(JobState.CANCELLED));
    }

    /** Slurm tells of an array as a whole: with a reading for each task, its end would take hours where it has thousands. */
    @Test
    void shouldNotReadAWholeArrayForEachOfItsTasks() {
        List<String> requests = new ArrayList<>();
        RestTransport real = new UnixSocketTransport(Objects.requireNonNull(config().socket()));
        SlurmResourceManager counted =
                SlurmResourceManager.open(Drive.CLUSTER, config(), (method, target, body, limit) -> {
                    requests.add(target);
                    return real.send(method, target, body, limit);
                });
        Drive own = new Drive(counted);
        String array = cluster.submit("sleep 1000", "--array=1-30");
        own.poll();
        requests.clear();
        for (int task = 1; task <= 8; task++) {
            assertDone(own.start(array + "_" + task, "n" + (task % 4 + 1)));
            own.poll();
        }
        for (int task = 5; task <= 20; task++) {
            assertDone(own.carryOut(CommandKind.CANCEL_JOB, array + "_" + task));
        }
        own.poll();
        counted.close();

        assertThat(requests.stream().filter(target -> target.endsWith("/job/" + array)))
                .as("reads of the whole array by 24 commands; a slow start is looked at more than once")
                .hasSizeLessThan(12);
        assertThat(tasks(array).stream().filter(job -> job.getState() == JobState.RUNNING))
                .hasSize(4);
        assertThat(tasks(array).stream().filter(job -> job.getState() == JobState.IDLE))
                .hasSize(10);
    }

    @Test
    void shouldKeepAUsersHoldOnATask() {
        String array = cluster.submit("sleep 1000", "--array=1-3");
        cluster.run(SlurmTestCluster.asUser("scontrol", "hold", array + "_2"));

        assertThat(tasks(array))
                .extracting(JobReport::getState)
                .containsExactly(JobState.IDLE, JobState.HOLD, JobState.IDLE);
        cluster.run(SlurmTestCluster.asUser("scontrol", "release", array + "_2"));
        assertThat(tasks(array)).extracting(JobReport::getState).containsOnly(JobState.IDLE);

        String plain = cluster.submit("sleep 1000", "--hold");
        assertThat(state(plain)).isEqualTo(JobState.HOLD);
        cluster.run(SlurmTestCluster.asUser("scontrol", "release", plain));
        assertThat(state(plain)).isEqualTo(JobState.IDLE);
    }

    @Test
    void shouldReleaseAllTasksThatARequestNames() {
        String array = cluster.submit("sleep 1000", "--hold", "--array=1-5");
        cluster.run(SlurmTestCluster.asUser("scontrol", "release", array + "_[1-2]"));
        assertThat(tasks(array))
                .extracting(JobReport::getState)
                .containsExactly(JobState.IDLE, JobState.IDLE, JobState.HOLD, JobState.HOLD, JobState.HOLD);
        cluster.run(SlurmTestCluster.asUser("scontrol", "release", array));
        assertThat(tasks(array)).extracting(JobReport::getState).containsOnly(JobState.IDLE);

        assertDone(drive.start(array + "_1", "n1"));
        cluster.run(SlurmTestCluster.asUser("scontrol", "hold", array + "_2"));
        cluster.run(SlurmTestCluster.asUser("scontrol", "update", "JobId=" + array + "_4", "Comment=fourth"));
        cluster.run(SlurmTestCluster.asUser("scontrol", "hold", array));
        assertThat(tasks(array))
                .extracting(JobReport::getState)
                .containsExactly(JobState.RUNNING, JobState.HOLD, JobState.HOLD, JobState.HOLD, JobState.HOLD);
        cluster.run(SlurmTestCluster.asUser("scontrol", "release", array));
        assertThat(tasks(array))
                .extracting(JobReport::getState)
                .containsExactly(JobState.RUNNING, JobState.IDLE, JobState.IDLE, JobState.IDLE, JobState.IDLE);
        assertThat(cluster.run("squeue", "-h", "-r", "-j", array, "-o", "%k"))
                .contains("fourth")
                .doesNotContain("held");
        assertThat(cluster.show(array + "_1", "Reason")).isEqualTo("None");
    }

    @Test
    void shouldSeeThatTheLimitOfAnArrayIsChanged() {
        String array = cluster.submit("sleep 1000", "--array=1-6%1");
        assertDone(drive.start(array + "_1", "n1"));
        assertThat(tasks(array))
                .extracting(JobReport::getState)
                .containsOnlyOnce(JobState.RUNNING)
                .doesNotContain(JobState.IDLE);

        cluster.run("scontrol", "update", "JobId=" + array, "ArrayTaskThrottle=3");

        await().untilAsserted(() -> assertThat(tasks(array))
                .extracting(JobReport::getState)
                .containsExactly(
                        JobState.RUNNING, JobState.IDLE, JobState.IDLE, JobState.HOLD, JobState.HOLD, JobState.HOLD));
        cluster.run("scontrol", "update", "JobId=" + array, "ArrayTaskThrottle=0");
        await().untilAsserted(() ->
                assertThat(tasks(array)).extracting(JobReport::getState).doesNotContain(JobState.HOLD));
    }

    @Test
    void shouldTellOfTheFirstTasksOfALargeArray() {
        String array = cluster.submit("sleep 1000", "--array=0-1000");

        assertThat(tasks(array)).hasSize(1000).extracting(JobReport::getState).containsOnly(JobState.IDLE);
        assertDone(drive.start(array + "_999", "n1"));
        assertThat(tasks(array)).hasSize(1001);
    }

    @Test
    void shouldStartWhatDependsOnOthersSoonAfterThem() {
        String array = cluster.submit("[ $SLURM_ARRAY_TASK_ID != 2 ]", "--array=1-2");
        String all = cluster.submit("sleep 1000", "-d", "afterany:" + array);
        String fine = cluster.submit("sleep 1000", "-d", "afterok:" + array);
        String each = cluster.submit("sleep 1000", "--array=1-2", "-d", "aftercorr:" + array);
        String one = cluster.submit("sleep 1000", "-d", "afterany:" + array + "_1,afterok:" + array + "_1");
        String either = cluster.submit("sleep 1000", "-d", "afterok:" + array + "_2?afterok:" + array + "_1");
        String first = cluster.submit("sleep 1000", "-d", "singleton", "-J", "single");
        String second = cluster.submit("sleep 1000", "-d", "singleton", "-J", "single");
        drive.poll();
        assertThat(List.of(state(all), state(fine), state(each + "_1"), state(one), state(either)))
                .containsOnly(JobState.HOLD);
        assertThat(state(first)).isEqualTo(JobState.IDLE);
        assertThat(state(second)).isEqualTo(JobState.HOLD);
        assertDone(drive.start(first, "n4"));

        assertDone(drive.start(array + "_1", "n1"));
        await().untilAsserted(() -> assertThat(state(each + "_1")).isEqualTo(JobState.IDLE));
        assertThat(List.of(state(one), state(either))).containsOnly(JobState.IDLE);
        assertThat(List.of(state(all), state(fine), state(each + "_2"), state(second)))
                .containsOnly(JobState.HOLD);
        assertDone(drive.start(each + "_1", "n1"));
        assertDone(drive.start(one, "n1"));
        assertDone(drive.start(either, "n1"));

        assertDone(drive.start(array + "_2", "n2"));
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(state(all)).isEqualTo(JobState.IDLE));
        assertDone(drive.start(all, "n2"));
        assertThat(state(fine)).isEqualTo(JobState.HOLD);
        assertDone(drive.carryOut(CommandKind.CANCEL_JOB, first));
        await().untilAsserted(() -> assertThat(state(second)).isEqualTo(JobState.IDLE));
        assertDone(drive.start(second, "n3"));
    }

    @Test
    void shouldGoOnWhenADependencyThatFailedIsTakenAway() {
        String bad = cluster.submit("exit 1");
        String one = cluster.submit("sleep 1000", "-d", "afterok:" + bad);
        String several = cluster.submit("sleep 1000", "--array=1-3", "-d", "afterok:" + bad);
        String components = cluster.submit("sleep 1000", "-n1", "-d", "afterok:" + bad, ":", "-n1");
        String killed = cluster.submit("sleep 1000", "-d", "afterok:" + bad, "--kill-on-invalid-dep=yes");
        String byAdmin = cluster.submit("sleep 1000", "-d", "afterok:" + bad);
        cluster.run("scontrol", "hold", byAdmin);
        drive.poll();
        assertDone(drive.start(bad, "n1"));

        for (String job : List.of(one, several + "_1", several + "_3", components)) {
            await().atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(drive.job(job).getReason()).startsWith("DependencyNeverSatisfied"));
        }
        assertThat(cluster.run("squeue", "-h", "-j", several).lines())
                .as("records")
                .hasSize(1);
        assertThat(state(killed)).isEqualTo(JobState.CANCELLED);

        rm.close();
        open();
        assertThat(drive.job(one).getReason()).startsWith("DependencyNeverSatisfied");
        for (String job : List.of(one, several, components, byAdmin)) {
            cluster.run(SlurmTestCluster.asUser("scontrol", "update", "JobId=" + job, "Dependency="));
        }
        for (String job : List.of(one, several + "_1", several + "_2", several + "_3", components)) {
            assertThat(state(job)).isEqualTo(JobState.IDLE);
        }
        assertThat(cluster.run("squeue", "-h", "-j", components, "-o", "%r").lines())
                .containsOnly("JobHeldUser");
        assertThat(drive.job(byAdmin).getReason()).contains("held by an administrator");
        assertDone(drive.start(one, "n2"));
        assertDone(drive.start(several + "_2", "n3"));
    }
}

package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Commands;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.TaskRequirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Heterogeneous jobs of a real Slurm: components in partitions and on nodes of their own, started at one instant. */
class SlurmHeterogeneousIT extends LiveSlurmTest {
    private long number;

    SlurmHeterogeneousIT() {
        super(Map.of("SLURM_NODES", "6", "SLURM_SITE", "mixed", "SLURM_MIN_JOB_AGE", "3600"), Map.of());
    }

    /** Returns a start of the job with these nodes for its components, in their order; several of one by comma. */
    private RmCommand start(String job, String... components) {
        List<NodeAllocation> allocation = new ArrayList<>();
        List<TaskPlacement> placements = new ArrayList<>();
        for (int i = 0; i < components.length; i++) {
            for (String node : components[i].split(",", -1)) {
                allocation.add(new NodeAllocation(node, 1));
                placements.add(new TaskPlacement(node, i, 1));
            }
        }
        return RmCommand.newBuilder(Commands.builder(
                                Drive.CLUSTER,
                                ++number,
                                CommandKind.START_JOB,
                                job,
                                Instant.now().truncatedTo(ChronoUnit.SECONDS))
                        .build())
                .setAllocation(allocation)
                .setPlacements(placements)
                .build();
    }

    private RmAnswer carryOut(CommandKind kind, String job) {
        return Commands.carryOut(rm, Drive.command(++number, kind, job));
    }

    private JobState state(String job) {
        return drive.job(job).getState();
    }

    private List<String> show(String job, String field) {
        return cluster.run("scontrol", "-o", "show", "job", job)
                .lines()
                .sorted(Comparator.comparingInt(line -> Integer.parseInt(line.replaceFirst("^JobId=(\\d+).*", "$1"))))
                .map(line -> line.replaceFirst(".* " + field + "=(\\S*).*", "$1"))
                .toList();
    }

    @Test
    void shouldReportComponentsAsRequirementsOfOneJob() {
        String plain = cluster.submit("sleep 1");
        String job = cluster.submit(
                "sleep 1",
                "-p",
                "short",
                "-n4",
                "-N2",
                "-t20",
                ":",
                "-p",
                "gpu",
                "-n1",
                "--gpus-per-node=1",
                "-x",
                "n6",
                "-t60");

        List<JobReport> jobs = drive.poll().jobs().stream()
                .filter(report -> Long.parseLong(report.getJobId()) >= Long.parseLong(plain))
                .toList();

        assertThat(jobs).extracting(JobReport::getJobId).containsExactly(plain, job);
        JobReport report = jobs.get(1);
        assertThat(report.getState()).isEqualTo(JobState.IDLE);
        assertThat(report.getTasks()).isEqualTo(5);
        assertThat(report.getJobClass()).isEqualTo("short");
        assertThat(report.getWalltimeSeconds()).isEqualTo(3600);
        assertThat(report.getRequirements())
                .extracting(TaskRequirement::getClasses)
                .containsExactly(List.of("short"), List.of("gpu"));
        assertThat(report.getRequirements())
                .extracting(TaskRequirement::getTasks)
                .containsExactly(4, 1);
        assertThat(report.getRequirements()).allMatch(TaskRequirement::getApart);
        assertThat(report.getRequirements().get(0).getLeastNodes()).isEqualTo(2);
        assertThat(report.getRequirements().get(1).getExcludedHosts()).containsExactly("n6");
        assertThat(report.getRequirements().get(1).getNodeGres()).isNotEmpty();
    }

    @Test
    void shouldStartAllComponentsAtOneInstantWhereTold() throws IOException {
        Path log = cluster.directory().resolve("components");
        cluster.run("install", "-o", "nobody", "/dev/null", log.toString());
        String job = cluster.submit(
                "env | grep HET_GROUP >" + log + "; sleep 1000", "-p", "batch", "-n2", "-N2", ":", "-p", "gpu", "-n2");

        assertDone(Commands.carryOut(rm, start(job, "n2,n4", "n6")));

        JobReport running = drive.job(job);
        assertThat(running.getState()).isEqualTo(JobState.RUNNING);
        assertThat(running.getAllocation())
                .containsExactly(new NodeAllocation("n2", 1), new NodeAllocation("n4", 1), new NodeAllocation("n6", 2));
        assertThat(show(job, "StartTime").stream().distinct()).hasSize(1);
        await().untilAsserted(() -> assertThat(Files.readAllLines(log))
                .contains(
                        "SLURM_JOB_NODELIST_HET_GROUP_0=n[2,4]",
                        "SLURM_JOB_NODELIST_HET_GROUP_1=n6",
                        "SLURM_JOB_PARTITION_HET_GROUP_1=gpu"));

        cluster.run("scancel", job);
        await().untilAsserted(() -> assertThat(state(job)).isEqualTo(JobState.CANCELLED));
    }

    @Test
    void shouldRunAgainElsewhereAfterRequeue() {
        String job = cluster.submit("sleep 1000", "-n2", ":", "-n2", "-p", "batch,gpu", ":", "-n1");
        assertDone(Commands.carryOut(rm, start(job, "n1", "n5", "n3")));
        assertThat(show(job, "Partition")).containsExactly("batch", "batch", "batch");

        assertDone(carryOut(CommandKind.REQUEUE_JOB, job));
        assertThat(state(job)).isEqualTo(JobState.IDLE);
        assertThat(show(job, "ReqNodeList")).containsOnly("(null)");
        assertThat(show(job, "Partition")).containsExactly("batch", "batch,gpu", "batch");
        assertThat(drive.job(job).getRequirements().get(1).getClasses()).containsExactly("batch", "gpu");

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            RmAnswer again = Commands.carryOut(rm, start(job, "n2", "n6", "n4"));
            assertDone(again);
        });
        assertThat(drive.job(job).getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n2", "n4", "n6");
        assertDone(carryOut(CommandKind.CANCEL_JOB, job));
        assertThat(state(job)).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void shouldKeepAndLiftHoldsOfAllComponents() {
        String job = cluster.submit("sleep 1000", "-n1", ":", "-n1");
        assertDone(carryOut(CommandKind.HOLD_JOB, job));
        assertThat(state(job)).isEqualTo(JobState.HOLD);
        assertThat(Commands.carryOut(rm, start(job, "n1", "n2")).outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertDone(carryOut(CommandKind.RELEASE_JOB, job));
        assertThat(state(job)).isEqualTo(JobState.IDLE);

        cluster.run(SlurmTestCluster.asUser("scontrol", "hold", job));
        assertThat(drive.job(job).getReason()).isEqualTo("held by its user");
        assertDone(carryOut(CommandKind.RELEASE_JOB, job));
        assertThat(state(job)).isEqualTo(JobState.IDLE);

        cluster.run(SlurmTestCluster.asUser("scontrol", "hold", job));
        assertThat(drive.job(job).getReason()).isEqualTo("held by its user");
        cluster.run(SlurmTestCluster.asUser("scontrol", "release", job));
        assertThat(state(job)).isEqualTo(JobState.IDLE);
        assertThat(cluster.run("squeue", "-h", "-j", job, "-o", "%k")).doesNotContain("held");
        assertDone(Commands.carryOut(rm, start(job, "n1", "n2")));
    }

    @Test
    void shouldPutBackEveryComponentWhenOneCannotStart() {
        String large = cluster.submit("sleep 1000", "-n4", "-w", "n5");
        assertDone(Commands.carryOut(rm, start(large, "n5")));
        String job = cluster.submit("sleep 1000", "-n1", "-w", "n1", ":", "-n1");

        RmAnswer answer = Commands.carryOut(rm, start(job, "n1", "n5"));

        assertThat(answer.outcome()).as(String.valueOf(answer)).isNotEqualTo(CommandOutcome.DONE);
        assertThat(show(job, "JobState")).containsOnly("PENDING");
        assertThat(show(job, "Priority")).containsOnly("0");
        assertThat(show(job, "ReqNodeList")).containsExactly("n1", "(null)");
        assertThat(show(job, "NumNodes").get(0)).isIn("1", "1-500000");
        await().untilAsserted(() -> assertThat(state(job)).isEqualTo(JobState.IDLE));
        assertDone(Commands.carryOut(rm, start(job, "n1", "n4")));
    }

    @Test
    void shouldHoldAllComponentsWhenTheNodeOfOneDies() {
        String job = cluster.submit("sleep 1000", "-n1", ":", "-n1", "-w", "n5");
        assertDone(Commands.carryOut(rm, start(job, "n1", "n5")));
        String three = cluster.submit("sleep 1000", "-n1", ":", "-n1", "-w", "n5", ":", "-n1");
        assertDone(Commands.carryOut(rm, start(three, "n2", "n5", "n3")));
        cluster.script("kill", "node", "n5");
        try {
            cluster.run("scontrol", "update", "NodeName=n5", "State=DOWN", "Reason=test");

            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(state(job)).isEqualTo(JobState.IDLE);
                assertThat(show(job, "Priority")).containsOnly("0");
                assertThat(show(job, "ReqNodeList")).containsExactly("(null)", "n5");
                assertThat(state(three)).isEqualTo(JobState.HOLD);
            });
        } finally {
            cluster.script("start", "node", "n5");
            cluster.run("scontrol", "update", "NodeName=n5", "State=RESUME");
        }
        // Slurm requeues the components up to the one whose node failed and ends those behind it.
        assertThat(drive.job(three).getReason()).contains("component " + three + "+2 has ended");
        assertThat(drive.job(job).getRequirements().get(1).getRequiredHosts()).containsExactly("n5");
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertDone(Commands.carryOut(rm, start(job, "n2", "n5"))));
    }

    @Test
    void shouldRefuseStartThatNamesNoNodeForAComponent() {
        String job = cluster.submit("sleep 1", "-n1", ":", "-n1");

        RmAnswer answer = Commands.carryOut(rm, start(job, "n1,n2"));

        assertThat(answer.outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertThat(String.valueOf(answer)).contains("no node for component " + job + "+1");
        assertThat(state(job)).isEqualTo(JobState.IDLE);
    }

    @Test
    void shouldCarryThroughStartOfAnEarlierProcess() {
        String job = cluster.submit("sleep 1000", "-n1", ":", "-n1");
        RmCommand start = start(job, "n1", "n2");
        assertThat(Commands.lookup(rm, start).verdict()).isEqualTo(CommandCheck.Verdict.NOT_DONE);
        rm.execute(start);

        try (SlurmResourceManager later =
                SlurmResourceManager.open(Drive.CLUSTER, SlurmConfig.read(cluster.settings()))) {
            await().untilAsserted(() -> {
                CommandCheck check = Commands.lookup(later, start);
                assertThat(check.answer()).isNotNull();
                assertDone(check.answer());
            });
        }
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
    }

    @Test
    void shouldStartInteractiveJobs() throws Exception {
        Path log = cluster.directory().resolve("interactive");
        ProcessBuilder salloc = new ProcessBuilder(SlurmTestCluster.asUser(
                        "salloc", "-n1", ":", "-n1", "srun", "--het-group=0,1", "-l", "printenv", "SLURMD_NODENAME"))
                .directory(Path.of("/tmp").toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        salloc.environment()
                .put("SLURM_CONF", cluster.directory().resolve("slurm.conf").toString());
        Process process = salloc.start();
        await().until(() -> drive.poll().jobs().stream().anyMatch(job -> job.getState() == JobState.IDLE));
        String job = drive.poll().jobs().stream()
                .filter(report -> report.getState() == JobState.IDLE)
                .findFirst()
                .orElseThrow()
                .getJobId();

        assertDone(Commands.carryOut(rm, start(job, "n3", "n2")));

        assertThat(process.waitFor()).as(Files.readString(log)).isZero();
        assertThat(Files.readAllLines(log)).contains("0: n3", "1: n2");
    }

    @Test
    void shouldRefuseAtSubmissionWhatAComponentCannotBe() {
        assertThatThrownBy(() -> cluster.submit("sleep 1", "-n1", ":", "-n1", "--prefer=fast"))
                .hasMessageContaining("--prefer");
        assertThatThrownBy(() -> cluster.submit("sleep 1", "-n1", ":", "-n1", "--contiguous"))
                .hasMessageContaining("--contiguous");
        assertThat(cluster.run("squeue", "--noheader")).isBlank();
    }

    @Test
    void shouldHoldThemWhereThereAreNoCommands() {
        String job = cluster.submit("sleep 1", "-n1", ":", "-n1");
        Map<String, String> settings = new TreeMap<>(cluster.settings());
        settings.put("commands", "false");

        try (SlurmResourceManager bare = SlurmResourceManager.open(Drive.CLUSTER, SlurmConfig.read(settings))) {
            JobReport report = bare.poll().jobs().stream()
                    .filter(one -> one.getJobId().equals(job))
                    .findFirst()
                    .orElseThrow();
            assertThat(report.getState()).isEqualTo(JobState.HOLD);
            assertThat(report.getReason()).contains("heterogeneous").contains("rm.slurm.commands");
        }
    }
}

package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.slurm.client.UnixSocketTransport;
import io.weir.rm.slurm.control.JobResizer;
import io.weir.rm.slurm.control.NodeControl;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Jobs that grow and shrink, with slurmdbd; nodes that are drained and renamed in their features. */
class SlurmResizeIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static SlurmTestCluster cluster;

    @BeforeAll
    static void startCluster() {
        SlurmTestCluster.assumeInstalled();
        for (String file : List.of("/usr/sbin/slurmdbd", "/usr/sbin/mariadbd")) {
            Assumptions.assumeTrue(
                    Files.isExecutable(Path.of(file)), file + " is missing: install it with .ci/install-slurm --db");
        }
        cluster = SlurmTestCluster.start(Map.of(
                "SLURM_NODES",
                "3",
                "SLURM_DATABASE",
                "1",
                "SLURM_EXTRA",
                "AccountingStorageEnforce=associations,qos\nPartitionName=own Nodes=ALL AllowAccounts=chem AllowQos=high"
                        + " DefMemPerCPU=100 State=UP"));
        for (String line : List.of(
                "add account bio,chem",
                "add qos high",
                "add user nobody account=bio qos=normal",
                "add user nobody account=chem qos=normal,high",
                "add user root account=bio")) {
            List<String> command = new ArrayList<>(List.of("sacctmgr", "-i"));
            command.addAll(List.of(line.split(" ", -1)));
            cluster.run(command);
        }
    }

    @AfterAll
    static void stopCluster() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void shouldAddAndRemoveNodesOfRunningJobRepeatedly() throws SlurmRefusal {
        SlurmConfig config = SlurmConfig.read(cluster.settings());
        String id = cluster.submit("sleep 1000");
        try (SlurmResourceManager rm = SlurmResourceManager.open(Drive.CLUSTER, config);
                SlurmRest rest = new SlurmRest(
                        new UnixSocketTransport(cluster.directory().resolve("run/rest.sock")), null, TIMEOUT);
                SlurmCommands commands = new SlurmCommands(null, config.slurmConf(), TIMEOUT)) {
            Drive drive = new Drive(rm);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () -> assertThat(drive.start(id, "n1").outcome()).isEqualTo(CommandOutcome.DONE));
            JobResizer resizer = new JobResizer(rest, commands);

            for (int i = 0; i < 3; i++) {
                resizer.add(rest.job(id).orElseThrow(), "n2", 1);
                assertThat(drive.job(id).getState()).isEqualTo(JobState.RUNNING);
                // Which cores they are Slurm 22.05 itself books wrongly after a merge: by node only.
                assertThat(drive.job(id).getAllocation())
                        .extracting(NodeAllocation::getNodeId)
                        .containsExactly("n1", "n2");

                resizer.remove(rest.job(id).orElseThrow(), Set.of("n2"));
                assertThat(drive.job(id).getAllocation())
                        .extracting(NodeAllocation::getNodeId)
                        .containsExactly("n1");
            }
            SlurmJob job = rest.job(id).orElseThrow();
            assertThatThrownBy(() -> resizer.remove(job, Set.of("n3"))).isInstanceOf(SlurmRefusal.class);
            assertThatThrownBy(() -> resizer.add(job, "nowhere", 1)).isInstanceOf(SlurmRefusal.class);
            assertThat(cluster.show(id, "Restarts")).isEqualTo("0");
        }
    }

    @Test
    void shouldAddNodesInThePartitionAndTheQosOfTheJobWithAsMuchMemory() throws SlurmRefusal {
        SlurmConfig config = SlurmConfig.read(cluster.settings());
        String id = cluster.submit("sleep 1000", "-p", "own", "-A", "chem", "--qos=high", "--mem-per-cpu=700");
        try (SlurmResourceManager rm = SlurmResourceManager.open(Drive.CLUSTER, config);
                SlurmRest rest = new SlurmRest(
                        new UnixSocketTransport(cluster.directory().resolve("run/rest.sock")), null, TIMEOUT);
                SlurmCommands commands = new SlurmCommands(null, config.slurmConf(), TIMEOUT)) {
            Drive drive = new Drive(rm);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () -> assertThat(drive.start(id, "n1").outcome()).isEqualTo(CommandOutcome.DONE));

            new JobResizer(rest, commands).add(rest.job(id).orElseThrow(), "n3", 1);
            assertThat(drive.job(id).getAllocation())
                    .extracting(NodeAllocation::getNodeId)
                    .containsExactly("n1", "n3");
            assertThat(cluster.show(id, "TRES")).contains("mem=1400M");
        } finally {
            cluster.run("scancel", id);
        }
    }

    /** Slurm looks for the script on the first of the job's nodes, and requeues a job where it is not. */
    @Test
    void shouldAddNoNodeBeforeThatOfTheScript() throws SlurmRefusal {
        SlurmConfig config = SlurmConfig.read(cluster.settings());
        String id = cluster.submit("sleep 1000", "-w", "n2");
        try (SlurmResourceManager rm = SlurmResourceManager.open(Drive.CLUSTER, config);
                SlurmRest rest = new SlurmRest(
                        new UnixSocketTransport(cluster.directory().resolve("run/rest.sock")), null, TIMEOUT);
                SlurmCommands commands = new SlurmCommands(null, config.slurmConf(), TIMEOUT)) {
            Drive drive = new Drive(rm);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () -> assertThat(drive.start(id, "n2").outcome()).isEqualTo(CommandOutcome.DONE));
            JobResizer resizer = new JobResizer(rest, commands);
            SlurmJob job = rest.job(id).orElseThrow();
            assertThat(drive.job(id).getScriptNode()).isEqualTo("n2");

            assertThatThrownBy(() -> resizer.add(job, "n1", 1))
                    .isInstanceOf(SlurmRefusal.class)
                    .hasMessageContaining("n1 comes before n2");
            resizer.add(job, "n3", 1);
            cluster.run("scontrol", "reconfigure");
            await().during(Duration.ofSeconds(5)).atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                assertThat(drive.job(id).getState()).isEqualTo(JobState.RUNNING);
                assertThat(drive.job(id).getScriptNode()).isEqualTo("n2");
                assertThat(cluster.show(id, "Restarts")).isEqualTo("0");
            });
            assertThatThrownBy(() -> new NodeControl(commands)
                            .carryOut(
                                    RmCommand.newBuilder(Drive.command(1, CommandKind.MODIFY_NODE, ""))
                                            .setJobId(null)
                                            .setObjectId("n3")
                                            .setArguments(List.of(new NameValue("power", "OFF")))
                                            .build(),
                                    Instant.now()))
                    .isInstanceOf(SlurmRefusal.class)
                    .hasMessageContaining("SuspendProgram");
        } finally {
            cluster.run("scancel", id);
        }
    }

    @Test
    void shouldDrainResumeAndMark() throws SlurmRefusal {
        SlurmConfig config = SlurmConfig.read(cluster.settings());
        try (SlurmResourceManager rm = SlurmResourceManager.open(Drive.CLUSTER, config);
                SlurmCommands commands = new SlurmCommands(null, config.slurmConf(), TIMEOUT)) {
            Drive drive = new Drive(rm);
            NodeControl control = new NodeControl(commands);

            control.drain("n3", "disk is slow");
            control.setFeatures("n3", List.of("slow", "old"));

            assertThat(drive.node("n3").getState()).isEqualTo(NodeState.DRAINED);
            assertThat(drive.node("n3").getReason()).startsWith("disk is slow");
            assertThat(drive.node("n3").getFeatures()).containsExactly("old", "slow");
            control.resume("n3");
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(drive.node("n3").getState()).isEqualTo(NodeState.IDLE));
        }
    }
}

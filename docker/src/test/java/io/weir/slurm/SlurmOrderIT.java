package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.standalone.Standalone;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that wait for Slurm's own scheduler stand in the same order under the policy that {@code weir slurm policy} proposes. */
class SlurmOrderIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Slurm rounds priorities to whole numbers, and the age counts from another second. */
    private static final long ROUNDING = 20;

    @TempDir
    Path data;

    private SlurmSite slurm;

    @BeforeEach
    void startSlurm() {
        slurm = SlurmSite.start(Map.of(
                "SLURM_NODES",
                "8",
                "SLURM_SITE",
                "mixed",
                "SLURM_HOLD",
                "0",
                "SLURM_DATABASE",
                "1",
                "SLURM_EXTRA",
                """
                PriorityType=priority/multifactor
                PriorityCalcPeriod=1
                PriorityMaxAge=0-02:00:00
                PriorityWeightAge=1000
                PriorityWeightJobSize=300
                PriorityWeightPartition=2000
                PriorityWeightQOS=3000"""));
        run("scontrol", "update", "PartitionName=gpu", "PriorityTier=3");
        run("scontrol", "update", "PartitionName=short", "PriorityJobFactor=10");
        run("sacctmgr", "-i", "add", "qos", "high", "priority=50");
        run("sacctmgr", "-i", "add", "qos", "scavenger", "flags=NoReserve");
        run("sacctmgr", "-i", "add", "account", "chem");
        run("sacctmgr", "-i", "add", "user", "nobody", "account=chem", "qos=normal,high,scavenger");
    }

    @AfterEach
    void stopSlurm() {
        if (slurm != null) {
            slurm.close();
        }
    }

    /** And nodes are set aside for all but those whose QOS says NoReserve. */
    @Test
    void shouldOrderWaitingJobsAsSlurmDoes() {
        slurm.submit("sleep 3000", "-N8", "--exclusive");
        await().atMost(PATIENCE)
                .until(() -> run("squeue", "-h", "-t", "RUNNING").contains("n[1-8]"));
        for (String qos : List.of("normal", "high", "scavenger")) {
            for (String partition : List.of("batch", "short", "gpu")) {
                for (String nice : List.of("0", "40", "300")) {
                    slurm.submit("sleep 1", "-q", qos, "-p", partition, "--nice=" + nice, "-t10");
                }
            }
        }
        List<Waiting> own = waiting();
        assertThat(own).hasSize(27);

        String policy = "SCHEDCFG[weir] MODE=MONITOR\n"
                + SlurmSite.weir("slurm", "policy", "--conf", slurm.directory() + "/slurm.conf");
        try (Standalone weir = slurm.startWeir(data, Map.of(), policy)) {
            await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
                List<String> lines = SlurmSite.weir("showq", "-i", "--data", data.toString())
                        .lines()
                        .filter(line -> line.matches("\\d+\\*? +-?\\d.*"))
                        .toList();
                List<String> order =
                        lines.stream().map(line -> line.split("[* ]", 2)[0]).toList();
                assertThat(order).hasSize(own.size());
                assertThat(reversed(own, order)).isEmpty();
                assertThat(lines.stream()
                                .filter(line -> line.matches("\\d+\\*.*"))
                                .map(line -> line.split("[* ]", 2)[0]))
                        .containsExactlyInAnyOrderElementsOf(own.stream()
                                .filter(job -> !job.qos().equals("scavenger"))
                                .map(Waiting::id)
                                .toList());
            });
        }
    }

    /** Returns the pairs of which Slurm puts the first before the second, and {@code order} behind it. */
    private static List<List<Waiting>> reversed(List<Waiting> own, List<String> order) {
        List<List<Waiting>> pairs = new ArrayList<>();
        for (Waiting first : own) {
            for (Waiting second : own) {
                if (first.isBefore(second) && order.indexOf(first.id()) > order.indexOf(second.id())) {
                    pairs.add(List.of(first, second));
                }
            }
        }
        return pairs;
    }

    private List<Waiting> waiting() {
        return run("squeue", "--noheader", "--states=PENDING", "--format=%i %P %Q %q")
                .lines()
                .map(line -> line.split(" ", -1))
                .map(fields -> new Waiting(fields[0], tier(fields[1]), Long.parseLong(fields[2]), fields[3]))
                .toList();
    }

    private long tier(String partition) {
        return Long.parseLong(
                run("scontrol", "-o", "show", "partition", partition).replaceAll("(?s).* PriorityTier=(\\d+).*", "$1"));
    }

    private String run(String... words) {
        return slurm.run(List.of(words));
    }

    /** A job by what ranks it. */
    private record Waiting(String id, long tier, long priority, String qos) {
        boolean isBefore(Waiting other) {
            return tier > other.tier || (tier == other.tier && priority > other.priority + ROUNDING);
        }
    }
}

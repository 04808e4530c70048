package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.slurm.client.UnixSocketTransport;
import io.weir.schemas.NodeAllocation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many jobs of a normal user on a real Slurm: each runs where it was told, once. */
class SlurmWorkloadIT {

    private static final int JOBS = Integer.getInteger("slurm.jobs", 200);
    private static final int JOBS_WHEN_FAILING = Integer.getInteger("slurm.jobs", 60) / 2;

    private static final String[][] SHAPES = {
        {"-n1"}, {"-n2"}, {"-n4"}, {"-n6"}, {"-N2", "-n4"}, {"-n2", "-c2"}, {"-N3"}, {"-n1", "-c4"}, {"-n9"}, {"-n3"}
    };

    private SlurmTestCluster cluster;

    @BeforeEach
    void startCluster() {
        cluster = SlurmTestCluster.start(Map.of("SLURM_NODES", "6", "SLURM_MIN_JOB_AGE", "3600"));
    }

    @AfterEach
    void stopCluster() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void shouldRunEveryJobOnceWhereTold() {
        submit(JOBS);
        try (SlurmResourceManager rm = SlurmResourceManager.open(Drive.CLUSTER, SlurmConfig.read(cluster.settings()))) {
            Drive drive = new Drive(rm);

            drive.runAll();

            assertEachRanOnceWhereTold(JOBS, drive.decided());
        }
    }

    @Test
    void shouldNeitherLoseNorDoubleCommandsWhenRestServiceFails() {
        submit(JOBS_WHEN_FAILING);
        SlurmConfig config = SlurmConfig.read(cluster.settings());
        FlakyTransport flaky =
                new FlakyTransport(new UnixSocketTransport(cluster.directory().resolve("run/rest.sock")), 7, 0.2);
        try (SlurmResourceManager rm = SlurmResourceManager.open(Drive.CLUSTER, config, flaky)) {
            Drive drive = new Drive(rm);

            drive.runAll();

            assertThat(flaky.failures()).isGreaterThan(JOBS_WHEN_FAILING / 10);
            assertEachRanOnceWhereTold(JOBS_WHEN_FAILING, drive.decided());
        }
    }

    private void submit(int jobs) {
        String log = cluster.directory().resolve("ran").toString();
        cluster.run("install", "-o", "nobody", "/dev/null", log);
        for (int i = 0; i < jobs; i++) {
            cluster.submit("echo $SLURM_JOB_ID >>" + log + "; sleep 0." + i % 10, SHAPES[i % SHAPES.length]);
        }
    }

    private void assertEachRanOnceWhereTold(int jobs, Map<String, List<NodeAllocation>> decided) {
        assertThat(decided).hasSize(jobs);
        Map<String, String> nodeLists = new HashMap<>();
        for (String line : cluster.run("scontrol", "-o", "show", "jobs").split("\n")) {
            assertThat(field(line, "JobState")).as(line).isEqualTo("COMPLETED");
            assertThat(field(line, "Restarts")).as(line).isEqualTo("0");
            nodeLists.put(field(line, "JobId"), field(line, "NodeList"));
        }
        assertThat(nodeLists.keySet()).containsExactlyInAnyOrderElementsOf(decided.keySet());
        nodeLists.forEach((job, nodes) -> assertThat(names(nodes))
                .as("nodes of job %s", job)
                .isEqualTo(new TreeSet<>(
                        decided.get(job).stream().map(NodeAllocation::getNodeId).toList())));
        assertThat(cluster.run("cat", cluster.directory().resolve("ran").toString())
                        .split("\n"))
                .doesNotHaveDuplicates()
                .hasSize(jobs);
    }

    private static String field(String line, String name) {
        Matcher matcher = Pattern.compile(" ?\\b" + name + "=(\\S*)").matcher(line);
        return matcher.find() ? matcher.group(1) : "";
    }

    /** Expands n[1-3,5]. */
    private static TreeSet<String> names(String list) {
        TreeSet<String> names = new TreeSet<>();
        Matcher matcher = Pattern.compile("n(?:\\[([\\d,-]+)\\]|(\\d+))").matcher(list);
        while (matcher.find()) {
            for (String range : (matcher.group(1) == null ? matcher.group(2) : matcher.group(1)).split(",")) {
                String[] ends = range.split("-");
                for (int i = Integer.parseInt(ends[0]); i <= Integer.parseInt(ends[ends.length - 1]); i++) {
                    names.add("n" + i);
                }
            }
        }
        return names;
    }
}

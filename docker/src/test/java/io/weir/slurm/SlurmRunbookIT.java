package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.slurm.SlurmSite.SlurmRecord;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Takes a Slurm cluster over and gives it back by the very commands of the connector's README. What a site has and a test
 * has not is put before them on the path: {@code weir}, on free ports and without the load that all nodes of one host
 * share, and {@code systemctl}.
 */
class SlurmRunbookIT {
    private static final Path README = Path.of("../rm-connector/README.md");
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir
    Path work;

    private SlurmSite slurm;

    @BeforeEach
    void startSlurm() throws IOException {
        slurm = SlurmSite.start(Map.of("SLURM_NODES", "4", "SLURM_MIN_JOB_AGE", "3600", "SLURM_HOLD", "0"));
        Path root = Path.of("..").toAbsolutePath().normalize();
        program("weir", """
                case $1 in standalone) set -- "$@" --port 0 --registry-port 0 --set rm.slurm.report.load=false ;; esac
                exec %s -Xmx768m -XX:TieredStopAtLevel=1 -cp '%s' io.weir.command.Main "$@"
                """.formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"), System.getProperty("java.class.path")));
        program("systemctl", """
                [ "$*" = "restart slurmctld" ] || exit 1
                %1$s/rm-connector/src/test/slurm/slurm-cluster %2$s stop controller
                %1$s/rm-connector/src/test/slurm/slurm-cluster %2$s start controller
                for i in $(seq 100); do
                  sinfo -h -o %%t | grep -qvE 'idle|mix|alloc' || exit 0
                  sleep 0.2
                done
                """.formatted(root, slurm.directory()));
    }

    private void program(String name, String text) throws IOException {
        Path file = Files.createDirectories(work.resolve("bin")).resolve(name);
        Files.writeString(file, "#!/bin/bash\n" + text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void stop() throws Exception {
        if (Files.exists(work.resolve("weir.pid"))) {
            bash("kill $(cat weir.pid); for i in $(seq 100); do kill -0 $(cat weir.pid) || break; sleep 0.2; done");
        }
        if (slurm != null) {
            slurm.close();
        }
    }

    @Test
    void shouldTakeOverAndGiveBackByTheReadme() throws Exception {
        // 16 processors: the third waits for Slurm's own scheduler, which Weir watches.
        String first = slurm.submit("sleep 1000", "-n8");
        String second = slurm.submit("sleep 1000", "-n8");
        awaitState(first, "RUNNING");
        awaitState(second, "RUNNING");
        String waiting = slurm.submit("sleep 1000", "-n4");

        step("watch");
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(3))
                .untilAsserted(() -> assertThat(step("compare"))
                        .containsPattern(first + " .*not decided")
                        .contains("2 jobs: 0 as decided"));
        bash("scancel " + first);
        awaitState(waiting, "RUNNING");
        assertThat(bash("squeue -h -j " + waiting + " -o %t").strip()).isEqualTo("R");

        String usersHold = slurm.submit("sleep 1", "--hold", "--comment=mine");
        String adminsHold = slurm.submit("sleep 1", "--hold");
        bash("scontrol hold " + adminsHold);
        assertThat(reason(adminsHold)).isEqualTo("JobHeldAdmin");
        assertThat(bash("weir slurm takeover --dry-run")).contains("scontrol update JobId=" + usersHold);
        assertThat(bash("weir slurm status")).contains("the cluster is Slurm's");

        assertThat(step("hold")).contains("the cluster is Weir's");
        assertThat(bash("weir slurm takeover --yes")).as("resumed").doesNotContain("scontrol");
        String held = slurm.submit("sleep 1000", "-n4");
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(3))
                .untilAsserted(() -> assertThat(step("compare")).containsPattern(held + " .* no .*not started"));
        String watched = nodesDecided(step("compare"), held);
        assertThat(record(held).state()).isEqualTo("PENDING");
        assertThat(record(waiting).state()).isEqualTo("RUNNING");

        step("go");
        awaitState(held, "RUNNING");
        assertThat(String.join(",", record(held).nodes())).isEqualTo(watched);
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(3))
                .untilAsserted(() -> assertThat(step("compare")).containsPattern(held + " .* yes .*same"));

        String afterwards = slurm.submit("sleep 1000", "-n8");
        String heldInWeir = slurm.submit("sleep 1000", "-n8");
        String tasks = slurm.submit("sleep 1000", "-n8", "--array=1-3");
        for (String job : List.of(heldInWeir, tasks + "_2")) {
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> bash("weir mjobctl --data data --cluster c1 -h " + job));
        }
        assertThat(bash("weir slurm giveback --dry-run --data data"))
                .containsPattern("scontrol release .*" + afterwards)
                .doesNotContainPattern("scontrol release .*" + heldInWeir);
        step("back");
        assertThat(record(held).state()).isEqualTo("RUNNING");
        bash("scancel " + second);
        awaitState(afterwards, "RUNNING");
        assertThat(reason(heldInWeir)).isEqualTo("JobHeldUser");
        assertThat(bash("squeue -h -r -j " + tasks + " -o '%K %r'"))
                .contains("2 JobHeldUser")
                .doesNotContainPattern("[13] JobHeldUser");
        assertThat(reason(usersHold)).isEqualTo("JobHeldUser");
        assertThat(bash("scontrol -o show job " + usersHold)).contains(" Comment=mine ");
        assertThat(reason(adminsHold)).isEqualTo("JobHeldAdmin");
        assertThat(bash("weir slurm giveback --yes")).as("resumed").doesNotContain("scontrol");
        for (String job : List.of(waiting, held, afterwards)) {
            assertThat(record(job).restarts()).isZero();
        }
        assertThat(bash("weir replay --verify --data data")).containsIgnoringCase("identical");
    }

    private static String nodesDecided(String comparison, String job) {
        Matcher line = Pattern.compile("(?m)^" + job + "\\s+\\w+ \\w+ \\d+ [\\d:]+ \\d{4}\\s+(\\S+)")
                .matcher(comparison);
        assertThat(line.find()).isTrue();
        return line.group(1);
    }

    private String reason(String job) throws Exception {
        return bash("squeue -h -j " + job + " -o %r").strip();
    }

    private SlurmRecord record(String job) {
        return slurm.jobs().get(Long.parseLong(job));
    }

    private void awaitState(String job, String... states) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> assertThat(record(job).state())
                        .as("%s", bash("squeue; scontrol show job " + job))
                        .isIn((Object[]) states));
    }

    /** Runs the commands of that step of the README. */
    private String step(String name) throws Exception {
        Matcher block = Pattern.compile("<!-- runbook: " + name + " -->\\n```sh\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(README));
        assertThat(block.find()).as("the step '%s' of %s", name, README).isTrue();
        return bash("set -eu\n" + block.group(1));
    }

    private String bash(String commands) throws Exception {
        File output = Files.createTempFile(work, "step", ".out").toFile();
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", commands)
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output)
                .redirectInput(new File("/dev/null"));
        builder.environment().merge("PATH", work.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
        builder.environment()
                .put("SLURM_CONF", slurm.directory().resolve("slurm.conf").toString());
        builder.environment()
                .put("REST_SOCKET", slurm.directory().resolve("run/rest.sock").toString());
        builder.environment()
                .put("WEIR_HOME", Path.of("..").toAbsolutePath().normalize().toString());
        builder.environment().put("TZ", "UTC");
        Process process = builder.start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).as(commands).isTrue();
        String text = Files.readString(output.toPath());
        assertThat(process.exitValue()).as("%s%n%s", commands, text).isZero();
        return text;
    }
}

package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What job_submit.lua says to jobs on a large cluster, by {@code src/test/slurm/job_submit_test.lua}, in the Lua that Slurm has. */
class JobSubmitScriptTest {
    private static final String LUA = "lua5.1";

    @TempDir
    Path directory;

    @Test
    void shouldTakeInAndRefuseJobsWithoutHoldingSlurmUp() throws IOException, InterruptedException {
        assumeThat(isInstalled()).as(LUA + " is installed (.ci/install-slurm)").isTrue();
        ProcessBuilder script = new ProcessBuilder(
                LUA, "src/test/slurm/job_submit_test.lua", "src/main/resources/io/weir/rm/slurm/job_submit.lua");
        script.environment().put("SLURM_CONF", directory.resolve("slurm.conf").toString());
        Process process = script.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
    }

    private static boolean isInstalled() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, LUA)));
    }
}

package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.ResourceManagerContractTest;
import io.weir.rm.spi.RmContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;

/**
 * The contract over the Grid Engine scripts, with a real and otherwise idle Grid Engine of two hosts or more, in which all
 * jobs are deleted and the accounting is emptied. Runs if {@code weir.gridengine.scripts} names the directory of the scripts, and
 * {@code weir.gridengine.user} who submits; {@code weir.gridengine.enter} is what to put before a command that has to run
 * where Grid Engine is installed.
 */
class GridEngineContractIT extends ResourceManagerContractTest {
    private static final String SCRIPTS = System.getProperty("weir.gridengine.scripts", "");
    private static final String USER = System.getProperty("weir.gridengine.user", "");
    private static final String ENTER = System.getProperty("weir.gridengine.enter", "/usr/bin/env");

    private static final Map<NativeUrl, String> FILES = Map.of(
            NativeUrl.CLUSTER_QUERY, "nodes.sh",
            NativeUrl.WORKLOAD_QUERY, "jobs.sh",
            NativeUrl.SYSTEM_QUERY, "system.sh",
            NativeUrl.JOB_START, "start.sh",
            NativeUrl.JOB_CANCEL, "cancel.sh");

    private boolean prepared;

    @BeforeAll
    static void needGridEngine() {
        assumeTrue(
                !SCRIPTS.isEmpty() && !USER.isEmpty(),
                "no Grid Engine: set -Dweir.gridengine.scripts and -Dweir.gridengine.user to run this");
    }

    @Override
    protected ResourceManager open() {
        if (!prepared) {
            shell("qdel -u '*' >/dev/null 2>&1; while qstat -u '*' | grep -q .; do sleep 0.2; done;"
                    + " : >$SGE_ROOT/${SGE_CELL:-default}/common/accounting; cd /tmp; for i in 1 2; do"
                    + " runuser -u " + USER
                    + " -- sh -c 'echo sleep 1000 | qsub -h -o /dev/null -e /dev/null'; done");
            prepared = true;
        }
        Map<String, String> settings = new TreeMap<>();
        FILES.forEach((url, file) -> settings.put(url.key(), "exec://" + ENTER + " sh " + SCRIPTS + "/" + file));
        // The load of a real machine changes between two polls, in which nothing else did.
        settings.put("environment", "GE_LOAD=no");
        return new NativeProvider().open(new RmContext(cluster(), "rm", directory, settings));
    }

    @Override
    protected String type() {
        return NativeProvider.TYPE;
    }

    private static void shell(String text) {
        List<String> command = new ArrayList<>(List.of(ENTER.split(" ", -1)));
        command.addAll(List.of("sh", "-c", text));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

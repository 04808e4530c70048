package io.weir.command.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.command.Main;
import io.weir.command.terminal.ExitCode;
import io.weir.slurm.SlurmSite;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * A takeover and a giveback of a real Slurm are broken off after each thing they do, or their restart of the controller fails;
 * jobs arrive, and the command is called again. Every hold is whose it was, and the controller runs by slurm.conf.
 */
@NullUnmarked
class BrokenHandoverIT {
    private static final String SITES_PLUGIN = """
            function slurm_job_submit(job, partitions, uid) return slurm.SUCCESS end
            function slurm_job_modify(job, record, partitions, uid) return slurm.SUCCESS end
            return slurm.SUCCESS
            """;

    /** More than either way has things to do. */
    private static final int MOST_ACTIONS = 60;

    @TempDir
    Path work;

    private SlurmSite slurm;
    private Path conf;
    private Path restart;

    @BeforeEach
    void startSlurm() throws IOException {
        slurm = SlurmSite.start(Map.of("SLURM_NODES", "2", "SLURM_HOLD", "0", "SLURM_SCHEDULER_PARAMETERS", "default"));
        conf = slurm.directory().resolve("slurm.conf");
        restart = script("restart", """
                $cluster stop controller
                $cluster start controller
                for i in $(seq 100); do
                  sinfo -h -o %t | grep -qvE 'idle|mix|alloc' || exit 0
                  sleep 0.2
                done
                """);
        // All else waits for Slurm, too.
        String running = slurm.submit("sleep 3000", "-N2", "--exclusive");
        await().atMost(Duration.ofMinutes(1)).until(() -> shown(running).contains("JobState=RUNNING"));
    }

    private Path script(String name, String text) throws IOException {
        Path file = work.resolve(name);
        String cluster = Path.of("../rm-connector/src/test/slurm/slurm-cluster")
                        .toAbsolutePath()
                        .normalize() + " " + slurm.directory();
        Files.writeString(file, "#!/bin/bash\n" + text.replace("$cluster", cluster));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file;
    }

    @AfterEach
    void stopSlurm() {
        if (slurm != null) {
            slurm.close();
        }
    }

    @Test
    @Tag("soak")
    void shouldGoOnWhereverItWasBrokenOff() throws Exception {
        breakOffEverywhere();
    }

    @Test
    @Tag("soak")
    void shouldGoOnWhereTheSiteHasAPluginOfItsOwn() throws Exception {
        Files.writeString(conf, "JobSubmitPlugins=lua\n", StandardOpenOption.APPEND);
        Files.writeString(conf.resolveSibling("job_submit.lua"), SITES_PLUGIN);
        slurm.run(List.of(restart.toString()));

        breakOffEverywhere();

        assertThat(conf.resolveSibling("job_submit.lua")).hasContent(SITES_PLUGIN);
    }

    private void breakOffEverywhere() throws Exception {
        String before = Files.readString(conf);
        boolean brokenOff = true;
        for (int actions = 0; brokenOff && actions < MOST_ACTIONS; actions++) {
            Jobs jobs = new Jobs();
            jobs.arrive();
            brokenOff = carryOut(handover().takeover(), actions);
            passASecond();
            jobs.arrive();
            passASecond();
            weir(ExitCode.FINE, restart, "takeover");
            jobs.arrive();
            jobs.assertWeirs("takeover broken off after " + actions);
            assertThat(weir(ExitCode.FINE, restart, "status"))
                    .contains("controller: the cluster is Weir's")
                    .doesNotContain("broken off");

            brokenOff |= carryOut(handover().giveback(), actions);
            passASecond();
            jobs.arrive();
            passASecond();
            weir(ExitCode.FINE, restart, "giveback");
            jobs.arrive();
            jobs.assertSlurms("giveback broken off after " + actions);
            assertThat(conf).hasContent(before);
            assertThat(leftBehind()).isEmpty();
            jobs.cancel();
        }
        assertThat(brokenOff).isFalse();
    }

    @Test
    @Tag("soak")
    void shouldGiveBackAndTakeAgainFromWhereverAnyOfThemWasBrokenOff() throws Exception {
        String before = Files.readString(conf);
        boolean brokenOff = true;
        for (int actions = 0; brokenOff && actions < MOST_ACTIONS; actions++) {
            Jobs jobs = new Jobs();
            jobs.arrive();
            brokenOff = carryOut(handover().takeover(), actions);
            passASecond();
            jobs.arrive();
            passASecond();
            weir(ExitCode.FINE, restart, "giveback");
            jobs.assertSlurms("takeover broken off after " + actions);
            assertThat(conf).hasContent(before);
            assertThat(leftBehind()).isEmpty();

            weir(ExitCode.FINE, restart, "takeover");
            brokenOff |= carryOut(handover().giveback(), actions);
            passASecond();
            jobs.arrive();
            passASecond();
            weir(ExitCode.FINE, restart, "takeover");
            jobs.assertWeirs("giveback broken off after " + actions);
            weir(ExitCode.FINE, restart, "giveback");
            jobs.assertSlurms("and given back");
            jobs.cancel();
        }
        assertThat(brokenOff).isFalse();
    }

    @Test
    void shouldRestartTheControllerWhenThatFailedBefore() throws Exception {
        Path failing = Path.of("/bin/false");
        Jobs jobs = new Jobs();
        jobs.arrive();
        weir(ExitCode.FAILED, failing, "takeover");
        assertThat(weir(ExitCode.FINE, failing, "status"))
                .contains(
                        "slurm.conf: Weir's, but the controller was not restarted with it: JobSubmitPlugins is not set")
                .contains("Call weir slurm takeover again");
        jobs.arrive();
        passASecond();
        weir(ExitCode.FINE, restart, "takeover");
        jobs.arrive();
        jobs.assertWeirs("restart failed");

        weir(ExitCode.FAILED, failing, "giveback");
        assertThat(weir(ExitCode.FINE, failing, "status"))
                .contains("slurm.conf: Slurm's, but the controller was not restarted with it: JobSubmitPlugins is lua")
                .contains("Call weir slurm giveback again");
        jobs.arrive();
        passASecond();
        weir(ExitCode.FINE, restart, "giveback");
        jobs.assertSlurms("restart failed");
        assertThat(leftBehind()).isEmpty();

        // The way back is open when the controller is gone.
        weir(ExitCode.FAILED, script("deadly", "$cluster stop controller\nexit 1\n"), "takeover");
        weir(ExitCode.FINE, restart, "giveback");
        jobs.assertSlurms("the controller did not come up");
        assertThat(leftBehind()).isEmpty();
        weir(ExitCode.FAILED, script("deadly", "$cluster stop controller\nexit 1\n"), "takeover");
        weir(ExitCode.FINE, restart, "takeover");
        jobs.assertWeirs("the controller did not come up");
    }

    /** Held and waiting jobs of a user that came at different times. */
    private final class Jobs {
        private final List<String> held = new ArrayList<>();
        private final List<String> silent = new ArrayList<>();
        private final List<String> waiting = new ArrayList<>();

        void arrive() {
            held.add(slurm.submit("sleep 3000", "--hold", "--comment=mine"));
            silent.add(slurm.submit("sleep 3000", "--hold"));
            waiting.add(slurm.submit("sleep 3000", "-n2", "--comment=words"));
        }

        void assertWeirs(String when) {
            assertThat(held)
                    .as(when)
                    .allSatisfy(job ->
                            assertThat(shown(job)).contains("Reason=JobHeldUser", "Comment=[held by user] mine"));
            assertThat(silent)
                    .as(when)
                    .allSatisfy(job -> assertThat(shown(job)).contains("Reason=JobHeldUser", "Comment=[held by user]"));
            assertThat(waiting)
                    .as(when)
                    .allSatisfy(job -> assertThat(shown(job)).contains("Reason=JobHeldUser", "Comment=words"));
        }

        void assertSlurms(String when) {
            assertThat(held)
                    .as(when)
                    .allSatisfy(job -> assertThat(shown(job)).contains("Reason=JobHeldUser", "Comment=mine"));
            assertThat(silent)
                    .as(when)
                    .allSatisfy(job -> assertThat(shown(job))
                            .contains("Reason=JobHeldUser")
                            .doesNotContain("held by user", "Comment=   "));
            assertThat(waiting)
                    .as(when)
                    .allSatisfy(job ->
                            assertThat(shown(job)).contains("Comment=words").doesNotContain("JobHeld", "Priority=0 "));
        }

        void cancel() {
            Stream.of(held, silent, waiting).flatMap(List::stream).forEach(job -> slurm.run(List.of("scancel", job)));
        }
    }

    private String shown(String job) {
        return slurm.run(List.of("scontrol", "-o", "show", "job", job));
    }

    /** Slurm tells whole seconds. */
    private static void passASecond() throws InterruptedException {
        Thread.sleep(1100);
    }

    private Handover handover() {
        return new Handover(new Slurm(conf), new SlurmConf(conf), restart.toString(), RequestedHolds.NONE);
    }

    /** Does the first so many things; says whether there were more. */
    private static boolean carryOut(List<Supplier<Step>> steps, int actions) {
        int left = actions;
        for (Supplier<Step> step : steps) {
            for (Step.Action action : step.get().actions()) {
                if (left-- == 0) {
                    return true;
                }
                action.deed().out();
            }
        }
        return false;
    }

    private List<String> leftBehind() throws IOException {
        try (Stream<Path> files = Files.list(slurm.directory())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name ->
                            name.contains("weir") || name.equals("cli_filter.lua") || name.equals("jobcomp.lua"))
                    .toList();
        }
    }

    private String weir(int code, Path restart, String direction) {
        StringWriter said = new StringWriter();
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(said, true));
        command.setErr(new PrintWriter(said, true));
        assertThat(command.execute(
                        "slurm", direction, "--yes", "--conf", conf.toString(), "--restart", restart.toString()))
                .as("%s: %s", direction, said)
                .isEqualTo(code);
        return said.toString();
    }
}

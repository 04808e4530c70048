package io.weir.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.terminal.ExitCode;
import io.weir.standalone.DemoCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** An administrator halts a live scheduler, steps it, changes its configuration, and shuts it down in the end. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SchedulerControlIT {
    private static final DemoCluster CLUSTER = new DemoCluster("lab", 2, 2, 600, 10.0, 600, 5);

    private static final String OWNER = String.valueOf(System.getProperty("user.name"));

    @TempDir
    static Path root;

    private LiveSite site;

    @BeforeAll
    void shouldStartEverything() throws IOException {
        site = new LiveSite(root, CLUSTER);
        site.someWaitingJob();
    }

    /** The last of all: everything that was decided can be derived, and the scheduler goes when it is told to. */
    @AfterAll
    void shouldReplayItAllAndShutDown() throws Exception {
        try (LiveSite open = site) {
            assertThat(open.standalone.isHealthy()).isTrue();
            assertThat(site.run("replay", "--verify"))
                    .as(site.out() + site.err())
                    .isEqualTo(ExitCode.FINE);
            assertThat(site.runAsUser("mschedctl", "-k")).isEqualTo(ExitCode.NOT_PERMITTED);
            assertThat(site.text("mschedctl", "-k")).contains("the scheduler shuts down");
            assertThat(site.standalone.awaitStopRequest(10_000)).isTrue();
            assertThat(site.standalone.isHealthy()).isTrue();
        }
    }

    @Test
    void shouldStartNothingWhilePaused() throws IOException {
        assertThat(site.runAsUser("mschedctl", "-p")).isEqualTo(ExitCode.NOT_PERMITTED);
        assertThat(site.err()).contains("needs level 1; nobody has none");
        assertThat(site.text("mschedctl", "-p", "--msg", "file server is down")).contains("scheduling paused");

        String job = site.someWaitingJob();
        List<String> active = active();
        assertThat(site.text("showq")).contains("NOTE:  scheduling is paused since ", " by " + OWNER);
        assertThat(site.json("mdiag", "-S").path("scheduler").path("state").asText())
                .isEqualTo("PAUSED");
        assertThat(site.text("checkjob", job)).contains("waits because scheduling is paused", "Constraint: Scheduler");
        List<String> later = Awaitility.await("a job to end, if not all have")
                .atMost(Duration.ofMinutes(1))
                .until(this::active, now -> now.isEmpty() || now.size() < active.size());
        assertThat(active).containsAll(later);

        assertThat(site.text("mschedctl", "-r")).contains("scheduling resumed");
        assertThat(site.text("showq")).doesNotContain("NOTE:  scheduling");
        Awaitility.await("another start")
                .atMost(Duration.ofMinutes(1))
                .until(() -> !new TreeSet<>(active).containsAll(active()));
    }

    @Test
    void shouldStepFromIterationToIteration() throws IOException {
        site.someWaitingJob();
        assertThat(site.text("mschedctl", "-s")).contains("scheduling stops after iteration ");
        awaitState("STOPPED");
        assertThat(site.run("mschedctl", "-s")).isEqualTo(ExitCode.FAILED);
        assertThat(site.text("mschedctl", "-S", "2")).contains("scheduling goes on until iteration ");
        awaitState("STOPPED");
        assertThat(site.text("mschedctl", "-r", "+0:00:01")).contains("scheduling resumes at ");
        awaitState("RUNNING");
        assertThat(site.run("mschedctl", "-r", "someday")).isEqualTo(ExitCode.FAILED);
        assertThat(site.err()).contains("at is 'someday'");
    }

    @Test
    void shouldSetTheLogLevelForWhomItIsAllowed() throws IOException {
        assertThat(site.runAsUser("mschedctl", "-L", "5")).isEqualTo(ExitCode.NOT_PERMITTED);
        int before = site.json("mschedctl", "-L").path("logLevel").asInt();
        assertThat(site.text("mschedctl", "-L", "1")).contains("the log level of the process that serves the API is 1");
        assertThat(site.text("mschedctl", "-L")).contains("log level 1");
        site.text("mschedctl", "-L", Integer.toString(before));
        assertThat(site.json("mschedctl", "-L").path("logLevel").asInt()).isEqualTo(before);
    }

    @Test
    void shouldShowMessagesToEverybody() throws IOException {
        assertThat(site.text("mschedctl", "-c", "message", "maintenance on Friday"))
                .contains("message 1 attached");
        assertThat(site.runAsUser("showq")).isEqualTo(ExitCode.FINE);
        assertThat(site.out()).contains("MESSAGE[1]:  maintenance on Friday");
        assertThat(site.json("mschedctl", "-l", "message").path(0).asText()).isEqualTo("maintenance on Friday");
        assertThat(site.text("mschedctl", "-d", "message:1")).contains("message 1 deleted");
        assertThat(site.text("mschedctl", "-l", "message")).contains("0 messages");
    }

    @Test
    void shouldReadTheConfigurationAgain() throws IOException {
        assertThat(site.run("mschedctl", "-R", root.resolve("nothing").toString()))
                .isEqualTo(ExitCode.BAD_INPUT);
        Path file = Files.writeString(root.resolve("site.cfg"), "JOBCPURGETIME 1:00:00\nINCLUDE more.cfg\n");
        Files.writeString(root.resolve("more.cfg"), "DEFERTIME 0:11:00\nCOLOUR red\n");

        assertThat(site.text("mschedctl", "-R", file.toString()))
                .contains("configuration reloaded from " + file.toAbsolutePath(), "0 errors, 1 warnings");
        assertThat(site.text("mschedctl", "-l", "config")).containsPattern("DEFERTIME\\s+0?0:11:00");
        assertThat(site.text("mschedctl", "-m", "config", "DEFERTIME 0:12:00")).contains("configuration changed");
        assertThat(site.text("mschedctl", "-l", "config")).containsPattern("DEFERTIME\\s+0?0:12:00");

        JsonNode again = site.json("mschedctl", "-R");
        assertThat(again.path("principal").asText()).isEqualTo(OWNER);
        assertThat(site.text("mschedctl", "-l", "config")).containsPattern("DEFERTIME\\s+0?0:11:00");
        assertThat(site.runAsUser("mschedctl", "-R", file.toString())).isEqualTo(ExitCode.NOT_PERMITTED);
    }

    private void awaitState(String state) {
        Awaitility.await("the scheduler to be " + state)
                .atMost(Duration.ofMinutes(1))
                .until(() -> site.json("mdiag", "-S")
                        .path("scheduler")
                        .path("state")
                        .asText()
                        .equals(state));
    }

    private JsonNode queue() throws IOException {
        return site.json("showq").path(0);
    }

    private List<String> active() throws IOException {
        return ids(queue());
    }

    private static List<String> ids(JsonNode queue) {
        return queue.path("active").findValuesAsText("jobId");
    }
}

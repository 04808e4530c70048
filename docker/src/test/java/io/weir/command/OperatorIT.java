package io.weir.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.standalone.ApiAccess;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.DemoCluster;
import io.weir.standalone.Part;
import io.weir.standalone.Standalone;
import io.weir.standalone.StandaloneConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** An operator at work on a crowded cluster: through the command line, the API, the topics and the scheduler. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorIT {
    /** Four processors for ten times the work: a queue builds up within seconds. */
    private static final DemoCluster CLUSTER = new DemoCluster("lab", 2, 2, 600, 10.0, 600, 3);

    private static final String USER_TOKEN = "0123456789abcdef0123";

    @TempDir
    static Path root;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private DataDirectory directory;
    private Standalone standalone;

    @BeforeAll
    void shouldStartEverything() throws IOException {
        directory = new DataDirectory(root);
        CLUSTER.writeScript(directory);
        StandaloneConfig config = new StandaloneConfig(directory, 0, 0, Map.of(), CLUSTER.settings(directory));
        standalone = Standalone.start(config, EnumSet.allOf(Part.class));
        Files.writeString(directory.tokens(), "nobody " + USER_TOKEN + " user\n", StandardOpenOption.APPEND);
        Files.writeString(root.resolve("token"), USER_TOKEN + "\n");
    }

    @AfterAll
    void shouldStopEverything() {
        standalone.close();
    }

    @Test
    void shouldHoldAJobAndReleaseItAgain() throws IOException {
        String job = someWaitingJob();

        assertThat(run("mjobctl", "-h", job, "--msg", "looks odd"))
                .as(err.toString())
                .isEqualTo(ExitCode.FINE);
        assertThat(ids(json("showq"), "blocked")).contains(job);
        assertThat(run("showq", "-b")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).containsPattern("(?m)^" + job + "\\s.*Hold");
        assertThat(run("checkjob", job)).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("Holds: ");

        assertThat(run("mjobctl", "-u", job)).as(err.toString()).isEqualTo(ExitCode.FINE);
        assertThat(ids(json("showq"), "blocked")).doesNotContain(job);
        assertThat(run("setspri", "1000", job)).as(err.toString()).isEqualTo(ExitCode.FINE);
        Awaitility.await("job " + job + " to run")
                .atMost(Duration.ofMinutes(4))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    String section = json("checkjob", job).path("section").asText();
                    return section.equals("ACTIVE") || section.equals("COMPLETED");
                });
    }

    @Test
    void shouldShowNodesAndReservations() throws IOException {
        someWaitingJob();

        JsonNode nodes = json("mdiag", "-n");
        assertThat(nodes.findValuesAsText("nodeId")).hasSize(2);
        assertThat(run("checknode", nodes.get(0).path("nodeId").asText())).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("Configured Resources: PROCS: 2");
        Awaitility.await("a job that holds something")
                .atMost(Duration.ofMinutes(1))
                .until(() -> json("showres").size() > 0);
    }

    @Test
    void shouldRefuseWhatTheLevelDoesNotAllow() throws IOException {
        String job = someWaitingJob();
        String url = Files.readString(directory.api()).strip().replace("api.url=", "");

        List<String> asNobody =
                List.of("--server", url, "--token-file", root.resolve("token").toString());
        assertThat(run(asNobody, "mjobctl", "-c", job)).isEqualTo(ExitCode.NOT_PERMITTED);
        assertThat(err.toString()).contains("CANCEL_JOB on job " + job + " needs level 4; nobody has none");
        assertThat(run(asNobody, "checknode", "n0001")).isEqualTo(ExitCode.NOT_PERMITTED);
        assertThat(run(asNobody, "showq")).isEqualTo(ExitCode.FINE);
        assertThat(run(List.of("--server", url), "showq")).isEqualTo(ExitCode.NOT_PERMITTED);
    }

    @Test
    void shouldSayWhyAJobWaits() {
        // A job may start between being chosen and being asked about: then another one is.
        Awaitility.await("a job that waits all the while")
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> {
                    String job = someWaitingJob();
                    assertThat(run("checkjob", job)).isEqualTo(ExitCode.FINE);
                    assertThat(out.toString()).contains("NOTE:  job cannot run");
                    assertThat(run("showstart", "-e", "prio", job))
                            .as(err.toString())
                            .isEqualTo(ExitCode.FINE);
                    assertThat(run("mdiag", "-p")).as(err.toString()).isEqualTo(ExitCode.FINE);
                    assertThat(out.toString()).containsPattern("(?m)^" + job + "\\s");
                });
        assertThat(run("showstart", "-e", "all", "1@1:00:00"))
                .as(err.toString())
                .isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("Estimated rsv based", "Estimated prio based", "Estimated hist based");
        assertThat(run("showbf")).as(err.toString()).isEqualTo(ExitCode.FINE);
    }

    @Test
    void shouldMakeAReservationAndReleaseIt() throws IOException {
        someWaitingJob();

        assertThat(run(
                        "mrsvctl",
                        "-c",
                        "-t",
                        "2",
                        "-s",
                        "+30:00:00:00",
                        "-d",
                        "2:00:00",
                        "-a",
                        "user=anna",
                        "-n",
                        "maint"))
                .as(err.toString())
                .isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).containsPattern("NOTE:  reservation \\S+ created");
        String id = out.toString().replaceAll("(?s).*reservation (\\S+) created.*", "$1");

        assertThat(run("showres", id)).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).containsPattern("(?m)^" + id + "\\s+User\\s+I\\s.*02:00:00");
        assertThat(run("mrsvctl", "-m", "duration+=1:00:00", id))
                .as(err.toString())
                .isEqualTo(ExitCode.FINE);
        assertThat(run("mdiag", "-r", id)).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("03:00:00").contains("anna");

        assertThat(run("mrsvctl", "-r", id)).as(err.toString()).isEqualTo(ExitCode.FINE);
        assertThat(run("showres", id)).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void shouldDoARepeatedRequestOnce() throws Exception {
        String job = someWaitingJob();
        String body = "{\"requestId\":\"once\",\"kind\":\"HOLD_JOB\",\"objectId\":\"" + job + "\"}";

        JsonNode first = post(body);
        assertThat(run("mjobctl", "-u", job)).isEqualTo(ExitCode.FINE);
        JsonNode second = post(body);

        assertThat(first.path("outcome").asText()).isEqualTo("ACCEPTED");
        assertThat(second).isEqualTo(first);
        assertThat(json("checkjob", job).path("held").asBoolean()).isFalse();
    }

    @Test
    void shouldReplayWhatWasAskedFor() throws IOException {
        String job = someWaitingJob();
        assertThat(run("mjobctl", "-h", job)).as(err.toString()).isEqualTo(ExitCode.FINE);
        assertThat(run("mjobctl", "-u", job)).as(err.toString()).isEqualTo(ExitCode.FINE);

        assertThat(run("replay", "--verify")).as(out + "\n" + err).isEqualTo(ExitCode.FINE);
    }

    @Test
    void shouldReportWhatTheSchedulerRefuses() {
        assertThat(run("mjobctl", "-c", "no-such-job")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("no job no-such-job");
    }

    @Test
    void shouldSayForEachNodeWhyAJobWaitsAndWhichPoliciesHold() throws IOException {
        Awaitility.await("the reasons of both nodes")
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> {
                    assertThat(run("checkjob", "-v", someWaitingJob())).isEqualTo(ExitCode.FINE);
                    assertThat(out.toString())
                            .containsPattern("node n0001\\s+\\w+")
                            .containsPattern("node n0002\\s+\\w+");
                });
        assertThat(out.toString())
                .containsPattern("NALLOCPOLICY: \\w+ \\(")
                .contains("RESFAILPOLICY: CANCEL (default)");
        assertThat(run("checkjob", "-n", "n0009", someWaitingJob())).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("no node n0009");
    }

    @Test
    void shouldAttachMarksToANode() throws IOException {
        assertThat(run("mnodectl", "-m", "variable=owner=chem", "-m", "message=fan is loud", "n0001"))
                .as(err.toString())
                .isEqualTo(ExitCode.FINE);
        assertThat(run("mnodectl", "-m", "gmetric[temp]=41.5", "n0001"))
                .as(err.toString())
                .isEqualTo(ExitCode.FINE);

        assertThat(run("checknode", "n0001")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).contains("Variables: owner=chem", "Message[1]: fan is loud", "GMetric[temp]: 41.5");
        assertThat(run("mdiag", "-G")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).containsPattern("n0001\\s+temp\\s+41.5");
        assertThat(run("mnodectl", "-d", "message:1", "n0001"))
                .as(err.toString())
                .isEqualTo(ExitCode.FINE);
        assertThat(json("checknode", "n0001").path("messages")).isEmpty();
    }

    @Test
    void shouldShowWhatWasChangedAtRunTime() throws IOException {
        assertThat(run("mschedctl", "-m", "config", "BFCHUNKSIZE 3"))
                .as(err.toString())
                .isEqualTo(ExitCode.FINE);

        assertThat(run("mschedctl", "-l", "config")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString()).containsPattern("BFCHUNKSIZE\\s+3\\s+run time:1");
        assertThat(run("config", "show", "--set")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .contains("with 1 setting of run time")
                .containsPattern("BFCHUNKSIZE\\s+3\\s+run time:1");
        assertThat(run("mdiag", "-R")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString())
                .containsPattern("RM\\[\\w+]  Type: simulated")
                .contains("2 nodes");
    }

    private JsonNode post(String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(ApiAccess.url(directory).orElseThrow() + "/v1/lab/requests"))
                .header("Authorization", "Bearer " + ApiAccess.token(directory).orElseThrow())
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return new ObjectMapper().readTree(response.body());
    }

    private String someWaitingJob() {
        return Awaitility.await("a job that waits")
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(500))
                .until(
                        () -> {
                            List<String> waiting = ids(json("showq"), "eligible");
                            // Not one of the first, which might start meanwhile, nor of the last, which wait for long.
                            return waiting.size() > 8 ? waiting.get(5) : "";
                        },
                        job -> !job.isEmpty());
    }

    private static List<String> ids(JsonNode queues, String section) {
        return queues.path(0).path(section).findValuesAsText("jobId");
    }

    private JsonNode json(String... args) throws IOException {
        out.getBuffer().setLength(0);
        List<String> words = new ArrayList<>(List.of(args));
        words.add("--format=json");
        assertThat(run(words.toArray(String[]::new))).as(err.toString()).isEqualTo(ExitCode.FINE);
        return new ObjectMapper().readTree(out.toString());
    }

    private int run(String... args) {
        return run(List.of("--data", root.toString()), args);
    }

    private int run(List<String> site, String... args) {
        out.getBuffer().setLength(0);
        List<String> words = new ArrayList<>(List.of(args));
        words.addAll(site);
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(words.toArray(String[]::new));
    }
}

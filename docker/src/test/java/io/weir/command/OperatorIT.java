package io.weir.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.command.terminal.ExitCode;
import io.weir.standalone.ApiAccess;
import io.weir.standalone.DemoCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** An operator at work on a crowded cluster: through the command line, the API, the topics and the scheduler. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorIT {
    /** Four processors for ten times the work: a queue builds up within seconds. */
    private static final DemoCluster CLUSTER = new DemoCluster("lab", 2, 2, 600, 10.0, 600, 3);

    @TempDir
    static Path root;

    private LiveSite site;

    @BeforeAll
    void shouldStartEverything() throws IOException {
        site = new LiveSite(root, CLUSTER);
        site.someWaitingJob();
        // Ten minutes pass in a second: a job that ended has to stay in sight for longer than usual.
        Path file = Files.writeString(root.resolve("site.cfg"), "JOBCPURGETIME 100:00:00:00\n");
        site.text("mschedctl", "-R", file.toString());
    }

    @AfterAll
    void shouldStopEverything() {
        site.close();
    }

    @Test
    void shouldHoldAJobAndReleaseItAgain() throws IOException {
        String job = site.someHeldJob();

        assertThat(ids(site.json("showq"), "blocked")).contains(job);
        site.text("showq", "-b");
        assertThat(site.out()).containsPattern("(?m)^" + job + "\\s.*Hold");
        site.text("checkjob", job);
        assertThat(site.out()).contains("Holds: ");

        site.text("mjobctl", "-u", job);
        assertThat(ids(site.json("showq"), "blocked")).doesNotContain(job);
        site.text("setspri", "1000", job);
        Awaitility.await("job " + job + " to run")
                .atMost(Duration.ofMinutes(4))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    String section = site.json("checkjob", job).path("section").asText();
                    return section.equals("ACTIVE") || section.equals("COMPLETED");
                });
    }

    @Test
    void shouldShowNodesAndReservations() throws IOException {
        site.someWaitingJob();

        JsonNode nodes = site.json("mdiag", "-n");
        assertThat(nodes.findValuesAsText("nodeId")).hasSize(2);
        site.text("checknode", nodes.get(0).path("nodeId").asText());
        assertThat(site.out()).contains("Configured Resources: PROCS: 2");
        Awaitility.await("a job that holds something")
                .atMost(Duration.ofMinutes(1))
                .until(() -> site.json("showres").size() > 0);
    }

    @Test
    void shouldRefuseWhatTheLevelDoesNotAllow() throws IOException {
        String job = site.someHeldJob();

        assertThat(site.runAsUser("mjobctl", "-c", job)).isEqualTo(ExitCode.NOT_PERMITTED);
        assertThat(site.err()).contains("CANCEL_JOB on job " + job + " needs level 4; nobody has none");
        assertThat(site.runAsUser("checknode", "n0001")).isEqualTo(ExitCode.NOT_PERMITTED);
        assertThat(site.runAsUser("showq")).isEqualTo(ExitCode.FINE);
        assertThat(site.runAsStranger("showq")).isEqualTo(ExitCode.NOT_PERMITTED);
    }

    @Test
    void shouldSayWhyAJobWaits() {
        // A job may start between being chosen and being asked about: then another one is.
        Awaitility.await("a job that waits all the while")
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> {
                    String job = site.someWaitingJob();
                    site.text("checkjob", job);
                    assertThat(site.out()).contains("NOTE:  job cannot run");
                    site.text("showstart", "-e", "prio", job);
                    site.text("mdiag", "-p");
                    assertThat(site.out()).containsPattern("(?m)^" + job + "\\s");
                });
        site.text("showstart", "-e", "all", "1@1:00:00");
        assertThat(site.out()).contains("Estimated rsv based", "Estimated prio based", "Estimated hist based");
        site.text("showbf");
    }

    @Test
    void shouldMakeAReservationAndReleaseIt() throws IOException {
        site.someWaitingJob();

        site.text("mrsvctl", "-c", "-t", "2", "-s", "+30:00:00:00", "-d", "2:00:00", "-a", "user=anna", "-n", "maint");
        assertThat(site.out()).containsPattern("NOTE:  reservation \\S+ created");
        String id = site.out().replaceAll("(?s).*reservation (\\S+) created.*", "$1");

        site.text("showres", id);
        assertThat(site.out()).containsPattern("(?m)^" + id + "\\s+User\\s+I\\s.*02:00:00");
        site.text("mrsvctl", "-m", "duration+=1:00:00", id);
        site.text("mdiag", "-r", id);
        assertThat(site.out()).contains("03:00:00").contains("anna");

        site.text("mrsvctl", "-r", id);
        assertThat(site.run("showres", id)).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void shouldDoARepeatedRequestOnce() throws Exception {
        String job = site.someHeldJob();
        String body = "{\"requestId\":\"once\",\"kind\":\"HOLD_JOB\",\"objectId\":\"" + job + "\"}";

        JsonNode first = post(body);
        site.text("mjobctl", "-u", job);
        JsonNode second = post(body);

        assertThat(first.path("outcome").asText()).isEqualTo("ACCEPTED");
        assertThat(second).isEqualTo(first);
        assertThat(site.json("checkjob", job).path("held").asBoolean()).isFalse();
    }

    @Test
    void shouldReplayWhatWasAskedFor() throws IOException {
        site.text("mjobctl", "-u", site.someHeldJob());

        site.text("replay", "--verify");
    }

    @Test
    void shouldReportWhatTheSchedulerRefuses() {
        assertThat(site.run("mjobctl", "-c", "no-such-job")).isEqualTo(ExitCode.FAILED);
        assertThat(site.err()).contains("no job no-such-job");
    }

    @Test
    void shouldSayForEachNodeWhyAJobWaitsAndWhichPoliciesHold() throws IOException {
        Awaitility.await("the reasons of both nodes")
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> {
                    site.text("checkjob", "-v", site.someWaitingJob());
                    assertThat(site.out()).containsPattern("node n0001\\s+\\w+").containsPattern("node n0002\\s+\\w+");
                });
        assertThat(site.out()).containsPattern("NALLOCPOLICY: \\w+ \\(").contains("RESFAILPOLICY: CANCEL (default)");
        assertThat(site.run("checkjob", "-n", "n0009", site.someHeldJob())).isEqualTo(ExitCode.FAILED);
        assertThat(site.err()).contains("no node n0009");
    }

    @Test
    void shouldAttachMarksToANode() throws IOException {
        site.text("mnodectl", "-m", "variable=owner=chem", "-m", "message=fan is loud", "n0001");
        site.text("mnodectl", "-m", "gmetric[temp]=41.5", "n0001");

        site.text("checknode", "n0001");
        assertThat(site.out())
                .contains("Variables: owner=chem", "Message[1]: fan is loud", "GMetric[temp]: current: 41.50");
        site.text("mdiag", "-G");
        assertThat(site.out()).containsPattern("n0001\\s+temp\\s+41.5");
        site.text("mnodectl", "-d", "message:1", "n0001");
        assertThat(site.json("checknode", "n0001").path("messages")).isEmpty();
    }

    @Test
    void shouldShowWhatWasChangedAtRunTime() throws IOException {
        site.text("mschedctl", "-m", "config", "BFCHUNKSIZE 3");

        site.text("mschedctl", "-l", "config");
        assertThat(site.out()).containsPattern("BFCHUNKSIZE\\s+3\\s+run time:1");
        site.text("config", "show", "--set");
        assertThat(site.out()).contains("with 1 setting of run time").containsPattern("BFCHUNKSIZE\\s+3\\s+run time:1");
        site.text("mdiag", "-R");
        assertThat(site.out()).containsPattern("RM\\[\\w+]  Type: simulated").contains("2 nodes");
    }

    private JsonNode post(String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(ApiAccess.url(site.directory).orElseThrow() + "/v1/lab/requests"))
                .header(
                        "Authorization",
                        "Bearer " + ApiAccess.token(site.directory).orElseThrow())
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return new ObjectMapper().readTree(response.body());
    }

    private static List<String> ids(JsonNode queues, String section) {
        return queues.path(0).path(section).findValuesAsText("jobId");
    }
}

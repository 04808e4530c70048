package io.weir.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.Feature;
import io.weir.command.terminal.ExitCode;
import io.weir.standalone.DemoCluster;
import io.weir.standalone.Monitoring;
import io.weir.standalone.access.Account;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What an operator changes on jobs, nodes and reservations of a live cluster, and what is seen of it then. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorChangesIT {
    private static final DemoCluster CLUSTER = new DemoCluster("lab", 3, 2, 600, 10.0, 600, 7);

    private static final String POLICY = """
            SRCFG[night] PERIOD=DAY STARTTIME=20:00:00 ENDTIME=22:00:00 TASKCOUNT=1 USERLIST=bob DEPTH=2
            RSVPROFILE[course] ACCOUNTLIST=physics FLAGS=SPACEFLEX
            GMETRICCFG[temp] RESOLUTION=1 INTERVAL=10
            """;

    @TempDir
    static Path root;

    private LiveSite site;

    @BeforeAll
    void shouldStartEverything() throws IOException {
        site = new LiveSite(root, CLUSTER);
        Path file = Files.writeString(root.resolve("site.cfg"), POLICY);
        site.someWaitingJob();
        site.text("mschedctl", "-R", file.toString());
    }

    @AfterAll
    void shouldReplayAllOfItFromASnapshotToo() throws Exception {
        try (LiveSite open = site) {
            assertThat(open.text("replay", "--verify", "--snapshot"))
                    .contains("identical", "cluster lab: snapshot behind iteration ");
            expireHalfOfTheJournal(open);

            assertThat(open.text("replay", "--verify"))
                    .contains("cluster lab: from the snapshot behind iteration ", "identical");
        }
    }

    private static void expireHalfOfTheJournal(LiveSite open) throws Exception {
        try (Admin admin =
                Admin.create(open.standalone.connection(Account.ADMIN).kafka())) {
            TopicPartition journal =
                    new TopicPartition(new TopicNames(TopicNames.DEFAULT_PREFIX).full(Topics.JOURNAL), 0);
            long end = admin.listOffsets(Map.of(journal, OffsetSpec.latest()))
                    .partitionResult(journal)
                    .get()
                    .offset();
            admin.deleteRecords(Map.of(journal, RecordsToDelete.beforeOffset(end / 2)))
                    .all()
                    .get();
        }
    }

    @Test
    void shouldAttachVariablesMetricsAndEventsToAJob() throws IOException {
        String job = site.someHeldJob();
        assertThat(site.text(
                        "mjobctl",
                        "-m",
                        "variable=owner=chem",
                        "-m",
                        "gmetric[temp]=41.5",
                        "-m",
                        "gevent=diskslow:'scratch is slow'",
                        job))
                .contains("job '" + job + "' modified");
        assertThat(site.text("checkjob", job)).contains("Variable: owner=chem", "GMetric[temp]: 41.5");
        assertThat(site.json("checkjob", job).path("marks").findValuesAsText("name"))
                .containsExactly("gmetric temp", "variable owner");
        awaitNotice("diskslow", "scratch is slow, raised by ");

        site.text("mjobctl", "-m", "variable-=owner", job);
        assertThat(site.text("checkjob", job)).doesNotContain("owner=chem");
        assertThat(site.run("mjobctl", "-m", "gmetric[temp]=warm", job)).isEqualTo(ExitCode.FAILED);
        assertThat(site.err()).contains("gmetric[temp] is 'warm'");
    }

    @Test
    void shouldChangeManyJobsInTheOrderGiven() throws IOException {
        String job = site.someHeldJob();

        assertThat(site.text("mjobctl", "-p", "+2", job, job, job).lines())
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).startsWith("job '" + job + "' priority adjusted"));
        assertThat(site.json("checkjob", job).findPath("systemPriority").asInt())
                .isEqualTo(6);

        assertThat(site.run("mjobctl", "-p", "0", "nosuch.1", job, "nosuch.2")).isEqualTo(ExitCode.FAILED);
        assertThat(site.out()).contains("job '" + job + "' priority adjusted");
        assertThat(site.err()).contains("job 'nosuch.1' not changed", "job 'nosuch.2' not changed");
    }

    @Test
    void shouldSayWhenAResourceManagerTakesNoSignals() throws IOException {
        String waiting = site.someHeldJob();
        assertThat(site.run("mjobctl", "-N", "notify=USR1", waiting)).isEqualTo(ExitCode.FAILED);
        assertThat(site.err()).contains("is not running but IDLE");
        // A job may end between being chosen and being signalled: then another one is.
        String running = Awaitility.await("a job that runs on")
                .atMost(Duration.ofMinutes(1))
                .until(
                        () -> site.someJob("active", 0),
                        job -> site.run("mjobctl", "-N", "notify=SIGUSR1", job) == ExitCode.FINE);
        assertThat(site.out()).contains("job '" + running + "' signalled", "USR1 sent to the resource manager");
        awaitNotice("commandrefused", "SIGNAL_JOB of job " + running + " refused");
    }

    @Test
    void shouldRaiseAnEventAboutANode() throws IOException {
        assertThat(site.text("mnodectl", "-m", "gevent=fanloud:'fan 3'", "n0001"))
                .contains("event fanloud raised");
        awaitNotice("fanloud", "fan 3, requested by ");
        awaitNode("n0001", node -> node.path("events").findValuesAsText("name").contains("fanloud"));
        assertThat(site.text("checknode", "n0001")).containsPattern("GEvent\\[fanloud]: active  count: 1 .*'fan 3'");
        assertThat(site.text("mdiag", "-G")).containsPattern("n0001\\s+fanloud\\s+Active\\s+1");

        site.text("mnodectl", "-d", "gevent:fanloud", "n0001");
        awaitNode("n0001", node -> !node.path("events").findValuesAsText("name").contains("fanloud"));
        assertThat(site.run("mnodectl", "-d", "gevent:fanloud", "n0001")).isEqualTo(ExitCode.FAILED);
        assertThat(site.err()).contains("node n0001 has no gevent fanloud");
    }

    @Test
    @Feature("CAT-26")
    void shouldRememberWhatAMetricWas() throws IOException {
        site.text("mnodectl", "-m", "gmetric[noise]=30", "n0002");
        awaitNode("n0002", node -> node.path("metrics").path("noise").asDouble() == 30);
        site.text("mnodectl", "-m", "gmetric[noise]=50", "n0002");
        awaitNode("n0002", node -> node.path("metrics").path("noise").asDouble() == 50);

        JsonNode seen = site.json("checknode", "n0002").path("metricSummaries").path("noise");
        assertThat(seen.path("least").asDouble()).isEqualTo(30);
        assertThat(seen.path("most").asDouble()).isEqualTo(50);
        assertThat(seen.path("average").asDouble()).isBetween(30.0, 50.0);
        assertThat(site.text("checknode", "n0002"))
                .containsPattern("GMetric\\[noise]: current: 50  avg: .*min: 30  max: 50");
        site.text("mnodectl", "-c", "gmetric", "n0002");
        awaitNode("n0002", node -> node.path("metricSummaries").isEmpty());
    }

    /** Monitoring measures, the reduction tells, and the commands show. */
    @Test
    @Feature("CAT-26")
    void shouldShowWhatMonitoringMeasuresOfANode() throws IOException {
        awaitMeasured(71.25);
        awaitMeasured(90);

        assertThat(site.text("checknode", "n0003"))
                .containsPattern("GMetric\\[temp]: current: 90  avg: .*min: 71\\.25  max: 90");
        assertThat(site.text("mdiag", "-n", "-v", "n0003"))
                .containsPattern("GMetric\\[temp]: current: 90  avg: .*min: 71\\.25  max: 90");
        assertThat(site.json("mdiag", "-n", "n0003").at("/0/metrics/temp").asDouble())
                .isEqualTo(90);
        assertThat(site.text("mdiag", "-G", "n0003")).containsPattern("n0003\\s+temp\\s+90\\s");
        assertThat(site.text("checknode", "n0001")).doesNotContain("GMetric[temp]");
    }

    private void awaitMeasured(double value) {
        Awaitility.await("the measured " + value)
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    Monitoring.measured(site.standalone, "lab", "n0003", "temp", value);
                    return site.json("checknode", "n0003")
                                    .path("metrics")
                                    .path("temp")
                                    .asDouble()
                            == value;
                });
    }

    @Test
    void shouldPutAJobAheadOfAllOthers() throws IOException {
        String job = site.someHeldJob();
        assertThat(site.text("runjob", job)).contains("job '" + job + "' runs next");
        assertThat(site.json("checkjob", job).path("systemPriority").asInt()).isEqualTo(1_000_000_000);
        site.text("mjobctl", "-u", job);
        Awaitility.await("job " + job + " ahead of all others")
                .atMost(Duration.ofSeconds(30))
                .until(() -> {
                    JsonNode queue = site.json("showq").path(0);
                    return !queue.path("eligible").findValuesAsText("jobId").contains(job)
                            || queue.path("eligible")
                                    .path(0)
                                    .path("jobId")
                                    .asText()
                                    .equals(job);
                });
    }

    @Test
    void shouldChangeEveryAttributeOfAReservation() throws IOException {
        String id = create("-h", "^n0003$", "-s", "+20:00:00:00", "-d", "2:00:00", "-a", "user=anna", "-n", "maint");
        JsonNode made = reservation(id);
        Instant start = Instant.parse(made.path("start").asText());

        site.text("mrsvctl", "-m", "starttime+=5:00:00", id);
        assertThat(start(id)).isEqualTo(start.plus(Duration.ofHours(5)));
        assertThat(end(id)).isEqualTo(start.plus(Duration.ofHours(7)));
        site.text("mrsvctl", "-m", "-d", "+=5:00:00", id);
        assertThat(start(id)).isEqualTo(start.plus(Duration.ofHours(5)));
        assertThat(end(id)).isEqualTo(start.plus(Duration.ofHours(12)));
        site.text("mrsvctl", "-m", "endtime-=1:00:00", id);
        assertThat(end(id)).isEqualTo(start.plus(Duration.ofHours(11)));
        site.text("mrsvctl", "-m", "duration=3:00:00", id);
        assertThat(end(id)).isEqualTo(start.plus(Duration.ofHours(8)));

        site.text("mrsvctl", "-m", "-a", "user+=bob", id);
        assertThat(reservation(id).path("acl").toString()).contains("anna", "bob");
        site.text("mrsvctl", "-m", "-a", "user-=anna", id);
        assertThat(reservation(id).path("acl").toString()).contains("bob").doesNotContain("anna");
        site.text("mrsvctl", "-m", "-a", "group==staff", id);
        assertThat(reservation(id).path("acl").toString()).contains("staff", "bob");

        site.text("mrsvctl", "-m", "flags+=SPACEFLEX", id);
        assertThat(reservation(id).path("flags").toString()).contains("SPACEFLEX");
        site.text("mrsvctl", "-m", "flags-=SPACEFLEX", id);
        assertThat(reservation(id).path("flags").toString()).doesNotContain("SPACEFLEX");
        site.text("mrsvctl", "-m", "variable+=key=value", id);
        assertThat(reservation(id).path("variables").toString()).contains("key", "value");
        site.text("mrsvctl", "-m", "variable-=key", id);
        assertThat(reservation(id).path("variables")).isEmpty();
        site.text("mrsvctl", "-m", "owner=USER:anna", "-m", "label=work", "-m", "group=spring", id);
        assertThat(reservation(id).path("owner").asText()).isEqualTo("USER:anna");
        assertThat(reservation(id).path("group").asText()).isEqualTo("spring");
        site.text("mrsvctl", "-m", "accountable=aaccount=physics", id);
        assertThat(reservation(id).path("accountable").toString()).contains("physics");
        site.text("mrsvctl", "-m", "hostexp=^n0002$", id);
        assertThat(reservation(id).path("allocation").findValuesAsText("nodeId"))
                .containsExactly("n0002");
        assertThat(site.run("mrsvctl", "-m", "endtime=-1:00:00", id)).isEqualTo(ExitCode.FAILED);
        assertThat(site.text("mrsvctl", "-l", "-g", "spring")).contains(id);
        assertThat(site.text("mrsvctl", "-r", "-g", "spring")).contains("successfully released");
        assertThat(site.run("showres", id)).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void shouldQueryAReservationAndWhatIsInItsWay() throws IOException {
        String first = create("-h", "^n0001$", "-s", "+10:00:00:00", "-d", "4:00:00", "-a", "user=anna");
        String second = create("-h", "n000[12]", "-s", "+10:01:00:00", "-d", "4:00:00");

        assertThat(site.text("mrsvctl", "-q", second, "--blocking"))
                .containsPattern(first + "\\s+User\\s+0[23]:\\d\\d:\\d\\d\\s+n0001");
        JsonNode query =
                site.json("mrsvctl", "-q", second, "--blocking", "--diag").path(0);
        assertThat(query.path("blocking").path(0).path("reservationId").asText())
                .isEqualTo(first);
        assertThat(query.path("warnings").toString()).contains("nobody may use it");
        assertThat(site.text("mrsvctl", "-q", "--profile", "course")).contains("RSVPROFILE[course]");
        assertThat(site.run("mrsvctl", "-c", "-E", "-h", "^n0001$", "-s", "+10:00:00:00", "-d", "1:00:00"))
                .isEqualTo(ExitCode.FAILED);
        assertThat(site.err()).contains(first);
        site.text("mrsvctl", "-r", first, second);
    }

    @Test
    void shouldMakeAReservationFromAProfileWithEverythingElseGiven() throws IOException {
        String id = create(
                "-t",
                "1",
                "-R",
                "PROCS:1",
                "-s",
                "+40:00:00:00",
                "-d",
                "1:00:00",
                "-P",
                "course",
                "-o",
                "USER:anna",
                "-g",
                "summer",
                "-V",
                "a=b",
                "-D",
                "for the course");
        JsonNode made = reservation(id);
        assertThat(made.path("acl").toString()).contains("physics");
        assertThat(made.path("flags").toString()).contains("SPACEFLEX");
        assertThat(made.path("profile").asText()).isEqualTo("course");
        assertThat(made.path("comment").asText()).isEqualTo("for the course");
        assertThat(made.path("variables").toString()).contains("\"a\"");
        site.text("releaseres", id);
    }

    @Test
    void shouldDisableASlotOfAStandingReservationAndEnableItAgain() throws IOException {
        JsonNode before = site.json("mdiag", "-s", "night");
        assertThat(before.path("reservations")).hasSizeGreaterThanOrEqualTo(1);
        String slot = before.path("reservations")
                .path(before.path("reservations").size() - 1)
                .path("reservationId")
                .asText();

        site.text("mrsvctl", "-r", slot);
        assertThat(site.text("mdiag", "-s")).contains("Disabled: night " + slot);
        site.text("mrsvctl", "-C", "-g", "night");
        assertThat(site.json("mdiag", "-s", "night").path("disabledSlots")).isEmpty();
        site.text("mrsvctl", "-B", "night");
        assertThat(site.text("mdiag", "-s", "night")).contains("SRCFG[night]", "Standing: night");
    }

    private String create(String... form) {
        String[] words = new String[form.length + 2];
        words[0] = "mrsvctl";
        words[1] = "-c";
        System.arraycopy(form, 0, words, 2, form.length);
        String said = site.text(words);
        assertThat(said).containsPattern("NOTE:  reservation \\S+ created");
        return said.replaceAll("(?s).*reservation (\\S+) created.*", "$1");
    }

    private JsonNode reservation(String id) throws IOException {
        return site.json("mdiag", "-r", id).path(0);
    }

    private Instant start(String id) throws IOException {
        return Instant.parse(reservation(id).path("start").asText());
    }

    private Instant end(String id) throws IOException {
        return Instant.parse(reservation(id).path("end").asText());
    }

    private void awaitNode(String id, Predicate<JsonNode> wanted) {
        Awaitility.await("node " + id)
                .atMost(Duration.ofSeconds(30))
                .until(() -> wanted.test(site.json("checknode", id)));
    }

    private void awaitNotice(String event, String text) {
        Awaitility.await(event + ": " + text)
                .atMost(Duration.ofSeconds(30))
                .until(() -> Files.readString(DemoCluster.notices(site.directory))
                        .lines()
                        .anyMatch(line -> line.contains(event) && line.contains(text)));
    }
}

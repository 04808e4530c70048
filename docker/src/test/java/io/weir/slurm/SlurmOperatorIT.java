package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.command.Main;
import io.weir.command.terminal.ExitCode;
import io.weir.schemas.DeadLetter;
import io.weir.standalone.Standalone;
import io.weir.standalone.TopicContents;
import io.weir.standalone.access.Account;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** An operator's commands, from the command line through Weir to what a real Slurm shows. */
class SlurmOperatorIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    static Path data;

    private static SlurmSite slurm;
    private static Standalone weir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void startEverything() throws Exception {
        SlurmSite.assumeInstalled();
        for (String file : List.of("/usr/sbin/slurmdbd", "/usr/sbin/mariadbd")) {
            Assumptions.assumeTrue(
                    Files.isExecutable(Path.of(file)), file + " is missing: install it with .ci/install-slurm --db");
        }
        slurm = SlurmSite.start(Map.of("SLURM_NODES", "4", "SLURM_DATABASE", "1", "SLURM_MIN_JOB_AGE", "3600"));
        weir = slurm.startWeir(data, slurm.pokes());
    }

    @AfterAll
    static void stopEverything() {
        if (weir != null) {
            weir.close();
        }
        if (slurm != null) {
            slurm.close();
        }
    }

    @Test
    void shouldGiveRunningJobAnotherNodeAndTakeItBack() {
        String job = running("sleep 1000", "-n1", "-w", "n1");
        String first = "n1";
        String second = "n4";

        weir("mjobctl", "-m", "hostlist+=" + second, job);
        eventually(() ->
                assertThat(slurm.jobs().get(Long.parseLong(job)).nodes()).containsExactlyInAnyOrder(first, second));
        eventually(() -> assertThat(weir("checkjob", job)).contains(first).contains(second));

        weir("mjobctl", "-m", "hostlist-=" + second, job);
        eventually(
                () -> assertThat(slurm.jobs().get(Long.parseLong(job)).nodes()).containsExactly(first));
        eventually(() -> assertThat(weir("checkjob", job)).doesNotContain(second));
        assertThat(field(job, "Restarts")).isEqualTo("0");
        cancel(job);
    }

    @Test
    void shouldChangeTimeLimitSuspendAndRequeue() {
        String job = running("sleep 1000", "-n1", "-t", "10");

        weir("mjobctl", "-m", "wclimit+=10:00", job);
        eventually(() -> assertThat(field(job, "TimeLimit")).isEqualTo("00:20:00"));

        weir("mjobctl", "-s", job);
        eventually(() -> assertThat(field(job, "JobState")).isEqualTo("SUSPENDED"));
        eventually(() -> assertThat(weir("checkjob", job)).containsIgnoringCase("State: Suspended"));
        weir("mjobctl", "-r", job);
        eventually(() -> assertThat(field(job, "JobState")).isEqualTo("RUNNING"));
        eventually(() -> assertThat(weir("checkjob", job)).containsIgnoringCase("State: Running"));

        weir("mjobctl", "-R", job);
        eventually(() -> assertThat(field(job, "Restarts")).isEqualTo("1"));
        eventually(() -> assertThat(field(job, "JobState"))
                .as(() -> slurm.run(List.of("scontrol", "show", "job", job)))
                .isEqualTo("RUNNING"));
        eventually(() -> assertThat(weir("checkjob", job)).containsIgnoringCase("State: Running"));
        cancel(job);
    }

    /** As under Slurm, that a job had its nodes to itself counts for nothing while it is suspended. */
    @Test
    void shouldStartAnotherJobOnTheProcessorsOfASuspendedOne() {
        shouldStartAnotherBeside("-N1", "--exclusive");
        shouldStartAnotherBeside("-n4");
    }

    private void shouldStartAnotherBeside(String... options) {
        String suspended = running(
                "sleep 1000",
                Stream.concat(Stream.of(options), Stream.of("-w", "n3")).toArray(String[]::new));
        slurm.run(List.of("scontrol", "suspend", suspended));

        String other = running("sleep 1000", "-n4", "-w", "n3");
        weir("mjobctl", "-r", suspended);
        eventually(() -> assertThat(weir("checkjob", suspended)).containsIgnoringCase("State: Running"));

        cancel(other);
        cancel(suspended);
    }

    @Test
    void shouldLiftTheHoldOfItsUser() {
        String job = slurm.submit("sleep 1000", "-n1", "--hold");
        eventually(() -> assertThat(weir("checkjob", job)).contains("held by its user"));

        weir("mjobctl", "-u", job);
        eventually(() -> assertThat(field(job, "JobState")).isEqualTo("RUNNING"));
        cancel(job);
    }

    @Test
    void shouldDrainResumeAndMarkNode() {
        weir("mnodectl", "-m", "state=Drained", "n2");
        eventually(() -> assertThat(node("n2")).contains("DRAIN"));
        eventually(() -> assertThat(weir("checknode", "n2")).containsIgnoringCase("Drain"));

        weir("mnodectl", "-m", "features+=fast", "n2");
        eventually(() -> assertThat(node("n2")).contains("ActiveFeatures=fast,test"));

        weir("mnodectl", "-m", "state=Idle", "n2");
        eventually(() -> assertThat(node("n2")).doesNotContain("DRAIN"));
        String job = running("sleep 1000", "-n1", "-C", "fast");
        assertThat(field(job, "NodeList")).isEqualTo("n2");
        cancel(job);
    }

    @Test
    void shouldShowReservationInSlurm() {
        weir("mrsvctl", "-c", "-h", "n3", "-s", "+1:00:00", "-d", "2:00:00", "-a", "user=nobody");
        String id = out.toString().replaceAll("(?s).*reservation (\\S+) created.*", "$1");
        eventually(() -> assertThat(reservations())
                .contains("ReservationName=weir-" + id)
                .contains("Nodes=n3 ")
                .contains("Duration=02:00:00")
                .contains("nobody"));

        weir("mrsvctl", "-m", "duration+=1:00:00", id);
        eventually(() -> assertThat(reservations()).contains("Duration=03:00:00"));

        weir("mrsvctl", "-r", id);
        eventually(() -> assertThat(reservations()).doesNotContain("weir-" + id));
    }

    @Test
    void shouldWaitForLostControllerAndStartNothingTwice() {
        String before = running("sleep 1000", "-n1");
        awaitSaved(before);

        slurm.script("kill", "controller");
        eventually(() -> {
            String poll = lastPoll();
            await().pollDelay(Duration.ofSeconds(5)).until(() -> true);
            assertThat(lastPoll()).as("no poll goes through").isEqualTo(poll);
        });
        for (String state : List.of("State: Late (polls fail", "State: Silent (polls fail")) {
            await().atMost(Duration.ofMinutes(3))
                    .pollInterval(Duration.ofSeconds(2))
                    .untilAsserted(() -> assertThat(weir("mdiag", "-R")).contains(state));
        }
        String last = lastPoll();
        slurm.script("start", "controller");

        eventually(() -> assertThat(lastPoll()).isNotEqualTo(last));
        assertThat(weir("mdiag", "-R")).contains("State: Active").contains("Type: slurm 2");
        String after = slurm.submit("sleep 1000", "-n1");
        eventually(() -> assertThat(field(after, "JobState"))
                .as(() -> weir("checkjob", after) + slurm.run(List.of("scontrol", "show", "job", after)))
                .isEqualTo("RUNNING"));
        for (String job : List.of(before, after)) {
            assertThat(field(job, "JobState")).isEqualTo("RUNNING");
            assertThat(field(job, "Restarts")).isEqualTo("0");
            cancel(job);
        }
    }

    /** Returns the number of the last poll that Weir has heard of. */
    private String lastPoll() {
        return weir("mdiag", "-R").replaceAll("(?s).*number (\\d+) of epoch.*", "$1");
    }

    /** What Slurm has not written yet, it forgets in a kill; it writes soon after a change. */
    private static void awaitSaved(String job) {
        Path state = slurm.directory().resolve("state/job_state");
        Instant now = Instant.now();
        slurm.run(List.of("scontrol", "update", "JobId=" + job, "Comment=saved"));
        eventually(
                () -> assertThat(Files.getLastModifiedTime(state).toInstant()).isAfter(now));
    }

    @Test
    void shouldLeaveNoBadRecordsAndReplayCleanly() {
        String job = running("true", "-n1");
        eventually(() -> assertThat(field(job, "JobState")).isEqualTo("COMPLETED"));

        assertThat(new TopicContents(weir.connection(Account.READER), new TopicNames(TopicNames.DEFAULT_PREFIX))
                        .read(Topics.DEAD_LETTERS))
                .extracting(DeadLetter::toString)
                .isEmpty();
        weir("replay", "--verify");
    }

    private String running(String script, String... options) {
        String job = slurm.submit(script, options);
        eventually(() -> assertThat(field(job, "JobState")).isIn("RUNNING", "COMPLETED", "COMPLETING"));
        eventually(() -> assertThat(weir("checkjob", job)).containsPattern("State: (Running|Completed)"));
        return job;
    }

    private void cancel(String job) {
        weir("mjobctl", "-c", job);
        eventually(() -> assertThat(field(job, "JobState")).isEqualTo("CANCELLED"));
    }

    private static void eventually(ThrowingRunnable condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(condition);
    }

    private static String field(String job, String name) {
        String text = slurm.run(List.of("scontrol", "-o", "show", "job", job));
        return text.replaceAll("(?s).*\\b" + name + "=(\\S*).*", "$1");
    }

    private static String node(String name) {
        return slurm.run(List.of("scontrol", "-o", "show", "node", name));
    }

    private static String reservations() {
        return slurm.run(List.of("scontrol", "-o", "show", "reservation"));
    }

    /** Runs a command of Weir's, which has to be carried out; returns what it says. */
    private String weir(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> words = new ArrayList<>(List.of(args));
        words.addAll(List.of("--data", data.toString()));
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        assertThat(command.execute(words.toArray(String[]::new)))
                .as("%s: %s%s", String.join(" ", args), out, err)
                .isEqualTo(ExitCode.FINE);
        return out.toString();
    }
}

package io.weir.rm.slurm.translate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.slurm.client.RestTransport;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.topics.AvroTrust;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which jobs are fetched when their lines in the queue's listing change; a program stands for squeue. */
class ListedJobsTest {
    static {
        AvroTrust.install();
    }

    private static final Instant NOW = Instant.ofEpochSecond(2000);
    private static final String ONE_NODE = "n1";

    @TempDir
    Path directory;

    private final Map<String, List<NodeAllocation>> placed = new HashMap<>();
    private final Set<String> starting = new HashSet<>();
    private final List<String> fetched = new ArrayList<>();
    private String job = "";
    private JobReport held;
    private SlurmCommands commands;
    private ClusterView view;

    private final RestTransport service = new RestTransport() {
        @Override
        public Reply send(String method, String target, byte @Nullable [] body, Duration limit) {
            if (target.contains("/job/")) {
                fetched.add(target.substring(target.lastIndexOf('/') + 1));
            }
            String text = target.startsWith("/openapi")
                    ? "{\"paths\":{\"/slurm/v0.0.38/jobs\":{}}}"
                    : "{\"meta\":{},\"jobs\":[" + job + "]}";
            return new Reply(200, text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String toString() {
            return "test";
        }
    };

    @BeforeEach
    void install() throws IOException {
        Path squeue = directory.resolve("squeue");
        Files.writeString(squeue, """
                #!/bin/sh
                mark=${SQUEUE_FORMAT%%"$(printf '\\037')"*}
                sed "s/^MARK/$mark/" "$(dirname "$0")/listing"
                """.replace("MARK", QueueLines.MARK));
        Files.setPosixFilePermissions(squeue, PosixFilePermissions.fromString("rwxr-xr-x"));
        commands = new SlurmCommands(directory, null, Duration.ofSeconds(10));
        view = new ClusterView(
                new SlurmRest(service, null, Duration.ofSeconds(10)),
                commands,
                new SlurmJobTranslation("c1", false, new StartObstacles(), new NodePartitions()),
                new SlurmNodeTranslation("c1", true, false),
                new StartObstacles(),
                new NodePartitions(),
                300,
                id -> placed.getOrDefault(id, List.of()),
                starting::contains,
                waiting -> {},
                (lines, taken) -> {});
    }

    @AfterEach
    void close() {
        commands.close();
    }

    /** Looks at a queue of job 17 alone, which slurmrestd tells with these fields. */
    private JobReport look(String line, String fields) {
        job = "{\"job_id\":17,\"submit_time\":1000,\"time_limit\":10,\"cpus\":2," + fields + "}";
        try {
            Files.writeString(directory.resolve("listing"), line + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        fetched.clear();
        List<JobReport> jobs = view.jobs(NOW);
        assertThat(jobs).hasSize(1);
        return jobs.get(0);
    }

    private static String line(String state, String reason, long priority, String started, String nodes) {
        return line(state, reason, priority, started, nodes, "10:00");
    }

    private static String line(String state, String reason, long priority, String started, String nodes, String limit) {
        return line(state, reason, priority, started, nodes, "N/A", limit);
    }

    private static String line(
            String state, String reason, long priority, String started, String nodes, String ended, String limit) {
        return QueueLines.line(
                "%A",
                "17",
                "%F",
                "17",
                "%T",
                state,
                "%r",
                reason,
                "%Q",
                Long.toString(priority),
                "%S",
                started,
                "%N",
                nodes,
                "%e",
                ended,
                "%l",
                limit,
                "%C",
                "2");
    }

    private static final String HELD = line("PENDING", "JobHeldUser", 0, "N/A", "");
    private static final String RELEASED = line("PENDING", "None", 7, "N/A", "");
    private static final String RUNNING = line("RUNNING", "None", 7, "1970-01-01T00:33:20", ONE_NODE);
    private static final String LEAVING = over("COMPLETING");

    private static String over(String state) {
        return line(state, "None", 7, "1970-01-01T00:33:20", ONE_NODE, "1970-01-01T00:33:21", "10:00");
    }

    private static final String HELD_JOB = "\"job_state\":\"PENDING\",\"priority\":0,\"state_reason\":\"JobHeldUser\"";
    private static final String RUNNING_JOB =
            "\"job_state\":\"RUNNING\",\"priority\":7,\"state_reason\":\"None\",\"start_time\":2000,\"nodes\":\"n1\","
                    + "\"job_resources\":{\"allocated_nodes\":"
                    + "[{\"nodename\":\"n1\",\"sockets\":{\"0\":{\"cores\":{\"0\":\"a\",\"1\":\"a\"}}}}]}";

    /** A job in this state, with this status of wait(2). */
    private static final String ENDED_JOB =
            "\"job_state\":\"%s\",\"priority\":7,\"state_reason\":\"None\",\"start_time\":2000,\"end_time\":2001,"
                    + "\"nodes\":\"n1\",\"exit_code\":%d";

    private void start() {
        look(HELD, HELD_JOB);
        assertThat(fetched).containsExactly("17");
        starting.add("17");
        placed.put("17", List.of(new NodeAllocation(ONE_NODE, 2)));
    }

    @Test
    void shouldFetchNoJobWhoseStartIsUnderWay() {
        start();

        assertThat(look(RELEASED, HELD_JOB).getState()).isEqualTo(JobState.IDLE);
        assertThat(fetched).isEmpty();
    }

    @Test
    void shouldFetchJobThatAnAdministratorReleased() {
        look(HELD, HELD_JOB);

        look(RELEASED, HELD_JOB);
        assertThat(fetched).containsExactly("17");
    }

    @Test
    void shouldFetchNoHeldJobWhoseExpectedStartHasPassed() {
        look(line("PENDING", "JobHeldUser", 0, "1970-01-01T00:33:20", ""), HELD_JOB);

        assertThat(look(HELD, HELD_JOB).getState()).isEqualTo(JobState.IDLE);
        assertThat(fetched).isEmpty();

        look(RELEASED, HELD_JOB);
        assertThat(fetched).as("what changes later").containsExactly("17");
    }

    @Test
    void shouldFetchHeldJobThatMayBeginEarlierThanBefore() {
        look(line("PENDING", "JobHeldUser", 0, "1970-01-01T00:33:21", ""), HELD_JOB);

        look(HELD, HELD_JOB);
        assertThat(fetched).as("that instant is still to come").containsExactly("17");
    }

    @Test
    void shouldFetchHeldJobOfWhichMoreChangedThanItsExpectedStart() {
        look(line("PENDING", "JobHeldUser", 0, "1970-01-01T00:33:20", ""), HELD_JOB);

        look(line("PENDING", "JobHeldUser", 0, "N/A", "", "20:00"), HELD_JOB);
        assertThat(fetched).containsExactly("17");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%f", "%x", "%m", "%n", "%b", "%v", "%W", "%c", "%D", "%P", "%q", "%E"})
    void shouldFetchJobThatWaitsAndAsksForSomethingElseThanBefore(String field) {
        look(QueueLines.line("%A", "17", "%T", "PENDING"), HELD_JOB);

        look(QueueLines.line("%A", "17", "%T", "PENDING", field, "other"), HELD_JOB);
        assertThat(fetched).containsExactly("17");
    }

    @Test
    void shouldTellFromItsLineWhatTheWholeRecordTellsOfJobThatRuns() {
        start();
        look(RELEASED, HELD_JOB);
        starting.clear();

        JobReport byLine = look(RUNNING, RUNNING_JOB);
        assertThat(fetched).isEmpty();
        view.touch("17");
        JobReport byRecord = look(RUNNING, RUNNING_JOB);

        assertThat(fetched).containsExactly("17");
        assertThat(byLine).isEqualTo(byRecord);
        assertThat(byLine.getAllocation()).containsExactly(new NodeAllocation(ONE_NODE, 2));
        assertThat(byLine.getStartTime()).isEqualTo(Instant.ofEpochSecond(2000));
    }

    @Test
    void shouldFetchJobThatRunsOtherwiseThanTold() {
        start();
        placed.put("17", List.of(new NodeAllocation("n2", 2)));
        look(RUNNING, RUNNING_JOB);
        assertThat(fetched).as("elsewhere").containsExactly("17");
    }

    @Test
    void shouldFetchJobThatRunsWithAnotherLimit() {
        start();
        look(line("RUNNING", "None", 7, "1970-01-01T00:33:20", ONE_NODE, "5:00"), RUNNING_JOB);
        assertThat(fetched).containsExactly("17");
    }

    @Test
    void shouldFetchJobThatRunsWithFewerProcessors() {
        start();
        placed.put("17", List.of(new NodeAllocation(ONE_NODE, 1)));
        look(RUNNING, RUNNING_JOB);
        assertThat(fetched).containsExactly("17");
    }

    @Test
    void shouldFetchJobThatWasRestarted() {
        look(HELD, HELD_JOB + ",\"restart_cnt\":1");
        placed.put("17", List.of(new NodeAllocation(ONE_NODE, 2)));
        look(RUNNING, RUNNING_JOB + ",\"restart_cnt\":1");
        assertThat(fetched).containsExactly("17");
    }

    @Test
    void shouldFetchJobThatFailedButNoneThatLeavesItsNodes() {
        start();
        look(RUNNING, RUNNING_JOB);

        JobReport leaving = look(LEAVING, RUNNING_JOB);
        assertThat(fetched).isEmpty();
        assertThat(leaving.getState()).isEqualTo(JobState.RUNNING);
        assertThat(leaving.getReason()).isEqualTo("COMPLETING");
        assertThat(leaving.getAllocation()).containsExactly(new NodeAllocation(ONE_NODE, 2));

        JobReport over = look(over("FAILED"), ENDED_JOB.formatted("FAILED", 256));
        assertThat(fetched).containsExactly("17");
        assertThat(over.getState()).isEqualTo(JobState.FAILED);
        assertThat(over.getExitCode()).isEqualTo(1);
    }

    @Test
    void shouldTellFromItsLineWhatTheWholeRecordTellsOfJobThatEndedWell() {
        start();
        look(RUNNING, RUNNING_JOB);
        look(LEAVING, RUNNING_JOB);

        assertEndToldByLine();
    }

    @Test
    void shouldTellFromItsLineTheEndOfJobThatWasNotSeenToRun() {
        start();

        assertEndToldByLine();
    }

    private void assertEndToldByLine() {
        JobReport byLine = look(over("COMPLETED"), ENDED_JOB.formatted("COMPLETED", 0));
        assertThat(fetched).isEmpty();
        view.touch("17");
        JobReport byRecord = look(over("COMPLETED"), ENDED_JOB.formatted("COMPLETED", 0));

        assertThat(fetched).containsExactly("17");
        assertThat(byLine).isEqualTo(byRecord);
        assertThat(byLine.getState()).isEqualTo(JobState.COMPLETED);
        assertThat(byLine.getEndTime()).isEqualTo(Instant.ofEpochSecond(2001));
        assertThat(byLine.getExitCode()).isZero();
    }

    @Test
    void shouldFetchJobThatEndedWellElsewhereThanTold() {
        start();
        placed.put("17", List.of(new NodeAllocation("n2", 2)));

        look(over("COMPLETED"), ENDED_JOB.formatted("COMPLETED", 0));
        assertThat(fetched).containsExactly("17");
    }

    @Test
    void shouldFetchJobThatBeganAtAnotherTimeThanSeen() {
        start();
        look(RUNNING, RUNNING_JOB);

        look(
                line("COMPLETED", "None", 7, "1970-01-01T00:33:19", ONE_NODE, "1970-01-01T00:33:21", "10:00"),
                ENDED_JOB.formatted("COMPLETED", 0));
        assertThat(fetched).containsExactly("17");
    }

    @Test
    void shouldSayAnewWhatDependsOnTheTimeWhenTheClockWentBack() {
        look(HELD, HELD_JOB + ",\"eligible_time\":3000");
        assertThat(view.jobs(NOW.plusSeconds(7200)))
                .extracting(JobReport::getState)
                .containsExactly(JobState.IDLE);

        assertThat(view.jobs(NOW)).extracting(JobReport::getState).containsExactly(JobState.HOLD);
    }

    @Test
    void shouldNotTakeLinesWithinTheCommentOfAnotherJobForAJob() {
        start();
        look(RUNNING, RUNNING_JOB);
        String forged = over("COMPLETED").substring(QueueLines.MARK.length() + 1);

        for (String beginning : List.of("", "\u001f", "MARK\u001f")) {
            String line = QueueLines.line("%A", "16", "%F", "16", "%T", "PENDING", "%k", "x\n" + beginning + forged);
            assertThat(look(line + "\n" + RUNNING, RUNNING_JOB).getState())
                    .as(beginning)
                    .isEqualTo(JobState.RUNNING);
        }
    }

    @Test
    void shouldExpectJobThatLeavesItsNodesToBeGoneSoon() {
        start();
        look(RUNNING, RUNNING_JOB);
        assertThat(view.settling(NOW)).isEmpty();

        look(LEAVING, RUNNING_JOB);
        assertThat(view.settling(NOW)).containsExactly("17");
        assertThat(view.settling(NOW.plusSeconds(60))).as("stuck on its nodes").isEmpty();

        look(over("COMPLETED"), ENDED_JOB.formatted("COMPLETED", 0));
        assertThat(view.settling(NOW)).isEmpty();
    }

    /** Looks at that job alone, which slurmrestd tells with these fields; the queue is not listed. */
    private Optional<List<JobReport>> lookAt(String number, String fields) throws IOException {
        job = "{\"job_id\":17,\"submit_time\":1000,\"time_limit\":10,\"cpus\":2," + fields + "}";
        Files.writeString(directory.resolve("listing"), "squeue was asked\n");
        fetched.clear();
        return view.look(Set.of(number), NOW);
    }

    private static final String LEAVING_JOB =
            ENDED_JOB.formatted("COMPLETED", 0).replace("\"COMPLETED\"", "[\"COMPLETED\",\"COMPLETING\"]");

    @Test
    void shouldSeeTheEndOfANamedJobWithoutListingTheQueue() throws IOException {
        start();
        look(RUNNING, RUNNING_JOB);

        assertThat(lookAt("17", LEAVING_JOB).orElseThrow())
                .extracting(JobReport::getState)
                .containsExactly(JobState.RUNNING);
        assertThat(view.settling(NOW)).containsExactly("17");

        JobReport ended =
                lookAt("17", ENDED_JOB.formatted("COMPLETED", 0)).orElseThrow().get(0);
        assertThat(ended.getState()).isEqualTo(JobState.COMPLETED);
        assertThat(view.settling(NOW)).isEmpty();

        assertThat(look(over("COMPLETED"), ENDED_JOB.formatted("COMPLETED", 0))).isEqualTo(ended);
        assertThat(fetched).as("the line tells nothing new").isEmpty();
    }

    @Test
    void shouldSeeTheEndOfANamedJobThatWasNeverSeenToRun() throws IOException {
        start();

        JobReport ended =
                lookAt("17", ENDED_JOB.formatted("FAILED", 256)).orElseThrow().get(0);
        assertThat(ended.getState()).isEqualTo(JobState.FAILED);
    }

    @Test
    void shouldListJobThatWasSeenToLeaveItsNodesAndHasLeftThem() throws IOException {
        start();
        look(RUNNING, RUNNING_JOB);
        assertThat(lookAt("17", LEAVING_JOB)).isPresent();

        assertThat(look(over("COMPLETED"), ENDED_JOB.formatted("COMPLETED", 0)).getState())
                .isEqualTo(JobState.COMPLETED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NODE_FAIL", "PREEMPTED", "BOOT_FAIL", "RUNNING", "PENDING"})
    void shouldListTheQueueWhenANamedJobDidNotEndByItself(String state) throws IOException {
        start();
        look(RUNNING, RUNNING_JOB);

        assertThat(lookAt("17", ENDED_JOB.formatted(state, 0))).isEmpty();
    }

    @Test
    void shouldListTheQueueWhenANamedJobIsNotKnownOrWasChangedByACommand() throws IOException {
        start();
        look(RUNNING, RUNNING_JOB);

        assertThat(lookAt("18", ENDED_JOB.formatted("COMPLETED", 0))).isEmpty();
        view.touch("17");
        assertThat(lookAt("17", ENDED_JOB.formatted("COMPLETED", 0))).isEmpty();
    }

    @Test
    void shouldListTheQueueWhenJobsWaitForOthersToEnd() throws IOException {
        look(HELD, HELD_JOB + ",\"dependency\":\"afterany:9(unfulfilled)\"");
        look(HELD, HELD_JOB);

        assertThat(lookAt("17", ENDED_JOB.formatted("CANCELLED", 0))).isEmpty();
    }

    @Test
    void shouldFetchJobThatLostNodesAsItLeaves() {
        start();
        look(RUNNING, RUNNING_JOB);

        look(line("COMPLETING", "None", 7, "1970-01-01T00:33:20", ""), RUNNING_JOB.replace("RUNNING", "COMPLETING"));
        assertThat(fetched).containsExactly("17");
    }

    private static final String DEPENDENT = ",\"dependency\":\"afterok:12(%s)\"";
    private static final String DEAD = DEPENDENT.formatted("failed");

    /** Looks at the job while it is held for that reason; returns what was said to scontrol. */
    private List<String> lookAtHeld(String reason, String more) throws IOException {
        Path scontrol = directory.resolve("scontrol");
        Path said = directory.resolve("said");
        Files.writeString(scontrol, "#!/bin/sh\n[ -z \"$1\" ] || echo \"$*\" >>" + said + "\n");
        Files.setPosixFilePermissions(scontrol, PosixFilePermissions.fromString("rwx------"));
        Files.deleteIfExists(said);
        String fields = HELD_JOB.replace("JobHeldUser", reason) + more;
        held = look(QueueLines.line("%A", "17", "%T", "PENDING", "%r", reason, "%E", more), fields);
        return Files.exists(said) ? Files.readAllLines(said) : List.of();
    }

    private void assertHeld(JobState state, @Nullable String reason) {
        assertThat(held.getState()).isEqualTo(state);
        assertThat(held.getReason()).isEqualTo(reason);
    }

    @Test
    void shouldTakeBackWhatSlurmHoldsForADependencyOnceThatIsGone() throws IOException {
        String never = "DependencyNeverSatisfied: afterok:12(failed)";
        String marked = ",\"admin_comment\":\"others [weir,nodep=@0]\"";
        assertThat(lookAtHeld("JobHeldUser", DEPENDENT.formatted("unfulfilled")))
                .isEmpty();

        assertThat(lookAtHeld("JobHeldAdmin", DEAD)).containsExactly("update JobId=17 AdminComment=[weir,nodep=@0]");
        assertHeld(JobState.HOLD, never);
        assertThat(lookAtHeld("JobHeldAdmin", DEAD + marked)).isEmpty();
        assertHeld(JobState.HOLD, never);

        assertThat(lookAtHeld("JobHeldAdmin", marked))
                .containsExactly("uhold 17", "update JobId=17 AdminComment=others");
        assertHeld(JobState.IDLE, null);
    }

    @Test
    void shouldLeaveToSlurmWhatItEndsForADependencyThatFails() throws IOException {
        String ended = DEPENDENT.formatted("unfulfilled") + ",\"flags\":[\"KILL_INV_DEP\"]";
        assertThat(lookAtHeld("JobHeldUser", ended)).isEmpty();
        assertThat(lookAtHeldAfterOther("COMPLETED", ended)).isEmpty();
        assertThat(lookAtHeldAfterOther("FAILED", ended)).containsExactly("release 17");
        assertThat(lookLater(1)).as("once").isEmpty();
        assertThat(lookAtHeldAfterOther("RUNNING", ended)).isEmpty();
        assertThat(lookAtHeldAfterOther("FAILED", ended + ",\"comment\":\"[held by user]\""))
                .isEmpty();
        assertThat(lookAtHeldAfterOther("FAILED", DEPENDENT.formatted("unfulfilled")))
                .as("its user does not say so")
                .isEmpty();
    }

    /** Looks at the held job while the other, for which it waits, is in that state; returns what was said to scontrol. */
    private List<String> lookAtHeldAfterOther(String state, String more) throws IOException {
        lookAtHeld("JobHeldUser", more);
        Path said = directory.resolve("said");
        Files.deleteIfExists(said);
        String other = QueueLines.line("%A", "12", "%T", state);
        Files.writeString(directory.resolve("listing"), other + "\n" + Files.readString(directory.resolve("listing")));
        view.jobs(NOW);
        return Files.exists(said) ? Files.readAllLines(said) : List.of();
    }

    @Test
    void shouldTakeItBackAfterARestart() throws IOException {
        assertThat(lookAtHeld("JobHeldAdmin", ",\"admin_comment\":\"[weir,nodep=@0]\""))
                .containsExactly("uhold 17", "update JobId=17 AdminComment=");
        assertHeld(JobState.IDLE, null);
    }

    @Test
    void shouldLeaveTheHoldOfAnAdministratorWhoCameBeforeTheDependencyFailed() throws IOException {
        lookAtHeld("JobHeldAdmin", DEPENDENT.formatted("unfulfilled"));
        for (String reason : List.of("DependencyNeverSatisfied", "JobHeldAdmin")) {
            assertThat(lookAtHeld(reason, DEAD)).isEmpty();
            assertThat(held.getReason()).contains("held by an administrator");
        }
        assertThat(lookAtHeld("JobHeldAdmin", "")).isEmpty();
        assertHeld(JobState.HOLD, "held by an administrator of Slurm");
    }

    @Test
    void shouldNoteTheHoldOfAnAdministratorAndHoldForWeirWhatAnOperatorReleased() throws IOException {
        String note = ",\"admin_comment\":\"[weir,nokill=1%s]\"";
        assertThat(lookAtHeld("JobHeldUser", note.formatted(""))).isEmpty();
        assertThat(lookAtHeld("JobHeldAdmin", note.formatted("")))
                .containsExactly("update JobId=17 AdminComment=[weir,nokill=1,adminhold=@0]");
        assertThat(lookAtHeld("JobHeldAdmin", note.formatted(",adminhold=@0"))).isEmpty();
        assertHeld(JobState.HOLD, "held by an administrator of Slurm");

        lookAtHeld("JobHeldUser", ",\"comment\":\"[held by user]\"");
        assertThat(lookAtHeld("JobHeldAdmin", ",\"comment\":\"[held by user]\""))
                .as("a job without a note")
                .containsExactly("update JobId=17 AdminComment=[weir,adminhold=@0]");
        assertThat(lookAtHeld("JobHeldUser", note.formatted(",adminhold=@0")))
                .as("another administrator's uhold")
                .containsExactly("update JobId=17 AdminComment=[weir,nokill=1]");
        assertThat(lookAtHeld(
                        "BeginTime",
                        note.formatted(",adminhold=@0")
                                + ",\"priority\":9,\"eligible_time\":31624400,\"comment\":\"[held by user] words\""))
                .containsExactly(
                        "uhold 17", "update JobId=17 StartTime=now AdminComment=[weir,nokill=1] Comment=words");
        assertThat(held.getState()).isEqualTo(JobState.HOLD);
    }

    @Test
    void shouldHaveWhatAnOperatorReleasedBeginWhenItWasTo() throws IOException {
        String note = ",\"admin_comment\":\"[weir,adminhold=@0]\",\"eligible_time\":%d";
        lookAtHeld("JobHeldAdmin", note.formatted(90_000));

        assertThat(lookAtHeld("BeginTime", note.formatted(90_000 + 366 * 86_400) + ",\"priority\":9"))
                .containsExactly("uhold 17", "update JobId=17 StartTime=uts90000 AdminComment=");
    }

    @Test
    void shouldTakeAwayAMarkOfTheUsersHoldThatCameWithAnAdministratorsHold() throws IOException {
        String note = ",\"admin_comment\":\"[weir,waits=1]\"";
        assertThat(lookAtHeld("JobHeldUser", note)).isEmpty();
        assertThat(lookAtHeld("JobHeldAdmin", note + ",\"comment\":\"[held by user] words\""))
                .containsExactly(
                        "update JobId=17 AdminComment=[weir,waits=1,adminhold=@0]", "update JobId=17 Comment=words");
    }

    @Test
    void shouldLeaveToSlurmWhatCanBeOverByItsDeadlineNoLonger() throws IOException {
        assertThat(lookAtHeld("JobHeldUser", ",\"deadline\":2700")).isEmpty();
        assertHeld(JobState.IDLE, null);
        assertThat(lookLater(102)).isEmpty();
        job = job.replace("2700", "2800");
        assertThat(lookLater(103)).as("one that was put off meanwhile").isEmpty();
        assertThat(lookLater(202)).isEmpty();
        assertThat(lookLater(203)).containsExactly("release 17");
        assertThat(lookLater(204)).as("once").isEmpty();
    }

    @Test
    void shouldHoldWhatItsUserHoldsBeyondItsDeadline() throws IOException {
        assertThat(lookAtHeld("JobHeldUser", ",\"deadline\":2100,\"comment\":\"[held by user]\""))
                .isEmpty();
        assertThat(lookAtHeld("JobHeldAdmin", ",\"deadline\":2100")).noneMatch(line -> line.startsWith("release"));
        assertThat(lookAtHeld("JobHeldUser", ",\"deadline\":2100,\"dependency\":\"afterok:12(unfulfilled)\""))
                .isEmpty();
    }

    @Test
    void shouldCountTheShortestTimeToADeadline() throws IOException {
        assertThat(lookAtHeld("JobHeldUser", ",\"deadline\":2100,\"time_minimum\":1"))
                .isEmpty();
        assertThat(lookLater(43)).containsExactly("release 17");
    }

    /** Looks at the same queue so many seconds later; returns what was said to scontrol. */
    private List<String> lookLater(int seconds) throws IOException {
        Path said = directory.resolve("said");
        Files.deleteIfExists(said);
        view.jobs(NOW.plusSeconds(seconds));
        return Files.exists(said) ? Files.readAllLines(said) : List.of();
    }
}

package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.slurm.client.SlurmRefusal;
import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.slurm.client.UnixSocketTransport;
import io.weir.rm.slurm.control.RestartHold;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Commands;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each command on a real Slurm, and what its users and administrators do beside Weir. */
class SlurmCommandsIT extends LiveSlurmTest {
    /** Seconds that stand for a job without a time limit. */
    private static final long UNLIMITED = 3_162_240_000L;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    SlurmCommandsIT() {
        super(Map.of("SLURM_NODES", "3", "SLURM_MIN_JOB_AGE", "3600"), Map.of());
    }

    private void assertState(String job, JobState state) {
        assertThat(drive.job(job).getState()).isEqualTo(state);
    }

    @Test
    void shouldReportWhatUserAskedFor() {
        String id = cluster.submit("sleep 1", "-n3", "-c2", "-t", "7", "-J", "a|b");

        JobReport job = drive.job(id);

        assertThat(job.getState()).isEqualTo(JobState.IDLE);
        assertThat(job.getName()).isEqualTo("a|b");
        assertThat(job.getUser()).isEqualTo("nobody");
        assertThat(job.getGroup()).isEqualTo("nogroup");
        assertThat(job.getJobClass()).isEqualTo("batch");
        assertThat(job.getTasks()).isEqualTo(3);
        assertThat(job.getProcsPerTask()).isEqualTo(2);
        assertThat(job.getWalltimeSeconds()).isEqualTo(420L);
        assertThat(job.getQueueSequence()).isEqualTo(Long.parseLong(id) << 23);
        assertThat(job.getReason()).isNull();
    }

    @Test
    void shouldTellOfNoKillAndLeaveTheCommentAsItIs() {
        String plain = cluster.submit("sleep 100", "--no-kill");
        String commented = cluster.submit("sleep 100", "--no-kill", "--comment=my own words");
        String extended = cluster.submit("sleep 100", "--no-kill", "--comment=x=resfailpolicy=requeue");
        String killed = cluster.submit("sleep 100", "--comment=[no");

        assertThat(drive.job(plain).getExtension()).isEqualTo("nokill");
        assertThat(cluster.show(plain, "Comment")).isEmpty();
        assertThat(drive.job(commented).getExtension()).isEqualTo("nokill");
        assertThat(cluster.show(commented, "Comment")).isEqualTo("my");
        assertThat(drive.job(extended).getExtension()).isEqualTo("resfailpolicy=requeue;nokill");
        assertThat(drive.job(killed).getExtension()).isNull();

        assertDone(drive.start(commented, "n1"));
        assertThat(drive.job(commented).getExtension()).as("while it runs").isEqualTo("nokill");
        assertDone(drive.carryOut(CommandKind.REQUEUE_JOB, commented));
        assertThat(drive.job(commented).getExtension())
                .as("when it waits again")
                .isEqualTo("nokill");
    }

    @Test
    void shouldTellAndKeepAnUnlimitedTimeLimit() {
        String unlimited = cluster.submit("sleep 100", "-t", "UNLIMITED");
        String limited = cluster.submit("sleep 100", "-t", "7");

        assertThat(drive.job(unlimited).getWalltimeSeconds()).isEqualTo(UNLIMITED);
        assertDone(Commands.carryOut(
                rm,
                RmCommand.newBuilder(Drive.command(4801, CommandKind.START_JOB, unlimited, new NodeAllocation("n1", 1)))
                        .setWalltimeSeconds(UNLIMITED)
                        .build()));
        assertDone(Commands.carryOut(
                rm,
                RmCommand.newBuilder(Drive.command(4802, CommandKind.START_JOB, limited, new NodeAllocation("n2", 1)))
                        .setWalltimeSeconds(UNLIMITED)
                        .build()));

        assertThat(cluster.show(unlimited, "TimeLimit")).isEqualTo("UNLIMITED");
        assertThat(cluster.show(limited, "TimeLimit")).isEqualTo("UNLIMITED");
        assertThat(drive.job(limited).getWalltimeSeconds()).isEqualTo(UNLIMITED);
    }

    @Test
    void shouldNotBelieveWhatAUserWritesOfTheJobOfAnother() {
        String running = cluster.submit("sleep 100");
        assertDone(drive.start(running, "n1"));
        assertState(running, JobState.RUNNING);
        String line = cluster.run("squeue", "-h", "-j", running, "--format=" + QueueLine.format("mark"))
                .strip();
        String ended = line.replace("\u001fRUNNING\u001f", "\u001fCOMPLETED\u001f");
        assertThat(ended).isNotEqualTo(line);

        String comment = cluster.submit("true", "--comment=x\n" + ended.substring("mark\u001f".length()));
        String marked = cluster.submit("true", "--comment=x\n" + ended);
        String name = cluster.submit("true", "-J", "x\n" + ended.substring("mark\u001f".length()));

        assertState(running, JobState.RUNNING);
        for (String job : List.of(comment, marked, name)) {
            assertState(job, JobState.IDLE);
        }
        assertState(running, JobState.RUNNING);
    }

    @Test
    void shouldTellEndsAndExitCodes() {
        String good = cluster.submit("exit 0");
        String bad = cluster.submit("exit 3");
        String killed = cluster.submit("kill -9 $$");
        for (String job : new String[] {good, bad, killed}) {
            assertDone(drive.start(job, "n1"));
        }

        await().untilAsserted(() -> assertThat(drive.job(killed).getState()).isEqualTo(JobState.FAILED));
        await().untilAsserted(() -> assertThat(drive.job(bad).getState()).isEqualTo(JobState.FAILED));
        assertState(good, JobState.COMPLETED);
        assertThat(drive.job(good).getExitCode()).isZero();
        assertThat(drive.job(bad).getExitCode()).isEqualTo(3);
        assertThat(drive.job(killed).getExitCode()).isEqualTo(137);
        assertThat(drive.job(good).getEndTime()).isNotNull();
    }

    @Test
    void shouldUndoStartOnBusyNode() {
        String first = cluster.submit("sleep 100", "-n4");
        String second = cluster.submit("sleep 100", "-n4");
        assertDone(drive.start(first, "n1"));

        RmAnswer answer = drive.start(second, "n1");

        assertThat(answer.outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertThat(answer.message()).contains("Resources");
        assertState(second, JobState.IDLE);
        assertDone(drive.carryOut(CommandKind.CANCEL_JOB, first));
        assertThat(cluster.show(second, "Priority")).isEqualTo("0");
        assertThat(cluster.show(second, "JobState")).isEqualTo("PENDING");
        assertDone(drive.start(second, "n1"));
    }

    @Test
    void shouldRememberThatStartWasUndone() {
        cluster.run("scontrol", "update", "NodeName=n3", "State=DRAIN", "Reason=test");
        String job = cluster.submit("sleep 100");
        RmCommand start = Drive.command(4711, CommandKind.START_JOB, job, new NodeAllocation("n3", 1));

        RmAnswer answer = Commands.carryOut(rm, start);

        assertThat(answer.outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertThat(drive.node("n3").getState()).isEqualTo(NodeState.DRAINED);
        assertThat(drive.node("n3").getReason()).startsWith("test");
        CommandCheck check = Commands.lookup(rm, start);
        assertThat(check.verdict()).isEqualTo(CommandCheck.Verdict.ANSWERED);
        assertThat(check.answer()).isNotNull();
        assertThat(check.answer().outcome()).isEqualTo(CommandOutcome.REFUSED);
        cluster.run("scontrol", "update", "NodeName=n3", "State=RESUME");
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(drive.node("n3").getState()).isEqualTo(NodeState.IDLE));
    }

    @Test
    void shouldRequeueAndStartAgain() {
        String job = cluster.submit("sleep 100");
        assertDone(drive.start(job, "n1"));

        assertDone(drive.carryOut(CommandKind.REQUEUE_JOB, job));

        assertState(job, JobState.IDLE);
        assertThat(drive.job(job).getStartTime()).isNull();
        assertDone(drive.start(job, "n2"));
        assertThat(drive.job(job).getAllocation()).containsExactly(new NodeAllocation("n2", 1));
        assertThat(cluster.show(job, "Restarts")).isEqualTo("1");
    }

    @Test
    void shouldStayHeldWhenSomebodyElseRequeues() {
        String job = cluster.submit("sleep 100");
        assertThat(drive.job(job).getOriginalSubmitTime()).isTrue();
        assertDone(drive.start(job, "n1"));

        cluster.run("scontrol", "requeue", job);

        await().untilAsserted(() -> assertState(job, JobState.IDLE));
        assertThat(cluster.show(job, "Priority")).isEqualTo("0");
        assertThat(drive.job(job).getOriginalSubmitTime()).isFalse();
    }

    /** A hold would have Slurm forget when the job became eligible, and leave it out of {@code sacct -S}. */
    @Test
    void shouldNotHoldAJobThatBeganWhileItsStartWasTakenBack() {
        String running = cluster.submit("sleep 100");
        String waiting = cluster.submit("sleep 100");
        assertDone(drive.start(running, "n1"));
        String eligible = cluster.show(running, "EligibleTime");
        try (SlurmRest rest = new SlurmRest(
                        new UnixSocketTransport(cluster.directory().resolve("run/rest.sock")), null, TIMEOUT);
                SlurmCommands commands = new SlurmCommands(null, config().slurmConf(), TIMEOUT)) {
            RestartHold holds = new RestartHold(rest, commands);

            assertThatThrownBy(() -> holds.takeBack(running)).isInstanceOf(SlurmRefusal.class);
            assertThatNoException().isThrownBy(() -> holds.takeBack(waiting));
        }

        assertThat(cluster.show(running, "EligibleTime")).isEqualTo(eligible).doesNotContain("Unknown");
        assertThat(cluster.show(running, "Priority")).isNotEqualTo("0");
        assertThat(cluster.show(waiting, "Priority")).isEqualTo("0");
    }

    @Test
    void shouldReportAPriorityOfTheOwnerAlsoOfTheTasksOfAnArray() {
        assertThat(drive.job(cluster.submit("sleep 1")).getUserPriority()).isZero();
        assertThat(drive.job(cluster.submit("sleep 1", "--nice")).getUserPriority())
                .isEqualTo(-100);
        assertThat(drive.job(cluster.submit("sleep 1", "--nice=30", "--array=1-2") + "_2")
                        .getUserPriority())
                .isEqualTo(-30);
    }

    /** Epilogs and job statistics of a site write their own words into the administrator's comment. */
    @Test
    void shouldStayHeldWhenOthersWriteIntoTheCommentOfAJobThatIsRequeued() {
        String job = cluster.submit("sleep 100", "--no-kill", "-N1-2", "-n1");
        assertDone(drive.start(job, "n1"));

        cluster.run("scontrol", "update", "JobId=" + job, "AdminComment=JS1:stats");
        cluster.run("scontrol", "requeue", job);

        await().untilAsserted(() -> {
            assertState(job, JobState.IDLE);
            assertThat(cluster.show(job, "Priority")).isEqualTo("0");
        });
        assertThat(cluster.show(job, "ReqNodeList")).isEqualTo("(null)");
        assertThat(cluster.run("scontrol", "-o", "show", "job", job))
                .contains("AdminComment=JS1:stats [weir,nokill=1,");
        assertThat(drive.job(job).getHosts()).isEmpty();
        assertThat(drive.job(job).getExtension()).isEqualTo("nokill");
    }

    @ParameterizedTest
    @ValueSource(strings = {"requeuehold", "requeuehold State=SpecialExit"})
    void shouldHoldAJobThatSomebodyElseRequeuesHeldUntilItsUserReleasesIt(String words) {
        String job = cluster.submit("sleep 100", "--comment=mine");
        assertDone(drive.start(job, "n1"));

        cluster.run(SlurmTestCluster.asUser(Stream.concat(Stream.of(("scontrol " + words).split(" ")), Stream.of(job))
                .toArray(String[]::new)));

        await().untilAsserted(() -> assertState(job, JobState.HOLD));
        assertThat(drive.job(job).getOwnerMayRelease()).isTrue();
        assertThat(drive.job(job).getHosts()).isEmpty();
        assertThat(drive.start(job, "n2").outcome()).isEqualTo(CommandOutcome.REFUSED);
        cluster.run(SlurmTestCluster.asUser("scontrol", "release", job));
        assertState(job, JobState.IDLE);
        assertThat(cluster.show(job, "Comment")).isEqualTo("mine");
        assertDone(drive.start(job, "n2"));

        cluster.run("scontrol", "requeuehold", job);
        await().untilAsserted(() -> assertState(job, JobState.HOLD));
        assertDone(drive.carryOut(CommandKind.RELEASE_JOB, job));
        assertState(job, JobState.IDLE);
        assertDone(drive.start(job, "n3"));
        assertDone(drive.carryOut(CommandKind.REQUEUE_JOB, job));
        assertState(job, JobState.IDLE);
    }

    @Test
    void shouldHoldAJobWhosePrologFailsUntilItIsReleased(@TempDir Path directory) throws IOException {
        Path prolog = directory.resolve("prolog");
        Files.writeString(prolog, "#!/bin/sh\nexit 1\n");
        Files.setPosixFilePermissions(prolog, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path conf = cluster.directory().resolve("slurm.conf");
        String before = Files.readString(conf);
        Files.writeString(conf, before + "Prolog=" + prolog + "\n");
        try {
            cluster.run("scontrol", "reconfigure");
            await().untilAsserted(() ->
                    assertThat(cluster.run("scontrol", "show", "config")).containsPattern("Prolog +=.*" + prolog));
            String job = cluster.submit("sleep 100", "--comment=mine");
            String other = cluster.submit("sleep 100");
            drive.start(job, "n1");
            drive.start(other, "n2");

            for (String failed : List.of(job, other)) {
                await().untilAsserted(() -> assertState(failed, JobState.HOLD));
                assertThat(drive.job(failed).getReason()).contains("launch failed requeued held");
                assertThat(drive.job(failed).getHosts()).isEmpty();
                assertThat(drive.start(failed, "n3").outcome()).isEqualTo(CommandOutcome.REFUSED);
            }
            Files.writeString(conf, before);
            cluster.run("scontrol", "reconfigure");
            cluster.run("scontrol", "update", "NodeName=n[1-2]", "State=RESUME");
            cluster.run(SlurmTestCluster.asUser("scontrol", "release", job));
            assertDone(drive.carryOut(CommandKind.RELEASE_JOB, other));
            assertState(job, JobState.IDLE);
            assertState(other, JobState.IDLE);
            await().atMost(NODE_LOSS)
                    .untilAsserted(() -> assertThat(drive.node("n1").getState()).isEqualTo(NodeState.IDLE));
            assertDone(drive.start(job, "n1"));
            assertThat(cluster.show(job, "Comment")).isEqualTo("mine");
            await().atMost(NODE_LOSS)
                    .untilAsserted(() -> assertThat(drive.node("n2").getState()).isEqualTo(NodeState.IDLE));
            assertDone(drive.start(other, "n2"));
        } finally {
            Files.writeString(conf, before);
            cluster.run("scontrol", "reconfigure");
        }
    }

    @Test
    void shouldTakeTheRequeueOfSomebodyElseForDone() {
        String job = cluster.submit("sleep 100");
        assertThat(drive.carryOut(CommandKind.REQUEUE_JOB, job)).isEqualTo(RmAnswer.refused("the job waits already"));
        assertDone(drive.start(job, "n1"));
        cluster.run("scontrol", "requeue", job);

        assertDone(drive.carryOut(CommandKind.REQUEUE_JOB, job));

        assertThat(cluster.show(job, "JobState")).isEqualTo("PENDING");
        assertThat(cluster.show(job, "Priority")).isEqualTo("0");
        assertThat(cluster.show(job, "Restarts")).isEqualTo("1");
        assertState(job, JobState.IDLE);
        assertDone(drive.start(job, "n2"));
    }

    @Test
    void shouldHoldAndRelease() {
        String job = cluster.submit("sleep 100");

        assertDone(drive.carryOut(CommandKind.HOLD_JOB, job));
        assertState(job, JobState.HOLD);
        assertThat(drive.start(job, "n1").outcome()).isEqualTo(CommandOutcome.REFUSED);

        assertDone(drive.carryOut(CommandKind.RELEASE_JOB, job));
        assertState(job, JobState.IDLE);
        assertDone(drive.start(job, "n1"));
    }

    @Test
    void shouldTellHoldsOfUsersAndAdministrators() {
        String job = cluster.submit("sleep 100", "--hold", "--comment", "my words");
        assertState(job, JobState.HOLD);
        cluster.run(SlurmTestCluster.asUser("scontrol", "update", "JobId=" + job, "Comment=mine"));
        assertState(job, JobState.HOLD);
        cluster.run("scontrol", "update", "JobId=" + job, "Comment=my words");
        assertState(job, JobState.HOLD);

        cluster.run(SlurmTestCluster.asUser("scontrol", "release", job));
        assertState(job, JobState.IDLE);
        assertThat(cluster.run("squeue", "-h", "-j", job, "-o", "%k").strip()).isEqualTo("my words");

        cluster.run("scontrol", "hold", job);
        assertThat(drive.job(job).getReason()).contains("administrator");
        assertState(job, JobState.HOLD);

        RmCommand owners = RmCommand.newBuilder(Drive.command(9021, CommandKind.RELEASE_JOB, job))
                .setArguments(List.of(new NameValue("type", "user")))
                .build();
        assertThat(Commands.carryOut(rm, owners).outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertState(job, JobState.HOLD);

        assertDone(drive.carryOut(CommandKind.RELEASE_JOB, job));
        assertState(job, JobState.IDLE);
        assertThat(cluster.show(job, "JobState")).isEqualTo("PENDING");
    }

    @Test
    void shouldTellDependenciesAndBeginTimes() {
        String first = cluster.submit("sleep 100");
        String second = cluster.submit("sleep 100", "--dependency=afterany:" + first);
        String later = cluster.submit("sleep 100", "--begin=now+5");
        assertState(second, JobState.HOLD);
        assertState(later, JobState.HOLD);

        assertDone(drive.carryOut(CommandKind.CANCEL_JOB, first));

        await().untilAsserted(() -> assertState(later, JobState.IDLE));
        await().atMost(Duration.ofSeconds(40)).untilAsserted(() -> assertState(second, JobState.IDLE));
    }

    @Test
    void shouldSuspendAndResume() {
        String job = cluster.submit("sleep 100");
        assertDone(drive.start(job, "n1"));

        assertDone(drive.carryOut(CommandKind.SUSPEND_JOB, job));
        assertState(job, JobState.SUSPENDED);

        assertDone(drive.carryOut(CommandKind.RESUME_JOB, job));
        assertState(job, JobState.RUNNING);
        assertThat(cluster.show(job, "Priority")).isEqualTo("0");
    }

    @Test
    void shouldSignalRunningJobAndSayWhatItCannotSignal(@TempDir Path directory) throws IOException {
        Path told = Files.createFile(directory.resolve("told"));
        assertThat(told.toFile().setWritable(true, false)).isTrue();
        assertThat(directory.toFile().setExecutable(true, false)).isTrue();
        String job = cluster.submit(
                "trap 'echo USR1 >> " + told + "' USR1; echo ready >> " + told + "; while :; do sleep 0.1; done");
        RmCommand signal = signal(9021, job, "USR1");
        assertThat(Commands.carryOut(rm, signal).outcome()).isEqualTo(CommandOutcome.REFUSED);

        assertDone(drive.start(job, "n1"));
        await().untilAsserted(() -> assertThat(told).hasContent("ready"));
        assertThat(Commands.lookup(rm, signal).verdict()).isEqualTo(CommandCheck.Verdict.UNKNOWN);
        assertDone(Commands.carryOut(rm, signal));

        await().untilAsserted(() -> assertThat(told).hasContent("ready\nUSR1"));
        assertState(job, JobState.RUNNING);
        assertThat(Commands.carryOut(rm, signal(9022, job, "NONSENSE")).outcome())
                .isEqualTo(CommandOutcome.REFUSED);
        assertState(job, JobState.RUNNING);
    }

    private static RmCommand signal(long number, String job, String name) {
        return RmCommand.newBuilder(Drive.command(number, CommandKind.SIGNAL_JOB, job))
                .setArguments(List.of(new NameValue("signal", name)))
                .build();
    }

    @Test
    void shouldTellUserInTheQueueWhyJobIsNotStarted() {
        String choosy = cluster.submit("sleep 1");
        // The plug-in refuses it when a user asks for it.
        cluster.run("scontrol", "update", "JobId=" + choosy, "Features=test*1");

        assertState(choosy, JobState.HOLD);
        assertThat(drive.start(choosy, "n2").outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertThat(adminComment(choosy)).contains("a count of nodes with a feature");
    }

    @Test
    void shouldReportNodesThatAJobLeavesOut() {
        String id = cluster.submit("sleep 1", "-x", "n1");

        assertState(id, JobState.IDLE);
        assertThat(drive.job(id).getExcludedHosts()).containsExactly("n1");
    }

    private String adminComment(String job) {
        return cluster.run(SlurmTestCluster.asUser("squeue", "-h", "-j", job, "-O", "admin_comment:200"))
                .strip();
    }

    @Test
    void shouldReportDemandsOfJobsAndNodes() {
        String id =
                cluster.submit("sleep 1", "-N2", "-n4", "--mem=500", "-C", "test", "--exclusive", "--comment", "x=a:b");

        JobReport job = drive.job(id);

        assertThat(job.getRequirements()).singleElement().satisfies(asked -> {
            assertThat(asked.getTasks()).isEqualTo(4);
            assertThat(asked.getProcsPerTask()).isEqualTo(1);
            assertThat(asked.getMemoryMb()).isZero();
            assertThat(asked.getNodeMemoryMb()).as("of each node").isEqualTo(500);
            assertThat(asked.getLeastNodes()).isEqualTo(2);
            assertThat(asked.getMostNodes()).isEqualTo(2);
            assertThat(asked.getMostTasksPerNode()).isZero();
            assertThat(asked.getFeatures()).containsExactly("test");
        });
        assertThat(job.getNodeAccess()).isEqualTo("SINGLEJOB");
        assertThat(job.getExtension()).isEqualTo("a:b");
        assertThat(job.getFlags()).containsExactly("RESTARTABLE");
        assertThat(drive.node("n1").getClasses()).containsExactly(new NameCount("batch", 4L));
        assertThat(drive.node("n1").getMemoryMb()).isEqualTo(8000);
    }

    @Test
    void shouldMirrorReservationsAndLetInWhoIsStartedThere() {
        long now = rm.now().getEpochSecond();
        RmCommand create = RmCommand.newBuilder(Drive.command(9001, CommandKind.CREATE_RESERVATION, "", n2()))
                .setJobId(null)
                .setObjectId("maint.1")
                .setArguments(List.of(
                        new NameValue("end", Long.toString(now + 600)), new NameValue("start", Long.toString(now))))
                .build();
        assertThat(Commands.lookup(rm, create).verdict()).isEqualTo(CommandCheck.Verdict.NOT_DONE);
        assertDone(Commands.carryOut(rm, create));
        assertThat(Commands.lookup(rm, create).verdict()).isEqualTo(CommandCheck.Verdict.ANSWERED);
        assertThat(cluster.run(SlurmTestCluster.asUser("scontrol", "show", "reservation")))
                .contains("ReservationName=weir-maint.1")
                .contains("Nodes=n2");

        String job = cluster.submit("sleep 100");
        assertDone(drive.start(job, "n2"));
        assertThat(drive.job(job).getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n2");
        assertDone(drive.carryOut(CommandKind.CANCEL_JOB, job));

        RmCommand release = RmCommand.newBuilder(Drive.command(9002, CommandKind.RELEASE_RESERVATION, ""))
                .setJobId(null)
                .setObjectId("maint.1")
                .build();
        assertDone(Commands.carryOut(rm, release));
        assertThat(Commands.lookup(rm, release).verdict()).isEqualTo(CommandCheck.Verdict.ANSWERED);
        assertThat(cluster.run("scontrol", "show", "reservation")).doesNotContain("weir-maint");
    }

    @Test
    void shouldMirrorReservationWithoutUsersSlurmDoesNotKnow() {
        long now = rm.now().getEpochSecond();
        RmCommand create = RmCommand.newBuilder(Drive.command(9011, CommandKind.CREATE_RESERVATION, "", n2()))
                .setJobId(null)
                .setObjectId("open.1")
                .setArguments(List.of(
                        new NameValue("accounts", "no-such-account"),
                        new NameValue("end", Long.toString(now + 600)),
                        new NameValue("start", Long.toString(now)),
                        new NameValue("users", "no-such-user,nobody")))
                .build();

        RmAnswer answer = Commands.carryOut(rm, create);
        // Once more, when it has begun: as it is changed by its owner.
        RmAnswer again = Commands.carryOut(rm, create);

        assertDone(answer);
        assertDone(again);
        assertThat(answer.message()).contains("no-such-user").doesNotContain("nobody");
        assertThat(cluster.run("scontrol", "-o", "show", "reservation"))
                .contains("ReservationName=weir-open.1")
                .contains("Users=root,nobody ")
                .doesNotContain("no-such-user");
        assertDone(Commands.carryOut(
                rm,
                RmCommand.newBuilder(Drive.command(9012, CommandKind.RELEASE_RESERVATION, ""))
                        .setJobId(null)
                        .setObjectId("open.1")
                        .build()));
    }

    private static NodeAllocation n2() {
        return new NodeAllocation("n2", 4);
    }

    @Test
    void shouldWorkByTcpAndToken(@TempDir Path directory) throws IOException {
        Path token = directory.resolve("token");
        String words = cluster.run("scontrol", "token", "username=root", "lifespan=600");
        Files.writeString(token, words.strip().replace("SLURM_JWT=", ""));
        Map<String, String> settings = cluster.settings();
        settings.put("rest.url", "http://127.0.0.1:" + cluster.restPort());
        settings.put("rest.token.file", token.toString());
        settings.put("commands", "false");
        String job = cluster.submit("sleep 100");
        try (SlurmResourceManager remote = SlurmResourceManager.open(Drive.CLUSTER, SlurmConfig.read(settings))) {
            Drive remoteDrive = new Drive(remote);

            assertThat(remoteDrive.job(job).getState()).isEqualTo(JobState.IDLE);
            assertDone(remoteDrive.start(job, "n2"));
            assertThat(remoteDrive.job(job).getAllocation()).containsExactly(new NodeAllocation("n2", 1));
            assertDone(remoteDrive.carryOut(CommandKind.CANCEL_JOB, job));
            assertThat(remoteDrive.job(job).getState()).isEqualTo(JobState.CANCELLED);
        }
    }
}

package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Execution;
import io.weir.rm.spi.Ongoing;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a job is preempted whose partition or QOS has a GraceTime. The words of Slurm's commands are written down. */
class SlurmGraceTest {
    static {
        AvroTrust.install();
    }

    @TempDir
    private Path directory;

    private final ScriptedSlurm slurm = new ScriptedSlurm();
    private SlurmResourceManager rm;

    @BeforeEach
    void open() throws IOException {
        told("preempt/partition_prio", "GraceTime=600", "");
        rm = SlurmResourceManager.open(
                Drive.CLUSTER,
                SlurmConfig.read(Map.of("rest.url", "unix:/none", "commands.dir", directory.toString())),
                slurm);
        slurm.submit("7");
        slurm.release("7");
        slurm.run("7", 1);
    }

    @AfterEach
    void close() {
        rm.close();
    }

    private void told(String type, String partition, String qos) throws IOException {
        program("scontrol", """
                case "$*" in
                "show config") echo "PreemptType             = %s" ;;
                "--oneliner show partition scavenger") echo "PartitionName=scavenger %s Hidden=NO" ;;
                *) echo "$*" >>%s/said ;;
                esac""".formatted(type, partition, directory));
        program("scancel", "echo scancel \"$*\" >>" + directory + "/said");
        program("sacctmgr", qos.isEmpty() ? "exit 1" : "echo " + qos);
    }

    private void program(String name, String script) throws IOException {
        Path file = directory.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private static RmCommand preempting(CommandKind kind) {
        return RmCommand.newBuilder(Drive.command(5, kind, "7"))
                .setReason("preempted by job 8")
                .build();
    }

    private List<String> said() throws IOException {
        Path file = directory.resolve("said");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    @ParameterizedTest
    @CsvSource({"REQUEUE_JOB", "CANCEL_JOB"})
    void shouldSignalAJobAndLeaveItItsTime(CommandKind kind) throws IOException {
        Execution execution = rm.execute(preempting(kind));

        assertThat(execution).isInstanceOfSatisfying(Ongoing.class, grace -> {
            assertThat(grace.isUnderWay()).isFalse();
            assertThat(grace.look().verdict()).isEqualTo(CommandCheck.Verdict.ONGOING);
        });
        assertThat(said()).hasSize(3).element(0).asString().startsWith("update JobId=7 AdminComment=[weir,grace=");
        assertThat(said()).endsWith("scancel --signal=CONT 7", "scancel --signal=TERM 7");
    }

    @ParameterizedTest
    @CsvSource({
        "preempt/none, GraceTime=600, 1:00:00",
        "preempt/partition_prio, GraceTime=0, 1:00:00",
        "preempt/qos, GraceTime=600, 00:00:00",
        "preempt/qos, GraceTime=600, ''"
    })
    void shouldPreemptAtOnceWhereThereIsNoTime(String type, String partition, String qos) throws IOException {
        told(type, partition, qos);

        rm.execute(preempting(CommandKind.REQUEUE_JOB));

        assertThat(said()).noneMatch(line -> line.startsWith("scancel")).contains("requeuehold 7");
    }

    @Test
    void shouldFollowTheQosWhereThoseAreWhatPreempts() throws IOException {
        told("preempt/qos", "GraceTime=0", "1-00:00:05");

        rm.execute(preempting(CommandKind.REQUEUE_JOB));

        assertThat(said()).contains("scancel --signal=TERM 7").noneMatch(line -> line.contains("requeue"));
    }

    @Test
    void shouldRequeueAtOnceWhatIsNotPreempted() throws IOException {
        rm.execute(Drive.command(5, CommandKind.REQUEUE_JOB, "7"));

        assertThat(said()).noneMatch(line -> line.startsWith("scancel")).contains("requeuehold 7");
    }

    /** A connector that begins anew carries the command out again. */
    @Test
    void shouldNotSignalAgainAndCountFromTheFirstTime() throws IOException {
        RmCommand command = preempting(CommandKind.REQUEUE_JOB);
        long now = System.currentTimeMillis() / 1000;
        slurm.note("7", "[weir,grace=" + command.getCommandId() + "@" + (now - 60) + "]");

        assertThat(rm.execute(command)).isInstanceOf(Ongoing.class);
        assertThat(said()).isEmpty();

        slurm.note("7", "[weir,grace=" + command.getCommandId() + "@" + (now - 601) + "]");
        assertThat(rm.execute(command))
                .isInstanceOfSatisfying(
                        Ongoing.class, grace -> assertThat(grace.look()).isNotNull());
        assertThat(said()).contains("requeuehold 7").noneMatch(line -> line.startsWith("scancel"));
    }

    /** The scheduler learns of the end first: else it would take the job for one that stays. */
    @Test
    void shouldAnswerForAJobThatEndsByItselfWhenItsEndIsReported() throws IOException {
        Ongoing grace = (Ongoing) rm.execute(preempting(CommandKind.REQUEUE_JOB));
        slurm.end("7", "COMPLETED");

        CommandCheck before = grace.look();
        assertThat(before.verdict()).isEqualTo(CommandCheck.Verdict.ONGOING);
        program("squeue", "exit 0");
        rm.poll();

        assertThat(grace.look().answer()).isEqualTo(RmAnswer.refused("the job has left its nodes by itself"));
        assertThat(said()).noneMatch(line -> line.contains("requeue"));
    }
}

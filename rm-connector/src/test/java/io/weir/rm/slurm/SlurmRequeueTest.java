package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.spi.Execution;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
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

/** What a requeue does to a job that waits: Slurm may have been faster. The words of scontrol are written down. */
class SlurmRequeueTest {
    static {
        AvroTrust.install();
    }

    @TempDir
    private Path directory;

    private final ScriptedSlurm slurm = new ScriptedSlurm();
    private SlurmResourceManager rm;

    @BeforeEach
    void open() throws IOException {
        Path scontrol = directory.resolve("scontrol");
        Files.writeString(scontrol, "#!/bin/sh\necho \"$*\" >>" + directory.resolve("said") + "\n");
        Files.setPosixFilePermissions(scontrol, PosixFilePermissions.fromString("rwx------"));
        rm = SlurmResourceManager.open(
                Drive.CLUSTER,
                SlurmConfig.read(Map.of("rest.url", "unix:/none", "commands.dir", directory.toString())),
                slurm);
    }

    @AfterEach
    void close() {
        rm.close();
    }

    private Execution requeue(String job) {
        return rm.execute(requeueOf(job));
    }

    private static RmCommand requeueOf(String job) {
        return Drive.command(5, CommandKind.REQUEUE_JOB, job);
    }

    private List<String> said() throws IOException {
        Path file = directory.resolve("said");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    @Test
    void shouldTakeARequeueOfSlurmsOwnForItsOwnAndHoldTheJobBeforeItMayBegin() throws IOException {
        slurm.submitStarted("7", 1, 2);
        slurm.release("7");

        assertThat(requeue("7"))
                .isInstanceOfSatisfying(
                        RmAnswer.class, answer -> assertThat(answer.outcome()).isEqualTo(CommandOutcome.DONE));

        String id = requeueOf("7").getCommandId();
        assertThat(said())
                .containsExactly(
                        "update JobId=7 AdminComment=[weir,start=c/1@1,requeue=" + id + "@1]",
                        "uhold 7",
                        "update JobId=7 StartTime=now");
    }

    @Test
    void shouldLeaveTheHoldOfAJobThatIsHeld() throws IOException {
        slurm.submitStarted("7", 0, 1);

        assertThat(requeue("7"))
                .isInstanceOfSatisfying(
                        RmAnswer.class, answer -> assertThat(answer.outcome()).isEqualTo(CommandOutcome.DONE));

        assertThat(said()).hasSize(2).last().isEqualTo("update JobId=7 StartTime=now");
    }

    @Test
    void shouldRefuseTheRequeueOfAJobThatWaitsForItsStart() throws IOException {
        slurm.submitStarted("7", 2, 2);
        slurm.submitRequeued("8");

        for (String job : List.of("7", "8")) {
            assertThat(requeue(job)).isEqualTo(RmAnswer.refused("the job waits already"));
        }
        assertThat(said()).isEmpty();
    }
}

package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.rm.runtime.command.Backlog;
import io.weir.rm.runtime.command.CommandExecutor;
import io.weir.rm.runtime.command.ResultSink;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The connector goes on while it waits for Slurm. */
class SlurmOngoingTest {
    static {
        AvroTrust.install();
    }

    private static final long STARTED = 1_700_000_000;

    private final ScriptedSlurm slurm = new ScriptedSlurm();
    private final Map<Long, RmAnswer> answers = new LinkedHashMap<>();
    private long nanos;
    private SlurmResourceManager rm = open("600000");
    private CommandExecutor executor = executor(Backlog.EMPTY);

    private SlurmResourceManager open(String startTimeout) {
        return SlurmResourceManager.open(
                Drive.CLUSTER,
                SlurmConfig.read(
                        Map.of("rest.url", "unix:/none", "commands", "false", "start.timeout.ms", startTimeout)),
                slurm);
    }

    private CommandExecutor executor(Backlog backlog) {
        return new CommandExecutor(
                rm,
                backlog,
                new ResultSink() {
                    @Override
                    public void answered(RmCommand command, RmAnswer answer) {
                        assertThat(answers.put(command.getNumber(), answer)).isNull();
                    }

                    @Override
                    public void expired(RmCommand command, String message) {
                        throw new AssertionError(message);
                    }
                },
                () -> {},
                () -> nanos);
    }

    private static RmCommand start(long number, String job) {
        return Drive.command(number, CommandKind.START_JOB, job, new NodeAllocation("n1", 1));
    }

    /** Carries on as if the pause that everything wants were over. */
    private void lookAgain() {
        nanos += Duration.ofSeconds(10).toNanos();
        executor.advance(() -> false);
    }

    @Test
    void shouldStartASecondJobWhileTheFirstIsWaitedFor() {
        slurm.submit("1");
        slurm.submit("2");
        executor.accept(start(1, "1"));
        executor.accept(start(2, "2"));
        executor.advance(() -> false);
        assertThat(slurm.released()).containsExactly("1", "2");

        slurm.run("2", STARTED);
        lookAgain();

        assertThat(answers).containsOnly(Map.entry(2L, RmAnswer.done(Instant.ofEpochSecond(STARTED))));
        assertThat(slurm.isHeld("2")).as("against restarts").isTrue();
        assertThat(rm.poll().jobs()).extracting(JobReport::getState).containsExactly(JobState.IDLE, JobState.RUNNING);

        slurm.run("1", STARTED + 5);
        lookAgain();

        assertThat(answers).containsKeys(1L, 2L);
        assertThat(slurm.released()).containsExactly("1", "2");
    }

    @Test
    void shouldStartAJobWhileAnotherLeavesItsNodes() {
        slurm.submit("1");
        slurm.submit("2");
        executor.accept(Drive.command(1, CommandKind.CANCEL_JOB, "1"));
        executor.accept(start(2, "2"));
        executor.advance(() -> false);
        slurm.run("2", STARTED);
        lookAgain();
        assertThat(answers).containsOnlyKeys(2L);

        slurm.leave("1");
        lookAgain();

        assertThat(answers.get(1L).outcome()).isEqualTo(CommandOutcome.DONE);
        assertThat(slurm.cancelled()).containsExactly("1");
    }

    @Test
    void shouldGoOnAfterARestartInTheMiddle() {
        slurm.submit("1");
        slurm.submit("2");
        RmCommand first = start(1, "1");
        RmCommand second = start(2, "2");
        executor.accept(first);
        executor.accept(second);
        executor.advance(() -> false);

        rm = open("600000");
        executor = executor(new Backlog(0, List.of(first, second), 2));
        executor.advance(() -> false);
        assertThat(answers).isEmpty();
        slurm.run("1", STARTED);
        slurm.run("2", STARTED);
        lookAgain();

        assertThat(answers.values()).extracting(RmAnswer::outcome).containsOnly(CommandOutcome.DONE);
        assertThat(slurm.released()).containsExactly("1", "2");
    }

    @Test
    void shouldTakeBackAStartThatSlurmDoesNotBegin() {
        rm = open("1000");
        executor = executor(Backlog.EMPTY);
        slurm.submit("1");
        executor.accept(start(1, "1"));
        await().pollInSameThread().until(() -> {
            lookAgain();
            return !answers.isEmpty();
        });

        assertThat(answers.get(1L).outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertThat(answers.get(1L).message()).contains("held again");
        assertThat(slurm.isHeld("1")).isTrue();
    }

    @Test
    void shouldStartOthersWhileTheCredentialsOfARequeuedJobExpire() {
        slurm.submitRequeued("1");
        slurm.submit("2");
        executor.accept(start(1, "1"));
        executor.accept(start(2, "2"));
        executor.advance(() -> false);
        assertThat(slurm.released()).containsExactly("2");
        assertThat(slurm.isHeld("1")).isTrue();

        lookAgain();

        assertThat(slurm.released()).containsExactly("2", "1");
    }

    @Test
    void shouldLetCredentialsExpireThoughTheControllersClockWasSetBack() {
        rm.poll();
        slurm.setBack(11);
        slurm.submitRequeued("1");
        executor.accept(start(1, "1"));
        executor.advance(() -> false);

        assertThat(slurm.released()).isEmpty();

        lookAgain();

        assertThat(slurm.released()).containsExactly("1");
    }
}

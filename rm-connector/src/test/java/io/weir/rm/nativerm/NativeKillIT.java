package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.rm.runtime.command.Backlog;
import io.weir.rm.runtime.command.CommandExecutor;
import io.weir.rm.runtime.command.ResultSink;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobState;
import io.weir.schemas.RmCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kill -9 of the native connector while a script starts a job; the script may well go on. The toy's record is the judge. */
class NativeKillIT {
    private static final int KILLS = Integer.getInteger("native.kills", 3);

    @TempDir
    Path directory;

    @Test
    void shouldStartOnceWhenConnectorIsKilledBetweenEffectAndResult() throws IOException, InterruptedException {
        ToyRm toy = ToyRm.in(directory);
        Random random = new Random(7);
        List<String> started = new ArrayList<>();
        int doneBefore = 0;
        for (int i = 1; i <= KILLS; i++) {
            String job = Integer.toString(100 + i);
            toy.write(
                    "jobs/" + job,
                    "STATE=Idle\nUPDATETIME=1700000000\nQUEUETIME=1700000000\nWCLIMIT=1000\nTASKS=1\nUNAME=ann\nGNAME=users\n");
            killWhileStarting(i, job, random.nextInt(120));
            doneBefore += toy.effects().contains(job) ? 1 : 0;

            RmCommand start = NativeStartMain.start(i, job);
            List<RmAnswer> answers = new ArrayList<>();
            try (ResourceManager next = NativeStartMain.open(directory)) {
                CommandExecutor executor = new CommandExecutor(
                        next, new Backlog(i - 1, List.of(start), i), sink(answers), () -> {}, System::nanoTime);
                await().pollDelay(Duration.ZERO).until(() -> {
                    executor.advance(() -> false);
                    return executor.isIdle();
                });
                started.add(job);

                assertThat(answers).extracting(RmAnswer::outcome).containsExactly(CommandOutcome.DONE);
                assertThat(next.poll().jobs())
                        .filteredOn(report -> report.getJobId().equals(job))
                        .singleElement()
                        .satisfies(report -> assertThat(report.getState()).isEqualTo(JobState.RUNNING));
            }
            assertThat(toy.effects()).isEqualTo(started);
        }
        System.getLogger(NativeKillIT.class.getName())
                .log(System.Logger.Level.INFO, "{0} kills, {1} after the effect", KILLS, doneBefore);
    }

    private static ResultSink sink(List<RmAnswer> answers) {
        return new ResultSink() {
            @Override
            public void answered(RmCommand command, RmAnswer answer) {
                answers.add(answer);
            }

            @Override
            public void expired(RmCommand command, String message) {
                throw new AssertionError(message);
            }
        };
    }

    private void killWhileStarting(long number, String job, int millis) throws IOException, InterruptedException {
        Path ready = directory.resolve("ready-" + number);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NativeStartMain.class.getName(),
                        directory.toString(),
                        Long.toString(number),
                        job,
                        ready.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("start.log").toFile())
                .start();
        await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(ready));
        process.waitFor(millis, TimeUnit.MILLISECONDS);
        process.destroyForcibly().waitFor();
    }
}

package io.weir.notifier.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.notifier.runtime.handler.StopActor;
import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.schemas.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of programs whose object is over, and what they read of it. */
class ExecActorTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    private Path script(String text) throws IOException {
        Path program = directory.resolve("program");
        Files.writeString(program, "#!/bin/sh\n" + text + "\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-x---"));
    }

    private ExecActor actor(Path program) {
        return new ExecActor(
                ProgramList.parse("programs", List.of(program.toString())),
                new ProgramRunner(directory),
                Duration.ofMinutes(3));
    }

    private static Action action(String id, String target, String body) {
        return new Action(
                id,
                "tiny",
                Instant.EPOCH,
                target,
                List.of(),
                Map.of(),
                Map.of(),
                Optional.of(body),
                List.of(),
                Optional.empty(),
                Duration.ZERO,
                List.of(),
                Severity.INFO,
                "start",
                "job",
                "j1",
                false);
    }

    @Test
    void shouldEndAProgramWithAllThatItStarted() throws Exception {
        Path child = directory.resolve("child");
        Path program = script("sleep 600 & echo $! >" + child + ".new; mv " + child + ".new " + child + "; wait");
        try (ExecActor actor = actor(program)) {
            CompletableFuture<ActionResult> result = CompletableFuture.supplyAsync(() -> {
                try {
                    return actor.carryOut(action("tiny/1/0", program.toString(), ""));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(child));
            new StopActor(List.of(actor)).carryOut(action("tiny/2/0", "tiny/1/0", ""));

            assertThat(result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).outcome())
                    .isEqualTo(ActionResult.Outcome.FAILED);
            assertThat(result.get().message()).contains("its object is over");
            long pid = Long.parseLong(Files.readString(child).strip());
            Awaitility.await("the end of what it started")
                    .atMost(PATIENCE)
                    .until(() ->
                            ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
        }
    }

    @Test
    void shouldNotBeginWhatIsToEnd() throws Exception {
        Path run = directory.resolve("run");
        Path program = script("touch " + run);
        try (ExecActor actor = actor(program)) {
            new StopActor(List.of(actor)).carryOut(action("tiny/2/0", "tiny/1/0", ""));
            assertThat(actor.carryOut(action("tiny/1/0", program.toString(), ""))
                            .outcome())
                    .isEqualTo(ActionResult.Outcome.FAILED);
            assertThat(run).doesNotExist();
            assertThat(actor.carryOut(action("tiny/3/0", program.toString(), ""))
                            .outcome())
                    .isEqualTo(ActionResult.Outcome.DONE);
            assertThat(run).exists();
        }
    }

    @Test
    void shouldEndWhatAKilledNotifierLeftAndNothingElse() throws Exception {
        Process left = sleeper("tiny/1/0", "tiny");
        Process other = sleeper("tiny/1/1", "tiny");
        Process elsewhere = sleeper("tiny/1/0", "large");
        try (ExecActor actor = actor(script("true"))) {
            actor.endRemains(action("tiny/1/0", "program", ""));

            assertThat(left.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(List.of(other.isAlive(), elsewhere.isAlive())).containsExactly(true, true);
        } finally {
            List.of(left, other, elsewhere).forEach(Process::destroyForcibly);
        }
    }

    private static Process sleeper(String firing, String cluster) throws IOException {
        ProcessBuilder sleeper = new ProcessBuilder("sleep", "1000");
        sleeper.environment().put("WEIR_FIRING", firing);
        sleeper.environment().put("WEIR_CLUSTER", cluster);
        return sleeper.start();
    }

    @Test
    void shouldGiveTheObjectToTheProgramsStandardInput() throws Exception {
        Path seen = directory.resolve("seen");
        Path program = script("cat >" + seen);
        String xml = "<job JOBID=\"j1\" NOTE=\"&lt;$(touch HIT)&gt;\"/>";
        try (ExecActor actor = actor(program)) {
            actor.carryOut(action("tiny/1/0", program.toString(), xml));
        }
        assertThat(seen).hasContent(xml);
    }

    @Test
    void shouldForgetTheOldestOfManyThatWereToEnd() {
        RunningPrograms programs = new RunningPrograms();
        for (int i = 0; i <= 10_000; i++) {
            programs.stop("id" + i);
        }
        assertThat(programs.isStopped("id0")).isFalse();
        assertThat(programs.isStopped("id1")).isTrue();
        assertThat(programs.isStopped("id10000")).isTrue();
    }
}

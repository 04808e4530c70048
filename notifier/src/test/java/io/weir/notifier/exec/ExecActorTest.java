package io.weir.notifier.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.notifier.runtime.handler.StopActor;
import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actions;
import io.weir.notifier.spi.Actor;
import io.weir.schemas.NameValue;
import io.weir.schemas.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
                Duration.ofMinutes(3),
                Duration.ofMinutes(3),
                OtherUsers.NONE,
                new EnvironmentNames(List.of()));
    }

    private static Action action(String id, String target, String body) {
        return new Action(
                id,
                "tiny",
                "t1",
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
                Optional.empty(),
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
    void shouldSayWhenATriggerDoesNotGetTheTimeThatItSays() throws Exception {
        Path program = script("sleep 60");
        try (ExecActor actor = new ExecActor(
                ProgramList.parse("programs", List.of(program.toString())),
                new ProgramRunner(directory),
                Duration.ofMinutes(3),
                Duration.ofMillis(300),
                OtherUsers.NONE,
                new EnvironmentNames(List.of()))) {
            Action hours = Action.of(
                    Actions.firing("exec", program.toString(), Map.of(), null)
                            .setTimeoutMillis(7_200_000)
                            .build(),
                    false);
            assertThat(actor.carryOut(hours).message())
                    .contains("killed after 300 ms", "action.exec.longest.ms", "7200000 ms");
            assertThat(actor.carryOut(action("tiny/9/0", program.toString(), ""))
                            .message())
                    .contains("killed after 300 ms")
                    .doesNotContain("longest");
        }
    }

    @Test
    void shouldGiveAProgramFiveMinutesAndATriggerUpToADay() {
        ExecActorProvider provider = new ExecActorProvider();
        AbstractConfig settings = new AbstractConfig(provider.settings(), Map.of(), false);

        assertThat(settings.getInt(ExecActorProvider.TIMEOUT_MS)).isEqualTo(300_000);
        assertThat(settings.getInt(ExecActorProvider.LONGEST_MS)).isEqualTo(86_400_000);
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
    void shouldEndTheProgramThatAKilledNotifierLeftWithWhatItWaitsForAndNoOther() throws Exception {
        Path program = script("sleep 1000 & echo $! >$1.new; mv $1.new $1; wait");
        List<Process> left = List.of(
                left(program, "tiny/1/0", "tiny"),
                left(program, "tiny/1/1", "tiny"),
                left(program, "tiny/1/0", "large"));
        List<ProcessHandle> sleepers =
                List.of(sleeper("tiny/1/0@tiny"), sleeper("tiny/1/1@tiny"), sleeper("tiny/1/0@large"));
        try (ExecActor actor = actor(program)) {
            actor.endRemains(action("tiny/1/0", program.toString(), ""));

            assertThat(left.get(0).waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            Awaitility.await("the end of what it waits for")
                    .atMost(PATIENCE)
                    .until(() -> !sleepers.get(0).isAlive());
            assertThat(left.subList(1, 3)).allMatch(Process::isAlive);
            assertThat(sleepers.subList(1, 3)).allMatch(ProcessHandle::isAlive);
        } finally {
            left.forEach(Process::destroyForcibly);
            sleepers.forEach(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void shouldLeaveAloneTheServiceThatALeftProgramHadRestarted() throws Exception {
        Path program = script("(setsid sleep 1000 & echo $! >$1.new; mv $1.new $1)\nsleep 1000");
        Process left = left(program, "tiny/1/0", "tiny");
        ProcessHandle service = sleeper("tiny/1/0@tiny");
        try (ExecActor actor = actor(program)) {
            Awaitility.await("a session of its own, and nobody's child")
                    .atMost(PATIENCE)
                    .until(() -> Files.readString(Path.of("/proc/" + service.pid() + "/stat"))
                                    .contains(" " + service.pid() + " " + service.pid() + " ")
                            && left.descendants().noneMatch(service::equals));
            actor.endRemains(action("tiny/1/0", program.toString(), ""));

            assertThat(left.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(service.isAlive()).isTrue();
        } finally {
            left.destroyForcibly();
            service.destroyForcibly();
        }
    }

    /** A run of {@code program} as a notifier begins it. */
    private Process left(Path program, String firing, String cluster) throws IOException {
        ProcessBuilder run = new ProcessBuilder(
                "setsid",
                "timeout",
                "-s",
                "KILL",
                "1000",
                program.toString(),
                directory.resolve(firing.replace('/', '.') + "@" + cluster).toString());
        run.environment().put("WEIR_FIRING", firing);
        run.environment().put("WEIR_CLUSTER", cluster);
        return run.start();
    }

    /** What the run of a firing wrote the id of. */
    private ProcessHandle sleeper(String firing) throws IOException {
        Path file = directory.resolve(firing.replace('/', '.'));
        Awaitility.await(file.toString()).atMost(PATIENCE).until(() -> Files.exists(file));
        return ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).orElseThrow();
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BASH_ENV",
                "ENV",
                "PATH",
                "IFS",
                "HOME",
                "PYTHONPATH",
                "PERL5OPT",
                "NODE_OPTIONS",
                "JAVA_TOOL_OPTIONS",
                "GCONV_PATH",
                "LD_PRELOAD",
                "LD_RACK",
                "npm_config_script_shell",
                "WEIR_SERVER",
                "RACKS",
                "TRIGGER",
                "trigger_x",
                "TRIGGER_x%%",
                "RACK=1\nBASH_ENV",
                ""
            })
    void shouldRefuseVariablesThatTheSettingsDoNotList(String name) throws Exception {
        Path run = directory.resolve("run");
        Path program = script("touch " + run);
        try (Actor actor = actor(program, "TRIGGER_*,RACK,L*")) {
            ActionResult result = actor.carryOut(withEnvironment(program, name, "x"));

            assertThat(result.outcome()).isEqualTo(ActionResult.Outcome.REFUSED);
            assertThat(result.message()).startsWith("action.exec.environment does not list");
        }
        assertThat(run).doesNotExist();
    }

    @Test
    void shouldNotRunWhatATriggersVariablesName() throws Exception {
        Path run = directory.resolve("run");
        Path other = Files.writeString(directory.resolve("other"), "touch " + run + "\n");
        Path program = script("true");
        Files.writeString(program, "#!/bin/bash\ntrue\n");
        try (Actor actor = open(program, Map.of())) {
            assertThat(actor.carryOut(withEnvironment(program, "BASH_ENV", other.toString()))
                            .outcome())
                    .isEqualTo(ActionResult.Outcome.REFUSED);
        }
        assertThat(run).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"TRIGGER_RACK, ", "TRIGGER_RACK, TRIGGER_*", "RACK, 'SITE_*,RACK'", "SITE_RACK, 'SITE_*,RACK'"})
    void shouldHandOverVariablesThatTheSettingsList(String name, @Nullable String listed) throws Exception {
        Path program = script("printf '%s' \"$" + name + "\"");
        try (Actor actor = listed == null ? open(program, Map.of()) : actor(program, listed)) {
            assertThat(actor.carryOut(withEnvironment(program, name, "r 7; x")).output())
                    .contains("r 7; x");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "LD_PRELOAD", "LD_*", "A B", "A-B", "A=b", "*A", "A*B", "1A"})
    void shouldNotOpenWithNamesOfVariablesThatAreNone(String listed) {
        assertThatThrownBy(() -> actor(directory.resolve("program"), listed))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("environment");
    }

    private static Actor actor(Path program, String environment) {
        return open(program, Map.of(ExecActorProvider.ENVIRONMENT, environment));
    }

    private static Actor open(Path program, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put(ExecActorProvider.PROGRAMS, program.toString());
        ExecActorProvider provider = new ExecActorProvider();
        return provider.open(new AbstractConfig(provider.settings(), settings, false));
    }

    private static Action withEnvironment(Path program, String name, String value) {
        return Action.of(
                Actions.firing("exec", program.toString(), Map.of(), null)
                        .setEnvironment(List.of(new NameValue(name, value)))
                        .build(),
                false);
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

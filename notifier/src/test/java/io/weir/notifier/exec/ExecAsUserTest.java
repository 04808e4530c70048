package io.weir.notifier.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actions;
import io.weir.notifier.spi.Actor;
import io.weir.schemas.NameValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** As whom programs are run. */
class ExecAsUserTest {
    private static final String SETPRIV = "setpriv --reuid={user} --clear-groups --";

    @TempDir
    private Path directory;

    private Path program;

    @BeforeEach
    void write() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        program = directory.resolve("program");
        Files.writeString(
                program,
                "#!/bin/sh\nid -un\necho mark=$WEIR_FIRING\necho \"arg=$1\"\n"
                        + "[ \"$1\" = long ] || exit 0\nsleep 600 & echo $! >$2/child; wait\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Actor actor(String runAs, String users) {
        Map<String, String> settings = new HashMap<>();
        settings.put(ExecActorProvider.PROGRAMS, program.toString());
        settings.put(ExecActorProvider.RUN_AS, runAs);
        settings.put(ExecActorProvider.USERS, users);
        settings.put(ExecActorProvider.ENVIRONMENT, "PATH");
        ExecActorProvider provider = new ExecActorProvider();
        return provider.open(new AbstractConfig(provider.settings(), settings, false));
    }

    private Action action(@Nullable String user, String... arguments) {
        return Action.of(
                Actions.firing("exec", program.toString(), Map.of(), null)
                        .setArguments(List.of(arguments))
                        .setRunAs(user)
                        .build(),
                false);
    }

    private static void assumeRoot() {
        Assumptions.assumeTrue(
                System.getProperty("user.name").equals("root") && Files.isExecutable(Path.of("/usr/bin/setpriv")),
                "only root may run programs as somebody else");
    }

    @Test
    void shouldRunAProgramAsTheUserWhomTheActionNames() throws Exception {
        assumeRoot();
        try (Actor actor = actor(SETPRIV, "nobody")) {
            ActionResult result = actor.carryOut(action("nobody", "$(id); --reuid=root"));

            assertThat(result.outcome()).as(result.message()).isEqualTo(ActionResult.Outcome.DONE);
            assertThat(result.output()).contains("nobody\nmark=tiny/7/0\narg=$(id); --reuid=root\n");
        }
    }

    @Test
    void shouldRunAProgramAsItsOwnUserWhereNobodyElseIsNamed() throws Exception {
        String own = System.getProperty("user.name");
        try (Actor actor = actor("", "")) {
            for (Action each : List.of(action(null), action(own))) {
                assertThat(actor.carryOut(each).output().orElse("")).startsWith(own + "\n");
            }
        }
    }

    @Test
    void shouldEndAllThatWasStartedAsAnotherUser() throws Exception {
        assumeRoot();
        Path place = Files.createDirectory(directory.resolve("place"));
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (Actor actor = actor(SETPRIV, "nobody")) {
            CompletableFuture<ActionResult> result = CompletableFuture.supplyAsync(() -> {
                try {
                    return actor.carryOut(action("nobody", "long", place.toString()));
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            Path child = place.resolve("child");
            Awaitility.await()
                    .until(() -> Files.exists(child) && !Files.readString(child).isBlank());
            actor.stop("tiny/7/0");

            assertThat(result.get(60, TimeUnit.SECONDS).message()).contains("its object is over");
            long pid = Long.parseLong(Files.readString(child).strip());
            Awaitility.await()
                    .until(() ->
                            ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|''|nobody|action.exec.run-as",
                "setpriv --reuid={user} --|daemon|nobody|action.exec.users does not list nobody",
                "setpriv --reuid={user} --|''|nobody|action.exec.users does not list nobody",
                "setpriv --reuid={user} --|*|root|action.exec.users does not list root",
                "setpriv --reuid={user} --|*|0|no name of a user",
                "setpriv --reuid={user} --|*|Nobody|no name of a user",
                "setpriv --reuid={user} --|*|-x|no name of a user",
                "setpriv --reuid={user} --|*|a b|no name of a user",
                "setpriv --reuid={user} --|*|''|no name of a user",
                "setpriv --reuid={user} --|*|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa|no name of a user"
            })
    void shouldRefuseUsersWhomTheSettingsDoNotAllow(String runAs, String users, String user, String why)
            throws Exception {
        Assumptions.assumeFalse(user.equals(System.getProperty("user.name")), "it is the notifier's own user");
        try (Actor actor = actor(runAs, users)) {
            ActionResult result = actor.carryOut(action(user));

            assertThat(result.outcome()).isEqualTo(ActionResult.Outcome.REFUSED);
            assertThat(result.message()).contains(why);
            assertThat(result.output()).isEmpty();
        }
    }

    @Test
    void shouldTakeRootForAnybodyOnlyWhereItIsListed() throws Exception {
        OtherUsers anybody = new OtherUsers(List.of("/usr/bin/setpriv", "--reuid={user}"), Set.of("*"));
        OtherUsers root = new OtherUsers(List.of("/usr/bin/setpriv", "--reuid={user}"), Set.of("root"));

        assertThatThrownBy(() -> anybody.before("root"))
                .isInstanceOf(OtherUsers.Refusal.class)
                .hasMessageContaining("does not list root");
        assertThat(anybody.before("ann")).containsExactly("/usr/bin/setpriv", "--reuid=ann");
        assertThat(root.before("root")).containsExactly("/usr/bin/setpriv", "--reuid=root");
    }

    @Test
    void shouldRunNothingAsAUserWhoDoesNotExist() throws Exception {
        assumeRoot();
        try (Actor actor = actor(SETPRIV, "*")) {
            ActionResult result = actor.carryOut(action("no-such-user-here"));

            assertThat(result.outcome()).isEqualTo(ActionResult.Outcome.FAILED);
            assertThat(result.output().orElse("")).isEmpty();
        }
    }

    @Test
    void shouldNotLetTheEnvironmentChooseWhatRunsTheProgram() throws Exception {
        assumeRoot();
        Path bait = Files.createDirectory(directory.resolve("bait"));
        Path taken = bait.resolve("taken");
        Path decoy = Files.writeString(bait.resolve("setpriv"), "#!/bin/sh\n: >" + taken + "\n");
        Files.setPosixFilePermissions(decoy, PosixFilePermissions.fromString("rwxr-xr-x"));
        Action baited = Action.of(
                Actions.firing("exec", program.toString(), Map.of(), null)
                        .setRunAs("nobody")
                        .setEnvironment(List.of(new NameValue("PATH", bait + ":/usr/bin:/bin")))
                        .build(),
                false);
        try (Actor actor = actor(SETPRIV, "nobody")) {
            assertThat(actor.carryOut(baited).output().orElse("")).startsWith("nobody\n");
        }
        assertThat(taken).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"no-such-command {user}", "sudo -n --", "{user} --", "a b c d e f g h i j k l m n o p {user}", ""
            })
    void shouldNotOpenWithACommandThatCannotNameTheUser(String runAs) {
        assertThatThrownBy(() -> actor(runAs, "ann"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("run-as");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Ann", "1000", "ann;root"})
    void shouldNotOpenWithUsersThatAreNone(String user) {
        assertThatThrownBy(() -> actor(SETPRIV, user))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("users");
    }
}

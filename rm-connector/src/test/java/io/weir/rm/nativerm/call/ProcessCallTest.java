package io.weir.rm.nativerm.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessCallTest {
    private static final CallLimits LIMITS = new CallLimits(Duration.ofSeconds(20), 100_000);
    private static final CallLimits SHORT = new CallLimits(Duration.ofMillis(700), 100_000);

    @TempDir
    Path directory;

    @Test
    void shouldPassArgumentsAndEnvironment() throws Exception {
        Endpoint.Exec exec = script("printf '%s|' \"$@\" \"$SITE\" \"$WEIR_COMMAND_ID\" \"$(pwd)\"; cat");

        Reply reply = new ProcessCall(directory, Map.of("SITE", "north"))
                .call(
                        exec,
                        new CallRequest(
                                false, List.of("a b", "$HOME", ""), Map.of("WEIR_COMMAND_ID", "c/1/0"), "c/1/0"),
                        LIMITS);

        assertThat(reply).isEqualTo(new Reply(true, "a b|$HOME||north|c/1/0|" + directory.toRealPath() + "|", ""));
    }

    @Test
    void shouldKeepExitCodeAndWordsOfAFailure() throws Exception {
        Reply reply = call("echo out; echo 'no such queue' >&2; echo 'ask ann' >&2; exit 3");

        assertThat(reply.success()).isFalse();
        assertThat(reply.failure()).contains("exit code 3: no such queue | ask ann");
        assertThat(call("echo on stdout; exit 255").failure()).contains("exit code 255: on stdout");
    }

    @Test
    void shouldNotTakeASignalOrATemporaryFailureForAnAnswer() {
        assertThatThrownBy(() -> call("kill -KILL $$"))
                .isInstanceOf(NoReplyException.class)
                .hasMessageContaining("137");
        assertThatThrownBy(() -> call("exit 75")).isInstanceOf(NoReplyException.class);
    }

    @Test
    void shouldKillTheWholeTreeAfterTheTimeLimit() throws IOException {
        Endpoint.Exec exec = script("""
                echo $$ >pids
                (sleep 600 & echo $! >>pids; wait) &
                (trap '' TERM HUP; sh -c 'echo $$ >>pids; sleep 600; true') &
                ( ( sleep 600 & echo $! >>pids ) & )
                echo 'still thinking' >&2
                wait
                """);

        assertThatThrownBy(() -> new ProcessCall(directory, Map.of())
                        .call(exec, CallRequest.query(Map.of()), new CallLimits(Duration.ofSeconds(2), 1_000)))
                .isInstanceOf(NoReplyException.class)
                .hasMessageContaining("PT2S")
                .hasMessageContaining("still thinking");

        List<String> pids = Files.readAllLines(directory.resolve("pids"));
        assertThat(pids).hasSize(4);
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(pids).noneMatch(ProcessCallTest::lives));
    }

    @Test
    void shouldKillWhatWritesTooMuch() {
        assertThatThrownBy(() -> call("echo $$ >pids; exec yes"))
                .isInstanceOf(NoReplyException.class)
                .hasMessageContaining("more than 100000 bytes");
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(Files.readAllLines(directory.resolve("pids")))
                        .noneMatch(ProcessCallTest::lives));
    }

    @Test
    void shouldTakeOutputUpToTheLimitAndAnyAmountOfErrors() throws Exception {
        Reply reply = call("yes | head -c 100000; yes | head -c 3000000 >&2");

        assertThat(reply.success()).isTrue();
        assertThat(reply.output()).hasSize(100_000);
    }

    @Test
    void shouldNotWaitForWhatAnActionLeftRunning() throws Exception {
        long begin = System.nanoTime();

        Reply reply = call("sleep 600 & echo $! >pids; echo SC=0");

        assertThat(reply).isEqualTo(new Reply(true, "SC=0\n", ""));
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
        long left = Long.parseLong(Files.readString(directory.resolve("pids")).strip());
        assertThat(ProcessHandle.of(left)).get().satisfies(ProcessHandle::destroyForcibly);
    }

    @Test
    void shouldNotTrustAQueryWhoseOutputStaysOpen() {
        assertThatThrownBy(() -> new ProcessCall(directory, Map.of())
                        .call(script("sleep 600 & echo n1"), CallRequest.query(Map.of()), LIMITS))
                .isInstanceOf(NoReplyException.class)
                .hasMessageContaining("holds its output open");
    }

    /** The reader may see an end that is none, depending on when it looks: so often. */
    @Test
    void shouldNeverTrustItHoweverLateTheOutputIsRead() throws Exception {
        Endpoint.Exec exec = script("sleep 600 & echo n1");
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(
                            () -> new ProcessCall(directory, Map.of()).call(exec, CallRequest.query(Map.of()), SHORT))
                    .hasMessageContaining("holds its output open");
        }
    }

    @Test
    void shouldTrustAQueryThatLeavesSomethingElseRunning() throws Exception {
        Reply reply = new ProcessCall(directory, Map.of())
                .call(script("sleep 2 </dev/null >/dev/null 2>&1 & echo n1"), CallRequest.query(Map.of()), LIMITS);

        assertThat(reply.output()).isEqualTo("n1\n");
    }

    @Test
    void shouldGiveUpAtOnceWhenInterrupted() throws Exception {
        Endpoint.Exec exec = script("sleep 600");
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> new ProcessCall(directory, Map.of()).call(exec, CallRequest.query(Map.of()), LIMITS))
                .isInstanceOf(NoReplyException.class);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldSayThatNothingWasCalled() {
        Endpoint.Exec missing =
                new Endpoint.Exec(List.of(directory.resolve("missing").toString()));
        Endpoint.Exec folder = new Endpoint.Exec(List.of(directory.toString()));

        for (Endpoint.Exec exec : List.of(missing, folder)) {
            assertThatThrownBy(
                            () -> new ProcessCall(directory, Map.of()).call(exec, CallRequest.query(Map.of()), SHORT))
                    .isInstanceOfSatisfying(
                            NoReplyException.class,
                            e -> assertThat(e.neverBegan()).isTrue());
        }
    }

    private Reply call(String text) throws Exception {
        return new ProcessCall(directory, Map.of())
                .call(script(text), new CallRequest(false, List.of(), Map.of(), "c"), LIMITS);
    }

    private Endpoint.Exec script(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("script.sh"), "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new Endpoint.Exec(List.of(file.toString()));
    }

    /** A killed process whose parent has not asked for it yet is dead, too. */
    private static boolean lives(String pid) {
        try {
            return !Files.readString(Path.of("/proc", pid, "stat")).contains(") Z ");
        } catch (IOException e) {
            return false;
        }
    }
}

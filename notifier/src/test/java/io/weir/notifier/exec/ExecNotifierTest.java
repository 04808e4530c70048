package io.weir.notifier.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weir.notifier.spi.Deliveries;
import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierContractTest;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.Severity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecNotifierTest extends NotifierContractTest {

    @TempDir
    private Path directory;

    @Override
    protected Notifier open() {
        return open(script("take", "printf '%s\\n' \"$WEIR_ID\" >>" + ids() + "; cat >/dev/null"), Map.of());
    }

    @Override
    protected List<String> received() {
        try {
            return List.of(Files.readString(ids()).replaceAll("\\n\\z", "").split("\\n(?=tiny/)"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected String shown(String id) {
        return id.replace('\0', '\uFFFD');
    }

    @Override
    protected void takeReceiverAway() {
        open();
        move(directory.resolve("take"), directory.resolve("gone"));
    }

    @Override
    protected void bringReceiverBack() {
        move(directory.resolve("gone"), directory.resolve("take"));
    }

    @Test
    @Override
    protected void shouldOpenWhileTheReceiverIsAway() throws Exception {
        takeReceiverAway();
        Notifier notifier = open(directory.resolve("take"), Map.of());

        bringReceiverBack();
        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));

        assertThat(received()).containsExactly("tiny/7/0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$(touch HIT)",
                "`touch HIT`",
                "; touch HIT",
                "| touch HIT",
                "&& touch HIT #",
                "\" ; touch HIT ; \"",
                "'; touch HIT; '",
                "\ntouch HIT\n",
                "-exec touch HIT",
                "--help",
                "${IFS}touch${IFS}HIT",
                "$SUBJECT",
                "%s%n",
                "a\u0000b",
                "() { :;}; touch HIT"
            })
    void shouldHandEveryVariableOverAsItIs(String hostile) throws Exception {
        Path program = script("show", "for a; do printf '<%s>' \"$a\"; done >" + directory.resolve("args"));
        Notifier notifier = open(
                program,
                Map.of(
                        ExecProvider.ARGUMENTS,
                        "$ID,$CLUSTER,$EVENT,$EVENTTYPE,$OTYPE,$OID,$SUBJECT,$MESSAGE,$RECIPIENTS,x${OID}y",
                        ExecProvider.DIRECTORY,
                        directory.toString()));
        Delivery delivery = new Delivery(
                hostile,
                hostile,
                Deliveries.nodeDown("x").time(),
                Severity.ERROR,
                hostile,
                hostile,
                hostile,
                hostile,
                hostile,
                List.of(hostile),
                false);

        notifier.deliver(delivery);

        String passed = hostile.replace('\0', '\uFFFD');
        String first = passed.startsWith("-") ? " " + passed : passed;
        assertThat(Files.readString(directory.resolve("args")))
                .startsWith("<" + first + "><" + first + ">")
                .endsWith("<" + first + "><x" + passed + "y>");
        assertThat(directory.resolve("HIT")).doesNotExist();
    }

    @Test
    void shouldHandOverTheJsonAndAShortEnvironment() throws Exception {
        Path program =
                script("show", "cat >" + directory.resolve("input") + "; env | cut -d= -f1 | sort | tr '\\n' ' '");

        Receipt receipt = open(program, Map.of()).deliver(Deliveries.nodeDown("tiny/7/0"));

        assertThat(Files.readString(directory.resolve("input"))).startsWith("{\"id\":\"tiny/7/0\"");
        assertThat(receipt.message()).contains("WEIR_EVENT").doesNotContain("HOME", "USER", "KAFKA", "JAVA");
    }

    @Test
    void shouldGoByTheExitCode() {
        assertThatThrownBy(
                        () -> open(script("a", "echo no >&2; exit 1"), Map.of()).deliver(Deliveries.nodeDown("1")))
                .isInstanceOf(RetriableDeliveryException.class)
                .hasMessageContaining("exit code 1: no");
        assertThatThrownBy(() -> open(script("b", "exit 75"), Map.of()).deliver(Deliveries.nodeDown("1")))
                .isInstanceOf(RetriableDeliveryException.class);
        for (int never : List.of(64, 65)) {
            assertThatThrownBy(
                            () -> open(script("c", "exit " + never), Map.of()).deliver(Deliveries.nodeDown("1")))
                    .isInstanceOf(DeliveryException.class)
                    .isNotInstanceOf(RetriableDeliveryException.class);
        }
        assertThatThrownBy(() -> open(script("d", "kill -9 $$"), Map.of()).deliver(Deliveries.nodeDown("1")))
                .isInstanceOfSatisfying(
                        RetriableDeliveryException.class,
                        e -> assertThat(e.mayHaveArrived()).isTrue());
    }

    @Test
    void shouldKillEverythingThatTakesTooLong() throws Exception {
        Path program =
                script("slow", "sleep 300 & echo $! >" + directory.resolve("pid") + "; (setsid true); sleep 300");

        assertThatThrownBy(() ->
                        open(program, Map.of(ExecProvider.TIMEOUT_MS, "1000")).deliver(Deliveries.nodeDown("tiny/7/0")))
                .isInstanceOf(RetriableDeliveryException.class)
                .hasMessageContaining("did not end within 1000 ms and was killed");

        long child = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !isRunning(child));
    }

    @Test
    void shouldKeepTheBeginningOfEndlessOutput() throws Exception {
        Path program = script("loud", "head -c 3000000 /dev/zero | tr '\\0' x; exit 0");

        Receipt receipt =
                open(program, Map.of(ExecProvider.OUTPUT_BYTES, "100")).deliver(Deliveries.nodeDown("1"));

        assertThat(receipt.message()).contains("x".repeat(100)).hasSizeLessThan(300);
    }

    /** Of the JDK there is one more, which waits for the end of the program and then closes its streams. */
    @Test
    void shouldHoldNoThreadForWhatAProgramLeftBehind() throws Exception {
        Path program = script(
                "leaves", "setsid sleep 600 & echo $! >" + directory.resolve("pid") + "; echo said; echo felt >&2");
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try {
            long begin = System.nanoTime();
            Receipt receipt = open(program, Map.of()).deliver(Deliveries.nodeDown("tiny/7/0"));

            assertThat(receipt.message()).endsWith("felt");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
            assertThat(isRunning(left())).isTrue();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> Thread.getAllStackTraces().entrySet().stream()
                            .filter(each -> !before.contains(each.getKey()))
                            .noneMatch(each -> Arrays.stream(each.getValue())
                                    .anyMatch(frame -> frame.getClassName().contains("Process")
                                            || frame.getClassName().startsWith("io.weir.notifier.exec.")
                                                    && !frame.getClassName().contains("Test"))));
        } finally {
            ProcessHandle.of(left()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private long left() throws IOException {
        return Long.parseLong(Files.readString(directory.resolve("pid")).strip());
    }

    /** As of a script that begins with {@code exec > >(tee log)}. */
    @Test
    void shouldHearWhatIsWrittenForAProgramThatHasEnded() throws Exception {
        Path program = script("late", "(sleep 0.3; echo first; sleep 0.2; echo second) &\nexit 0");

        assertThat(open(program, Map.of()).deliver(Deliveries.nodeDown("1")).message())
                .endsWith("first second");
    }

    @Test
    void shouldTakeTurnsWithAProgramThatWritesMuchToBothStreams() throws Exception {
        Path program = script(
                "both",
                "i=0; while [ $i -lt 40 ]; do head -c 100000 /dev/zero | tr '\\0' o; head -c 100000 /dev/zero | tr '\\0' e >&2;"
                        + " i=$((i+1)); done; exit 7");

        assertThatThrownBy(() ->
                        open(program, Map.of(ExecProvider.OUTPUT_BYTES, "100")).deliver(Deliveries.nodeDown("1")))
                .isInstanceOf(RetriableDeliveryException.class)
                .hasMessageEndingWith("exit code 7: " + "e".repeat(100));
    }

    @Test
    void shouldKillAProgramThatWritesWithoutEnd() throws Exception {
        Path program = script("endless", "exec tr '\\0' x </dev/zero");

        assertThatThrownBy(() -> open(program, Map.of(ExecProvider.TIMEOUT_MS, "1000", ExecProvider.OUTPUT_BYTES, "10"))
                        .deliver(Deliveries.nodeDown("1")))
                .isInstanceOf(RetriableDeliveryException.class)
                .hasMessageEndingWith("was killed: xxxxxxxxxx");
    }

    @Test
    void shouldRefuseAProgramThatEverybodyMayChange() throws Exception {
        Path program = script("open", "exit 0");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> open(program, Map.of()).deliver(Deliveries.nodeDown("1")))
                .isInstanceOf(RetriableDeliveryException.class)
                .hasMessageContaining("chmod o-w");
    }

    @Test
    void shouldRefuseSettingsThatCannotWork() {
        assertThatThrownBy(() -> open(Path.of("bin/true"), Map.of())).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> open(Path.of("/bin/../bin/true"), Map.of())).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> open(Path.of("/bin/true"), Map.of(ExecProvider.ARGUMENTS, "$NOSUCH")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("NOSUCH");
    }

    private static boolean isRunning(long process) {
        return ProcessHandle.of(process).map(ProcessHandle::isAlive).orElse(false)
                && !stat(process).contains(") Z");
    }

    private static String stat(long process) {
        try {
            return Files.readString(Path.of("/proc/" + process + "/stat"));
        } catch (IOException e) {
            return ") Z";
        }
    }

    /** What a killed notifier began goes on without it: here it is one that nobody has killed. */
    @Test
    void shouldEndWhatIsLeftOfADeliveryBeforeItIsRepeatedAndNothingElse() throws Exception {
        Path program = script(
                "once",
                "echo $$ >>" + directory.resolve("begun-$WEIR_CHANNEL-$WEIR_OID")
                        + "; [ $WEIR_POSSIBLE_DUPLICATE = yes ] || exec sleep 25");
        Delivery delivery = Deliveries.nodeDown("tiny/7/0");
        CompletableFuture<Throwable> left = begin("run", program, delivery);
        CompletableFuture<Throwable> elsewhere = begin("other", program, delivery);
        awaitFile("begun-run-n1");
        awaitFile("begun-other-n1");

        open(program, Map.of()).deliver(delivery.repeated());

        assertThat(left.get(20, TimeUnit.SECONDS)).hasMessageContaining("exit code 137");
        assertThat(Files.readAllLines(directory.resolve("begun-run-n1"))).hasSize(2);
        assertThat(elsewhere).isNotDone();
        open("other", program, Map.of()).deliver(delivery.repeated());
        assertThat(elsewhere.get(20, TimeUnit.SECONDS)).hasMessageContaining("exit code 137");
    }

    /** Returns how a delivery fails that begins now. */
    private CompletableFuture<Throwable> begin(String channel, Path program, Delivery delivery) {
        Notifier notifier = open(channel, program, Map.of());
        return CompletableFuture.supplyAsync(
                () -> catchThrowable(() -> notifier.deliver(delivery)), task -> new Thread(task, channel).start());
    }

    private void awaitFile(String name) {
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(directory.resolve(name)));
    }

    private Notifier open(Path program, Map<String, String> more) {
        return open("run", program, more);
    }

    private Notifier open(String channel, Path program, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put(ExecProvider.PROGRAM, program.toString());
        ExecProvider provider = new ExecProvider();
        return provider.open(channel, new AbstractConfig(provider.settings(), settings, false));
    }

    private Path ids() {
        return directory.resolve("ids");
    }

    private Path script(String name, String body) {
        try {
            Path script = directory.resolve(name);
            if (!Files.exists(script)) {
                Files.writeString(script, "#!/bin/sh\n" + body + "\n");
                Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            return script;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

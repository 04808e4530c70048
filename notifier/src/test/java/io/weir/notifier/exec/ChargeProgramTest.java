package io.weir.notifier.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weir.notifier.spi.ChargeForm;
import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.Charges;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.Charge;
import io.weir.topics.AvroTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChargeProgramTest {

    @TempDir
    private Path directory;

    @BeforeAll
    static void trust() {
        AvroTrust.install();
    }

    private Path program(String text) throws IOException {
        Path program = Files.writeString(directory.resolve("account"), "#!/bin/sh\n" + text + "\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-x---"));
    }

    private static ChargePeer open(String program, Map<String, String> more) {
        return open("accounts", program, more);
    }

    private static ChargePeer open(String peer, String program, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put(ChargeProgramProvider.PROGRAM, program);
        ChargeProgramProvider provider = new ChargeProgramProvider();
        return provider.open(peer, new AbstractConfig(provider.settings(), settings, false));
    }

    @Test
    void shouldHandTheLineOfTheChargeToTheProgram() throws Exception {
        Path seen = directory.resolve("seen");
        Path program = program("cat >" + seen + "; echo \"$1 $WEIR_CHARGE\" >>" + seen);
        Charge charge = Charges.hour("job.42.1").setUser("a b; $(id)\n=x").build();
        try (ChargePeer peer = open(program.toString(), Map.of(ChargeProgramProvider.ARGUMENTS, "--book"))) {
            peer.book(charge);
        }
        assertThat(seen).hasContent(ChargeForm.line(charge) + "\n--book tiny/job.42.1\n");
        assertThat(Files.readAllLines(seen)).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"exit 75,true", "kill -9 $$,true", "sleep 60,true", "exit 1,false", "exit 64,false", "exit 74,false"})
    void shouldGoByTheExitCode(String text, boolean again) throws Exception {
        Path program = program("echo no money >&2; " + text);
        try (ChargePeer peer = open(program.toString(), Map.of(ChargeProgramProvider.TIMEOUT_MS, "1500"))) {
            Throwable thrown = catchThrowable(() -> peer.book(Charges.hour("c").build()));

            assertThat(thrown).isInstanceOf(DeliveryException.class).hasMessageContaining("no money");
            assertThat(thrown instanceof RetriableDeliveryException).isEqualTo(again);
        }
    }

    /** As when the notifier is killed while the program runs, and another begins with the same charge. */
    @Test
    void shouldEndWhatIsLeftOfAChargeBeforeItIsRepeatedAndNothingElse() throws Exception {
        Path begun = directory.resolve("begun");
        Path program =
                program("[ -e " + begun + "-$WEIR_PEER ] && exit 0; touch " + begun + "-$WEIR_PEER; exec sleep 25");
        Charge charge = Charges.hour("c").build();
        CompletableFuture<Throwable> left = begin("accounts", program, charge);
        CompletableFuture<Throwable> elsewhere = begin("other", program, charge);
        Awaitility.await()
                .until(() -> Files.exists(Path.of(begun + "-accounts")) && Files.exists(Path.of(begun + "-other")));

        open(program.toString(), Map.of()).bookAgain(charge);

        assertThat(left.get(20, TimeUnit.SECONDS)).hasMessageContaining("exit code 137");
        assertThat(elsewhere).isNotDone();
        open("other", program.toString(), Map.of()).bookAgain(charge);
        assertThat(elsewhere.get(20, TimeUnit.SECONDS)).hasMessageContaining("exit code 137");
    }

    /** Returns how a booking fails that begins now. */
    private static CompletableFuture<Throwable> begin(String peer, Path program, Charge charge) {
        ChargePeer begun = open(peer, program.toString(), Map.of());
        return CompletableFuture.supplyAsync(
                () -> catchThrowable(() -> begun.book(charge)), task -> new Thread(task, peer).start());
    }

    @Test
    void shouldWaitForAProgramThatIsNotThereOrThatEverybodyMayWrite() throws Exception {
        Path program = program("exit 0");
        try (ChargePeer peer = open(program.toString(), Map.of())) {
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xrwx"));
            assertThatThrownBy(() -> peer.book(Charges.hour("c").build()))
                    .isInstanceOf(RetriableDeliveryException.class)
                    .hasMessageContaining("chmod o-w");
            Files.delete(program);
            assertThatThrownBy(() -> peer.book(Charges.hour("c").build()))
                    .isInstanceOf(RetriableDeliveryException.class)
                    .hasMessageContaining("does not exist");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"account", "/opt/../bin/sh", "./account"})
    void shouldNotOpenWithWhatIsNoAbsolutePath(String program) {
        assertThatThrownBy(() -> open(program, Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("program");
    }
}

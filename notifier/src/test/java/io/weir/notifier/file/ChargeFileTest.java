package io.weir.notifier.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.Charges;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChargeFileTest {

    @TempDir
    private Path directory;

    @Test
    void shouldWriteALineForEachChargeAndNoneTwice() throws Exception {
        ChargePeer peer = peer("charge.dat");
        for (int i = 0; i < 3; i++) {
            peer.book(Charges.hour("job.42." + i).setNumber(i).setInterim(i < 2).build());
        }
        peer.book(Charges.hour("job.42.1").build());
        peer("charge.dat").book(Charges.hour("job.42.2").build());

        assertThat(lines("charge.dat"))
                .containsExactly(
                        line("job.42.0", "INTERIM", ""),
                        line("job.42.1", "INTERIM", ""),
                        line("job.42.2", "FINAL", ""));
    }

    @Test
    void shouldWriteWhatIsGivenBackAsNegative() throws Exception {
        peer("charge.dat")
                .book(Charges.hour("r").setKind("refund").setCorrects("x").build());

        assertThat(lines("charge.dat")).containsExactly(line("r", "REFUND", "-"));
    }

    private static String line(String id, String phase, String sign) {
        return "1772362805 tiny/" + id + " JOB 42 " + phase
                + " acct=jupiter user=ann group= qos= start=1772359200 end=1772362800 reservedps=0 usedps=" + sign
                + "7200 unusedps=0 rate=1.000 charge=" + sign + "7200.000 nodes=n1,n2";
    }

    /** A crash in the middle of a line: nobody was told that the charge is booked, and it comes again. */
    @Test
    void shouldTakeAwayALineThatWasCutShort() throws Exception {
        ChargePeer peer = peer("charge.dat");
        peer.book(Charges.hour("a").build());
        String whole = Files.readString(directory.resolve("charge.dat"));
        peer.book(Charges.hour("b").build());
        byte[] both = Files.readAllBytes(directory.resolve("charge.dat"));
        for (int cut = whole.length(); cut < both.length; cut += 7) {
            Files.write(directory.resolve("charge.dat"), java.util.Arrays.copyOf(both, cut));
            peer.book(Charges.hour("b").build());
            assertThat(Files.readAllBytes(directory.resolve("charge.dat")))
                    .as("cut at " + cut)
                    .isEqualTo(both);
        }
    }

    /** A process that ended between writing and forcing has left a charge that a crash of the machine would take away. */
    @Test
    void shouldForceAChargeThatItFindsAndTheNameOfEachFile() throws Exception {
        Path path = directory.resolve("charge.dat");
        RecordedStorage storage = new RecordedStorage();
        ChargePeer peer = new ChargeFile(path, 1 << 18, storage);
        peer.book(Charges.hour("a").build());
        assertThat(storage.forced()).containsExactly("file", "directory");
        peer.book(Charges.hour("b").build());
        assertThat(storage.forced()).containsExactly("file");

        RecordedStorage again = new RecordedStorage();
        ChargePeer next = new ChargeFile(path, 1 << 18, again);
        assertThat(next.book(Charges.hour("b").build()).message()).startsWith("already in");
        assertThat(again.forced()).containsExactly("file", "directory");
        Files.move(path, directory.resolve("charge.1"));
        next.book(Charges.hour("c").build());
        assertThat(again.forced()).containsExactly("file", "directory");
    }

    @Test
    void shouldGoOnInANewFileWhenTheOldOneIsMovedAway() throws Exception {
        ChargePeer peer = peer("charge.dat");
        peer.book(Charges.hour("a").build());
        Files.move(directory.resolve("charge.dat"), directory.resolve("charge.1"));
        peer.book(Charges.hour("b").build());

        assertThat(lines("charge.1")).hasSize(1);
        assertThat(lines("charge.dat")).singleElement().asString().contains(" tiny/b ");
    }

    @Test
    void shouldKeepHostileNamesInTheirPlace() throws Exception {
        peer("charge.dat")
                .book(Charges.hour("x y")
                        .setAccount("a b=c\nd")
                        .setUser("FINAL acct=root")
                        .build());

        List<String> lines = lines("charge.dat");
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0).split(" ", -1)).hasSize(17);
        assertThat(lines.get(0)).contains(" tiny/x%20y ", "acct=a%20b%3Dc%0Ad ", "user=FINAL%20acct%3Droot ");
    }

    @Test
    void shouldFindTheEndOfALargeFile() throws Exception {
        List<String> old = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            old.add(line("old." + i, "FINAL", ""));
        }
        Files.write(directory.resolve("charge.dat"), old);
        Files.writeString(directory.resolve("charge.dat"), "1772362805 tiny/torn", StandardOpenOption.APPEND);
        ChargePeer peer = peer("charge.dat");
        peer.book(Charges.hour("old.19999").build());
        peer.book(Charges.hour("torn").build());

        assertThat(lines("charge.dat")).hasSize(20_001).last().asString().contains(" tiny/torn ");
    }

    @Test
    void shouldRefuseADirectoryThatIsNotThere() {
        assertThatThrownBy(() -> peer("no/such/charge.dat")).isInstanceOf(ConfigException.class);
    }

    /** As in {@code $HOME/charge.dat}. */
    @Test
    void shouldWriteIntoTheHomeDirectory() throws Exception {
        String home = System.setProperty("user.home", directory.toString());
        try {
            open("$HOME/charge.dat").book(Charges.hour("a").build());
            assertThatThrownBy(() -> open("$HOME/no/charge.dat")).isInstanceOf(ConfigException.class);
        } finally {
            System.setProperty("user.home", home);
        }

        assertThat(lines("charge.dat")).containsExactly(line("a", "FINAL", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"$HOMELESS/charge.dat", "$PWD/charge.dat", "~/charge.dat"})
    void shouldPutInNothingButTheHomeDirectory(String path) {
        assertThatThrownBy(() -> open(path)).isInstanceOf(ConfigException.class);
    }

    private List<String> lines(String name) throws IOException {
        return Files.readAllLines(directory.resolve(name));
    }

    private ChargePeer peer(String name) {
        return open(directory.resolve(name).toString());
    }

    private static ChargePeer open(String path) {
        ChargeFileProvider provider = new ChargeFileProvider();
        return provider.open("accounts", new AbstractConfig(provider.settings(), Map.of("path", path), false));
    }
}

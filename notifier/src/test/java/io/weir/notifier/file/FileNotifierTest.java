package io.weir.notifier.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.notifier.spi.Deliveries;
import io.weir.notifier.spi.DeliveryJson;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierContractTest;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileNotifierTest extends NotifierContractTest {

    @TempDir
    private Path directory;

    @Override
    protected Notifier open() {
        return open(file());
    }

    @Override
    protected List<String> received() {
        return lines().stream().map(FileNotifierTest::idOf).toList();
    }

    /** Takes the whole directory away: permissions would not keep root out. */
    @Override
    protected void takeReceiverAway() {
        try {
            Files.move(directory, elsewhere());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected void bringReceiverBack() {
        try {
            Files.move(elsewhere(), directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    @Test
    protected void shouldOpenWhileTheReceiverIsAway() {
        takeReceiverAway();

        assertThatThrownBy(this::open)
                .as("a directory that is missing at the start is a mistake in the configuration")
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("make it");

        bringReceiverBack();
    }

    @Test
    void shouldWriteTheJsonFormAsOneLine() throws Exception {
        open().deliver(Deliveries.nodeDown("tiny/7/0"));

        assertThat(Files.readString(file()))
                .isEqualTo("{\"id\":\"tiny/7/0\",\"cluster\":\"tiny\",\"time\":\"2026-03-01T10:00:00.250Z\","
                        + "\"severity\":\"error\",\"event\":\"nodedown\",\"objectType\":\"node\",\"objectId\":\"n1\","
                        + "\"subject\":\"n1 is down\",\"text\":\"n1 stopped answering.\\nTwo jobs ran on it.\","
                        + "\"recipients\":[\"ops@example.org\"]}\n");
    }

    @Test
    void shouldForceADeliveryThatItFindsAndTheNameOfEachFile() throws Exception {
        RecordedStorage storage = new RecordedStorage();
        Notifier notifier = new FileNotifier(file(), 1 << 20, storage);
        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));
        assertThat(storage.forced()).containsExactly("file", "directory");
        notifier.deliver(Deliveries.nodeDown("tiny/7/1"));
        assertThat(storage.forced()).containsExactly("file");

        RecordedStorage again = new RecordedStorage();
        Notifier next = new FileNotifier(file(), 1 << 20, again);
        assertThat(next.deliver(Deliveries.nodeDown("tiny/7/1")).message()).startsWith("already in");
        assertThat(again.forced()).containsExactly("file", "directory");
    }

    @Test
    void shouldTakeAwayALineThatACrashCutShort() throws Exception {
        String whole = DeliveryJson.of(Deliveries.nodeDown("tiny/7/0")) + "\n";
        String torn = DeliveryJson.of(Deliveries.nodeDown("tiny/7/1"));

        for (int length = 1; length < torn.length(); length++) {
            Files.writeString(file(), whole + torn.substring(0, length));
            open().deliver(Deliveries.nodeDown("tiny/7/1"));
            assertThat(Files.readString(file())).isEqualTo(whole + torn + "\n");
        }
    }

    @Test
    void shouldKeepALineOfWhichOnlyTheEndIsMissing() throws Exception {
        String line = DeliveryJson.of(Deliveries.nodeDown("tiny/7/0"));
        Files.writeString(file(), line);

        open().deliver(Deliveries.nodeDown("tiny/7/0"));
        open().deliver(Deliveries.nodeDown("tiny/7/1"));

        assertThat(received()).containsExactly("tiny/7/0", "tiny/7/1");
    }

    @Test
    void shouldLeaveAloneWhatOthersWrote() throws Exception {
        Files.writeString(file(), "# a note by hand, {\"id\":\"tiny/7/0\"}\nanother without an end");

        open().deliver(Deliveries.nodeDown("tiny/7/0"));

        assertThat(lines())
                .containsExactly(
                        "# a note by hand, {\"id\":\"tiny/7/0\"}",
                        "another without an end",
                        DeliveryJson.of(Deliveries.nodeDown("tiny/7/0")));
    }

    @Test
    void shouldGoOnInANewFileWhenTheOldOneIsMovedAway() throws Exception {
        Notifier notifier = open();
        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));
        Files.move(file(), directory.resolve("notices.1"));

        notifier.deliver(Deliveries.nodeDown("tiny/7/1"));
        notifier.deliver(Deliveries.nodeDown("tiny/7/0"));

        assertThat(received()).as("the id in the old file is still known").containsExactly("tiny/7/1");
    }

    @Test
    void shouldRecogniseWhatAnotherProcessDelivered() throws Exception {
        Notifier one = open();
        Notifier other = open();

        one.deliver(Deliveries.nodeDown("tiny/7/0"));
        other.deliver(Deliveries.nodeDown("tiny/7/1"));
        one.deliver(Deliveries.nodeDown("tiny/7/1"));
        other.deliver(Deliveries.nodeDown("tiny/7/0"));

        assertThat(received()).containsExactly("tiny/7/0", "tiny/7/1");
    }

    @Test
    void shouldLookAtTheTailAlone() throws Exception {
        Notifier writer = open();
        for (int i = 0; i < 20; i++) {
            writer.deliver(Deliveries.nodeDown("tiny/7/" + i));
        }

        Notifier next = open(file(), 1024);
        next.deliver(Deliveries.nodeDown("tiny/7/19"));
        next.deliver(Deliveries.nodeDown("tiny/7/0"));

        assertThat(received()).hasSize(21).endsWith("tiny/7/19", "tiny/7/0");
    }

    @Test
    void shouldCallALockedFileRetriable() throws Exception {
        try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            assertThatThrownBy(() -> open().deliver(Deliveries.nodeDown("tiny/7/0")))
                    .isInstanceOf(RetriableDeliveryException.class);
        }
    }

    @Test
    void shouldAnswerAnInterruptAsSuch() {
        Notifier notifier = open();

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> notifier.deliver(Deliveries.nodeDown("tiny/7/0")))
                .isInstanceOf(InterruptedException.class);

        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void shouldRefuseADirectory() {
        assertThatThrownBy(() -> open(directory))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is a directory");
    }

    private Path file() {
        return directory.resolve("notices.jsonl");
    }

    private Path elsewhere() {
        return directory.resolveSibling(directory.getFileName() + "-away");
    }

    private List<String> lines() {
        try {
            return Files.exists(file()) ? Files.readAllLines(file()) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Notifier open(Path path) {
        return open(path, 1 << 20);
    }

    private static Notifier open(Path path, int tailBytes) {
        FileProvider provider = new FileProvider();
        Map<String, String> settings =
                Map.of(FileProvider.PATH, path.toString(), FileProvider.TAIL_BYTES, Integer.toString(tailBytes));
        return provider.open("ops", new AbstractConfig(provider.settings(), settings, false));
    }

    private static String idOf(String line) {
        try {
            return new ObjectMapper().readTree(line).get("id").textValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

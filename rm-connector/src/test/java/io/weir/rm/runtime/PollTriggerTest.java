package io.weir.rm.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read from the file and from datagrams. */
class PollTriggerTest {
    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("poke");
    }

    private void append(String text) throws IOException {
        Files.writeString(file(), text, StandardOpenOption.APPEND);
    }

    private static Poke jobs(String... numbers) {
        return new Poke(Set.of(numbers), 0, false);
    }

    @Test
    void shouldTellTheJobsOfTheLinesAppended() throws IOException {
        try (PollTrigger trigger = PollTrigger.open(file(), null)) {
            append("job 7\n");
            append("job 12\n");
            assertThat(trigger.take()).isEqualTo(jobs("7", "12"));
            assertThat(trigger.take()).isEqualTo(Poke.NONE);

            append("job 13\n");
            assertThat(trigger.take()).isEqualTo(jobs("13"));
        }
    }

    @Test
    void shouldLeaveAsideWhatWasWrittenBeforeItWasOpened() throws IOException {
        Files.writeString(file(), "job 7\n");
        try (PollTrigger trigger = PollTrigger.open(file(), null)) {
            assertThat(trigger.take()).isEqualTo(Poke.NONE);
            append("job 8\n");
            assertThat(trigger.take()).isEqualTo(jobs("8"));
        }
    }

    @Test
    void shouldCountJobsThatArrive() throws IOException {
        try (PollTrigger trigger = PollTrigger.open(file(), null)) {
            append("new\njob 7\nnew\n");

            assertThat(trigger.take()).isEqualTo(new Poke(Set.of("7"), 2, false));
        }
    }

    @Test
    void shouldTellOfMoreWhenALineNamesNoJob() throws IOException {
        try (PollTrigger trigger = PollTrigger.open(file(), null)) {
            append("job 7\nanything\n");
            assertThat(trigger.take()).isEqualTo(new Poke(Set.of("7"), 0, true));
            append("job 0\n");
            assertThat(trigger.take()).isEqualTo(Poke.MORE);
            append("job 99999999999\n");
            assertThat(trigger.take()).isEqualTo(Poke.MORE);
            append("job 5");
            assertThat(trigger.take()).as("half a line").isEqualTo(Poke.MORE);
        }
    }

    @Test
    void shouldTellOfMoreWhenTheFileWasWrittenAnew() throws IOException {
        try (PollTrigger trigger = PollTrigger.open(file(), null)) {
            append("job 7\njob 8\n");
            trigger.take();
            Files.writeString(file(), "\n");
            assertThat(trigger.take()).isEqualTo(Poke.MORE);
            append("job 9\n");
            assertThat(trigger.take()).isEqualTo(jobs("9"));
        }
    }

    @Test
    void shouldTellOfMoreWhenTooMuchWasWrittenAtOnce() throws IOException {
        try (PollTrigger trigger = PollTrigger.open(file(), null)) {
            append(lines(3_000));
            assertThat(trigger.take()).isEqualTo(Poke.MORE);
            append("job 9\n");
            assertThat(trigger.take()).isEqualTo(jobs("9"));
        }
    }

    @Test
    void shouldEmptyAFileThatGrewLong() throws IOException {
        try (PollTrigger trigger = PollTrigger.open(file(), null)) {
            for (int i = 0; i < 8; i++) {
                append(lines(1_000));
                assertThat(trigger.take().more()).isFalse();
            }
            append(lines(1_000));
            assertThat(trigger.take().more()).isTrue();
            assertThat(file()).isEmptyFile();
            assertThat(trigger.take()).isEqualTo(Poke.NONE);
            append("job 9\n");
            assertThat(trigger.take()).isEqualTo(jobs("9"));
        }
    }

    @Test
    void shouldTellTheJobsOfDatagrams() throws IOException {
        InetSocketAddress address;
        try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            address = new InetSocketAddress(InetAddress.getLoopbackAddress(), free.getLocalPort());
        }
        try (PollTrigger trigger = PollTrigger.open(null, address);
                DatagramSocket sender = new DatagramSocket()) {
            byte[] text = "job 7".getBytes(StandardCharsets.US_ASCII);
            sender.send(new DatagramPacket(text, text.length, address));
            Awaitility.await().until(trigger::take, jobs("7")::equals);
            sender.send(new DatagramPacket(new byte[0], 0, address));
            Awaitility.await().until(trigger::take, Poke.MORE::equals);
        }
    }

    private static String lines(int number) {
        return IntStream.rangeClosed(1, number)
                .mapToObj(job -> "job " + job + "\n")
                .collect(Collectors.joining());
    }
}

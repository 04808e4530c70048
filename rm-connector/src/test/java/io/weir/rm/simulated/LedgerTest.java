package io.weir.rm.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.rm.spi.RmException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {
    private static final LedgerEntry FIRST = LedgerEntry.event(0, Effect.SUBMIT, "1", "4 1 0");
    private static final LedgerEntry SECOND = new LedgerEntry(7, Effect.START, "1", 3, "c1/2/0", "60 n0001:4");
    private static final LedgerEntry THIRD = LedgerEntry.event(9, Effect.POLL, "", "");

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void write() {
        file = directory.resolve("ledger.log");
        try (Ledger ledger = Ledger.open(file, true).ledger()) {
            ledger.append(FIRST);
            ledger.append(SECOND);
            ledger.sync();
            ledger.append(THIRD);
            ledger.sync();
        }
    }

    @Test
    void shouldReadBackWhatWasSynced() {
        assertThat(LedgerContent.read(file).entries()).containsExactly(FIRST, SECOND, THIRD);
    }

    @Test
    void shouldLoseWhatWasNotSynced() {
        try (Ledger ledger = Ledger.open(file, false).ledger()) {
            ledger.append(THIRD);
        }
        assertThat(LedgerContent.read(file).entries()).hasSize(3);
    }

    @Test
    void shouldCutTornLastLineAndGoOn() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        int lastLine = new String(whole, StandardCharsets.UTF_8).lastIndexOf("9\tPOLL");
        for (int length = lastLine; length < whole.length; length++) {
            Files.write(file, java.util.Arrays.copyOf(whole, length));
            try (Ledger ledger = Ledger.open(file, false).ledger()) {
                ledger.append(THIRD);
                ledger.sync();
            }
            assertThat(LedgerContent.read(file).entries())
                    .as("cut at %d of %d", length, whole.length)
                    .containsExactly(FIRST, SECOND, THIRD);
        }
    }

    @Test
    void shouldRefuseDamageBeforeTheEnd() throws IOException {
        String text = Files.readString(file);
        Files.writeString(file, text.replace("n0001:4", "n0002:4"));

        assertThatThrownBy(() -> Ledger.open(file, false))
                .isInstanceOf(RmException.class)
                .hasMessageContaining("line 2");
    }

    @Test
    void shouldNoticeExchangedAndMissingLines() throws IOException {
        List<String> lines = Files.readAllLines(file);
        List<String> exchanged = new ArrayList<>(lines);
        Collections.swap(exchanged, 0, 1);
        Files.write(file, exchanged);
        assertThatThrownBy(() -> LedgerContent.read(file)).hasMessageContaining("line 1");

        Files.write(file, lines.subList(1, 3));
        assertThatThrownBy(() -> LedgerContent.read(file)).hasMessageContaining("line 1");
    }

    @Test
    void shouldCutGarbageWithoutLineEnd() throws IOException {
        Files.writeString(file, "0000", StandardOpenOption.APPEND);

        try (Ledger ledger = Ledger.open(file, false).ledger()) {
            assertThat(Files.size(file)).isEqualTo(LedgerContent.read(file).length());
            assertThat(ledger).isNotNull();
        }
    }

    @Test
    void shouldKeepMessagesOnOneLine() {
        LedgerEntry entry = LedgerEntry.event(1, Effect.REFUSE, "1", "no\tlicence\nleft");

        assertThat(LedgerEntry.parse(entry.toLine(5), 5).detail()).isEqualTo("no licence left");
    }

    @Test
    void shouldWriteAndReadPlacementsAndEndings() {
        JobAllocation placement = JobAllocation.parse("60 n0001:4,n0002:1");

        assertThat(placement.procs()).isEqualTo(5);
        assertThat(placement.format()).isEqualTo("60 n0001:4,n0002:1");
        for (ExitReason reason : List.of(
                ExitReason.COMPLETED, ExitReason.AT_LIMIT, ExitReason.NODE_FAILED, ExitReason.cancelled(true))) {
            assertThat(ExitReason.parse(reason.format())).isEqualTo(reason);
        }
    }
}

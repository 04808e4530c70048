package io.weir.rm.simulated;

import io.weir.rm.spi.RmException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a ledger file holds: its whole lines from the start on. A last line that is not whole is what a kill leaves
 * behind and is left out; a damaged line with whole lines after it is not, and reading refuses.
 *
 * @param entries the entries in order
 * @param length bytes up to the end of the last whole line
 * @param checksum checksum of the last whole line; 0 without one
 */
record LedgerContent(List<LedgerEntry> entries, long length, long checksum) {

    /** Reads {@code file}, which may be in use by a running connector. */
    static LedgerContent read(Path file) {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new RmException("cannot read the ledger " + file + ": " + e.getMessage(), e);
        }
        List<LedgerEntry> entries = new ArrayList<>();
        long checksum = 0;
        int start = 0;
        while (start < bytes.length) {
            int end = endOfLine(bytes, start);
            if (end == bytes.length) {
                break;
            }
            String line = new String(bytes, start, end - start, StandardCharsets.UTF_8);
            try {
                entries.add(LedgerEntry.parse(line, checksum));
            } catch (IllegalArgumentException e) {
                if (end + 1 == bytes.length) {
                    break;
                }
                throw new RmException(
                        "the ledger " + file + " is damaged at line " + (entries.size() + 1) + ": " + e.getMessage()
                                + ". It cannot be continued: keep it aside and begin with an empty data directory",
                        e);
            }
            checksum = Long.parseLong(line.substring(line.length() - 8), 16);
            start = end + 1;
        }
        return new LedgerContent(List.copyOf(entries), start, checksum);
    }

    private static int endOfLine(byte[] bytes, int start) {
        int end = start;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        return end;
    }
}

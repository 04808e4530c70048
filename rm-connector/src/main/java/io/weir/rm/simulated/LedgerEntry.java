package io.weir.rm.simulated;

import io.weir.schemas.RmCommand;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * One thing that really happened. As a line: the fields separated by tabs, then a checksum that covers the line and the
 * checksum of the line before, so that a changed, lost or exchanged line is noticed.
 *
 * @param time seconds on the workload's clock
 * @param effect what happened
 * @param subject the job or node it happened to; empty for neither
 * @param commandNumber number of the command that caused it; 0 for none
 * @param commandId id of that command; empty for none
 * @param detail further values, in the form the effect's reader expects
 */
record LedgerEntry(long time, Effect effect, String subject, long commandNumber, String commandId, String detail) {

    private static final int FIELDS = 7;
    private static final char SEPARATOR = '\t';

    LedgerEntry {
        subject = printable(subject);
        commandId = printable(commandId);
        detail = printable(detail);
    }

    /** Returns something that happened without a command. */
    static LedgerEntry event(long time, Effect effect, String subject, String detail) {
        return new LedgerEntry(time, effect, subject, 0, "", detail);
    }

    /** Returns the effect of {@code command}. */
    static LedgerEntry of(long time, Effect effect, RmCommand command, String detail) {
        String subject = command.getJobId() != null ? command.getJobId() : String.valueOf(command.getObjectId());
        return new LedgerEntry(time, effect, subject, command.getNumber(), command.getCommandId(), detail);
    }

    /** Returns the line, without its end, given the checksum of the line before. */
    String toLine(long previousChecksum) {
        String text = time + "\t" + effect + SEPARATOR + subject + SEPARATOR + commandNumber + SEPARATOR + commandId
                + SEPARATOR + detail;
        return text + SEPARATOR + String.format("%08x", checksum(text, previousChecksum));
    }

    /** Returns the checksum of {@code text} (a line up to its checksum) after a line with {@code previousChecksum}. */
    static long checksum(String text, long previousChecksum) {
        CRC32 crc = new CRC32();
        for (int shift = 24; shift >= 0; shift -= 8) {
            crc.update((int) (previousChecksum >>> shift) & 0xff);
        }
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    /**
     * Reads a line that follows one with {@code previousChecksum}.
     *
     * @throws IllegalArgumentException if the line is not whole
     */
    static LedgerEntry parse(String line, long previousChecksum) {
        int end = line.lastIndexOf(SEPARATOR);
        if (end < 0) {
            throw new IllegalArgumentException("no checksum");
        }
        String text = line.substring(0, end);
        if (!line.substring(end + 1).equals(String.format("%08x", checksum(text, previousChecksum)))) {
            throw new IllegalArgumentException("checksum does not match");
        }
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException(fields.length + " fields instead of " + FIELDS);
        }
        return new LedgerEntry(
                Long.parseLong(fields[0]),
                Effect.valueOf(fields[1]),
                fields[2],
                Long.parseLong(fields[3]),
                fields[4],
                fields[5]);
    }

    private static String printable(String text) {
        return text.indexOf('\t') < 0 && text.indexOf('\n') < 0 && text.indexOf('\r') < 0
                ? text
                : text.replaceAll("[\\t\\n\\r]+", " ");
    }
}

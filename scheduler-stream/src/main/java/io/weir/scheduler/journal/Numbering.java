package io.weir.scheduler.journal;

/**
 * How far the numbers have come that a connector gives its records on one topic. It counts the records that it writes, and
 * each takes an offset of the partition: numbers grow no faster than offsets, however many records were lost in between.
 * A number that does was never reached by counting. Immutable.
 *
 * @param last the highest number so far; 0 before the first
 * @param offset offset of the record that had it; -1 when unknown
 */
public record Numbering(long last, long offset) {
    /** Before the first record, wherever that is. */
    public static final Numbering NONE = new Numbering(0, -1);

    /** Numbers that a connector may give to records which it then fails to write. */
    private static final long UNWRITTEN = 100;

    /** Returns the highest number that the record at {@code at} may have. Offsets go back where a topic was created anew. */
    public long highest(long at) {
        long taken = at > offset ? at - offset : at + 1;
        long most = last + taken + UNWRITTEN;
        return most < 0 ? Long.MAX_VALUE : most;
    }

    /** Returns whether the record at {@code at} may have {@code number}. */
    public boolean reaches(long number, long at) {
        return number <= highest(at);
    }
}

package io.weir.notifier.runtime.loop;

import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * What a reader writes beside its position. Before it begins something that nobody could recognise as a repetition: that the
 * record at this position has been begun. The next position it writes takes that away. Otherwise only that it is the reader's own:
 * what somebody sets by hand has no mark, as has what an older build wrote.
 */
public final class BeginningMark {

    private static final String BEGUN = "begun";
    private static final String THROUGH = "begun through ";
    private static final String REACHED = "reached";

    private BeginningMark() {}

    /** Returns the position of the record at {@code offset}, of which nothing has been begun. */
    static OffsetAndMetadata reached(long offset) {
        return new OffsetAndMetadata(offset, REACHED);
    }

    /** Says whether a reader wrote {@code position} and had not begun the record there. */
    static boolean isReached(OffsetAndMetadata position) {
        return position.metadata().equals(REACHED);
    }

    /** Says whether a reader wrote {@code position}. */
    static boolean isOwn(OffsetAndMetadata position) {
        String text = position.metadata();
        return text.equals(REACHED) || text.equals(BEGUN) || text.startsWith(THROUGH);
    }

    /** Returns the position of the record at {@code offset}, marked as begun. */
    static OffsetAndMetadata at(long offset) {
        return new OffsetAndMetadata(offset, BEGUN);
    }

    /** Returns the offset of the record that had been begun when {@code position} was written; empty when none had. */
    public static OptionalLong offset(OffsetAndMetadata position) {
        return position.metadata().equals(BEGUN) ? OptionalLong.of(position.offset()) : OptionalLong.empty();
    }

    /** Returns the position {@code from}, marked as the first of several that were begun together, up to {@code through}. */
    static OffsetAndMetadata through(long from, long through) {
        return new OffsetAndMetadata(from, THROUGH + through);
    }

    /** Returns the offset up to which several had been begun together; empty when none had. */
    static OptionalLong through(OffsetAndMetadata position) {
        String text = position.metadata();
        if (!text.startsWith(THROUGH) || !text.substring(THROUGH.length()).matches("\\d{1,18}")) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Long.parseLong(text.substring(THROUGH.length())));
    }
}

package io.weir.topics;

import io.weir.schemas.DeadLetter;
import java.util.Optional;

/**
 * The record among the dead letters that says that one was sent again: it names the place of the letter's record as its
 * origin, and the place of the record sent in its message. Places are {@code topic-partition@offset}, with the topic's name
 * without prefix.
 */
public final class RedriveMark {
    /** Cause of these records, which are no letters themselves. */
    public static final String CAUSE = "REDRIVEN";

    private static final String SENT_AS = "sent again as ";

    private RedriveMark() {}

    /** Returns the message of a mark about a record that is now at {@code place}. */
    public static String message(String place) {
        return SENT_AS + place;
    }

    /** Says whether {@code letter} is such a mark. */
    public static boolean is(DeadLetter letter) {
        return letter.getCause().equals(CAUSE);
    }

    /** Returns where the record is that a mark is about; empty when {@code letter} is no mark. */
    public static Optional<String> sentAs(DeadLetter letter) {
        return is(letter) && letter.getMessage().startsWith(SENT_AS)
                ? Optional.of(letter.getMessage().substring(SENT_AS.length()))
                : Optional.empty();
    }
}

package io.weir.scheduler.core.node;

import io.weir.schemas.MessageTally;
import java.time.Instant;

/**
 * Who said a message about a node, how often, how much it matters and until when it stays. Immutable.
 *
 * @param source who said it: a connector, an operator, or {@link #SCHEDULER}
 * @param count how often it was said; what a resource manager repeats with each poll counts once
 * @param first when it was said first, epoch seconds
 * @param last when it was said last, epoch seconds
 * @param priority how much it matters; 0 where nobody said
 * @param expires from when on it is gone, epoch seconds; {@link #NEVER} where it stays
 */
public record NodeMessage(String source, long count, long first, long last, int priority, long expires) {
    /** Stands for no end. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Source of what the scheduler says itself. */
    static final String SCHEDULER = "scheduler";

    /** How long what the scheduler says itself stays, seconds. */
    static final long WARNING_SECONDS = 86_400;

    static NodeMessage from(MessageTally record) {
        Instant expires = record.getExpireTime();
        return new NodeMessage(
                record.getSource(),
                record.getCount(),
                record.getFirstTime().getEpochSecond(),
                record.getTime().getEpochSecond(),
                record.getPriority(),
                expires == null ? NEVER : expires.getEpochSecond());
    }

    MessageTally toRecord() {
        return new MessageTally(
                source,
                count,
                Instant.ofEpochSecond(first),
                Instant.ofEpochSecond(last),
                priority,
                expires == NEVER ? null : Instant.ofEpochSecond(expires));
    }

    static NodeMessage first(String text, String source, long when) {
        boolean warning = ReportedCategory.isWarning(text);
        return new NodeMessage(
                warning ? SCHEDULER : source, 1, when, when, 0, warning ? when + WARNING_SECONDS : NEVER);
    }

    /** Returns this message after it was said again. */
    NodeMessage again(long when) {
        return new NodeMessage(source, count + 1, first, Math.max(last, when), priority, expires);
    }

    /** Returns this message with what was said of it last. */
    NodeMessage with(int otherPriority, long otherExpires) {
        return new NodeMessage(source, count, first, last, otherPriority, otherExpires);
    }
}

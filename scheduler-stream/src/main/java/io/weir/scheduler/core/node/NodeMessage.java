package io.weir.scheduler.core.node;

import io.weir.schemas.MessageTally;
import java.time.Instant;

/**
 * Who said a message about a node, and how often. Immutable.
 *
 * @param source who said it: a connector, an operator, or {@link #SCHEDULER}
 * @param count how often it was said; what a resource manager repeats with each poll counts once
 * @param first when it was said first, epoch seconds
 * @param last when it was said last, epoch seconds
 */
public record NodeMessage(String source, long count, long first, long last) {
    /** Source of what the scheduler says itself. */
    static final String SCHEDULER = "scheduler";

    static NodeMessage from(MessageTally record) {
        return new NodeMessage(
                record.getSource(),
                record.getCount(),
                record.getFirstTime().getEpochSecond(),
                record.getTime().getEpochSecond());
    }

    MessageTally toRecord() {
        return new MessageTally(source, count, Instant.ofEpochSecond(first), Instant.ofEpochSecond(last));
    }

    static NodeMessage first(String text, String source, long when) {
        return new NodeMessage(ReportedCategory.isWarning(text) ? SCHEDULER : source, 1, when, when);
    }

    /** Returns this message after it was said again. */
    NodeMessage again(long when) {
        return new NodeMessage(source, count + 1, first, Math.max(last, when));
    }
}

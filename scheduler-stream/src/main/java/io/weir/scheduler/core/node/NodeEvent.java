package io.weir.scheduler.core.node;

import io.weir.schemas.EventTally;
import java.time.Instant;

/**
 * What happened on a node under one name of event. Immutable.
 *
 * @param name event
 * @param active whether what was reported is still so
 * @param count how often it happened
 * @param first when it happened first, epoch milliseconds
 * @param last when it happened last, epoch milliseconds
 * @param text what was said then
 */
public record NodeEvent(String name, boolean active, long count, long first, long last, String text) {
    static NodeEvent from(EventTally record) {
        return new NodeEvent(
                record.getName(),
                record.getActive(),
                record.getCount(),
                record.getFirstTime().toEpochMilli(),
                record.getTime().toEpochMilli(),
                record.getText());
    }

    EventTally toRecord() {
        return new EventTally(name, active, count, Instant.ofEpochMilli(first), Instant.ofEpochMilli(last), text);
    }

    /** Returns this event after it happened again; what was said last, in time, is kept. */
    NodeEvent again(String said, long when) {
        return new NodeEvent(
                name, true, count + 1, Math.min(first, when), Math.max(last, when), when < last ? text : said);
    }

    /** Returns when it happened last in epoch seconds. */
    public long lastSecond() {
        return Math.floorDiv(last, 1000L);
    }

    NodeEvent over() {
        return new NodeEvent(name, false, count, first, last, text);
    }
}

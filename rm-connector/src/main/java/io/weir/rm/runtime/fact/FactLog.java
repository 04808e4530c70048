package io.weir.rm.runtime.fact;

import io.weir.topics.Topic;
import org.apache.avro.specific.SpecificRecord;

/**
 * The log as a connector writes to it: one partition per topic, records of one topic kept in the order appended. One
 * thread. Every method may throw {@link LogUnavailableException}; then this object is spent: what it had taken may have
 * been written or not, and the way on is a new one under a new epoch.
 */
public interface FactLog extends AutoCloseable {

    /**
     * Appends a record and waits until it is safe.
     *
     * @return its offset
     */
    <T extends SpecificRecord> long appendFirst(Topic<T> topic, String entity, T fact, String connector);

    /** Appends a record; it may become safe later, at the latest with {@link #flush}. */
    <T extends SpecificRecord> void append(Topic<T> topic, String entity, T fact, FactOrigin origin);

    /** Appends a record that is no fact and has no number; it may become safe later. */
    <T extends SpecificRecord> void append(Topic<T> topic, String entity, T record);

    /** Waits until everything appended is safe. */
    void flush();

    @Override
    void close();
}

package io.weir.topics;

import io.weir.topics.Topic.Cleanup;
import java.time.Duration;
import java.util.Optional;

/**
 * What an existing topic has to offer.
 *
 * @param cleanup what the broker does with old records
 * @param retention how long records are kept at the least, under {@link Cleanup#DELETE}; empty means for ever
 * @param isRecord whether what is lost of it cannot be had again: too short a retention is an error then, else a warning
 * @param maxRecordBytes size of the largest record
 * @param uncompressed whether others than the scheduler write it: a few bytes may unpack to more than any memory holds
 * @param replication replicas at the least; empty for whatever the broker makes by default
 */
record TopicNeeds(
        Cleanup cleanup,
        Optional<Duration> retention,
        boolean isRecord,
        int maxRecordBytes,
        boolean uncompressed,
        Optional<Short> replication) {
    /** Value of {@code compression.type}: the broker unpacks what comes compressed, and refuses what is too large then. */
    static final String UNCOMPRESSED = "uncompressed";

    /** Returns what {@code topic} needs under {@code settings}. */
    static TopicNeeds of(Topic<?> topic, TopicSettings settings) {
        return new TopicNeeds(
                topic.cleanup(),
                settings.retentionOf(topic),
                topic.equals(Topics.JOURNAL) || topic.equals(Topics.POLICY),
                RecordSize.most(topic),
                isWrittenByOthers(topic),
                settings.replication());
    }

    /** Returns what a changelog of Kafka Streams needs, from which a scheduler that lost its disk restores its state. */
    static TopicNeeds ofChangelog(TopicSettings settings) {
        return new TopicNeeds(
                Cleanup.COMPACT, Optional.empty(), true, RecordSize.LARGEST, false, settings.replication());
    }

    /** Returns whether others than the scheduler write {@code topic}, and a service reads it. */
    static boolean isWrittenByOthers(Topic<?> topic) {
        return topic.role().isSchedulerInput() || topic.role() == Topic.Role.MEASUREMENT;
    }
}

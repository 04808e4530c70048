package io.weir.notifier.runtime.handler;

import io.weir.schemas.TriggerFiring;
import io.weir.topics.AvroCodec;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.Topics;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads trigger firings, and tells those that can be answered from those that never can. Thread-safe. */
public final class FiringReader {

    private static final int LONGEST_ID = 320;

    private final AvroCodec codec;

    public FiringReader(AvroCodec codec) {
        this.codec = codec;
    }

    /**
     * Reads {@code record}.
     *
     * @throws UnusableRecordException when no answer to it is possible
     * @throws io.weir.topics.RegistryUnavailableException when that cannot be said now
     */
    public TriggerFiring read(ConsumerRecord<byte[], byte[]> record) throws UnusableRecordException {
        TriggerFiring firing = decode(record);
        if (firing.getCluster().isEmpty() || firing.getCluster().indexOf('/') >= 0) {
            throw new UnusableRecordException(
                    "INVALID_CLUSTER", "cluster is '" + firing.getCluster() + "'; it must be named, without '/'");
        }
        if (firing.getFiringId().isBlank() || firing.getFiringId().length() > LONGEST_ID) {
            throw new UnusableRecordException(
                    "INVALID_ID",
                    "firingId is blank or longer than " + LONGEST_ID + "; without it nothing could be answered");
        }
        return firing;
    }

    private TriggerFiring decode(ConsumerRecord<byte[], byte[]> record) throws UnusableRecordException {
        if (record.value() == null) {
            throw new UnusableRecordException("UNDECODABLE", "the record has no value");
        }
        try {
            return codec.decode(Topics.TRIGGER_FIRINGS, record.value());
        } catch (PoisonRecordException e) {
            throw new UnusableRecordException("UNDECODABLE", String.valueOf(e.getMessage()));
        }
    }
}

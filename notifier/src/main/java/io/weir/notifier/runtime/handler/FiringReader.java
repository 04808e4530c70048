package io.weir.notifier.runtime.handler;

import io.weir.schemas.TriggerFiring;
import io.weir.topics.AvroCodec;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.Topics;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads trigger firings, and tells those that can be answered from those that never can. Thread-safe. */
public final class FiringReader {

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
        Identity.check(firing.getCluster(), "firingId", firing.getFiringId());
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

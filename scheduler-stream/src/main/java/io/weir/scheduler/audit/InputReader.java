package io.weir.scheduler.audit;

import io.weir.scheduler.journal.AvroBinary;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.journal.IntakeRecords;
import io.weir.scheduler.journal.PayloadEncoder;
import io.weir.topics.AvroCodec;
import io.weir.topics.AvroPayload;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topic;
import java.io.IOException;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Decodes records without insisting on a registry: with one, by the schema they were written with; without, by the
 * schemas of this build, which is the same unless the log is of another release. It also says how the log's digests
 * encode a record. Thread-safe.
 */
public final class InputReader {
    private final Optional<AvroCodec> codec;
    private final PayloadEncoder encoder;
    private volatile boolean registryAway;

    /** Creates a reader; without {@code codec} only the schemas of this build are used. */
    public InputReader(Optional<AvroCodec> codec) {
        this(codec, AvroPayload::encode);
    }

    /** Creates a reader of a log whose digests are over what {@code encoder} makes of a record. */
    public InputReader(Optional<AvroCodec> codec, PayloadEncoder encoder) {
        this.codec = codec;
        this.encoder = encoder;
    }

    /** Returns what encodes a record as the log's digests do. */
    PayloadEncoder encoder() {
        return encoder;
    }

    /**
     * Says whether a value of {@code topic} was written by the schema of this build: then its bytes are those that this build
     * makes. Where no registry can tell, it counts as such.
     */
    boolean isOfThisBuild(Topic<?> topic, byte[] value) {
        return schemaDifference(topic, value).isEmpty();
    }

    /** Returns how the schema that a value of {@code topic} was written by differs from that of this build; empty if not. */
    Optional<SchemaDifference> schemaDifference(Topic<?> topic, byte[] value) {
        if (codec.isEmpty() || registryAway) {
            return Optional.empty();
        }
        try {
            return SchemaDifference.between(codec.get().schemaOf(topic, value), topic.schema());
        } catch (RegistryUnavailableException | PoisonRecordException e) {
            return Optional.empty();
        }
    }

    /**
     * Decodes the value of a journaled input.
     *
     * @throws IOException when it is no record of its topic
     */
    SpecificRecord read(Input input) throws IOException {
        Optional<Topic<?>> topic = IntakeRecords.typeOf(input);
        if (topic.isEmpty()) {
            throw new IOException("topic " + input.topic() + " is not in the catalogue of this build");
        }
        return read(topic.get(), input.value());
    }

    /**
     * Decodes a value of {@code topic}.
     *
     * @throws IOException when it is no record of that topic
     */
    public <T extends SpecificRecord> T read(Topic<T> topic, byte @Nullable [] value) throws IOException {
        byte[] payload = AvroBinary.payload(value);
        if (value == null || payload == null) {
            throw new IOException("there is no value");
        }
        if (codec.isPresent() && !registryAway) {
            try {
                return codec.get().decode(topic, value);
            } catch (RegistryUnavailableException e) {
                registryAway = true;
            } catch (PoisonRecordException e) {
                throw new IOException(String.valueOf(e.getMessage()), e);
            }
        }
        return AvroBinary.decode(topic.type(), payload);
    }
}

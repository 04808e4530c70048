package io.weir.scheduler.stream.waiting;

import io.weir.scheduler.journal.Input;
import io.weir.scheduler.state.StoredHeader;
import io.weir.scheduler.state.StoredInput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** Inputs in the form in which they wait in a store: as received, headers and origin included. Stateless. */
public final class WaitingInputs {
    private WaitingInputs() {}

    /** Returns {@code input} as it is stored. */
    static StoredInput store(Input input) {
        List<StoredHeader> headers = new ArrayList<>();
        for (Header header : input.headers()) {
            headers.add(new StoredHeader(header.key(), wrap(header.value())));
        }
        return new StoredInput(
                input.topic(),
                input.partition(),
                input.offset(),
                input.timestamp(),
                wrap(input.key()),
                wrap(input.value()),
                headers);
    }

    /** Returns the input that waits as {@code stored}. */
    public static Input restore(StoredInput stored) {
        RecordHeaders headers = new RecordHeaders();
        stored.getHeaders().forEach(header -> headers.add(header.getName(), unwrap(header.getValue())));
        return new Input(
                stored.getTopic(),
                stored.getPartition(),
                stored.getOffset(),
                stored.getTimestamp(),
                headers,
                unwrap(stored.getKey()),
                unwrap(stored.getValue()));
    }

    /** Returns {@code bytes} as Avro holds them. */
    public static @Nullable ByteBuffer wrap(byte @Nullable [] bytes) {
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }

    private static byte @Nullable [] unwrap(@Nullable ByteBuffer buffer) {
        if (buffer == null) {
            return null;
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}

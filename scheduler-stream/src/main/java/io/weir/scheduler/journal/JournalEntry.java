package io.weir.scheduler.journal;

import io.weir.topics.FactHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * One input at its place in the journal. On the topic it keeps key, value, timestamp and headers as received; behind
 * those headers stand {@value #OWN_HEADERS} of the journal's own: what it is, sequence, origin, and the digest of the
 * chain up to and including it, which names the very record that somebody changed.
 */
public final class JournalEntry {
    /** Name of the header with the digest, {@link Sha256#LENGTH} bytes. */
    public static final String DIGEST = "weir-digest";

    private static final int OWN_HEADERS = 7;

    private final long sequence;
    private final Input input;
    private final byte[] digest;

    /** Creates the entry at {@code sequence} whose chain digest is {@code digest}. */
    JournalEntry(long sequence, Input input, byte[] digest) {
        this.sequence = sequence;
        this.input = input;
        this.digest = digest;
    }

    /** Returns its place in the journal: 1, 2, 3 … */
    public long sequence() {
        return sequence;
    }

    /** Returns the input. */
    public Input input() {
        return input;
    }

    /** Returns the chain digest up to and including it. */
    public byte[] digest() {
        return digest;
    }

    /** Returns the headers of its journal record. */
    public Headers toHeaders() {
        RecordHeaders headers = new RecordHeaders(input.headers().toArray());
        addText(headers, FactHeaders.KIND.name(), FactHeaders.KIND_INPUT);
        addText(headers, FactHeaders.JOURNAL_SEQUENCE.name(), Long.toString(sequence));
        addText(headers, FactHeaders.SOURCE_TOPIC.name(), input.topic());
        addText(headers, FactHeaders.SOURCE_PARTITION.name(), Integer.toString(input.partition()));
        addText(headers, FactHeaders.SOURCE_OFFSET.name(), Long.toString(input.offset()));
        addText(headers, FactHeaders.SOURCE_TIMESTAMP.name(), Long.toString(input.timestamp()));
        headers.add(DIGEST, digest);
        return headers;
    }

    /** Reads an entry from its journal record; empty when the headers are not those of an input. */
    public static Optional<JournalEntry> parse(Headers headers, byte @Nullable [] key, byte @Nullable [] value) {
        Header[] all = headers.toArray();
        int received = all.length - OWN_HEADERS;
        if (received < 0) {
            return Optional.empty();
        }
        Headers own = new RecordHeaders(Arrays.copyOfRange(all, received, all.length));
        OptionalLong sequence = FactHeaders.JOURNAL_SEQUENCE.get(own);
        Optional<String> topic = FactHeaders.SOURCE_TOPIC.get(own);
        OptionalLong partition = FactHeaders.SOURCE_PARTITION.get(own);
        OptionalLong offset = FactHeaders.SOURCE_OFFSET.get(own);
        OptionalLong timestamp = FactHeaders.SOURCE_TIMESTAMP.get(own);
        @Nullable Header digest = own.lastHeader(DIGEST);
        if (!FactHeaders.KIND.get(own).filter(FactHeaders.KIND_INPUT::equals).isPresent()
                || sequence.isEmpty()
                || topic.isEmpty()
                || partition.isEmpty()
                || offset.isEmpty()
                || timestamp.isEmpty()
                || digest == null
                || digest.value() == null) {
            return Optional.empty();
        }
        Input input = new Input(
                topic.get(),
                (int) partition.getAsLong(),
                offset.getAsLong(),
                timestamp.getAsLong(),
                new RecordHeaders(Arrays.copyOf(all, received)),
                key,
                value);
        return Optional.of(new JournalEntry(sequence.getAsLong(), input, digest.value()));
    }

    private static void addText(RecordHeaders headers, String name, String value) {
        headers.add(new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8)));
    }
}

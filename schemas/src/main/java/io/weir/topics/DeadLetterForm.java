package io.weir.topics;

import io.weir.schemas.DeadLetter;
import io.weir.schemas.RecordHeader;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Makes the dead letters of one service: the record as it was received, where it came from, and why it was given up. A
 * letter fits on its topic whatever it is made of: what has to be left out is named, with the SHA-256 of the whole.
 * Immutable.
 */
public final class DeadLetterForm {
    /** Most bytes that are kept of a value, unless the service keeps fewer. */
    public static final int MOST_VALUE = 1 << 20;

    /** Most bytes that are kept of a key. */
    private static final int MOST_KEY = 1 << 12;

    /** Most bytes of all headers, {@link #HEADER_BYTES} for each included; those behind are left out. */
    private static final int MOST_HEADERS = 1 << 16;

    /** What a header takes beside its name and its value, bytes: a record may have millions that are empty. */
    private static final int HEADER_BYTES = 64;

    /** Most characters that are kept of a message. */
    private static final int MOST_MESSAGE = 4_096;

    private final String service;
    private final int mostValue;

    /** The form of {@code service}, which keeps values up to {@link #MOST_VALUE}. */
    public DeadLetterForm(String service) {
        this(service, MOST_VALUE);
    }

    /**
     * The form of {@code service}.
     *
     * @param mostValue most bytes that are kept of a value, at most {@link #MOST_VALUE}
     */
    public DeadLetterForm(String service, int mostValue) {
        this.service = service;
        this.mostValue = Math.min(mostValue, MOST_VALUE);
    }

    /**
     * Where a record came from.
     *
     * @param topic topic without prefix
     * @param timestamp its timestamp there, milliseconds since 1970
     */
    public record Origin(String topic, int partition, long offset, long timestamp) {
        /** Returns where {@code record} came from; a topic that is not of {@code names} goes by its whole name. */
        public static Origin of(ConsumerRecord<?, ?> record, TopicNames names) {
            return new Origin(
                    names.base(record.topic()).orElse(record.topic()),
                    record.partition(),
                    record.offset(),
                    record.timestamp());
        }
    }

    /** Returns the letter of {@code record}. */
    public DeadLetter of(ConsumerRecord<byte[], byte[]> record, TopicNames names, String cause, String message) {
        return of(Origin.of(record, names), record.key(), record.value(), record.headers(), cause, message);
    }

    /** Returns the letter of a record that has these parts. */
    public DeadLetter of(
            Origin origin,
            byte @Nullable [] key,
            byte @Nullable [] value,
            Headers headers,
            String cause,
            String message) {
        List<RecordHeader> kept = new ArrayList<>();
        long headerBytes = 0;
        int omitted = 0;
        for (Header header : headers) {
            headerBytes += HEADER_BYTES + header.key().length() + (header.value() == null ? 0 : header.value().length);
            if (headerBytes <= MOST_HEADERS) {
                kept.add(new RecordHeader(header.key(), buffer(header.value(), MOST_HEADERS)));
            } else {
                omitted++;
            }
        }
        String loss = loss("key", key, MOST_KEY)
                + loss("value", value, mostValue)
                + (omitted == 0 ? "" : "; " + omitted + " headers left out");
        return new DeadLetter(
                service,
                origin.topic(),
                origin.partition(),
                origin.offset(),
                origin.timestamp(),
                cause,
                cut(message) + loss,
                buffer(key, MOST_KEY),
                buffer(value, mostValue),
                kept,
                !loss.isEmpty());
    }

    private static String cut(String message) {
        return message.length() <= MOST_MESSAGE ? message : message.substring(0, MOST_MESSAGE - 1) + "…";
    }

    /** Says what is missing of {@code bytes} and how the whole of it is recognised; nothing when it is kept whole. */
    private static String loss(String what, byte @Nullable [] bytes, int most) {
        if (bytes == null || bytes.length <= most) {
            return "";
        }
        return "; " + what + " cut to its first " + most + " of " + bytes.length + " bytes, SHA-256 " + digest(bytes);
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java lacks SHA-256, which every Java must have", e);
        }
    }

    private static @Nullable ByteBuffer buffer(byte @Nullable [] bytes, int most) {
        return bytes == null ? null : ByteBuffer.wrap(bytes, 0, Math.min(bytes.length, most));
    }
}

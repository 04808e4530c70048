package io.weir.command.letters;

import io.weir.command.terminal.PrintableText;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.RecordHeader;
import io.weir.topics.AvroCodec;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a letter holds as text that is safe on a terminal and bounded in length. */
final class LetterText {
    private static final int LONGEST_LINE = 160;
    private static final int HEX_PER_LINE = 32;

    private final AvroCodec codec;
    private final int most;

    /**
     * Creates texts of values.
     *
     * @param most characters of a decoded value, or bytes of any other, that are shown
     */
    LetterText(AvroCodec codec, int most) {
        this.codec = codec;
        this.most = most;
    }

    /** Returns {@code text} in one line without control characters. */
    static String line(String text) {
        String printable = PrintableText.line(text);
        return printable.length() <= LONGEST_LINE ? printable : printable.substring(0, LONGEST_LINE - 3) + "...";
    }

    /** Returns the key; bytes that are no text as such. */
    static String key(DeadLetter letter) {
        byte @Nullable [] bytes = bytes(letter.getKey());
        return bytes == null ? "none" : line(new String(bytes, StandardCharsets.UTF_8));
    }

    /** Returns a header: a short one as text, any other in hexadecimal. */
    static String header(RecordHeader header) {
        byte @Nullable [] bytes = bytes(header.getValue());
        if (bytes == null) {
            return PrintableText.line(header.getName()) + ": none";
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        boolean plain = text.chars().allMatch(c -> c >= ' ' && c < 127);
        return line(PrintableText.line(header.getName()) + ": "
                + (plain ? text : HexFormat.of().formatHex(bytes)));
    }

    /** Returns the value: the record if it can be decoded, else its bytes in hexadecimal. */
    String value(DeadLetter letter) {
        byte @Nullable [] bytes = bytes(letter.getValue());
        if (bytes == null) {
            return "none";
        }
        Optional<String> record = decoded(letter.getTopic(), bytes);
        return record.isPresent() ? bounded(record.get()) : hex(bytes);
    }

    private Optional<String> decoded(String name, byte[] value) {
        Optional<Topic<?>> topic = Topics.byName(name);
        if (topic.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(codec.decode(topic.get(), value).toString());
        } catch (PoisonRecordException | RegistryUnavailableException e) {
            return Optional.empty();
        }
    }

    private String bounded(String text) {
        String printable = PrintableText.line(text);
        return printable.length() <= most
                ? printable
                : printable.substring(0, most) + "... (" + printable.length() + " characters; --most shows more)";
    }

    private String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length + " bytes");
        int shown = Math.min(bytes.length, most);
        for (int from = 0; from < shown; from += HEX_PER_LINE) {
            int to = Math.min(shown, from + HEX_PER_LINE);
            text.append(System.lineSeparator())
                    .append("    ")
                    .append(HexFormat.of().formatHex(bytes, from, to));
        }
        return shown == bytes.length ? text.toString() : text + "... (--most shows more)";
    }

    /** Returns the bytes of {@code buffer}; null for null. */
    static byte @Nullable [] bytes(@Nullable ByteBuffer buffer) {
        if (buffer == null) {
            return null;
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}

package io.weir.scheduler.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A SHA-256 over a sequence of fields. Every field is written with its length, so that no two different sequences of
 * fields run together to the same bytes. Use once, by one thread.
 */
public final class Sha256 {
    /** Bytes of a digest. */
    public static final int LENGTH = 32;

    private static final HexFormat HEX = HexFormat.of();

    /** A digest of nothing, to be copied: looking for the algorithm takes longer than most digests. */
    private static final MessageDigest EMPTY = empty();

    private final MessageDigest digest;

    /** Starts a digest. */
    public Sha256() {
        try {
            digest = (MessageDigest) EMPTY.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("This Java's SHA-256 cannot be copied", e);
        }
    }

    private static MessageDigest empty() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java lacks SHA-256, which every Java must have", e);
        }
    }

    /** Returns the plain SHA-256 of {@code bytes}. */
    public static byte[] of(byte[] bytes) {
        return new Sha256().digest.digest(bytes);
    }

    /** Returns {@code bytes} in lower-case hexadecimal. */
    public static String hex(byte[] bytes) {
        return HEX.formatHex(bytes);
    }

    /** Reads {@link #hex}. */
    public static byte[] parseHex(String text) {
        return HEX.parseHex(text);
    }

    /** Adds a number. */
    public Sha256 add(long number) {
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
        return this;
    }

    /** Adds text. */
    public Sha256 add(String text) {
        return add(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds bytes; absent bytes differ from empty ones. */
    public Sha256 add(byte @Nullable [] bytes) {
        if (bytes == null) {
            return add(-1L);
        }
        add((long) bytes.length);
        digest.update(bytes);
        return this;
    }

    /** Returns the digest. */
    public byte[] finish() {
        return digest.digest();
    }
}

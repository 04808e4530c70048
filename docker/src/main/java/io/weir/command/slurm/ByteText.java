package io.weir.command.slurm;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Files of a site as text: UTF-8, in which bytes that are none, such as those of a comment in Latin-1, are kept as characters of their own
 * until they are written again.
 */
final class ByteText {
    /** Unpaired surrogates from here on stand for the bytes from 0 on; no UTF-8 has any. */
    private static final char FIRST = '\uDC00';

    private ByteText() {}

    static String of(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(in, out, true);
        while (result.isError()) {
            for (int i = 0; i < result.length(); i++) {
                out.put((char) (FIRST + (in.get() & 0xFF)));
            }
            result = decoder.decode(in, out, true);
        }
        return out.flip().toString();
    }

    static byte[] bytes(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() + 16);
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean kept =
                    c >= FIRST && c <= FIRST + 0xFF && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
            if (kept) {
                out.writeBytes(text.substring(from, i).getBytes(StandardCharsets.UTF_8));
                out.write(c - FIRST);
                from = i + 1;
            }
        }
        out.writeBytes(text.substring(from).getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }
}

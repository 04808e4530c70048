package io.weir.service.setting;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A file that people write with an editor: text in UTF-8. The mark that some editors put before it is no part of its first line.
 * What is no such text is refused by file, line and remedy; nothing of it is quoted, as it may be a secret. Stateless.
 */
public final class TextFile {
    private static final int MOST_BYTES = 4 << 20;

    private TextFile() {}

    /**
     * Returns the text of {@code file}.
     *
     * @throws IOException when it cannot be read, is too large, or is no text in UTF-8; the message says where and why
     */
    public static String read(Path file) throws IOException {
        byte[] bytes = bytes(file);
        if (bytes.length > MOST_BYTES) {
            throw new IOException(file + " has more than " + MOST_BYTES + " bytes; a file of settings has less");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            throw new IOException(file + ":" + line(text, text.length()) + " is not UTF-8 (byte 0x"
                    + Integer.toHexString(in.get() & 0xff) + "); convert the file, for example with iconv -t UTF-8");
        }
        int nothing = text.indexOf('\0');
        if (nothing >= 0) {
            throw new IOException(file + ":" + line(text, nothing)
                    + " has a null character: it is a file of another kind, or was damaged");
        }
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(MOST_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + file, e);
        } catch (AccessDeniedException e) {
            throw new IOException("not permitted to read " + file, e);
        } catch (IOException e) {
            throw new IOException(
                    file + " cannot be read: " + String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT), e);
        }
    }

    private static long line(String text, int end) {
        return 1 + text.substring(0, end).chars().filter(c -> c == '\n').count();
    }
}

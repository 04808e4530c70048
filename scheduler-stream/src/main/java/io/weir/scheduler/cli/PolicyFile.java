package io.weir.scheduler.cli;

import io.weir.scheduler.core.policy.language.PolicyLine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/**
 * A site's configuration file, read whole: {@code INCLUDE <file>} lines are replaced by what they name, relative to the
 * including file, to a depth of eight and without cycles. The result is the text that becomes a policy version; markers in
 * it say which file and line each part comes from. The message of every failure names the place.
 */
public final class PolicyFile {
    private static final int DEEPEST = 8;
    private static final String LINE_END = "\r\n|\r|\n";

    private PolicyFile() {}

    /** Returns the text of {@code file} with its includes inlined. */
    public static String read(Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        Path whole = file.toAbsolutePath().normalize();
        inline(whole, String.valueOf(whole.getFileName()), new ArrayDeque<>(), text);
        return text.toString();
    }

    private static void inline(Path file, String called, Deque<Path> including, StringBuilder text) throws IOException {
        if (including.contains(file)) {
            throw new IOException(file + " includes itself by way of " + including.peek() + "; remove one INCLUDE");
        }
        if (including.size() > DEEPEST) {
            throw new IOException(file + " is included more than " + DEEPEST + " deep; flatten the files");
        }
        including.push(file);
        text.append(PolicyLine.marker(called, 1)).append('\n');
        int number = 0;
        for (String line : lines(file, called)) {
            number++;
            String[] words = line.strip().split("\\s+", 2);
            if (words.length == 2 && words[0].toUpperCase(Locale.ROOT).equals("INCLUDE")) {
                String included = unquoted(words[1]);
                Path next = file.resolveSibling(included).normalize();
                if (!Files.isReadable(next)) {
                    throw new IOException(
                            called + ":" + number + ": INCLUDE " + included + ": there is no readable file " + next);
                }
                inline(next, included, including, text);
                text.append(PolicyLine.marker(called, number + 1)).append('\n');
            } else {
                text.append(line).append('\n');
            }
        }
        including.pop();
    }

    /** Returns the lines of {@code file} without the mark that editors put before UTF-8 text. */
    private static List<String> lines(Path file, String called) throws IOException {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (IOException e) {
            throw Unreadable.because(file, e);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            throw new IOException(called + ":" + text.split(LINE_END, -1).length + " is not UTF-8 (byte 0x"
                    + Integer.toHexString(in.get() & 0xff) + "); convert the file, for example with iconv -t UTF-8");
        }
        return List.of((text.startsWith("\uFEFF") ? text.substring(1) : text).split(LINE_END));
    }

    private static String unquoted(String name) {
        String bare = name.replaceFirst("\\s#.*$", "").strip();
        boolean quoted = bare.length() > 1
                && (bare.charAt(0) == '"' || bare.charAt(0) == '\'')
                && bare.charAt(bare.length() - 1) == bare.charAt(0);
        return quoted ? bare.substring(1, bare.length() - 1) : bare;
    }
}

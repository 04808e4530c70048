package io.weir.scheduler.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * A site's configuration file, read whole: {@code INCLUDE <file>} lines are replaced by what they name, relative to the
 * including file, to a depth of eight and without cycles. The result is the text that becomes a policy version.
 */
public final class PolicyFile {
    private static final int DEEPEST = 8;

    private PolicyFile() {}

    /** Returns the text of {@code file} with its includes inlined. */
    public static String read(Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        inline(file.toAbsolutePath().normalize(), new ArrayDeque<>(), text);
        return text.toString();
    }

    private static void inline(Path file, Deque<Path> including, StringBuilder text) throws IOException {
        if (including.contains(file)) {
            throw new IOException(file + " includes itself by way of " + including.peek() + "; remove one INCLUDE");
        }
        if (including.size() > DEEPEST) {
            throw new IOException(file + " is included more than " + DEEPEST + " deep; flatten the files");
        }
        including.push(file);
        for (String line : Files.readAllLines(file)) {
            String[] words = line.strip().split("\\s+", 2);
            if (words.length == 2 && words[0].toUpperCase(Locale.ROOT).equals("INCLUDE")) {
                inline(file.resolveSibling(words[1]).normalize(), including, text);
            } else {
                text.append(line).append('\n');
            }
        }
        including.pop();
    }
}

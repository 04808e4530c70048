package io.weir.notifier.exec;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One run of a program. Immutable.
 *
 * @param before words before the program, which run it as another user; empty for none
 * @param program what to run; no shell is between
 * @param arguments handed over one by one, whatever they hold
 * @param environment added to the few variables that every program gets
 * @param input what it reads from its standard input
 * @param timeout after which its process group is killed
 * @param outputBytes how much of its output, and of its error output, is kept
 */
record ProgramCall(
        List<String> before,
        Path program,
        List<String> arguments,
        Map<String, String> environment,
        String input,
        Duration timeout,
        int outputBytes) {

    /** The kernel's limit for one argument or variable is 128 KiB; all together get a share of a megabyte. */
    private static final int LONGEST_BYTES = 60_000;

    private static final int LONGEST_TOGETHER = 800_000;

    ProgramCall {
        before = List.copyOf(before);
        arguments = arguments.stream().map(ProgramCall::passable).toList();
        environment = environment.entrySet().stream()
                .collect(java.util.stream.Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> passable(entry.getValue())));
        int together = arguments.stream().mapToInt(String::length).sum()
                + environment.values().stream().mapToInt(String::length).sum();
        if (together > LONGEST_TOGETHER) {
            throw new IllegalArgumentException("arguments and environment have " + together + " characters; "
                    + LONGEST_TOGETHER + " are possible");
        }
    }

    /** What ends a C string becomes a replacement character, and what the kernel would refuse is cut. */
    private static String passable(String text) {
        return io.weir.notifier.spi.OneLine.cut(text.replace('\0', '\uFFFD'), LONGEST_BYTES);
    }
}

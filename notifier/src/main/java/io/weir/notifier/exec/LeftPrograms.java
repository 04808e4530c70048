package io.weir.notifier.exec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Programs that outlived the notifier that began them: found by the variables that this gave them, which all that they start
 * inherits. Reaches the processes of the notifier's own user on its own machine. Stateless.
 */
final class LeftPrograms {
    /** Looks for processes that were started while others were being ended. */
    private static final int ROUNDS = 10;

    /** How long a process that was killed is waited for: one in the kernel's hands takes as long as that takes. */
    private static final Duration LONGEST_END = Duration.ofSeconds(1);

    private LeftPrograms() {}

    /** Ends all processes whose environment holds all {@code marks}; returns how many there were. */
    static int end(Map<String, String> marks) {
        Set<String> wanted = marks.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.toUnmodifiableSet());
        Set<Long> ended = new HashSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            List<ProcessHandle> found = find(wanted);
            if (found.isEmpty()) {
                break;
            }
            found.forEach(ProcessHandle::destroyForcibly);
            found.forEach(LeftPrograms::await);
            found.forEach(process -> ended.add(process.pid()));
        }
        return ended.size();
    }

    private static void await(ProcessHandle process) {
        process.onExit()
                .completeOnTimeout(process, LONGEST_END.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    private static List<ProcessHandle> find(Set<String> wanted) {
        long own = ProcessHandle.current().pid();
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(process -> process.pid() != own)
                    .filter(process -> holds(process, wanted))
                    .toList();
        }
    }

    /** A process that is no more, or of which nothing can be read, is none of the notifier's. */
    private static boolean holds(ProcessHandle process, Set<String> wanted) {
        try {
            String environment = Files.readString(
                    Path.of("/proc", Long.toString(process.pid()), "environ"), StandardCharsets.ISO_8859_1);
            return Arrays.asList(environment.split("\0")).containsAll(wanted);
        } catch (IOException e) {
            return false;
        }
    }
}

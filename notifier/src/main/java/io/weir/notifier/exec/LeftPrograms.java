package io.weir.notifier.exec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Programs that outlived the notifier that began them. One is found as the leader of a session that runs the program with the
 * variables which it was given: what it left to itself, such as a service that it restarted, has those variables, too, but
 * neither leads that session nor is that program. Reaches the processes of the notifier's own user on its own machine.
 * Stateless.
 */
final class LeftPrograms {
    /** How long a process that was killed is waited for: one in the kernel's hands takes as long as that takes. */
    private static final Duration LONGEST_END = Duration.ofSeconds(1);

    private LeftPrograms() {}

    /** Ends the runs of {@code program} whose environment holds all {@code marks}; returns how many there were. */
    static int end(String program, Map<String, String> marks) {
        Set<String> wanted = marks.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.toUnmodifiableSet());
        List<ProcessHandle> found = find(program, wanted);
        found.forEach(ProcessTree::kill);
        found.forEach(LeftPrograms::await);
        return found.size();
    }

    private static void await(ProcessHandle process) {
        process.onExit()
                .completeOnTimeout(process, LONGEST_END.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    private static List<ProcessHandle> find(String program, Set<String> wanted) {
        long own = ProcessHandle.current().pid();
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(process -> process.pid() != own && isRun(process.pid(), program, wanted))
                    .toList();
        }
    }

    /** A process that is no more, or of which nothing can be read, is none of the notifier's. */
    private static boolean isRun(long pid, String program, Set<String> wanted) {
        try {
            return texts(pid, "environ").containsAll(wanted)
                    && texts(pid, "cmdline").contains(program)
                    && Session.of(pid).leader() == pid;
        } catch (IOException e) {
            return false;
        }
    }

    private static List<String> texts(long pid, String file) throws IOException {
        String text = new String(Files.readAllBytes(file(pid, file)), StandardCharsets.UTF_8);
        return Arrays.asList(text.split("\0", -1));
    }

    private static Path file(long pid, String name) {
        return Path.of("/proc", Long.toString(pid), name);
    }
}

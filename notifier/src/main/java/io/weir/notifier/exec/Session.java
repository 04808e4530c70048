package io.weir.notifier.exec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The session of a process, as the kernel tells it. Immutable.
 *
 * @param leader the process that began it, which may be over
 * @param zombie whether the process has ended and only waits to be asked how
 */
record Session(long leader, boolean zombie) {

    /** What stands in {@code stat} behind the name, which is in brackets: state, parent, group, session. */
    private static final int FIELDS = 4;

    private static final Session NONE = new Session(-1, false);

    /** Returns the session of the process {@code pid}. */
    static Session of(long pid) throws IOException {
        String stat =
                new String(Files.readAllBytes(Path.of("/proc", Long.toString(pid), "stat")), StandardCharsets.UTF_8);
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", FIELDS + 1);
        return fields.length < FIELDS ? NONE : new Session(Long.parseLong(fields[FIELDS - 1]), fields[0].equals("Z"));
    }

    /** Says whether anything runs in the session that {@code leader} began. */
    static boolean isAlive(long leader) {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.anyMatch(process -> isMember(process.pid(), leader));
        }
    }

    private static boolean isMember(long pid, long leader) {
        try {
            Session session = of(pid);
            return session.leader == leader && !session.zombie;
        } catch (IOException e) {
            return false; // it is no more
        }
    }
}

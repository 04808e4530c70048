package io.weir.notifier.exec;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Kills a program with all that it started. Stateless. */
final class ProcessTree {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private ProcessTree() {}

    /**
     * Kills {@code leader}, its process group and its descendants. The leader goes first: one that was only just begun makes
     * no group, and starts nothing, between the looks at both.
     */
    static void kill(ProcessHandle leader) {
        kill(leader, List.of());
    }

    /** As {@link #kill(ProcessHandle)}; {@code before} runs a command as the user whose processes are in the group. */
    static void kill(ProcessHandle leader, List<String> before) {
        List<ProcessHandle> descendants = leader.descendants().toList();
        if (!before.isEmpty()) {
            killGroup(leader.pid(), before);
        }
        leader.destroyForcibly();
        killGroup(leader.pid(), List.of());
        descendants.forEach(ProcessHandle::destroyForcibly);
    }

    /** Kills every process of a group, if there is such a group; the JDK has no call for it. */
    private static void killGroup(long group, List<String> before) {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of("kill", "-KILL", "--", "-" + group));
        try {
            Process kill = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!kill.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                kill.destroyForcibly();
            }
        } catch (IOException e) {
            // Without a kill program the descendants known to the JDK are all that can be reached.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

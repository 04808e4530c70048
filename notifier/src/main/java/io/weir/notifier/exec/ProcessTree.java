package io.weir.notifier.exec;

import java.io.IOException;
import java.time.Duration;
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
        List<ProcessHandle> descendants = leader.descendants().toList();
        leader.destroyForcibly();
        killGroup(leader.pid());
        descendants.forEach(ProcessHandle::destroyForcibly);
    }

    /** Kills every process of a group, if there is such a group; the JDK has no call for it. */
    private static void killGroup(long group) {
        try {
            Process kill = new ProcessBuilder("kill", "-KILL", "--", "-" + group)
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

package io.weir.standalone.drill;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Processes that are killed when this one ends, even where it is told to stop while one of them is being started. Thread-safe.
 */
final class OwnedProcesses {
    private final List<Process> started = new ArrayList<>();
    private boolean ended;

    OwnedProcesses() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "end-owned-processes"));
    }

    /**
     * Starts a process.
     *
     * @throws IllegalStateException when this one is ending
     * @throws IOException when it cannot be started
     */
    synchronized Process start(ProcessBuilder builder) throws IOException {
        if (ended) {
            throw new IllegalStateException("Nothing is started any more: this process is ending");
        }
        started.removeIf(process -> !process.isAlive());
        Process process = builder.start();
        started.add(process);
        return process;
    }

    /** Kills what was started; waits for a start that is under way. */
    synchronized void end() {
        ended = true;
        started.forEach(Process::destroyForcibly);
    }
}

package io.weir.notifier.exec;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Programs under way, by the id of their action, and the ids of those that were to end: one that was not begun by then is
 * not begun any more. Thread-safe.
 */
final class RunningPrograms {
    /** Ids that are remembered; the oldest go first. */
    private static final int MOST = 10_000;

    private final Map<String, Runnable> running = new HashMap<>();

    private final Set<String> stopped = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST;
        }
    });

    /** A program was begun that {@code kill} ends; it is ended at once if it was to end before. */
    void begun(String id, Runnable kill) {
        boolean late;
        synchronized (this) {
            running.put(id, kill);
            late = stopped.contains(id);
        }
        if (late) {
            kill.run();
        }
    }

    /** A program has ended. */
    synchronized void ended(String id) {
        running.remove(id);
    }

    /** Ends a program, whether it is under way or will be begun. */
    void stop(String id) {
        Runnable kill;
        synchronized (this) {
            stopped.add(id);
            kill = running.get(id);
        }
        if (kill != null) {
            kill.run();
        }
    }

    /** Returns whether a program was to end. */
    synchronized boolean isStopped(String id) {
        return stopped.contains(id);
    }
}

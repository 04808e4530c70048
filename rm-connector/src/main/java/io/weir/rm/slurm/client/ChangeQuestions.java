package io.weir.rm.slurm.client;

import java.util.HashMap;
import java.util.Map;

/**
 * Which lists are asked for only if they changed. That question fails while nodes change and partitions do not, and the whole list
 * has to be asked for as well; after that the whole list is asked for at once, for longer each time the question fails again. One
 * thread.
 */
final class ChangeQuestions {
    private static final int LONGEST = 8;

    private final Map<String, Pause> pauses = new HashMap<>();

    /** How many lists to ask for at once from a failure on, and how many of them are left. */
    private record Pause(int length, int left) {}

    /** Says whether to ask for changes this time. */
    boolean mayAsk(String what) {
        Pause pause = pauses.getOrDefault(what, new Pause(0, 0));
        if (pause.left() == 0) {
            return true;
        }
        pauses.put(what, new Pause(pause.length(), pause.left() - 1));
        return false;
    }

    /** The question failed. */
    void failed(String what) {
        int length = pauses.containsKey(what)
                ? Math.min(LONGEST, 2 * pauses.get(what).length())
                : 1;
        pauses.put(what, new Pause(length, length));
    }

    /** The question was answered. */
    void answered(String what) {
        pauses.remove(what);
    }
}

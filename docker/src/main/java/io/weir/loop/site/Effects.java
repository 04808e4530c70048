package io.weir.loop.site;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When commands had an effect on the machine. Two calls for one command that overlap are the machine's business, which
 * knows commands by their ids: nobody who begins a call can see that the other is about to have an effect. Who begins one
 * when the command has had its effect has failed to ask.
 */
public final class Effects {
    private final Map<String, Long> first = new HashMap<>();
    private final List<String> repeated = new ArrayList<>();

    /** Notes that a call for {@code command}, {@code begun} then, reached the machine at {@code now}. */
    void note(String command, long begun, long now) {
        Long before = first.putIfAbsent(command, now);
        if (before != null && begun > before) {
            repeated.add(command);
        }
    }

    /** Returns the commands that somebody wanted carried out when they had been already. */
    public List<String> repeated() {
        return List.copyOf(repeated);
    }
}

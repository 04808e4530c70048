package io.weir.standalone.drill;

import io.weir.standalone.Component;
import java.util.List;
import java.util.Map;

/**
 * How a drill ended.
 *
 * @param kills how often each component was killed while jobs were still to be done
 * @param jobs jobs that ran and ended
 * @param seconds how long it took
 * @param problems everything that is not as it would be without kills; empty when all is well
 */
public record DrillReport(Map<Component, Integer> kills, int jobs, double seconds, List<String> problems) {
    public DrillReport {
        kills = Map.copyOf(kills);
        problems = List.copyOf(problems);
    }

    /** Says whether nobody could tell from the outcome that anything was killed. */
    public boolean isClean() {
        return problems.isEmpty();
    }
}

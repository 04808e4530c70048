package io.weir.standalone.drill;

import io.weir.standalone.Part;
import java.util.List;
import java.util.Map;

/**
 * How a drill ended.
 *
 * @param kills how often each part was killed while jobs were still to be done
 * @param jobs jobs that ran and ended
 * @param seconds how long it took
 * @param problems everything that is not as it would be without kills; empty when all is well
 */
public record DrillReport(Map<Part, Integer> kills, int jobs, double seconds, List<String> problems) {
    public DrillReport {
        kills = Map.copyOf(kills);
        problems = List.copyOf(problems);
    }

    /** Says whether nobody could tell from the outcome that anything was killed. */
    public boolean isClean() {
        return problems.isEmpty();
    }
}

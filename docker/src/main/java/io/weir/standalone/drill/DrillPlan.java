package io.weir.standalone.drill;

import io.weir.standalone.Component;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.TraceRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a drill does.
 *
 * @param run the workload
 * @param directory an empty directory
 * @param kills how often each component is killed
 * @param seed decides the order of the kills and their moments
 */
public record DrillPlan(TraceRun run, DataDirectory directory, Map<Component, Integer> kills, long seed) {
    public DrillPlan {
        kills = Collections.unmodifiableMap(new EnumMap<>(kills));
    }

    /** Returns the components to kill, one by one, in the order that the seed gives. */
    public List<Component> victims() {
        List<Component> victims = new ArrayList<>();
        kills.forEach((component, times) -> victims.addAll(Collections.nCopies(times, component)));
        Collections.shuffle(victims, new Random(seed));
        return victims;
    }
}

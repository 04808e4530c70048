package io.weir.standalone.drill;

import io.weir.standalone.DataDirectory;
import io.weir.standalone.Part;
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
 * @param kills how often each part is killed
 * @param seed decides the order of the kills and their moments
 */
public record DrillPlan(TraceRun run, DataDirectory directory, Map<Part, Integer> kills, long seed) {
    public DrillPlan {
        kills = Collections.unmodifiableMap(new EnumMap<>(kills));
    }

    /** Returns the parts to kill, one by one, in the order that the seed gives. */
    public List<Part> victims() {
        List<Part> victims = new ArrayList<>();
        kills.forEach((part, times) -> victims.addAll(Collections.nCopies(times, part)));
        Collections.shuffle(victims, new Random(seed));
        return victims;
    }
}

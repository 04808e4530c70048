package io.weir.command.slurm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What becomes of jobs whose nodes fail, and of these nodes, on a Slurm cluster, as parameters of Weir's. */
final class FailureOrder {
    private FailureOrder() {}

    /**
     * Returns the parameters.
     *
     * @param config what the controller runs with
     */
    static List<String> lines(Controller config) {
        List<String> lines = new ArrayList<>();
        if (!config.value("JobRequeue").equals("0")) {
            lines.add("# JobRequeue=1.");
            lines.add("NODEALLOCRESFAILUREPOLICY REQUEUE");
        }
        lines.add("# Slurm gives a node that failed to jobs as soon as it is back.");
        lines.add("NODEFAILURERESERVETIME 0");
        return Collections.unmodifiableList(lines);
    }
}

package io.weir.rm.simulated;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What goes wrong during a simulation, and when. Everything is told by instant, by command number or by count, so a
 * script has the same effect on every run of the same workload.
 *
 * @param nodeEvents nodes going down and coming back, in time order
 * @param refusedCommands what to say to a command, by its number
 * @param refusedStarts how many starts of a job to refuse, by job id
 * @param lostAnswers commands that take effect although no answer comes, the first time, by number
 * @param failingCommands for how many attempts the resource manager is away, by number of the command
 * @param failingPolls how many polls in a row fail, by the number of the first (1 is the process's first)
 * @param text the script as written, without comments; part of what a ledger recognises its run by
 */
record FailureScript(
        List<NodeEvent> nodeEvents,
        Map<Long, String> refusedCommands,
        Map<String, Integer> refusedStarts,
        Map<Long, Integer> lostAnswers,
        Map<Long, Integer> failingCommands,
        Map<Long, Integer> failingPolls,
        String text) {

    /** Nothing goes wrong. */
    static final FailureScript NONE =
            new FailureScript(List.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), "");

    FailureScript {
        nodeEvents = nodeEvents.stream()
                .sorted(Comparator.comparingLong(NodeEvent::time))
                .toList();
        refusedCommands = new TreeMap<>(refusedCommands);
        refusedStarts = new TreeMap<>(refusedStarts);
        lostAnswers = new TreeMap<>(lostAnswers);
        failingCommands = new TreeMap<>(failingCommands);
        failingPolls = new TreeMap<>(failingPolls);
    }

    /**
     * A node changes.
     *
     * @param time seconds on the workload's clock
     * @param node its name
     * @param up whether it comes up; else it goes down
     */
    record NodeEvent(long time, String node, boolean up) {}
}

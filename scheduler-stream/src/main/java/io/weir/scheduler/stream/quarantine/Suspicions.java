package io.weir.scheduler.stream.quarantine;

import io.weir.scheduler.journal.Input;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the scheduler failed on, remembered while the stream is made anew after each failure; one for each process. An
 * input that fails a second time is set aside; an iteration that failed is tried on a copy of its cluster before it runs
 * again, see {@link Diagnosis}. A process that dies in between forgets, and a new one finds out again. Thread-safe.
 */
public final class Suspicions {
    private static final Logger log = LoggerFactory.getLogger(Suspicions.class);

    /** Inputs remembered; the oldest go first. What goes too early only fails twice again. */
    private static final int MOST_INPUTS = 1_000;

    /** Iterations tried on a copy after one that failed: whoever submits one thing that fails may submit another. */
    private static final int WATCHED = 20;

    /** How often a cluster may go without an iteration because there is more to be set aside than can be found at once. */
    private static final int MOST_ROUNDS = 20;

    /** Inputs of a cluster tried on a copy after one that failed. */
    private static final int WARY = 1_000;

    private final Map<String, Suspicion> inputs = new LinkedHashMap<>();
    private final Map<String, Trouble> clusters = new TreeMap<>();

    /** How many inputs are still to be tried on a copy, by cluster. */
    private final Map<String, Integer> wary = new TreeMap<>();

    /** Whether there is nothing to look up, which is nearly always. */
    private volatile boolean none = true;

    /**
     * Notes a failure of the work.
     *
     * @return whether to begin again from the last commit helps: the suspect is known, and has not been set aside in vain
     */
    public synchronized boolean note(TaskStep step, Throwable failure) {
        if (step instanceof TaskStep.Receiving receiving) {
            return note(receiving.input(), true, failure);
        } else if (step instanceof TaskStep.Applying applying) {
            wary.put(applying.cluster(), WARY);
            return note(applying.input(), false, failure);
        } else if (step instanceof TaskStep.Iterating iterating) {
            return note(iterating, failure);
        }
        return false;
    }

    private boolean note(TaskStep.Iterating iterating, Throwable failure) {
        @Nullable Trouble before = clusters.get(iterating.cluster());
        Suspicion last = Suspicion.after(before == null ? null : before.last(), false, failure);
        // An iteration under suspicion was tried on a copy first: a failure all the same cannot be found out.
        clusters.put(iterating.cluster(), new Trouble(last, iterating.number() + WATCHED, before != null, 0));
        none = false;
        log.warn(
                "Failed in an iteration: domain={} iteration={} failures={} {}",
                iterating.cluster(),
                iterating.number(),
                last.failures(),
                last.text());
        return true;
    }

    /** Says whether iterations of {@code cluster} are to be tried on a copy first, as one of them failed. */
    public boolean isSuspect(String cluster) {
        return !none && trouble(cluster).isPresent();
    }

    /** Says why there are no iterations of {@code cluster}; empty when there are. */
    public Optional<String> halted(String cluster) {
        return none
                ? Optional.empty()
                : trouble(cluster)
                        .filter(Trouble::halted)
                        .map(trouble -> trouble.last().text());
    }

    /**
     * Notes that something had to be set aside for iteration {@code number} of {@code cluster}.
     *
     * @param complete whether that was all
     */
    public synchronized void found(String cluster, long number, boolean complete) {
        clusters.computeIfPresent(
                cluster,
                (name, trouble) -> new Trouble(
                        trouble.last(), number + WATCHED, trouble.halted(), complete ? 0 : trouble.rounds() + 1));
    }

    /** Says whether {@code cluster} may wait another time for all to be found that has to be set aside. */
    public boolean isPatient(String cluster) {
        return trouble(cluster)
                .filter(trouble -> trouble.rounds() >= MOST_ROUNDS)
                .isEmpty();
    }

    /** Says whether there is more to be found than could be at the last attempt. */
    public boolean isUnfinished(String cluster) {
        return !none && trouble(cluster).filter(trouble -> trouble.rounds() > 0).isPresent();
    }

    /** Ends the iterations of {@code cluster}: it fails whatever is set aside. */
    public synchronized void halt(String cluster, Throwable failure) {
        @Nullable Trouble before = clusters.get(cluster);
        Suspicion last = Suspicion.after(before == null ? null : before.last(), false, failure);
        clusters.put(cluster, new Trouble(last, before == null ? 0 : before.until(), true, 0));
        none = false;
        log.error("No iterations any more, whatever is set aside they fail: domain={} {}", cluster, last.text());
    }

    /** Has the next iteration of {@code cluster} tried again: somebody asks to resume it. */
    public synchronized void resume(String cluster) {
        clusters.computeIfPresent(cluster, (name, trouble) -> new Trouble(trouble.last(), trouble.until(), false, 0));
    }

    /** Notes that an iteration succeeded; the last of those that are watched ends the suspicion. */
    public void iterated(String cluster, long number) {
        if (!none
                && trouble(cluster).filter(trouble -> trouble.until() <= number).isPresent()) {
            forget(cluster);
        }
    }

    /** Returns the clusters without iterations, with what they failed on. */
    public synchronized SortedMap<String, String> halted() {
        SortedMap<String, String> halted = new TreeMap<>();
        clusters.forEach((cluster, trouble) -> {
            if (trouble.halted()) {
                halted.put(cluster, trouble.last().text());
            }
        });
        return halted;
    }

    /** Returns what to say where clusters have no iterations; empty where all have. */
    public Optional<String> obstacle() {
        SortedMap<String, String> halted = halted();
        return halted.isEmpty()
                ? Optional.empty()
                : Optional.of("nothing is decided any more for " + halted.keySet() + ", as iterations fail: "
                        + halted.values().iterator().next() + "; mschedctl -r has them tried again");
    }

    private synchronized Optional<Trouble> trouble(String cluster) {
        return Optional.ofNullable(clusters.get(cluster));
    }

    private synchronized void forget(String cluster) {
        clusters.remove(cluster);
        update();
    }

    private boolean note(Input input, boolean early, Throwable failure) {
        @Nullable Suspicion before = inputs.remove(input.toString());
        if (before != null && before.incurable()) {
            return false;
        }
        Suspicion now = Suspicion.after(before, early, failure);
        remember(input, now);
        log.warn("Failed on an input: input={} failures={} {}", input, now.failures(), now.text());
        return true;
    }

    /** Says whether an input of {@code cluster} is to be tried on a copy first, as others failed lately; counts it. */
    public boolean isWary(String cluster) {
        return !none && countWary(cluster);
    }

    private synchronized boolean countWary(String cluster) {
        Integer left = wary.get(cluster);
        if (left == null) {
            return false;
        }
        if (left == 1) {
            wary.remove(cluster);
        } else {
            wary.put(cluster, left - 1);
        }
        update();
        return true;
    }

    /** Has {@code input} set aside: applying it to a copy failed. */
    public synchronized void convict(String cluster, Input input, Throwable failure) {
        Suspicion first = Suspicion.after(inputs.remove(input.toString()), false, failure);
        remember(input, first.certain() ? first : Suspicion.after(first, false, failure));
        wary.put(cluster, WARY);
        log.warn("Fails on an input, as a copy shows: input={} {}", input, first.text());
    }

    /** Returns what is known of an input that is to be set aside; empty when it is to be taken as any other. */
    public Optional<Suspicion> verdict(Input input) {
        return none ? Optional.empty() : look(input).filter(Suspicion::certain);
    }

    /** Notes that {@code input} was taken in; if it failed before, that was chance. */
    public void taken(Input input) {
        if (!none && look(input).filter(suspicion -> !suspicion.certain()).isPresent()) {
            forget(input);
        }
    }

    private void remember(Input input, Suspicion suspicion) {
        inputs.put(input.toString(), suspicion);
        none = false;
        if (inputs.size() > MOST_INPUTS) {
            inputs.remove(inputs.keySet().iterator().next());
        }
    }

    private void update() {
        none = inputs.isEmpty() && clusters.isEmpty() && wary.isEmpty();
    }

    private synchronized Optional<Suspicion> look(Input input) {
        return Optional.ofNullable(inputs.get(input.toString()));
    }

    private synchronized void forget(Input input) {
        inputs.remove(input.toString());
        update();
    }

    /**
     * What is known of a cluster whose iterations failed.
     *
     * @param last how the last one failed
     * @param until number of the last iteration that is tried on a copy first
     * @param halted whether there are no iterations any more
     * @param rounds how often in a row not all could be found that has to be set aside
     */
    private record Trouble(Suspicion last, long until, boolean halted, int rounds) {}
}

package io.weir.scheduler.stream;

import io.weir.scheduler.journal.Input;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the scheduler failed on, remembered while the stream is made anew after each failure; one for each process. What
 * fails a second time is certain to be the culprit, and intake sets it aside by a record in the journal. A process that
 * dies in between forgets, and a new one finds out again. Thread-safe.
 */
public final class Suspicions {
    private static final Logger log = LoggerFactory.getLogger(Suspicions.class);

    /** Inputs remembered; the oldest go first. What goes too early only fails twice again. */
    private static final int MOST_INPUTS = 1_000;

    private final Map<String, Suspicion> inputs = new LinkedHashMap<>();

    /** Whether there is nothing to look up, which is nearly always. */
    private volatile boolean none = true;

    /**
     * Notes a failure of the work.
     *
     * @return whether to begin again from the last commit helps: the suspect is known, and has not been set aside in vain
     */
    synchronized boolean note(TaskStep step, Throwable failure) {
        if (step instanceof TaskStep.Receiving receiving) {
            return note(receiving.input(), true, failure);
        } else if (step instanceof TaskStep.Applying applying) {
            return note(applying.input(), false, failure);
        }
        return false;
    }

    private boolean note(Input input, boolean early, Throwable failure) {
        @Nullable Suspicion before = inputs.remove(input.toString());
        if (before != null && before.incurable()) {
            return false;
        }
        Suspicion now = Suspicion.after(before, early, failure);
        inputs.put(input.toString(), now);
        none = false;
        if (inputs.size() > MOST_INPUTS) {
            inputs.remove(inputs.keySet().iterator().next());
        }
        log.warn("Failed on an input: input={} failures={} {}", input, now.failures(), now.text());
        return true;
    }

    /** Returns what is known of an input that is to be set aside; empty when it is to be taken as any other. */
    Optional<Suspicion> verdict(Input input) {
        return none ? Optional.empty() : look(input).filter(Suspicion::certain);
    }

    /** Notes that {@code input} was taken in; if it failed before, that was chance. */
    void taken(Input input) {
        if (!none && look(input).filter(suspicion -> !suspicion.certain()).isPresent()) {
            forget(input);
        }
    }

    private synchronized Optional<Suspicion> look(Input input) {
        return Optional.ofNullable(inputs.get(input.toString()));
    }

    private synchronized void forget(Input input) {
        inputs.remove(input.toString());
        none = inputs.isEmpty();
    }
}

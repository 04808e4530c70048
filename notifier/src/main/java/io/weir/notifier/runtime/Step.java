package io.weir.notifier.runtime;

import java.time.Duration;
import java.util.List;

/** What handling a record came to. Immutable. */
sealed interface Step {

    /**
     * The record is done with: {@code outputs} and the position behind it are to be recorded together.
     *
     * @param outputs what to publish about it; may be empty
     */
    record Settled(List<Outgoing<?>> outputs) implements Step {
        public Settled {
            outputs = List.copyOf(outputs);
        }

        /** Nothing to say about the record. */
        static Settled silently() {
            return new Settled(List.of());
        }
    }

    /**
     * An attempt failed; the record is to be handled again as the next attempt.
     *
     * @param pause how long to wait before
     */
    record Retry(Duration pause) implements Step {}

    /**
     * No attempt could be made; the record is to be handled again as the same attempt.
     *
     * @param pause how long to wait before
     * @param why what is missing
     */
    record Postpone(Duration pause, String why) implements Step {}
}

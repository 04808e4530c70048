package io.weir.notifier.runtime.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What handling a record came to. Immutable. */
public sealed interface Step {

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
        public static Settled silently() {
            return new Settled(List.of());
        }
    }

    /**
     * An attempt failed; the record is to be handled again as the next attempt.
     *
     * @param pause how long to wait before
     * @param inDoubt whether the attempt may have taken effect all the same
     * @param outputs what to publish about it at once; may be empty
     */
    record Retry(Duration pause, boolean inDoubt, List<Outgoing<?>> outputs) implements Step {
        public Retry {
            outputs = List.copyOf(outputs);
        }

        /** An attempt of which nothing is said. */
        public Retry(Duration pause, boolean inDoubt) {
            this(pause, inDoubt, List.of());
        }

        /** An attempt that has certainly had no effect. */
        Retry(Duration pause) {
            this(pause, false);
        }
    }

    /**
     * An attempt failed for a reason that concerns this record alone; it is to be handled again as the next attempt, and others may
     * go before it. The attempt has certainly had no effect that the next one repeats.
     *
     * @param pause how long to wait before
     */
    record Aside(Duration pause) implements Step {}

    /**
     * No attempt could be made; the record is to be handled again as the same attempt.
     *
     * @param pause how long to wait before
     * @param why what is missing
     */
    record Postpone(Duration pause, String why) implements Step {}

    /**
     * The record waits to go out together with others.
     *
     * @param until when they are due, if it is the first of them
     */
    record Hold(Instant until) implements Step {}

    /**
     * A part was done, or is put off; it is to be gone on with as the same attempt.
     *
     * @param pause how long to wait before; zero for not at all
     */
    record More(Duration pause) implements Step {}
}

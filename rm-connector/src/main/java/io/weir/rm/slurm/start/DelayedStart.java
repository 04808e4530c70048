package io.weir.rm.slurm.start;

import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Execution;
import io.weir.rm.spi.Ongoing;
import java.time.Duration;
import java.util.function.Supplier;

/** A start for which it is too early; nothing was changed yet. One thread. */
final class DelayedStart implements Ongoing {
    private final Duration delay;
    private final Supplier<Execution> start;

    /** Creates a start that is made {@code delay} from now. */
    DelayedStart(Duration delay, Supplier<Execution> start) {
        this.delay = delay;
        this.start = start;
    }

    @Override
    public Duration pause() {
        return delay;
    }

    @Override
    public CommandCheck look() {
        return CommandCheck.of(start.get());
    }
}

package io.weir.rm.slurm.start;

import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Execution;
import io.weir.rm.spi.Ongoing;
import java.time.Duration;
import java.util.function.Supplier;

/** A start that has to wait; nothing was changed yet. One thread. */
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
    public boolean isUnderWay() {
        return false;
    }

    @Override
    public CommandCheck look() {
        return CommandCheck.of(start.get());
    }
}

package io.weir.rm.spi;

import io.weir.schemas.JobReport;
import io.weir.schemas.RmCommand;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One resource manager of one cluster: it can be looked at and told what to do. The package description has the
 * contract: one calling thread, refusals are answers, nothing is repeated without asking.
 */
public interface ResourceManager extends AutoCloseable {

    /** Returns what this resource manager is and which commands it understands; the same value every time. */
    RmCapabilities capabilities();

    /**
     * Returns the resource manager's clock, cut to whole seconds. It goes back between two calls only when that clock was wrong or
     * has been set.
     *
     * @throws RetriableRmException if the clock is the resource manager's own and cannot be read at the moment
     */
    Instant now();

    /**
     * Looks at everything: all nodes, and all jobs that wait, run, or ended recently. "Recently" is long enough for a
     * connector that died between a poll and its publication to see the end of a job once more; two polls at different
     * instants are the least.
     *
     * @throws RetriableRmException if the picture could not be had, or not the whole of it
     * @throws RmException if it never will
     */
    Poll poll();

    /**
     * Says what is true of a command that may have been executed before, by this process or an earlier one. Changes
     * nothing; only what was found half done is carried through or undone.
     *
     * @throws RetriableRmException if the resource manager cannot be asked at the moment
     */
    CommandCheck lookup(RmCommand command);

    /**
     * Carries out one command as far as that goes without waiting for what takes its time. An {@link RmAnswer} is final;
     * an {@link Ongoing} is looked at again until it is answered. With virtual time every command is answered at once.
     * {@code FULL_POLL} and kinds that {@link #capabilities} does not list never get here.
     *
     * @throws RetriableRmException if no answer came; the command may have taken effect or not
     * @throws RmException if it failed for good and nothing changed
     */
    Execution execute(RmCommand command);

    /**
     * Tells which commands are most likely executed next, in this order, behind the one that follows: what is to be known of their
     * jobs may be fetched meanwhile. Changes nothing, and nothing may depend on it.
     */
    default void expect(List<RmCommand> commands) {}

    /**
     * Returns how many commands may be {@link Ongoing} and under way at once, at least 1; the next one is begun when one of them is
     * answered. The same every time.
     */
    default int mostUnderWay() {
        return 256;
    }

    /**
     * Makes everything this object has said so far outlive a crash of its process. The runner calls it before it
     * publishes a poll or an answer. A resource manager that is a process of its own has nothing to do.
     */
    default void sync() {}

    /** Returns how much of the last poll's text could not be understood and was left out. */
    default long problems() {
        return 0;
    }

    /**
     * Looks at single jobs and returns what {@link #poll} would say of them; what else has changed is left to the next poll.
     * Empty where it takes a poll to see all that the change of these jobs brought about, which is the default.
     *
     * @param jobs the numbers by which a trigger named them
     * @throws RetriableRmException if the resource manager cannot be asked at the moment
     */
    default Optional<List<JobReport>> look(Set<String> jobs) {
        return Optional.empty();
    }

    /**
     * Returns the jobs that the last poll or look saw do something that takes a moment, such as leaving their nodes. Then the next
     * look at them comes soon, as after a trigger.
     */
    default Set<String> settling() {
        return Set.of();
    }

    /** Returns the means to move this resource manager's time on; empty when time passes by itself. */
    default Optional<VirtualTime> virtualTime() {
        return Optional.empty();
    }

    /** Lets go of connections and files. Called once, by the runner's thread. */
    @Override
    void close();
}

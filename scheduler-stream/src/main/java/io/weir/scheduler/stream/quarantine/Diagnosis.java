package io.weir.scheduler.stream.quarantine;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.core.quarantine.Suspect;
import io.weir.scheduler.core.state.Change;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out what has to be set aside for the next iteration of a cluster to succeed, by trying it on copies. The core is
 * pure: a copy fails as the original would, and does no harm. The ladder: nothing (the failure was chance); a policy
 * version that waits; the objects being worked on when it fails, one after the other; each of what came since the last
 * iteration; the cluster as a whole. Nothing is set aside that does not help. Used once.
 */
public final class Diagnosis {
    private static final Logger log = LoggerFactory.getLogger(Diagnosis.class);

    /** The transaction and the other clusters of the task wait meanwhile; what takes longer is for another time. */
    public static final Duration LONGEST = Duration.ofSeconds(5);

    private final String cluster;
    private final Supplier<List<Change>> state;
    private final Function<String, ClusterScheduler> cores;
    private final OutputLimits limits;
    private final Instant now;
    private final String build;
    private final long deadline;

    private List<Change> snapshot = List.of();

    /** What is set aside on the next copy. */
    private final Map<Suspect, Quarantine> aside = new LinkedHashMap<>();

    /**
     * Prepares the diagnosis of a cluster.
     *
     * @param state returns its whole state
     * @param cores makes the empty core of a cluster
     * @param now instant of the iteration
     * @param longest how long it may take, but for the attempt under way
     */
    public Diagnosis(
            String cluster,
            Supplier<List<Change>> state,
            Function<String, ClusterScheduler> cores,
            OutputLimits limits,
            Instant now,
            String build,
            Duration longest) {
        this.cluster = cluster;
        this.state = state;
        this.cores = cores;
        this.limits = limits;
        this.now = now;
        this.build = build;
        this.deadline = System.nanoTime() + longest.toNanos();
    }

    /**
     * What has to be set aside.
     *
     * @param aside in this order; nothing when the iteration succeeds as it is
     * @param complete whether the iteration succeeds then; else there is more to be found another time
     */
    public record Finding(List<Quarantine> aside, boolean complete) {
        public Finding {
            aside = List.copyOf(aside);
        }
    }

    /**
     * Returns what has to be set aside.
     *
     * @param patient whether what was found by the end of the time is enough for this time; else the cluster is suspended
     * @throws HopelessException when it fails whatever is set aside
     */
    public Finding run(boolean patient) throws HopelessException {
        try {
            return climb(state.get(), patient);
        } catch (RuntimeException | Error e) {
            if (FailureOrigin.of(e) == FailureOrigin.MACHINE) {
                throw e;
            }
            throw new HopelessException(e);
        }
    }

    private Finding climb(List<Change> whole, boolean patient) throws HopelessException {
        snapshot = whole;
        Optional<Failure> failure = attempt();
        if (failure.isEmpty()) {
            return new Finding(List.of(), true);
        }
        List<Suspect> latest = latest();
        for (Suspect suspect : latest) {
            if (suspect.kind() == QuarantineKind.POLICY && helps(suspect, failure.get())) {
                return found();
            }
        }
        Optional<Suspect> next = suspect(failure);
        while (next.isPresent()) {
            setAside(next.get(), failure.get());
            failure = attempt();
            next = suspect(failure);
            if (next.isPresent() && late()) {
                if (patient) {
                    return new Finding(List.copyOf(aside.values()), false);
                }
                break;
            }
        }
        if (failure.isEmpty()) {
            return found();
        }
        for (Suspect suspect : latest) {
            if (!late() && !aside.containsKey(suspect) && helps(suspect, failure.get())) {
                return found();
            }
        }
        aside.clear();
        if (helps(new Suspect(QuarantineKind.CLUSTER, cluster), failure.get())) {
            return found();
        }
        throw new HopelessException(failure.get().thrown());
    }

    private Optional<Suspect> suspect(Optional<Failure> failure) {
        return failure.flatMap(Failure::suspect).filter(found -> !aside.containsKey(found));
    }

    /** Sets {@code suspect} aside, too, if the iteration succeeds then. */
    private boolean helps(Suspect suspect, Failure failure) {
        setAside(suspect, failure);
        if (attempt().isEmpty()) {
            return true;
        }
        aside.remove(suspect);
        return false;
    }

    private void setAside(Suspect suspect, Failure failure) {
        Suspicion suspicion = Suspicion.after(null, false, failure.thrown());
        log.warn("Suspected of failing an iteration: domain={} {} {}", cluster, suspect, suspicion.text());
        aside.put(
                suspect,
                new Quarantine(
                        cluster,
                        suspect.kind(),
                        suspect.id(),
                        suspicion.cause(),
                        suspicion.message(),
                        now,
                        build,
                        false));
    }

    private Finding found() {
        return new Finding(List.copyOf(aside.values()), true);
    }

    /** Runs the iteration on a copy; returns how it failed. */
    private Optional<Failure> attempt() {
        ClusterScheduler copy = copy();
        try {
            aside.values().forEach(quarantine -> copy.apply(Fact.foreign(quarantine)));
            IterationResult result = copy.iterate(now);
            limits.check(result);
            return Optional.empty();
        } catch (UnfitOutputException e) {
            return Optional.of(new Failure(e, e.suspect()));
        } catch (RuntimeException | Error e) {
            if (FailureOrigin.of(e) == FailureOrigin.MACHINE) {
                throw e;
            }
            return Optional.of(new Failure(e, copy.suspect()));
        }
    }

    private List<Suspect> latest() {
        return copy().latest();
    }

    private ClusterScheduler copy() {
        ClusterScheduler copy = cores.apply(cluster);
        snapshot.forEach(copy::replay);
        return copy;
    }

    private boolean late() {
        return System.nanoTime() - deadline > 0;
    }

    /**
     * How a copy failed.
     *
     * @param thrown the exception
     * @param suspect what was being worked on
     */
    private record Failure(Throwable thrown, Optional<Suspect> suspect) {}

    /** The iteration fails whatever is set aside. */
    public static final class HopelessException extends Exception {
        private static final long serialVersionUID = 1L;

        HopelessException(Throwable cause) {
            super(cause);
        }
    }
}

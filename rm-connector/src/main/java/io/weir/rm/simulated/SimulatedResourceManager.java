package io.weir.rm.simulated;

import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Poll;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmCapabilities;
import io.weir.rm.spi.RmException;
import io.weir.rm.spi.VirtualTime;
import io.weir.schemas.CommandKind;
import io.weir.schemas.RmCommand;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The simulated machine, its ledger and its clock behind the SPI. Opening replays the ledger, time included; whatever was
 * due at that instant and had not been written happens then. In lock step time moves by {@link VirtualTime} only; with a
 * scaled clock every call first moves it to the clock's second.
 */
final class SimulatedResourceManager implements ResourceManager, VirtualTime {
    private static final Logger log = LoggerFactory.getLogger(SimulatedResourceManager.class);

    static final RmCapabilities CAPABILITIES = new RmCapabilities(
            SimulatedProvider.TYPE,
            "1",
            EnumSet.of(
                    CommandKind.START_JOB,
                    CommandKind.CANCEL_JOB,
                    CommandKind.REQUEUE_JOB,
                    CommandKind.HOLD_JOB,
                    CommandKind.RELEASE_JOB,
                    CommandKind.SUSPEND_JOB,
                    CommandKind.RESUME_JOB,
                    CommandKind.MODIFY_JOB,
                    CommandKind.ADD_NODES,
                    CommandKind.REMOVE_NODES,
                    CommandKind.DRAIN_NODE,
                    CommandKind.RESUME_NODE,
                    CommandKind.MODIFY_NODE));

    private final SimulatedCluster cluster;
    private final Ledger ledger;
    private final long base;

    /** Where time comes from; null in lock step. */
    private final @Nullable SimulationClock clock;

    private final Map<Long, Integer> answersToLose;
    private final Map<Long, Integer> commandsToFail;
    private final Map<Long, Integer> pollsToFail;
    private long polls;
    private int pollsStillFailing;

    private SimulatedResourceManager(
            SimulatedConfig config, SimulatedCluster cluster, Ledger ledger, @Nullable SimulationClock clock) {
        this.cluster = cluster;
        this.ledger = ledger;
        this.base = config.workload().base();
        this.clock = clock;
        this.answersToLose = new HashMap<>(config.script().lostAnswers());
        this.commandsToFail = new HashMap<>(config.script().failingCommands());
        this.pollsToFail = new HashMap<>(config.script().failingPolls());
    }

    /**
     * Opens the machine that {@code ledgerFile} tells of, or a new one.
     *
     * @param nanos monotonic nanoseconds, for a scaled clock
     */
    static SimulatedResourceManager open(
            String clusterName, SimulatedConfig config, Path ledgerFile, LongSupplier nanos) {
        Ledger.Opened opened = Ledger.open(ledgerFile, config.forceLedger());
        Ledger ledger = opened.ledger();
        try {
            SimulatedCluster cluster = new SimulatedCluster(
                    clusterName,
                    config.shape(),
                    config.workload(),
                    config.script(),
                    config.reportUsage(),
                    config.nodeFailure(),
                    ledger::append);
            restore(config, opened, cluster, ledgerFile);
            cluster.settle();
            ledger.sync();
            @Nullable
            SimulationClock clock =
                    config.lockStep() ? null : new SimulationClock(cluster.now(), config.scale(), nanos);
            log.info(
                    "ledger={} entries={} rmTime={} ended={}/{}",
                    ledgerFile,
                    opened.content().entries().size(),
                    cluster.instant(cluster.now()),
                    cluster.ended(),
                    cluster.total());
            return new SimulatedResourceManager(config, cluster, ledger, clock);
        } catch (RuntimeException e) {
            ledger.close();
            throw e;
        }
    }

    private static void restore(
            SimulatedConfig config, Ledger.Opened opened, SimulatedCluster cluster, Path ledgerFile) {
        String fingerprint = config.fingerprint();
        if (opened.content().entries().isEmpty()) {
            opened.ledger().append(LedgerEntry.event(cluster.now(), Effect.OPEN, "", fingerprint));
            return;
        }
        LedgerEntry first = opened.content().entries().get(0);
        if (first.effect() != Effect.OPEN || !first.detail().equals(fingerprint)) {
            throw new RmException("the ledger " + ledgerFile + " is of another run: it has " + first.detail()
                    + ", the settings say " + fingerprint + ". Choose another data directory, or restore the settings");
        }
        try {
            opened.content().entries().forEach(cluster::replay);
        } catch (IllegalStateException e) {
            throw new RmException("the ledger " + ledgerFile + " does not add up: " + e.getMessage(), e);
        }
    }

    @Override
    public RmCapabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Instant now() {
        keepUp();
        return cluster.instant(cluster.now());
    }

    @Override
    public Poll poll() {
        polls++;
        pollsStillFailing += pollsToFail.getOrDefault(polls, 0);
        if (pollsStillFailing > 0) {
            pollsStillFailing--;
            throw new RetriableRmException("poll " + polls + " fails by the script");
        }
        keepUp();
        cluster.polled();
        return new Poll(cluster.instant(cluster.now()), cluster.nodeReports(), cluster.jobReports());
    }

    @Override
    public CommandCheck lookup(RmCommand command) {
        return cluster.answerTo(command.getCommandId())
                .map(CommandCheck::answered)
                .orElseGet(CommandCheck::notDone);
    }

    @Override
    public RmAnswer execute(RmCommand command) {
        if (happensAgain(commandsToFail, command)) {
            throw new RetriableRmException("command " + command.getNumber() + " finds nobody, by the script");
        }
        keepUp();
        RmAnswer answer = cluster.execute(command);
        if (happensAgain(answersToLose, command)) {
            throw new RetriableRmException("the answer to command " + command.getNumber() + " is lost, by the script");
        }
        return answer;
    }

    private static boolean happensAgain(Map<Long, Integer> counts, RmCommand command) {
        @Nullable Integer left = counts.get(command.getNumber());
        if (left == null || left == 0) {
            return false;
        }
        counts.put(command.getNumber(), left - 1);
        return true;
    }

    private void keepUp() {
        if (clock != null) {
            cluster.advanceTo(clock.now());
        }
    }

    @Override
    public void sync() {
        ledger.sync();
    }

    @Override
    public Optional<VirtualTime> virtualTime() {
        return clock == null ? Optional.of(this) : Optional.empty();
    }

    @Override
    public Step advance(@Nullable Instant wake) {
        if (cluster.isFinished()) {
            return Step.FINISHED;
        }
        if (wake != null && wake.getNano() > 0 && wake.getEpochSecond() - base == cluster.now()) {
            return Step.MOVED;
        }
        long next = cluster.nextInstant();
        if (wake != null) {
            long second = wake.getEpochSecond() - base + (wake.getNano() > 0 ? 1 : 0);
            next = Math.min(next, Math.max(second, cluster.now() + 1));
        }
        if (next == Long.MAX_VALUE) {
            return Step.STALLED;
        }
        cluster.advanceTo(next);
        return Step.MOVED;
    }

    @Override
    public Progress progress() {
        return new Progress(cluster.ended(), cluster.total());
    }

    /** Closes the ledger; what was not synced is lost, as in a kill, and was never told. */
    @Override
    public void close() {
        ledger.close();
    }
}

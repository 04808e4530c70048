package io.weir.rm.simulated;

import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Poll;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmCapabilities;
import io.weir.schemas.RmCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The simulated machine as a resource manager of its own: in memory, reached by any number of connectors, and not gone
 * when one of them dies. Its ledger is judged like the one on disk. For simulations of what stands around it; one thread
 * at a time.
 */
public final class SimulatedMachine {
    private final SimulatedCluster cluster;
    private final LongSupplier seconds;
    private final List<LedgerEntry> ledger = new ArrayList<>();

    /**
     * Makes a machine with a workload and, maybe, a script.
     *
     * @param settings those of {@code rm.simulated.}; clock and ledger are of no account
     * @param seconds seconds since second 0 of the workload; never goes back
     */
    public SimulatedMachine(String name, Map<String, String> settings, LongSupplier seconds) {
        SimulatedConfig config = SimulatedConfig.read(settings);
        this.seconds = seconds;
        this.cluster = new SimulatedCluster(
                name,
                config.shape(),
                config.workload(),
                config.script(),
                config.reportUsage(),
                config.nodeFailure(),
                ledger::add);
        ledger.add(LedgerEntry.event(cluster.now(), Effect.OPEN, "", config.fingerprint()));
        cluster.settle();
    }

    /** Returns a way to this machine, for one connector. */
    public ResourceManager connect() {
        return new Connection();
    }

    /** Returns what the ledger says happened so far, and whether it can have happened. */
    public LedgerReport report() {
        return report(Set.of());
    }

    /** Likewise, where the users of the jobs {@code resized} asked for another size after they had submitted them. */
    public LedgerReport report(Set<String> resized) {
        return LedgerReport.of(ledger, resized);
    }

    /** Returns the ids of the commands that were answered, refusals included, in order. */
    public List<String> answeredCommands() {
        return ledger.stream()
                .filter(entry -> entry.effect().answersCommand())
                .map(LedgerEntry::commandId)
                .toList();
    }

    /** Returns the ledger as text, a line an entry. */
    public List<String> lines() {
        return ledger.stream().map(LedgerEntry::toString).toList();
    }

    private final class Connection implements ResourceManager {
        @Override
        public RmCapabilities capabilities() {
            return SimulatedResourceManager.CAPABILITIES;
        }

        @Override
        public Instant now() {
            cluster.advanceTo(seconds.getAsLong());
            return cluster.instant(cluster.now());
        }

        @Override
        public Poll poll() {
            Instant now = now();
            cluster.polled();
            return new Poll(now, cluster.nodeReports(), cluster.jobReports());
        }

        @Override
        public CommandCheck lookup(RmCommand command) {
            return cluster.answerTo(command.getCommandId())
                    .map(CommandCheck::answered)
                    .orElseGet(CommandCheck::notDone);
        }

        @Override
        public RmAnswer execute(RmCommand command) {
            cluster.advanceTo(seconds.getAsLong());
            return cluster.execute(command);
        }

        @Override
        public void close() {
            // The machine stays.
        }
    }
}

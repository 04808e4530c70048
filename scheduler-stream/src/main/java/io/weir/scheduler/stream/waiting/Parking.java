package io.weir.scheduler.stream.waiting;

import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.state.ParkedFact;
import io.weir.scheduler.stream.store.Stores;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeAllocation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Facts of one cluster that wait, in order of arrival: reports of jobs on nodes nobody has reported yet, later reports of
 * those jobs, and facts whose epoch is not open yet. All of them are in the store. One thread.
 */
public final class Parking {
    /** Facts that wait at most. */
    private static final int MOST = 20_000;

    /** Bytes that they have together at most. */
    private static final long MOST_BYTES = 64L << 20;

    /**
     * One part in so many of this room is for facts whose epoch is not open: an epoch that never opens leaves the reports of
     * other connectors their room.
     */
    private static final int EPOCH_PART = 2;

    private static final SortedSet<Long> NONE = Collections.emptySortedSet();

    private final String cluster;
    private final Stores stores;
    private final SortedMap<Long, Parked> parked = new TreeMap<>();
    /** Waiting reports by job. */
    private final Map<String, SortedSet<Long>> byJob = new TreeMap<>();
    /** Waiting reports by a node they name. */
    private final Map<String, SortedSet<Long>> byNode = new TreeMap<>();

    private long lastNumber;
    private long bytes;
    private int awaitingEpoch;
    private long bytesAwaitingEpoch;

    public Parking(String cluster, Stores stores) {
        this.cluster = cluster;
        this.stores = stores;
    }

    /** Takes up again what the store held. */
    public void restore(ParkedFact stored, Input input, Fact fact) {
        index(new Parked(stored.getNumber(), input, fact, stored.getSequence(), stored.getAwaitsEpoch()));
    }

    /**
     * Returns whether {@code input} finds room among those that wait.
     *
     * @param awaitsEpoch whether it waits for its epoch, or else for nodes
     */
    public boolean hasRoom(Input input, boolean awaitsEpoch) {
        return parked.size() < MOST
                && bytes + input.size() <= MOST_BYTES
                && (!awaitsEpoch
                        || (awaitingEpoch < MOST / EPOCH_PART
                                && bytesAwaitingEpoch + input.size() <= MOST_BYTES / EPOCH_PART));
    }

    /** Parks a fact. */
    public void park(Input input, Fact fact, long sequence, boolean awaitsEpoch) {
        Parked entry = new Parked(lastNumber + 1, input, fact, sequence, awaitsEpoch);
        index(entry);
        stores.put(new ParkedFact(
                cluster,
                entry.number(),
                fact.connector(),
                fact.epoch(),
                sequence,
                awaitsEpoch,
                WaitingInputs.store(input)));
    }

    /** Says whether reports of {@code jobId} wait for nodes, so that later ones have to wait behind them. */
    public boolean isWaiting(String jobId) {
        return byJob.containsKey(jobId);
    }

    public boolean isEmpty() {
        return parked.isEmpty();
    }

    public int size() {
        return parked.size();
    }

    /** Returns the jobs with a waiting report that names {@code nodeId}, by order of arrival. */
    public List<String> jobsNaming(String nodeId) {
        Set<String> found = new LinkedHashSet<>();
        for (long number : byNode.getOrDefault(nodeId, NONE)) {
            if (entry(number).fact().record() instanceof JobReport job) {
                found.add(job.getJobId());
            }
        }
        return new ArrayList<>(found);
    }

    /** Returns the waiting reports of {@code jobId} in order of arrival. */
    public List<Parked> reportsOf(String jobId) {
        return byJob.getOrDefault(jobId, NONE).stream().map(this::entry).toList();
    }

    /** Returns what waits and is {@code wanted}, in order of arrival. */
    public List<Parked> list(Predicate<Parked> wanted) {
        return parked.values().stream().filter(wanted).toList();
    }

    /** Lets an entry go; the caller applies or drops it. */
    public void remove(Parked entry) {
        parked.remove(entry.number());
        bytes -= entry.input().size();
        if (entry.awaitsEpoch()) {
            awaitingEpoch--;
            bytesAwaitingEpoch -= entry.input().size();
        }
        stores.deleteParked(cluster, entry.number());
        if (!entry.awaitsEpoch() && entry.fact().record() instanceof JobReport job) {
            byJob.computeIfPresent(job.getJobId(), (id, numbers) -> without(numbers, entry.number()));
            for (NodeAllocation node : job.getAllocation()) {
                byNode.computeIfPresent(node.getNodeId(), (id, numbers) -> without(numbers, entry.number()));
            }
        }
    }

    private Parked entry(long number) {
        return Objects.requireNonNull(parked.get(number), "index of parked facts");
    }

    private static @Nullable SortedSet<Long> without(SortedSet<Long> numbers, long number) {
        numbers.remove(number);
        return numbers.isEmpty() ? null : numbers;
    }

    private void index(Parked entry) {
        lastNumber = Math.max(lastNumber, entry.number());
        parked.put(entry.number(), entry);
        bytes += entry.input().size();
        if (entry.awaitsEpoch()) {
            awaitingEpoch++;
            bytesAwaitingEpoch += entry.input().size();
        }
        if (!entry.awaitsEpoch() && entry.fact().record() instanceof JobReport job) {
            byJob.computeIfAbsent(job.getJobId(), id -> new TreeSet<>()).add(entry.number());
            for (NodeAllocation node : job.getAllocation()) {
                byNode.computeIfAbsent(node.getNodeId(), id -> new TreeSet<>()).add(entry.number());
            }
        }
    }

    /**
     * A waiting fact.
     *
     * @param number order of arrival
     * @param sequence its number on its topic; 0 without a connector
     * @param awaitsEpoch whether it waits for its epoch, or else for nodes
     */
    public record Parked(long number, Input input, Fact fact, long sequence, boolean awaitsEpoch) {
        public boolean isOf(String connector) {
            return connector.equals(fact.connector());
        }
    }
}

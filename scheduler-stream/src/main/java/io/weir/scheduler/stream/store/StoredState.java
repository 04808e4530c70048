package io.weir.scheduler.stream.store;

import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.state.ConnectorIntake;
import io.weir.scheduler.state.DelayedInput;
import io.weir.scheduler.state.JournalStatus;
import io.weir.scheduler.state.ParkedFact;
import io.weir.scheduler.state.PartitionIntake;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the stores of a task held when it was initialised; filled by {@link Stores#load}. */
public final class StoredState {
    private final SortedMap<String, OfCluster> clusters = new TreeMap<>();
    private PartitionIntake partition;

    StoredState(PartitionIntake partition) {
        this.partition = partition;
    }

    /** Returns how far the partition has come. */
    public PartitionIntake partition() {
        return partition;
    }

    public void partition(PartitionIntake stored) {
        partition = stored;
    }

    /** Returns the state of {@code cluster}, which may be one that is no longer configured. */
    public OfCluster of(String cluster) {
        return clusters.computeIfAbsent(cluster, OfCluster::new);
    }

    /** Returns the clusters of which the stores held anything. */
    public SortedSet<String> held() {
        return clusters.values().stream()
                .filter(OfCluster::isHeld)
                .map(OfCluster::cluster)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What the stores held of one cluster. */
    public static final class OfCluster {
        private final String cluster;
        private final List<Change> entities = new ArrayList<>();
        private final List<ConnectorIntake> connectors = new ArrayList<>();
        private final List<ParkedFact> parked = new ArrayList<>();
        private final List<DelayedInput> delayed = new ArrayList<>();
        private @Nullable JournalStatus journal;

        OfCluster(String cluster) {
            this.cluster = cluster;
        }

        public String cluster() {
            return cluster;
        }

        private boolean isHeld() {
            return journal != null
                    || !entities.isEmpty()
                    || !connectors.isEmpty()
                    || !parked.isEmpty()
                    || !delayed.isEmpty();
        }

        public List<Change> entities() {
            return entities;
        }

        public List<ConnectorIntake> connectors() {
            return connectors;
        }

        /** Parked facts in order of arrival. */
        public List<ParkedFact> parked() {
            return parked;
        }

        /** Inputs that wait to be decoded, in order of arrival. */
        public List<DelayedInput> delayed() {
            return delayed;
        }

        @Nullable
        public JournalStatus journal() {
            return journal;
        }

        public void journal(JournalStatus status) {
            journal = status;
        }
    }
}

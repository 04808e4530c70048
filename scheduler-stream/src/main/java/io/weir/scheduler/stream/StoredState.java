package io.weir.scheduler.stream;

import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.state.ConnectorIntake;
import io.weir.scheduler.state.DelayedInput;
import io.weir.scheduler.state.JournalStatus;
import io.weir.scheduler.state.ParkedFact;
import io.weir.scheduler.state.PartitionIntake;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the stores of a task held when it was initialised; filled by {@link Stores#load}. */
final class StoredState {
    private final SortedMap<String, OfCluster> clusters = new TreeMap<>();
    private PartitionIntake partition;

    StoredState(PartitionIntake partition) {
        this.partition = partition;
    }

    /** Returns how far the partition has come. */
    PartitionIntake partition() {
        return partition;
    }

    void partition(PartitionIntake stored) {
        partition = stored;
    }

    /** Returns the state of {@code cluster}, which may be one that is no longer configured. */
    OfCluster of(String cluster) {
        return clusters.computeIfAbsent(cluster, OfCluster::new);
    }

    /** What the stores held of one cluster. */
    static final class OfCluster {
        private final String cluster;
        private final List<Change> entities = new ArrayList<>();
        private final List<ConnectorIntake> connectors = new ArrayList<>();
        private final List<ParkedFact> parked = new ArrayList<>();
        private final List<DelayedInput> delayed = new ArrayList<>();
        private @Nullable JournalStatus journal;

        OfCluster(String cluster) {
            this.cluster = cluster;
        }

        String cluster() {
            return cluster;
        }

        List<Change> entities() {
            return entities;
        }

        List<ConnectorIntake> connectors() {
            return connectors;
        }

        /** Parked facts in order of arrival. */
        List<ParkedFact> parked() {
            return parked;
        }

        /** Inputs that wait to be decoded, in order of arrival. */
        List<DelayedInput> delayed() {
            return delayed;
        }

        @Nullable
        JournalStatus journal() {
            return journal;
        }

        void journal(JournalStatus status) {
            journal = status;
        }
    }
}

package io.weir.scheduler.audit;

import io.weir.scheduler.audit.JournalReader.Applied;
import io.weir.scheduler.audit.JournalReader.Closed;
import io.weir.scheduler.audit.JournalReader.Item;
import io.weir.scheduler.audit.SnapshotTopic.Entry;
import io.weir.scheduler.audit.snapshot.Snapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which snapshot the audit of each cluster begins at: where the first records of its journal have expired, the oldest that the
 * rest continues; where it is to begin late, the newest. Thread-safe.
 */
final class SnapshotStarts {
    private final SnapshotTopic topic;
    private final boolean late;
    private final long fromIteration;
    private final List<RecordLog.Corrupt> corrupt;
    private final Map<String, Optional<Snapshot>> starts = new HashMap<>();

    /**
     * Chooses among the snapshots of {@code topic}.
     *
     * @param late whether to begin at the newest, though the journal reaches further back
     * @param fromIteration first iteration to compare: no snapshot of it or of a later one serves
     * @param corrupt where snapshots that cannot be read are added
     */
    SnapshotStarts(SnapshotTopic topic, boolean late, long fromIteration, List<RecordLog.Corrupt> corrupt) {
        this.topic = topic;
        this.late = late;
        this.fromIteration = fromIteration;
        this.corrupt = corrupt;
    }

    /**
     * Returns the snapshot to begin at.
     *
     * @param first the first that the journal holds of its cluster
     * @param cut whether something came before it that has expired
     */
    synchronized Optional<Snapshot> of(Item first, boolean cut) {
        if (!cut && !late) {
            return Optional.empty();
        }
        return starts.computeIfAbsent(first.cluster(), cluster -> choose(cluster, first));
    }

    private Optional<Snapshot> choose(String cluster, Item first) {
        List<Entry> entries = new ArrayList<>(topic.of(cluster));
        if (late) {
            Collections.reverse(entries);
        }
        for (Entry entry : entries) {
            boolean serves = !late || fromIteration == 1 || entry.iteration() < fromIteration;
            if (serves && isContinued(entry, first)) {
                try {
                    return Optional.of(topic.read(entry));
                } catch (IOException e) {
                    corrupt.add(new RecordLog.Corrupt(
                            entry.partition(),
                            entry.from(),
                            entry.to(),
                            "the snapshot behind iteration " + entry.iteration() + ": " + e.getMessage()));
                }
            }
        }
        return Optional.empty();
    }

    /** Says whether nothing is missing between a snapshot and a journal that begins with {@code first}. */
    private static boolean isContinued(Entry entry, Item first) {
        if (first instanceof Applied applied) {
            return applied.entry().sequence() <= entry.sequence() + 1;
        }
        if (first instanceof Closed closed) {
            return closed.iteration().getNumber() <= entry.iteration()
                    || (closed.iteration().getNumber() == entry.iteration() + 1
                            && closed.iteration().getLastInput() == entry.sequence());
        }
        return false;
    }

    /** Says whether an item of the journal lies before the place of a snapshot, as far as it can be told. */
    static boolean covers(Snapshot snapshot, Item item) {
        if (item instanceof Applied applied) {
            return applied.entry().sequence() <= snapshot.sequence();
        }
        return !(item instanceof Closed closed) || closed.iteration().getNumber() <= snapshot.iteration();
    }
}

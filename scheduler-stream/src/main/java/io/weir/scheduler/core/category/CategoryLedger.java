package io.weir.scheduler.core.category;

import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.scheduler.core.policy.node.CategorySettings;
import io.weir.scheduler.state.CategoryRecord;
import io.weir.scheduler.state.CategoryTotals;
import io.weir.schemas.CategoryInterval;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The categories of the nodes whose history is kept, what was spent in each, and which nodes have to be looked at again.
 * Owned by the core's thread.
 */
public final class CategoryLedger {
    /** By node; iterated only to sort. */
    private final Map<String, CategoryTrack> tracks = new LinkedHashMap<>();

    private final CategorySums sums = new CategorySums();
    private final SortedSet<String> touched = new TreeSet<>();
    private final SortedSet<String> unstored = new TreeSet<>();
    private boolean sumsUnstored;
    private boolean following;

    /** Settings in force; null before they are known. */
    private @Nullable CategorySettings settings;

    /** Whether every node has to be looked at. */
    private boolean allTouched = true;

    /** Takes over the policy in force at {@code now}; {@code follows} when it keeps the history of some node. */
    public void configure(CategorySettings changed, boolean follows, long now) {
        CategorySettings before = settings;
        if (before != null && !before.labels().equals(changed.labels())) {
            sums.charge(before.labels(), now);
            sumsUnstored = true;
        }
        settings = changed;
        following = follows;
        allTouched = true;
    }

    /** Returns whether there is anything to follow. */
    public boolean isIdle() {
        return !following && tracks.isEmpty();
    }

    /** Says that something changed of which the category of {@code node} may follow. */
    public void touch(String node) {
        if (!allTouched && !isIdle()) {
            touched.add(node);
        }
    }

    /** Returns whether every node has to be looked at, and not {@link #touched} alone. */
    public boolean allTouched() {
        return allTouched;
    }

    /** Returns the nodes to be looked at, sorted. */
    public SortedSet<String> touched() {
        return Collections.unmodifiableSortedSet(touched);
    }

    /** Says that all nodes that had to be were looked at. */
    public void looked() {
        touched.clear();
        allTouched = false;
    }

    /** Goes on to {@code now}, before any category changes then. */
    public void advance(long now) {
        CategorySettings inForce = settings == null ? CategorySettings.DEFAULT : settings;
        sumsUnstored |= sums.advance(now, inForce.intervalSeconds());
    }

    /**
     * Puts {@code node} into a category from {@code now} on, unless it is in it.
     *
     * @return the interval that ended; null when none did
     */
    public @Nullable CategoryInterval follow(
            String cluster, String node, CategoryFinding finding, int processors, long now, long iteration) {
        CategoryTrack track = tracks.get(node);
        if (track == null) {
            CategoryTrack begun = new CategoryTrack(finding, processors, now);
            tracks.put(node, begun);
            sums.begin(begun);
            sums.entered(finding.category(), begun.isFailureAfter(null));
            changed(node);
            return null;
        }
        CategoryFinding before = track.finding();
        if (before.category() == finding.category()
                && before.source() == finding.source()
                && track.processors() == processors) {
            return null;
        }
        CategoryInterval ended = interval(cluster, node, track, finding.category(), now, iteration);
        sums.end(track, now);
        track.turn(finding, processors, now);
        sums.begin(track);
        if (before.category() != finding.category()) {
            sums.entered(finding.category(), track.isFailureAfter(before.category()));
        }
        changed(node);
        return ended;
    }

    /** Follows {@code node} no longer, and returns the interval that ended; null when it was not followed. */
    public @Nullable CategoryInterval forget(String cluster, String node, long now, long iteration) {
        CategoryTrack track = tracks.remove(node);
        if (track == null) {
            return null;
        }
        sums.end(track, now);
        changed(node);
        return interval(cluster, node, track, null, now, iteration);
    }

    private void changed(String node) {
        unstored.add(node);
        sumsUnstored = true;
    }

    /** Returns the interval of {@code track} as it ends; null for one that lasted no time. */
    private static @Nullable CategoryInterval interval(
            String cluster, String node, CategoryTrack track, @Nullable NodeCategory next, long now, long iteration) {
        if (now <= track.since()) {
            return null;
        }
        CategoryFinding finding = track.finding();
        return CategoryInterval.newBuilder()
                .setCluster(cluster)
                .setNodeId(node)
                .setCategory(finding.category().label())
                .setCategoryClass(finding.category().categoryClass())
                .setFrom(Instant.ofEpochSecond(track.since()))
                .setTo(Instant.ofEpochSecond(now))
                .setSeconds(now - track.since())
                .setProcessors(track.processors())
                .setSource(finding.source())
                .setCause(finding.cause())
                .setRule(finding.rule())
                .setNext(next == null ? null : next.label())
                .setIteration(iteration)
                .build();
    }

    /** Begins the statistics of {@code node} anew at {@code now}; its history goes on, and so does what all nodes spent. */
    public void clear(String node, long now) {
        CategoryTrack track = tracks.get(node);
        if (track != null) {
            track.clear(now);
            changed(node);
        }
    }

    /** Returns what is known of {@code node}; null when it is not followed. */
    public @Nullable CategoryTrack track(String node) {
        return tracks.get(node);
    }

    /** Returns how many nodes are followed. */
    public int size() {
        return tracks.size();
    }

    /** Returns what all nodes spent together. */
    public CategorySums sums() {
        return sums;
    }

    /** Returns what was charged to each label until {@code now}, sorted by label. */
    public SortedMap<String, CategorySums.Amount> credits(long now) {
        CategorySettings inForce = settings == null ? CategorySettings.DEFAULT : settings;
        return sums.credits(inForce.labels(), now);
    }

    /** Takes over a stored record of a node. */
    public void restore(CategoryRecord record) {
        CategoryTrack track = CategoryTrack.from(record);
        tracks.put(record.getNodeId(), track);
        sums.begin(track);
        allTouched = true;
    }

    /** Takes over the stored sums. */
    public void restore(CategoryTotals totals) {
        sums.restore(totals);
        allTouched = true;
    }

    /** Returns the record of {@code node}; null when it is not followed. */
    public @Nullable CategoryRecord toRecord(String cluster, String node) {
        CategoryTrack track = tracks.get(node);
        return track == null ? null : track.toRecord(cluster, node);
    }

    /** Returns the record of the sums; null when there are none. */
    public @Nullable CategoryTotals totals(String cluster) {
        return sums.toRecord(cluster);
    }

    /** Returns the nodes that are followed, sorted. */
    public List<String> ids() {
        return tracks.keySet().stream().sorted().toList();
    }

    /** Returns the nodes whose record changed since the last call, sorted. */
    public List<String> drain() {
        List<String> ids = List.copyOf(unstored);
        unstored.clear();
        return ids;
    }

    /** Has the next {@link #drain} and {@link #drainSums} begin with what changes from here on. */
    public void forgetChanges() {
        unstored.clear();
        sumsUnstored = false;
    }

    /** Returns whether the sums changed since the last call. */
    public boolean drainSums() {
        boolean changed = sumsUnstored;
        sumsUnstored = false;
        return changed;
    }
}

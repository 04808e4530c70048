package io.weir.scheduler.core.category;

import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.scheduler.state.CategoryRecord;
import io.weir.scheduler.state.CategoryTally;
import io.weir.schemas.CategorySource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The category one node is in, and what it has spent in each since it is followed. Its intervals follow each other without
 * gap or overlap. Times are epoch seconds.
 */
public final class CategoryTrack {
    private long trackedSince;
    private final Map<NodeCategory, Spent> spent = new EnumMap<>(NodeCategory.class);
    private CategoryFinding finding;
    private long since;
    private int processors;
    private long failures;

    private static final class Spent {
        private long seconds;
        private long entries;
        private long lastEntered;
    }

    CategoryTrack(CategoryFinding finding, int processors, long now) {
        this.trackedSince = now;
        this.finding = finding;
        this.processors = processors;
        this.since = now;
        enter(null);
    }

    private CategoryTrack(CategoryRecord record, NodeCategory category) {
        trackedSince = record.getTrackedSince();
        finding = new CategoryFinding(
                category, CategorySource.valueOf(record.getSource()), record.getCause(), record.getRule());
        since = record.getSince();
        processors = record.getProcessors();
        failures = record.getFailures();
        for (CategoryTally tally : record.getTallies()) {
            Spent known = spent(category(tally.getCategory()));
            known.seconds = tally.getSeconds();
            known.entries = tally.getEntries();
            known.lastEntered = tally.getLastEntered();
        }
    }

    static CategoryTrack from(CategoryRecord record) {
        return new CategoryTrack(record, category(record.getCategory()));
    }

    static NodeCategory category(String label) {
        NodeCategory category = NodeCategory.of(label);
        if (category == null) {
            throw new IllegalArgumentException("'" + label + "' is no category that this build knows");
        }
        return category;
    }

    CategoryRecord toRecord(String cluster, String node) {
        List<CategoryTally> tallies = new ArrayList<>(spent.size());
        spent.forEach((category, known) ->
                tallies.add(new CategoryTally(category.label(), known.seconds, known.entries, known.lastEntered)));
        return new CategoryRecord(
                cluster,
                node,
                finding.category().label(),
                since,
                processors,
                finding.source().name(),
                finding.cause(),
                finding.rule(),
                trackedSince,
                failures,
                tallies);
    }

    /** Ends the interval under way and begins the next. */
    void turn(CategoryFinding next, int nextProcessors, long now) {
        NodeCategory before = finding.category();
        spent(before).seconds += now - since;
        finding = next;
        processors = nextProcessors;
        since = now;
        if (next.category() != before) {
            enter(before);
        }
    }

    /** Begins the statistics anew; the interval under way goes on. */
    void clear(long now) {
        trackedSince = now;
        failures = 0;
        spent.clear();
        Spent present = spent(finding.category());
        present.seconds = since - now;
        present.entries = 1;
        present.lastEntered = since;
    }

    private void enter(@Nullable NodeCategory before) {
        Spent entered = spent(finding.category());
        entered.entries++;
        entered.lastEntered = since;
        if (isFailureAfter(before)) {
            failures++;
        }
    }

    /** Returns whether the present category is a failure and the one before was none. */
    boolean isFailureAfter(@Nullable NodeCategory before) {
        return finding.category().isFailure() && (before == null || !before.isFailure());
    }

    private Spent spent(NodeCategory category) {
        return spent.computeIfAbsent(category, c -> new Spent());
    }

    /** Returns the category it is in, with what is known of the cause. */
    public CategoryFinding finding() {
        return finding;
    }

    /** Returns when it entered the category it is in, processors aside. */
    public long entered() {
        return spent(finding.category()).lastEntered;
    }

    /** Returns since when it is followed. */
    public long trackedSince() {
        return trackedSince;
    }

    /** Returns how often it failed, coming from a category that is no failure. */
    public long failures() {
        return failures;
    }

    long since() {
        return since;
    }

    int processors() {
        return processors;
    }

    /** Returns the seconds spent until {@code now} in each category that it was in, in order of rank. */
    public SortedMap<NodeCategory, Long> seconds(long now) {
        SortedMap<NodeCategory, Long> seconds = new TreeMap<>();
        spent.forEach((category, known) -> seconds.put(category, known.seconds));
        seconds.merge(finding.category(), now - since, Long::sum);
        return Collections.unmodifiableSortedMap(seconds);
    }

    /** Returns how often it entered {@code category}. */
    public long entries(NodeCategory category) {
        Spent known = spent.get(category);
        return known == null ? 0 : known.entries;
    }

    /** Returns how it fared until {@code now}. */
    public Reliability reliability(long now) {
        return Reliability.of(seconds(now), failures);
    }
}

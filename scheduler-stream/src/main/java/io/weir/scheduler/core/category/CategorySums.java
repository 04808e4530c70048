package io.weir.scheduler.core.category;

import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.scheduler.state.CategoryCredit;
import io.weir.scheduler.state.CategorySum;
import io.weir.scheduler.state.CategoryTotals;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes of a cluster have spent in each category, those that are gone included, and what labels were charged of
 * it. What intervals under way add is worked out from their number and the sum of their beginnings, so that no question
 * costs a scan. Sums wrap beyond 64 bits, which no cluster of real nodes comes near.
 */
public final class CategorySums {
    /** Labels that are remembered; what further ones would be charged is not. */
    private static final int MOST_LABELS = 256;

    private final Map<NodeCategory, Sum> sums = new EnumMap<>(NodeCategory.class);
    private final SortedMap<String, Amount> credits = new TreeMap<>();
    private long since;
    private long intervalStart;
    private long lastSeconds;
    private boolean begun;

    /**
     * Time of nodes.
     *
     * @param nodeSeconds node-seconds
     * @param procSeconds processor-seconds
     */
    public record Amount(long nodeSeconds, long procSeconds) {
        static final Amount NONE = new Amount(0, 0);

        Amount plus(Amount other) {
            return new Amount(nodeSeconds + other.nodeSeconds, procSeconds + other.procSeconds);
        }

        Amount minus(Amount other) {
            return new Amount(nodeSeconds - other.nodeSeconds, procSeconds - other.procSeconds);
        }
    }

    private static final class Sum {
        private Amount finished = Amount.NONE;
        private Amount credited = Amount.NONE;
        private Amount atStart = Amount.NONE;
        private Amount last = Amount.NONE;
        private long entries;
        private long failures;

        /** Intervals under way: how many, their processors, and their beginnings added up, once weighted. */
        private long nodes;

        private long processors;
        private long beginnings;
        private long weightedBeginnings;

        Amount until(long now) {
            return new Amount(
                    finished.nodeSeconds + nodes * now - beginnings,
                    finished.procSeconds + processors * now - weightedBeginnings);
        }

        void under(CategoryTrack track, int sign) {
            nodes += sign;
            processors += sign * (long) track.processors();
            beginnings += sign * track.since();
            weightedBeginnings += sign * track.since() * track.processors();
        }
    }

    void restore(CategoryTotals totals) {
        begun = true;
        since = totals.getSince();
        intervalStart = totals.getIntervalStart();
        lastSeconds = totals.getLastSeconds();
        for (CategorySum stored : totals.getSums()) {
            Sum sum = sum(CategoryTrack.category(stored.getCategory()));
            sum.finished = new Amount(stored.getNodeSeconds(), stored.getProcSeconds());
            sum.entries = stored.getEntries();
            sum.failures = stored.getFailures();
            sum.credited = new Amount(stored.getCreditedNodeSeconds(), stored.getCreditedProcSeconds());
            sum.atStart = new Amount(stored.getStartNodeSeconds(), stored.getStartProcSeconds());
            sum.last = new Amount(stored.getLastNodeSeconds(), stored.getLastProcSeconds());
        }
        totals.getCredits()
                .forEach(credit ->
                        credits.put(credit.getLabel(), new Amount(credit.getNodeSeconds(), credit.getProcSeconds())));
    }

    @Nullable
    CategoryTotals toRecord(String cluster) {
        if (!begun) {
            return null;
        }
        List<CategorySum> records = new ArrayList<>(sums.size());
        sums.forEach((category, sum) -> records.add(new CategorySum(
                category.label(),
                sum.finished.nodeSeconds,
                sum.finished.procSeconds,
                sum.entries,
                sum.failures,
                sum.credited.nodeSeconds,
                sum.credited.procSeconds,
                sum.atStart.nodeSeconds,
                sum.atStart.procSeconds,
                sum.last.nodeSeconds,
                sum.last.procSeconds)));
        List<CategoryCredit> labels = new ArrayList<>(credits.size());
        credits.forEach(
                (label, amount) -> labels.add(new CategoryCredit(label, amount.nodeSeconds, amount.procSeconds)));
        return new CategoryTotals(cluster, since, intervalStart, lastSeconds, records, labels);
    }

    /** Counts an interval that begins: that of {@code track}. */
    void begin(CategoryTrack track) {
        sum(track.finding().category()).under(track, 1);
    }

    /** Ends the interval of {@code track} at {@code now}. */
    void end(CategoryTrack track, long now) {
        Sum sum = sum(track.finding().category());
        sum.under(track, -1);
        long seconds = now - track.since();
        sum.finished = sum.finished.plus(new Amount(seconds, seconds * track.processors()));
    }

    void entered(NodeCategory category, boolean failure) {
        Sum sum = sum(category);
        sum.entries++;
        sum.failures += failure ? 1 : 0;
    }

    /** Goes over to the report interval that {@code now} lies in, and returns whether that is another. */
    boolean advance(long now, long intervalSeconds) {
        long start = Math.floorDiv(now, intervalSeconds) * intervalSeconds;
        if (!begun) {
            begun = true;
            since = now;
            intervalStart = now;
            return true;
        }
        if (start <= intervalStart) {
            return false;
        }
        // Categories changed with iterations alone: at any instant since the last one they were what they are now.
        long begins = Math.max(intervalStart, start - intervalSeconds);
        for (Sum sum : sums.values()) {
            Amount before = begins == intervalStart ? sum.atStart : sum.until(begins);
            sum.last = sum.until(start).minus(before);
            sum.atStart = sum.until(start);
        }
        lastSeconds = start - begins;
        intervalStart = start;
        return true;
    }

    /** Charges what was spent until {@code now} to the labels that {@code labels} gives categories. */
    void charge(SortedMap<NodeCategory, String> labels, long now) {
        sums.forEach((category, sum) -> {
            Amount due = sum.until(now).minus(sum.credited);
            sum.credited = sum.until(now);
            String label = labels.get(category);
            if (label != null && (credits.containsKey(label) || credits.size() < MOST_LABELS)) {
                credits.merge(label, due, Amount::plus);
            }
        });
    }

    /** Returns what was charged to each label until {@code now}, sorted by label. */
    SortedMap<String, Amount> credits(SortedMap<NodeCategory, String> labels, long now) {
        SortedMap<String, Amount> charged = new TreeMap<>(credits);
        labels.forEach((category, label) -> {
            Sum sum = sums.get(category);
            charged.merge(label, sum == null ? Amount.NONE : sum.until(now).minus(sum.credited), Amount::plus);
        });
        return charged;
    }

    private Sum sum(NodeCategory category) {
        return sums.computeIfAbsent(category, c -> new Sum());
    }

    /**
     * What nodes spent in one category.
     *
     * @param category the category
     * @param nodes nodes in it now
     * @param all time since categories are kept
     * @param interval of it, time within the present report interval
     * @param lastInterval time within the one before
     * @param entries how often a node entered it
     */
    public record Line(
            NodeCategory category, long nodes, Amount all, Amount interval, Amount lastInterval, long entries) {}

    /** Returns what was spent until {@code now}, in order of rank; categories that no node was in are left out. */
    public List<Line> lines(long now) {
        List<Line> lines = new ArrayList<>(sums.size());
        sums.forEach((category, sum) -> lines.add(new Line(
                category, sum.nodes, sum.until(now), sum.until(now).minus(sum.atStart), sum.last, sum.entries)));
        return lines;
    }

    /** Returns how reliable all nodes together were until {@code now}. */
    public Reliability reliability(long now) {
        SortedMap<NodeCategory, Long> seconds = new TreeMap<>();
        long failures = 0;
        for (Map.Entry<NodeCategory, Sum> entry : sums.entrySet()) {
            seconds.put(entry.getKey(), entry.getValue().until(now).nodeSeconds);
            failures += entry.getValue().failures;
        }
        return Reliability.of(seconds, failures);
    }

    /** Returns since when categories are kept, epoch seconds; 0 when none were. */
    public long since() {
        return since;
    }

    /** Returns when the present report interval began, epoch seconds; 0 when no categories are kept. */
    public long intervalStart() {
        return intervalStart;
    }

    /** Returns how long the last report interval was, in seconds; 0 when there was none. */
    public long lastSeconds() {
        return lastSeconds;
    }
}

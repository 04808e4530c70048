package io.weir.scheduler.core.event;

import io.weir.scheduler.core.placement.priority.NodePriorityComponent;
import io.weir.scheduler.core.placement.priority.PriorityFunction;
import io.weir.scheduler.core.policy.language.ObjectSettings;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyProblem.Kind;
import io.weir.scheduler.core.policy.language.PolicySettings;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of nodes that the scheduler is told of: those that a node priority function weighs, and those of GMETRICCFG.
 * Immutable.
 *
 * @param byName by metric
 */
public record ForwardedMetrics(SortedMap<String, ForwardedMetric> byName) {
    /** Most metrics of a configuration; those behind are reported and left out. */
    public static final int MOST = 32;

    /** No metrics. */
    public static final ForwardedMetrics NONE = new ForwardedMetrics(Collections.emptySortedMap());

    private static final String PARAMETER = "GMETRICCFG";

    public ForwardedMetrics {
        byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
    }

    /**
     * Takes the metrics out of {@code settings}, and reports there those that are too many.
     *
     * @param functions the priority functions of nodes, as written
     */
    public static ForwardedMetrics of(PolicySettings settings, Collection<String> functions) {
        SortedMap<String, ForwardedMetric> metrics = new TreeMap<>();
        for (ObjectSettings metric : settings.objects(PARAMETER)) {
            if (metrics.size() == MOST) {
                report(settings, metric);
            } else {
                metrics.put(metric.id(), forwarded(metric));
            }
        }
        for (String text : functions) {
            PriorityFunction function = PriorityFunction.read(text).function();
            if (function != null) {
                for (PriorityFunction.Term term : function.terms()) {
                    boolean weighed = term.component() == NodePriorityComponent.GMETRIC;
                    if (weighed && metrics.size() < MOST) {
                        metrics.computeIfAbsent(term.index(), ForwardedMetric::usual);
                    }
                }
            }
        }
        return new ForwardedMetrics(metrics);
    }

    private static ForwardedMetric forwarded(ObjectSettings metric) {
        double resolution = metric.decimal("RESOLUTION");
        return new ForwardedMetric(
                metric.id(),
                metric.seconds("SMOOTHING"),
                resolution > 0 ? Double.valueOf(resolution) : null,
                Math.max(ForwardedMetric.LEAST_INTERVAL, metric.seconds("INTERVAL")));
    }

    private static void report(PolicySettings settings, ObjectSettings metric) {
        String first = metric.writtenNames().isEmpty()
                ? "RESOLUTION"
                : metric.writtenNames().get(0);
        Origin origin = metric.origin(first);
        if (origin != null) {
            settings.report(
                    Kind.BAD_VALUE,
                    origin,
                    PARAMETER + "[" + metric.id() + "]",
                    "'" + metric.id() + "' is left out: the scheduler is told of " + MOST + " metrics already");
        }
    }

    /** Returns how {@code metric} is told; null when it is not. */
    public @Nullable ForwardedMetric find(String metric) {
        return byName.get(metric);
    }
}

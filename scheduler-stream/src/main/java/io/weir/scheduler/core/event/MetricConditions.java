package io.weir.scheduler.core.event;

import io.weir.scheduler.core.policy.language.ObjectSettings;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyProblem.Kind;
import io.weir.scheduler.core.policy.language.PolicySettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The conditions on metrics that a configuration states. Immutable.
 *
 * @param byMetric conditions by the metric they are about, in the order of the text
 */
public record MetricConditions(SortedMap<String, List<MetricCondition>> byMetric) {
    /** Most conditions of a configuration; those behind are reported and left out. */
    public static final int MOST = 1_000;

    /** No conditions. */
    public static final MetricConditions NONE = new MetricConditions(Collections.emptySortedMap());

    private static final String PARAMETER = "GEVENTCFG";

    public MetricConditions {
        byMetric = Collections.unmodifiableSortedMap(new TreeMap<>(byMetric));
    }

    /** Takes the conditions out of {@code settings}, and reports there what is none. */
    public static MetricConditions of(PolicySettings settings) {
        List<MetricCondition> conditions = new ArrayList<>();
        for (ObjectSettings event : settings.objects(PARAMETER)) {
            if (!MetricCondition.looksLikeOne(event.id())) {
                continue;
            }
            MetricCondition condition = MetricCondition.of(
                            event.id(), event.decimal("HYSTERESIS"), event.seconds("SMOOTHING"), event.seconds("REARM"))
                    .orElse(null);
            if (condition == null) {
                report(
                        settings,
                        event,
                        "is no condition on a metric; write metric, operator and number, as in temp>=50");
            } else if (conditions.size() == MOST) {
                report(settings, event, "is left out: there are " + MOST + " conditions on metrics already");
            } else {
                conditions.add(condition);
            }
        }
        return new MetricConditions(conditions.stream()
                .collect(Collectors.groupingBy(MetricCondition::metric, TreeMap::new, Collectors.toList())));
    }

    /** Returns the condition of {@code name}, as it is written; empty when there is none. */
    public Optional<MetricCondition> find(String name) {
        return byMetric.values().stream()
                .flatMap(List::stream)
                .filter(condition -> condition.name().equals(name))
                .findFirst();
    }

    /** Returns these conditions and those that thresholds of triggers are, by their {@code names}. */
    public MetricConditions and(Set<String> names) {
        Set<String> known = names();
        SortedMap<String, List<MetricCondition>> all = new TreeMap<>();
        byMetric.forEach((metric, conditions) -> all.put(metric, new ArrayList<>(conditions)));
        int count = known.size();
        for (String name : names) {
            MetricCondition condition = MetricCondition.of(name, 0, 0, 0).orElse(null);
            if (condition != null && !known.contains(name) && count < MOST) {
                all.computeIfAbsent(condition.metric(), metric -> new ArrayList<>())
                        .add(condition);
                count++;
            }
        }
        return new MetricConditions(all);
    }

    private static void report(PolicySettings settings, ObjectSettings event, String message) {
        String first =
                event.writtenNames().isEmpty() ? "ACTION" : event.writtenNames().get(0);
        Origin origin = event.origin(first);
        if (origin != null) {
            settings.report(
                    Kind.BAD_VALUE, origin, PARAMETER + "[" + event.id() + "]", "'" + event.id() + "' " + message);
        }
    }

    /** Returns the conditions on {@code metric}; none where nobody asks for it. */
    public List<MetricCondition> on(String metric) {
        return byMetric.getOrDefault(metric, List.of());
    }

    /** Returns the names of all conditions. */
    public Set<String> names() {
        return byMetric.values().stream()
                .flatMap(List::stream)
                .map(MetricCondition::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}

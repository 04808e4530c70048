package io.weir.scheduler.core.trigger;

import io.weir.scheduler.core.policy.language.ObjectSettings;
import io.weir.scheduler.core.policy.language.ObjectSettings.Item;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyProblem.Kind;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.language.parameter.IndexRule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The triggers that the configuration states: by parameter, then by index; {@value #DEFAULT} holds those of all objects.
 * Immutable.
 *
 * @param byParameter triggers by parameter and index
 */
public record TriggerRules(SortedMap<String, SortedMap<String, List<TriggerTemplate>>> byParameter) {
    /** No triggers. */
    public static final TriggerRules NONE = new TriggerRules(Collections.emptySortedMap());

    /** Triggers of a configuration; those behind are reported and left out. */
    public static final int MOST = 1_000;

    private static final String SCHEDULER = "SCHEDCFG";
    private static final String MANAGER = "RMCFG";

    /** Index of the triggers of all objects. */
    static final String DEFAULT = "DEFAULT";

    public TriggerRules {
        byParameter = Collections.unmodifiableSortedMap(new TreeMap<>(byParameter));
    }

    /** Takes the triggers out of {@code settings}, and reports there what is none. */
    public static TriggerRules of(PolicySettings settings) {
        SortedMap<String, SortedMap<String, List<TriggerTemplate>>> all = new TreeMap<>();
        int[] count = {0};
        read(settings, "NODECFG", "node", all, count);
        read(settings, "CLASSCFG", "job", all, count);
        read(settings, "SRCFG", "rsv", all, count);
        read(settings, "RSVPROFILE", "rsv", all, count);
        read(settings, MANAGER, "rm", all, count);
        read(settings, SCHEDULER, "scheduler", all, count);
        return new TriggerRules(all);
    }

    private static void read(
            PolicySettings settings,
            String parameter,
            String objectType,
            SortedMap<String, SortedMap<String, List<TriggerTemplate>>> all,
            int[] count) {
        SortedMap<String, List<TriggerTemplate>> found = new TreeMap<>();
        ObjectSettings common = settings.object(parameter, IndexRule.DEFAULT_INDEX);
        List<Item> inherited = common.written("TRIGGER");
        boolean oneObject = parameter.equals(SCHEDULER);
        TriggerNames names = new TriggerNames();
        add(settings, parameter, objectType, DEFAULT, inherited, names, found, count);
        for (ObjectSettings object : settings.objects(parameter)) {
            List<Item> items = object.written("TRIGGER");
            if (object.isOwn("TRIGGER") && !object.id().equals(DEFAULT)) {
                boolean added = items.size() >= inherited.size()
                        && items.subList(0, inherited.size()).equals(inherited);
                List<Item> own = added ? items.subList(inherited.size(), items.size()) : items;
                TriggerNames taken = oneObject ? names : new TriggerNames();
                add(settings, parameter, objectType, object.id(), own, taken, found, count);
            }
        }
        if (!found.isEmpty()) {
            all.put(parameter, Collections.unmodifiableSortedMap(found));
        }
    }

    private static void add(
            PolicySettings settings,
            String parameter,
            String objectType,
            String index,
            List<Item> items,
            TriggerNames names,
            SortedMap<String, List<TriggerTemplate>> found,
            int[] count) {
        List<TriggerTemplate> templates = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            TriggerText.Reading reading = TriggerText.read(items.get(i).text());
            TriggerSpec spec = reading.spec();
            String problem = spec == null ? reading.problem() : spec.misfit(objectType);
            if (problem == null && count[0] == MOST) {
                problem = "is left out: there are " + MOST + " triggers already";
            }
            if (problem == null && spec != null && !names.add(spec.name())) {
                problem = "name " + spec.name().strip() + " is that of another trigger of it";
            }
            Origin origin = items.get(i).origin();
            if (problem != null || spec == null) {
                if (origin != null) {
                    settings.report(
                            Kind.BAD_VALUE, origin, parameter + "[" + index + "] TRIGGER", "no trigger: " + problem);
                }
            } else {
                count[0]++;
                if (origin != null) {
                    for (String remark : spec.remarks(objectType)) {
                        settings.report(Kind.DOUBTFUL, origin, parameter + "[" + index + "] TRIGGER", remark);
                    }
                }
                templates.add(new TriggerTemplate(parameter + "." + index + "." + (i + 1), spec, null, null));
            }
        }
        if (!templates.isEmpty()) {
            found.put(index, List.copyOf(templates));
        }
    }

    /** Returns all triggers, by parameter, index and place. */
    public List<TriggerTemplate> all() {
        List<TriggerTemplate> all = new ArrayList<>();
        byParameter.values().forEach(there -> there.values().forEach(all::addAll));
        return all;
    }

    /** Returns the trigger with {@code id}; null when there is none. */
    public @Nullable TriggerTemplate byId(String id) {
        int first = id.indexOf('.');
        int last = id.lastIndexOf('.');
        SortedMap<String, List<TriggerTemplate>> there = first < 1 ? null : byParameter.get(id.substring(0, first));
        if (there == null || last <= first) {
            return null;
        }
        for (TriggerTemplate template : there.getOrDefault(id.substring(first + 1, last), List.of())) {
            if (template.id().equals(id)) {
                return template;
            }
        }
        return null;
    }

    /** Returns whether a trigger of {@code parameter} has a threshold. */
    public boolean hasThresholdsOf(String parameter) {
        SortedMap<String, List<TriggerTemplate>> there = byParameter.get(parameter);
        return there != null
                && there.values().stream()
                        .flatMap(List::stream)
                        .anyMatch(template -> template.spec().threshold() != null);
    }

    /** Returns whether there are none. */
    public boolean isEmpty() {
        return byParameter.isEmpty();
    }

    /** Returns the triggers of {@code parameter[index]}, those of all objects first; {@code index} may be null. */
    public List<TriggerTemplate> of(String parameter, @Nullable String index) {
        SortedMap<String, List<TriggerTemplate>> there = byParameter.get(parameter);
        if (there == null) {
            return List.of();
        }
        List<TriggerTemplate> common = there.getOrDefault(DEFAULT, List.of());
        List<TriggerTemplate> own =
                index == null || index.equals(DEFAULT) ? List.of() : there.getOrDefault(index, List.of());
        if (own.isEmpty()) {
            return common;
        }
        List<TriggerTemplate> both = new ArrayList<>(common);
        both.addAll(own);
        return both;
    }

    /** Returns the triggers of the scheduler: a configuration is for one, whatever it is called there. */
    public List<TriggerTemplate> ofScheduler() {
        List<TriggerTemplate> all = new ArrayList<>(of(SCHEDULER, null));
        byParameter.getOrDefault(SCHEDULER, Collections.emptySortedMap()).forEach((name, own) -> {
            if (!name.equals(DEFAULT)) {
                all.addAll(own);
            }
        });
        return all;
    }

    /**
     * Returns the triggers of the resource manager that {@code connector} speaks for: besides those of all, the ones under the
     * connector's id, in any case. Where it is the only connector, and one resource manager alone has triggers, those are its,
     * whatever it is called.
     *
     * @param only whether the cluster has no other connector
     */
    public List<TriggerTemplate> ofManager(String connector, boolean only) {
        List<String> names = byParameter.getOrDefault(MANAGER, Collections.emptySortedMap()).keySet().stream()
                .filter(name -> !name.equals(DEFAULT))
                .toList();
        for (String name : names) {
            if (name.equalsIgnoreCase(connector)) {
                return of(MANAGER, name);
            }
        }
        return of(MANAGER, only && names.size() == 1 ? names.get(0) : null);
    }

    /** Returns the thresholds on generic metrics that triggers of nodes have, by the condition that reports them. */
    public SortedMap<String, TriggerThreshold> metricThresholds() {
        SortedMap<String, TriggerThreshold> thresholds = new TreeMap<>();
        SortedSet<String> indexes = new TreeSet<>(byParameter
                .getOrDefault("NODECFG", Collections.emptySortedMap())
                .keySet());
        for (String index : indexes) {
            for (TriggerTemplate template : of("NODECFG", index)) {
                TriggerThreshold threshold = template.spec().threshold();
                if (threshold != null && threshold.metric() == TriggerMetric.GMETRIC) {
                    thresholds.put(threshold.condition(), threshold);
                }
            }
        }
        return thresholds;
    }
}

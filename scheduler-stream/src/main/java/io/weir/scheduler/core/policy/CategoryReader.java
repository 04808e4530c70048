package io.weir.scheduler.core.policy;

import io.weir.scheduler.core.policy.language.ObjectSettings;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyProblem.Kind;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.core.policy.node.CategorySettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the settings about categories of nodes, and reports what does not fit together. */
final class CategoryReader {
    /** Rules with lower numbers come first; an index is digits alone. */
    private static final Comparator<ObjectSettings> BY_NUMBER =
            Comparator.<ObjectSettings>comparingInt(rule -> rule.id().length()).thenComparing(ObjectSettings::id);

    private final PolicySettings settings;

    CategoryReader(PolicySettings settings) {
        this.settings = settings;
    }

    CategorySettings read() {
        long interval = Math.min(PolicyTime.LONGEST, settings.seconds("PROFILEINTERVAL", 3_600));
        return new CategorySettings(rules(), labels(), Math.max(1, interval));
    }

    private List<CategorySettings.Rule> rules() {
        List<ObjectSettings> objects = new ArrayList<>(settings.objects("NODECATRULE"));
        objects.sort(BY_NUMBER);
        List<CategorySettings.Rule> rules = new ArrayList<>();
        for (ObjectSettings object : objects) {
            String name = "NODECATRULE[" + object.id() + "]";
            String category = object.text("CATEGORY");
            String match = object.text("MATCH");
            if (category == null || match == null) {
                report(object, name, "needs both CATEGORY and MATCH; ignored");
            } else if (rules.size() >= CategorySettings.MOST_RULES) {
                report(object, name, "is one of more than " + CategorySettings.MOST_RULES + " rules; ignored");
            } else {
                NodeCategory known = NodeCategory.of(category);
                if (known != null) {
                    rules.add(new CategorySettings.Rule(name, known, match));
                }
            }
        }
        return rules;
    }

    private void report(ObjectSettings object, String name, String message) {
        List<String> written = object.writtenNames();
        Origin origin = written.isEmpty() ? null : object.origin(written.get(0));
        if (origin != null) {
            settings.report(Kind.BAD_VALUE, origin, name, message);
        }
    }

    private SortedMap<NodeCategory, String> labels() {
        SortedMap<NodeCategory, String> labels = new TreeMap<>();
        Origin origin = settings.origin("NODECATCREDLIST");
        for (String item : settings.items("NODECATCREDLIST")) {
            int equals = item.indexOf('=');
            String label = item.substring(0, equals);
            if (origin != null
                    && settings.objects("USERCFG").stream()
                            .anyMatch(user -> user.id().equals(label))) {
                settings.report(
                        Kind.DOUBTFUL,
                        origin,
                        "NODECATCREDLIST",
                        "label " + label + " is the name of a user, too; node time is charged to it all the same");
            }
            for (String name : item.substring(equals + 1).split(",", -1)) {
                NodeCategory category = NodeCategory.of(name);
                String first = category == null ? null : labels.putIfAbsent(category, label);
                if (first != null && !first.equals(label) && origin != null) {
                    settings.report(
                            Kind.DOUBTFUL,
                            origin,
                            "NODECATCREDLIST",
                            name + " is listed for " + first + " before, which is charged for it");
                }
            }
        }
        return labels;
    }
}

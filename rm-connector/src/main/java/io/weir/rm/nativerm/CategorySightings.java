package io.weir.rm.nativerm;

import io.weir.schemas.NameValue;
import io.weir.schemas.NodeReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the category that the text gives a node, by CAT or the variable NODECATEGORY, for one poll that does not show it: a
 * second one, or the category NONE, ends it. One thread.
 */
final class CategorySightings {
    private static final String NONE = "NONE";
    private static final String VARIABLE = "NODECATEGORY";

    private Map<String, Given> before = new HashMap<>();
    private Map<String, Given> present = new HashMap<>();

    /** What a poll told of a node; null where it told nothing. */
    private record Given(
            @Nullable String category, @Nullable String variable) {}

    /** Returns {@code report}, of a node in the poll under way, with the category that it has. */
    NodeReport held(NodeReport report) {
        Given told = new Given(report.getCategory(), variable(report));
        if (told.category() != null || told.variable() != null) {
            present.put(report.getNodeId(), told);
        }
        Given last = before.getOrDefault(report.getNodeId(), new Given(null, null));
        String category = told.category() != null ? told.category() : last.category();
        String variable = told.variable() != null ? told.variable() : last.variable();
        NodeReport.Builder held = NodeReport.newBuilder(report).setCategory(isNone(category) ? null : category);
        List<NameValue> variables = new ArrayList<>(report.getVariables());
        variables.removeIf(each -> each.getName().equals(VARIABLE));
        if (variable != null && !isNone(variable)) {
            variables.add(new NameValue(VARIABLE, variable));
            variables.sort(Comparator.comparing(NameValue::getName));
        }
        return held.setVariables(variables).build();
    }

    /** Ends a poll. */
    void keepSeen() {
        before = present;
        present = new HashMap<>();
    }

    private static @Nullable String variable(NodeReport report) {
        return report.getVariables().stream()
                .filter(each -> each.getName().equals(VARIABLE))
                .map(NameValue::getValue)
                .findFirst()
                .orElse(null);
    }

    private static boolean isNone(@Nullable String category) {
        return NONE.equalsIgnoreCase(category);
    }
}

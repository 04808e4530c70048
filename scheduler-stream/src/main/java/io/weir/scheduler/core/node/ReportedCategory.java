package io.weir.scheduler.core.node;

import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeReport;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The category that a resource manager gives a node: by an attribute of its own, or by a variable. */
public final class ReportedCategory {
    /** Name of the variable by which a node is given a category. */
    public static final String VARIABLE = "NODECATEGORY";

    private static final String NONE = "NONE";
    private static final String UNKNOWN = "WARNING: unknown category '";

    private ReportedCategory() {}

    /** Returns whether {@code message} of a node is a warning about its category; it says nothing of the node itself. */
    public static boolean isWarning(String message) {
        return message.startsWith(UNKNOWN);
    }

    /** Returns the messages of {@code report}, and a warning for each category in it that there is not. */
    static List<String> messages(NodeReport report) {
        List<String> messages = report.getMessages();
        messages = with(messages, report.getCategory(), "CAT");
        for (NameValue variable : report.getVariables()) {
            if (variable.getName().equals(VARIABLE)) {
                messages = with(messages, variable.getValue(), "variable " + VARIABLE);
            }
        }
        return messages;
    }

    private static List<String> with(List<String> messages, @Nullable String category, String from) {
        boolean known = category == null
                || category.isEmpty()
                || category.equalsIgnoreCase(NONE)
                || NodeCategory.of(category) != null;
        if (known) {
            return messages;
        }
        List<String> more = new ArrayList<>(messages);
        more.add(UNKNOWN + category + "' from the resource manager (" + from + ") is ignored; known are "
                + NodeCategory.legal());
        return more;
    }
}

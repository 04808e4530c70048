package io.weir.command.diagnose;

import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.language.value.Token;
import io.weir.scheduler.core.policy.nonstop.NonstopText;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Partitions, classes and users that {@code nonstop.conf} names in vain.
 *
 * @param groups partitions and classes of which there are nodes
 */
record NonstopNames(Set<String> groups) {
    void problems(PolicySettings settings, List<PolicyProblem> into) {
        for (PolicyLine line : settings.lines()) {
            if (!NonstopText.holds(line.origin())) {
                continue;
            }
            String value =
                    String.join(",", line.words().stream().map(Token::text).toList());
            switch (line.name().toLowerCase(Locale.ROOT)) {
                case "hotsparecount" -> spares(line, value, into);
                case "userdrainallow", "userdraindeny" -> users(line, value, into);
                default -> {
                    // Names nobody.
                }
            }
        }
    }

    private void spares(PolicyLine line, String value, List<PolicyProblem> into) {
        for (String entry : value.split(",", -1)) {
            int colon = entry.lastIndexOf(':');
            if (colon > 0 && !groups.contains(entry.substring(0, colon))) {
                add(
                        line,
                        "no node is in a partition or class '" + entry.substring(0, colon) + "'; it gets no spares",
                        into);
            }
        }
    }

    private static void users(PolicyLine line, String value, List<PolicyProblem> into) {
        for (String user : value.split(",", -1)) {
            if (!user.isEmpty() && user.chars().allMatch(c -> c >= '0' && c <= '9')) {
                add(line, "'" + user + "' is a number; callers are known by the names of their tokens", into);
            }
        }
    }

    private static void add(PolicyLine line, String message, List<PolicyProblem> into) {
        into.add(new PolicyProblem(PolicyProblem.Kind.DOUBTFUL, line.origin(), line.name(), message));
    }
}

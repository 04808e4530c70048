package io.weir.scheduler.core.category;

import io.weir.scheduler.core.bound.BadExpressionException;
import io.weir.scheduler.core.bound.Expression;
import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.scheduler.core.policy.node.CategorySettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the cause of a failure in a text: the rules of the site in their order, then the built-in ones, of which each has
 * the patterns of one category. The first that matches counts. Owned by one thread.
 */
public final class CauseRules {
    /** Characters of a text that are looked at. */
    private static final int LONGEST = 1_024;

    /** Texts whose verdict is remembered: when a rack fails, its nodes say the same. */
    private static final int REMEMBERED = 512;

    private static final List<Rule> BUILT_IN = List.of(
            builtIn(
                    NodeCategory.HARDWARE_FAILURE,
                    "power|psu|overheat|temperature|thermal|ecc|mce|machine check|dimm|memory error|cpu fail|processor"
                            + "|swap fail|swap error|fan"),
            builtIn(
                    NodeCategory.NETWORK_FAILURE,
                    "nic|network|link down|switch|infiniband|\\bib\\b|myrinet|ethernet|unreachable"),
            builtIn(
                    NodeCategory.STORAGE_FAILURE,
                    "lustre|gpfs|pvfs|\\bsan\\b|nfs stale|disk fail|disk error|disk full|filesystem|i/o error|raid"),
            builtIn(NodeCategory.BATCH_FAILURE, "pbs_mom|slurmd|batch|resource manager|not reporting|not responding"),
            builtIn(
                    NodeCategory.SOFTWARE_FAILURE,
                    "automount|autofs|\\bnis\\b|ldap|sssd|daemon .*not running|service .*fail|database|security"
                            + "|license"));

    private final List<Rule> rules = new ArrayList<>();

    /** By text, the one asked for longest ago first. */
    private final Map<String, Optional<Verdict>> remembered = new LinkedHashMap<>(16, 0.75f, true);

    /** Prepares the rules of {@code settings}. */
    public CauseRules(CategorySettings settings) {
        for (CategorySettings.Rule rule : settings.rules()) {
            rules.add(new Rule(rule.name(), rule.category(), expression(rule.expression())));
        }
        rules.addAll(BUILT_IN);
    }

    /**
     * What a rule says of a text.
     *
     * @param category the category
     * @param rule name of the rule
     */
    public record Verdict(NodeCategory category, String rule) {}

    private record Rule(String name, NodeCategory category, Expression expression) {}

    /** Returns what the first rule that matches says of {@code text}; empty when none does. */
    public Optional<Verdict> judge(String text) {
        String looked = text.length() <= LONGEST ? text : text.substring(0, LONGEST);
        Optional<Verdict> known = remembered.get(looked);
        if (known != null) {
            return known;
        }
        Optional<Verdict> found = rules.stream()
                .filter(rule -> rule.expression().isIn(looked))
                .findFirst()
                .map(rule -> new Verdict(rule.category(), rule.name()));
        if (remembered.size() >= REMEMBERED) {
            remembered.remove(remembered.keySet().iterator().next());
        }
        remembered.put(looked, found);
        return found;
    }

    private static Rule builtIn(NodeCategory category, String expression) {
        return new Rule("built-in " + category.label(), category, expression(expression));
    }

    private static Expression expression(String text) {
        try {
            return Expression.inAnyCase(text);
        } catch (BadExpressionException e) {
            throw new IllegalStateException("a legal expression is not: " + e.reason(), e);
        }
    }
}

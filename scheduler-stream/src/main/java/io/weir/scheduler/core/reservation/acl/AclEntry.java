package io.weir.scheduler.core.reservation.acl;

/**
 * One entry of an access control list.
 *
 * @param type what it looks at
 * @param comparison how it compares; {@link Comparison#EQUAL} or {@link Comparison#DIFFERENT} unless the type is numeric
 * @param value what it compares with, as canonical text
 * @param amount the same as a number, for numeric types; 0 for others
 * @param rule what a match means
 * @param affinity how much a job that matches likes the resources
 * @param hardOnly not looked at before the last pass
 */
public record AclEntry(
        AclType type,
        Comparison comparison,
        String value,
        long amount,
        AclRule rule,
        Affinity affinity,
        boolean hardOnly) {
    /** Returns whether it applies to {@code subject}; {@link AclRule#OTHERS} is left to the list, which knows all of them. */
    boolean names(AclSubject subject) {
        if (type.numeric()) {
            return comparison.holds(subject.amount(type), amount);
        }
        return comparison == Comparison.DIFFERENT
                ? subject.hasAny(type) && !subject.has(type, value)
                : subject.has(type, value);
    }

    /** Returns the text from which the same entry is read; positive affinity, the default, is written where it counts. */
    @Override
    public String toString() {
        boolean affinityShown = affinity != Affinity.POSITIVE || (rule != AclRule.DENY && rule != AclRule.REQUIRE);
        return type.name()
                + comparison.sign()
                + rule.sign()
                + (hardOnly ? "~" : "")
                + value
                + (affinityShown ? affinity.sign() : "");
    }
}

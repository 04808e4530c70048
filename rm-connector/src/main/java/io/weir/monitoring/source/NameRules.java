package io.weir.monitoring.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;

/**
 * Which names are taken, and what they are called here: {@code name}, {@code name=ours}, or {@code beginning*}. The first
 * rule that fits counts; without rules every name is taken as it is. Immutable.
 *
 * @param rules the rules, in their order
 */
record NameRules(List<Rule> rules) {

    NameRules {
        rules = List.copyOf(rules);
    }

    /**
     * One rule.
     *
     * @param pattern the name, or its beginning and a {@code *}
     * @param ours what it is called here; empty for its own name
     */
    record Rule(String pattern, String ours) {

        boolean fits(String name) {
            return pattern.endsWith("*")
                    ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                    : name.equals(pattern);
        }
    }

    /** Reads the rules in the setting {@code key}. */
    static NameRules parse(String key, List<String> texts) {
        List<Rule> rules = new ArrayList<>();
        for (String text : texts) {
            int sign = text.indexOf('=');
            String pattern = sign < 0 ? text : text.substring(0, sign);
            String ours = sign < 0 ? "" : text.substring(sign + 1);
            if (pattern.isBlank() || (sign >= 0 && (ours.isBlank() || pattern.endsWith("*")))) {
                throw new ConfigException(key, text, "must be name, name=ours or beginning*");
            }
            rules.add(new Rule(pattern.strip(), ours.strip()));
        }
        return new NameRules(rules);
    }

    /** Returns what {@code name} is called here; empty when it is not taken. */
    Optional<String> ours(String name) {
        if (rules.isEmpty()) {
            return Optional.of(name);
        }
        return rules.stream()
                .filter(rule -> rule.fits(name))
                .findFirst()
                .map(rule -> rule.ours().isEmpty() ? name : rule.ours());
    }
}

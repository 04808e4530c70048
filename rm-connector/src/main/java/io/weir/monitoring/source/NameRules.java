package io.weir.monitoring.source;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/**
 * Which names are taken, and what they are called here: {@code name}, {@code name=ours}, or {@code beginning*}; behind the
 * name may stand what labels have to say, {@code name{label=value;label=beginning*}}, and within ours the value of a label,
 * {@code ours_{label}}. The first rule that fits counts; without rules every name is taken as it is. Immutable.
 *
 * @param rules the rules, in their order
 */
record NameRules(List<Rule> rules) {

    private static final String FORM = "must be name, name=ours or beginning*, name{label=value;label=value}=ours with"
            + " conditions, and {label} in ours for the value of a label";
    private static final Pattern RULE = Pattern.compile("([^={}]+)(?:\\{([^{}]+)})?(?:=(.+))?");
    private static final Pattern CONDITION = Pattern.compile("([^=;]+)=([^=;]+)");
    private static final Pattern LABEL = Pattern.compile("\\{([^{}]+)}");
    private static final Pattern UNFIT = Pattern.compile("[^A-Za-z0-9_.:-]");
    private static final int LONGEST_VALUE = 64;

    NameRules {
        rules = List.copyOf(rules);
    }

    /**
     * One rule.
     *
     * @param pattern the name, or its beginning and a {@code *}
     * @param conditions values of labels, or their beginnings and a {@code *}, by label
     * @param ours what it is called here; empty for its own name
     */
    record Rule(String pattern, Map<String, String> conditions, String ours) {

        Rule {
            conditions = Map.copyOf(conditions);
        }

        boolean fits(String name, Map<String, String> labels) {
            return matches(pattern, name)
                    && conditions.entrySet().stream()
                            .allMatch(each -> labels.containsKey(each.getKey())
                                    && matches(each.getValue(), labels.get(each.getKey())));
        }

        private static boolean matches(String pattern, String text) {
            return pattern.endsWith("*")
                    ? text.startsWith(pattern.substring(0, pattern.length() - 1))
                    : text.equals(pattern);
        }

        /** Returns what {@code name} is called here; empty when a label that belongs into it is not there. */
        Optional<String> called(String name, Map<String, String> labels) {
            if (ours.isEmpty()) {
                return Optional.of(name);
            }
            StringBuilder called = new StringBuilder();
            Matcher label = LABEL.matcher(ours);
            while (label.find()) {
                String value = labels.getOrDefault(label.group(1), "");
                if (value.isEmpty()) {
                    return Optional.empty();
                }
                label.appendReplacement(called, Matcher.quoteReplacement(fit(value)));
            }
            return Optional.of(label.appendTail(called).toString());
        }

        private static String fit(String value) {
            return UNFIT.matcher(value.length() <= LONGEST_VALUE ? value : value.substring(0, LONGEST_VALUE))
                    .replaceAll("_");
        }
    }

    /** Reads the rules in the setting {@code key}. */
    static NameRules parse(String key, List<String> texts) {
        return new NameRules(texts.stream().map(text -> rule(key, text)).toList());
    }

    private static Rule rule(String key, String text) {
        Matcher rule = RULE.matcher(text);
        if (!rule.matches() || rule.group(1).isBlank()) {
            throw new ConfigException(key, text, FORM);
        }
        String pattern = rule.group(1).strip();
        String ours = rule.group(3) == null ? "" : rule.group(3).strip();
        boolean strayBrace = LABEL.matcher(ours).replaceAll("").matches(".*[{}].*");
        if (strayBrace || (rule.group(3) != null && (ours.isEmpty() || pattern.endsWith("*")))) {
            throw new ConfigException(key, text, FORM);
        }
        return new Rule(pattern, rule.group(2) == null ? Map.of() : conditions(key, text, rule.group(2)), ours);
    }

    private static Map<String, String> conditions(String key, String text, String written) {
        Map<String, String> conditions = new TreeMap<>();
        for (String part : written.split(";", -1)) {
            Matcher condition = CONDITION.matcher(part.strip());
            if (!condition.matches()
                    || conditions.put(
                                    condition.group(1).strip(),
                                    condition.group(2).strip())
                            != null) {
                throw new ConfigException(key, text, FORM);
            }
        }
        return conditions;
    }

    /** Returns what {@code name} with {@code labels} is called here; empty when it is not taken. */
    Optional<String> ours(String name, Map<String, String> labels) {
        if (rules.isEmpty()) {
            return Optional.of(name);
        }
        return rules.stream()
                .filter(rule -> rule.fits(name, labels))
                .map(rule -> rule.called(name, labels))
                .flatMap(Optional::stream)
                .findFirst();
    }
}

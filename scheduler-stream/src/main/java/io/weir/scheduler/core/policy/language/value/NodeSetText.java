package io.weir.scheduler.core.policy.language.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A node set as jobs and classes write it: {@code policy:attribute[:value,value…]}.
 *
 * @param policy ONEOF, FIRSTOF or ANYOF; NONE for no node set
 * @param attribute FEATURE, PROCSPEED, MEMORY, NETWORK, ARCH or CLASS; empty with NONE
 * @param values values that may form sets, in order, duplicates dropped; empty for all found
 */
public record NodeSetText(String policy, String attribute, List<String> values) {
    private static final String[] POLICIES = {"ONEOF", "FIRSTOF", "ANYOF"};
    private static final String[] ATTRIBUTES = {"FEATURE", "PROCSPEED", "MEMORY", "NETWORK", "ARCH", "CLASS"};

    public NodeSetText {
        values = List.copyOf(values);
    }

    /**
     * Reads {@code text}.
     *
     * @throws BadValueException when a part is missing or not legal; the message names it
     */
    public static NodeSetText parse(String text) throws BadValueException {
        if (text.equalsIgnoreCase("NONE")) {
            return new NodeSetText("NONE", "", List.of());
        }
        String[] parts = text.split(":", 3);
        if (parts.length < 2) {
            throw new BadValueException("'" + text + "' has to look like policy:attribute[:list], such as"
                    + " ONEOF:FEATURE:switchA,switchB");
        }
        String policy = ValueTypes.oneOf(parts[0].toUpperCase(Locale.ROOT), "a node set policy", POLICIES);
        String attribute = ValueTypes.oneOf(parts[1].toUpperCase(Locale.ROOT), "a node set attribute", ATTRIBUTES);
        return new NodeSetText(policy, attribute, parts.length < 3 ? List.of() : values(attribute, parts[2]));
    }

    /** Returns the set values in {@code list}, each checked against {@code attribute}. */
    public static List<String> values(String attribute, String list) throws BadValueException {
        List<String> values = new ArrayList<>();
        for (String part : list.split("[,:\\s]+", -1)) {
            if (part.isEmpty() || values.contains(part)) {
                continue;
            }
            if ((attribute.equals("PROCSPEED") || attribute.equals("MEMORY"))
                    && (part.length() > 9 || !part.chars().allMatch(c -> c >= '0' && c <= '9'))) {
                throw new BadValueException("'" + part + "' is not a number, as " + attribute + " sets need");
            }
            values.add(part);
        }
        if (values.isEmpty()) {
            throw new BadValueException("'" + list + "' lists no value");
        }
        return values;
    }

    /** Returns it as it can be written. */
    public String text() {
        return policy
                + (attribute.isEmpty() ? "" : ":" + attribute)
                + (values.isEmpty() ? "" : ":" + String.join(",", values));
    }
}

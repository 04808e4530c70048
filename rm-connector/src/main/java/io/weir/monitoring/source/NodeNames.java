package io.weir.monitoring.source;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the node that a measurement is about: the first label there is, without port and domain. Immutable.
 *
 * @param labels names of the labels, in the order in which they are asked
 * @param keepDomain whether the domain is part of the node's name
 */
record NodeNames(List<String> labels, boolean keepDomain) {

    private static final int LONGEST = 256;

    NodeNames {
        labels = List.copyOf(labels);
    }

    /** Returns the node's name; empty when no label names one. */
    Optional<String> of(Map<String, String> given) {
        for (String label : labels) {
            String value = given.getOrDefault(label, "");
            if (!value.isBlank()) {
                String name = withoutDomain(withoutPort(value.strip()));
                return name.isEmpty() || name.length() > LONGEST || name.chars().anyMatch(Character::isISOControl)
                        ? Optional.empty()
                        : Optional.of(name);
            }
        }
        return Optional.empty();
    }

    private static String withoutPort(String text) {
        if (text.startsWith("[") && text.indexOf(']') > 0) {
            return text.substring(1, text.indexOf(']'));
        }
        int colon = text.indexOf(':');
        return colon >= 0 && colon == text.lastIndexOf(':') ? text.substring(0, colon) : text;
    }

    private String withoutDomain(String text) {
        boolean address = text.indexOf(':') >= 0 || text.matches("[0-9.]+");
        int dot = text.indexOf('.');
        return keepDomain || address || dot < 0 ? text : text.substring(0, dot);
    }
}

package io.weir.scheduler.query.view;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.policy.nodeset.NodeSetAttribute;
import io.weir.scheduler.core.policy.nodeset.NodeSetSettings;
import java.util.List;

/** The site's node sets that a node is in, by the values that form them. */
final class NodeSetNames {
    private NodeSetNames() {}

    /** Returns the names of the sets of {@code node}, in the order of the site's list if there is one. */
    static List<String> of(EffectiveNode node, NodeSetSettings sets) {
        NodeSetAttribute attribute = sets.attribute();
        if (attribute == null) {
            return List.of();
        }
        if (attribute == NodeSetAttribute.PROCSPEED) {
            return speeds(node.procSpeedMhz() == null ? 0 : node.procSpeedMhz(), sets);
        }
        List<String> values = values(node, attribute);
        if (sets.list().isEmpty()) {
            return values;
        }
        boolean everywhere = attribute == NodeSetAttribute.CLASS && values.isEmpty();
        return sets.list().stream()
                .filter(name -> everywhere || values.stream().anyMatch(value -> same(attribute, name, value)))
                .toList();
    }

    private static List<String> values(EffectiveNode node, NodeSetAttribute attribute) {
        return switch (attribute) {
            case FEATURE -> node.features();
            case NETWORK -> node.networks();
            case CLASS -> List.copyOf(node.classes().keySet());
            case ARCH -> node.arch() == null ? List.of() : List.of(node.arch());
            case MEMORY -> {
                long amount = node.configured().memoryMb();
                yield amount == 0 ? List.of() : List.of(Long.toString(amount));
            }
            case PROCSPEED -> List.of();
        };
    }

    /** A set of speeds holds those that are faster than what it is named after by no more than the tolerance. */
    private static List<String> speeds(int speed, NodeSetSettings sets) {
        if (speed <= 0) {
            return List.of();
        }
        if (sets.list().isEmpty()) {
            return List.of(Integer.toString(speed));
        }
        return sets.list().stream()
                .filter(name -> name.matches("[0-9]{1,9}"))
                .filter(name -> {
                    int base = Integer.parseInt(name);
                    return speed >= base && speed <= base * (1 + sets.tolerance()) + 1e-6;
                })
                .toList();
    }

    private static boolean same(NodeSetAttribute attribute, String name, String value) {
        return attribute == NodeSetAttribute.NETWORK ? name.equalsIgnoreCase(value) : name.equals(value);
    }
}

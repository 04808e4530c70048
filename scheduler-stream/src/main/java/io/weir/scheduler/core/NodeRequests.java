package io.weir.scheduler.core;

import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.policy.Mode;
import io.weir.scheduler.state.Argument;
import io.weir.scheduler.state.PendingRequest;
import io.weir.schemas.CommandKind;
import io.weir.schemas.NameValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Requests about a node. What can be changed is the resource manager's to change; its next report says that it was.
 * Values may have an operator in front: {@code =}, {@code +=} or {@code -=}.
 */
final class NodeRequests {
    private final ClusterState state;
    private final Outbox outbox;

    NodeRequests(ClusterState state, Outbox outbox) {
        this.state = state;
        this.outbox = outbox;
    }

    void carryOut(PendingRequest request) {
        Node node = state.nodes.get(request.getObjectId());
        if (node == null) {
            outbox.refused(request, "no node " + request.getObjectId());
        } else if (state.domain.policy.scheduler().mode() == Mode.MONITOR) {
            outbox.refused(request, "MODE MONITOR carries out no commands");
        } else {
            modify(request, node);
        }
    }

    /** Carries out every change asked for, or none of them. */
    private void modify(PendingRequest request, Node node) {
        List<CommandKind> states = new ArrayList<>();
        List<NameValue> settings = new ArrayList<>();
        for (Argument argument : request.getArguments()) {
            String name = argument.getName().toLowerCase(Locale.ROOT);
            String value = argument.getValue();
            String problem = switch (name) {
                case "state" -> state(plain(value), states);
                case "features" -> {
                    settings.add(new NameValue(name, features(node, value)));
                    yield null;
                }
                case "power" -> power(plain(value), settings);
                default -> "'" + name + "' of a node cannot be changed; state, features and power can";
            };
            if (problem != null) {
                outbox.refused(request, problem);
                return;
            }
        }
        if (states.isEmpty() && settings.isEmpty()) {
            outbox.refused(request, "nothing to change is named; state, features and power can be");
            return;
        }
        String reason = "requested by " + request.getPrincipal();
        boolean sent = true;
        for (CommandKind kind : states) {
            sent &= outbox.node(node, kind, List.of(), reason);
        }
        if (!settings.isEmpty()) {
            sent &= outbox.node(node, CommandKind.MODIFY_NODE, settings, reason);
        }
        if (sent) {
            outbox.accepted(request, "sent to the resource manager");
        } else {
            outbox.refused(request, "no connector answers for node " + node.id());
        }
    }

    private static @Nullable String state(String value, List<CommandKind> into) {
        switch (value.toLowerCase(Locale.ROOT)) {
            case "drained", "draining" -> into.add(CommandKind.DRAIN_NODE);
            case "idle", "up" -> into.add(CommandKind.RESUME_NODE);
            default -> {
                return "state is '" + value + "'; Drained and Idle can be asked for";
            }
        }
        return null;
    }

    private static @Nullable String power(String value, List<NameValue> into) {
        String power = value.toUpperCase(Locale.ROOT);
        if (!List.of("ON", "OFF", "RESET").contains(power)) {
            return "power is '" + value + "'; ON, OFF or RESET can be asked for";
        }
        into.add(new NameValue("power", power));
        return null;
    }

    /** Returns all features the node is to have, sorted, separated by commas. */
    private static String features(Node node, String value) {
        List<String> named = List.of(plain(value).split("[,:]", -1));
        TreeSet<String> features = new TreeSet<>();
        if (value.startsWith("+=") || value.startsWith("-=")) {
            features.addAll(node.attributes().features());
        }
        for (String name : named) {
            if (value.startsWith("-=")) {
                features.remove(name);
            } else if (!name.isEmpty()) {
                features.add(name);
            }
        }
        return String.join(",", features);
    }

    private static String plain(String value) {
        return value.startsWith("+=") || value.startsWith("-=")
                ? value.substring(2)
                : value.startsWith("=") ? value.substring(1) : value;
    }
}

package io.weir.scheduler.core.request;

import io.weir.scheduler.core.event.EventKey;
import io.weir.scheduler.core.event.ObjectEvent;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.NameValue;
import io.weir.schemas.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Requests about a node. State, features, power, partition and operating system are the resource manager's to change; its
 * next report says that it did. Variables, messages, metrics, events and category are attached here and stay. Values may have an
 * operator in front: {@code =}, {@code +=} or {@code -=}.
 */
final class NodeRequests {
    private final ClusterState state;
    private final IterationOutputs outputs;

    NodeRequests(ClusterState state, IterationOutputs outputs) {
        this.state = state;
        this.outputs = outputs;
    }

    void carryOut(AuthorisedRequest request) {
        Node node = state.nodes.get(request.objectId());
        if (node == null) {
            outputs.refused(request, "no node " + request.objectId());
        } else {
            modify(request, node);
        }
    }

    /** Carries out every change asked for, or none of them. */
    private void modify(AuthorisedRequest request, Node node) {
        List<CommandKind> states = new ArrayList<>();
        List<NameValue> settings = new ArrayList<>();
        NodeAnnotationEdit marks = new NodeAnnotationEdit(node, lasting(node), request.principal(), state.clock);
        boolean statistics = false;
        for (NameValue argument : request.arguments()) {
            String name = argument.getName();
            String value = argument.getValue();
            String problem = null;
            switch (name) {
                case "state" -> problem = state(plain(value), states, settings);
                case "features" -> settings.add(new NameValue(name, features(node, value)));
                case "power" -> problem = power(plain(value), settings);
                case "partition", "os" -> settings.add(new NameValue(name, plain(value)));
                case "clear" -> {
                    statistics |= value.equalsIgnoreCase("stats");
                    problem = statistics ? null : marks.clear(value);
                }
                case "delete" -> problem = marks.delete(value);
                default -> problem = marks.change(argument.getName(), value);
            }
            if (problem != null) {
                outputs.refused(request, problem);
                return;
            }
        }
        if (states.isEmpty() && settings.isEmpty() && !marks.changed() && !statistics) {
            outputs.refused(request, "nothing to change is named");
            return;
        }
        String reason = "requested by " + request.principal();
        boolean commands = !states.isEmpty() || !settings.isEmpty();
        if (commands && state.domain.policy.scheduler().mode() == Mode.MONITOR) {
            outputs.refused(request, "MODE MONITOR carries out no commands");
            return;
        }
        boolean sent = true;
        for (CommandKind kind : states) {
            sent &= outputs.node(node, kind, List.of(), reason);
        }
        if (!settings.isEmpty()) {
            sent &= outputs.node(node, CommandKind.MODIFY_NODE, settings, reason);
        }
        if (!sent) {
            outputs.refused(request, "no connector answers for node " + node.id());
            return;
        }
        if (states.contains(CommandKind.RESUME_NODE)) {
            state.objectEvents.raise("noderesume", "node", node.id(), "node " + node.id() + " is resumed, " + reason);
        }
        if (states.contains(CommandKind.RESUME_NODE) && node.annotations().failing() != null) {
            state.emit(node.marked(node.annotations().failing(null), state.clock));
        }
        if (marks.changed()) {
            attach(node, marks, reason);
        }
        if (statistics) {
            state.history.forget(node.id());
            state.categories.clear(node.id(), state.clock);
            Node kept = Objects.requireNonNullElse(state.nodes.get(node.id()), node);
            state.emit(kept.measuredAnew(state.clock));
        }
        String done = statistics && !marks.changed() ? "statistics cleared" : marks.summary();
        outputs.accepted(request, commands ? "sent to the resource manager" : done);
    }

    /** Returns the names of the events on a node that the configuration acts on and that are not over. */
    private List<String> lasting(Node node) {
        return state.domain.events.of("node", node.id()).stream()
                .filter(ObjectEvent::lasts)
                .map(event -> event.key().event())
                .toList();
    }

    /** Ends an event on a node as its source would: what was done about it is taken back, and nothing more is done. */
    private void over(Node node, String event) {
        state.domain.events.over(new EventKey("node", node.id(), event));
        state.watch.event(node.id(), event, false);
    }

    private void attach(Node node, NodeAnnotationEdit marks, String reason) {
        boolean wasFailing = node.annotations().failing() != null;
        boolean resumed = wasFailing
                && Objects.requireNonNullElse(state.nodes.get(node.id()), node)
                                .annotations()
                                .failing()
                        == null;
        Node next = node.with(marks.eventHistory())
                .marked(resumed ? marks.done().failing(null) : marks.done(), state.clock);
        for (GenericEventText event : marks.events()) {
            next = next.happened(event.name(), event.text(), state.clock);
        }
        state.emit(next);
        state.domain.notice(
                Severity.INFO,
                "nodechange",
                "node",
                node.id(),
                "node " + node.id() + ": " + marks.summary() + ", " + reason);
        marks.cleared().forEach(event -> over(node, event));
        String expected = next.annotations().failing();
        if (expected != null && !expected.equals(node.annotations().failing())) {
            state.domain.notice(
                    Severity.WARNING,
                    "nodefailing",
                    "node",
                    node.id(),
                    "node " + node.id() + " is expected to fail: " + expected + ", " + reason);
        }
        for (GenericEventText event : marks.events()) {
            String said = event.text().isEmpty() ? event.name() : event.text();
            state.domain.notice(Severity.INFO, event.name(), "node", node.id(), said + ", " + reason);
            state.watch.event(node.id(), event.name(), true);
        }
        if (marks.removes()) {
            // What the resource manager says in place of what was taken away, it says in a complete poll.
            state.domain.askForEverything(node.connector());
        }
    }

    private static @Nullable String state(String value, List<CommandKind> into, List<NameValue> settings) {
        switch (value.toLowerCase(Locale.ROOT)) {
            case "drained", "draining" -> into.add(CommandKind.DRAIN_NODE);
            case "idle", "up" -> into.add(CommandKind.RESUME_NODE);
            case "down" -> settings.add(new NameValue("state", "Down"));
            default -> {
                return "state is '" + value + "'; Drained, Idle and Down can be asked for";
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

    /** Returns {@code value} without the operator in front. */
    static String plain(String value) {
        return value.startsWith("+=") || value.startsWith("-=")
                ? value.substring(2)
                : value.startsWith("=") ? value.substring(1) : value;
    }
}

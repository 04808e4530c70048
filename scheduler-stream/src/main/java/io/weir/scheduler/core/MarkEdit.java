package io.weir.scheduler.core;

import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeMarks;
import io.weir.scheduler.core.policy.language.NodeCategory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The marks of a node in the making, as a request changes them. Each change returns what is wrong with it, or null. */
final class MarkEdit {
    private static final Pattern METRIC = Pattern.compile("(?i)gmetric\\[([^\\]]+)]");
    private static final Pattern ASSIGNMENT = Pattern.compile("([A-Za-z_][\\w.:-]*)(?:=(.*))?", Pattern.DOTALL);

    private final Node node;
    private final List<String> done = new ArrayList<>();
    private final List<GenericEventText> events = new ArrayList<>();
    private NodeMarks marks;
    private boolean removes;

    MarkEdit(Node node) {
        this.node = node;
        marks = node.marks();
    }

    boolean changed() {
        return !done.isEmpty();
    }

    /** Returns whether something was taken away in whose place the resource manager may say something else. */
    boolean removes() {
        return removes;
    }

    /** Says what changed. */
    String summary() {
        return String.join(", ", done);
    }

    NodeMarks done() {
        return marks;
    }

    /** Returns the events to raise about the node, in the order given. */
    List<GenericEventText> events() {
        return events;
    }

    /** Sets, adds or removes; {@code value} may have an operator in front. */
    @Nullable
    String change(String attribute, String value) {
        boolean remove = value.startsWith("-=");
        String text = NodeRequests.plain(value);
        Matcher metric = METRIC.matcher(attribute);
        if (metric.matches()) {
            return metric(metric.group(1), text, remove);
        }
        return switch (attribute.toLowerCase(Locale.ROOT)) {
            case "variable" -> variable(text, remove);
            case "message" -> message(text, remove);
            case "category" -> category(text);
            case "gevent" -> event(text);
            default ->
                "'" + attribute + "' of a node cannot be changed; state, features, power, partition, os, category,"
                        + " variable, message, gevent and gmetric[NAME] can";
        };
    }

    /** Takes all of a kind away. */
    @Nullable
    String clear(String what) {
        switch (what.toLowerCase(Locale.ROOT)) {
            case "gmetric" -> marks = marks.withoutMetrics();
            case "message" -> marks = marks.withoutMessages();
            case "variable" -> marks = marks.withoutVariables();
            case "category" -> marks = marks.category(null);
            default -> {
                return "'" + what + "' cannot be cleared; gmetric, message, variable, category and stats can";
            }
        }
        removes = true;
        done.add(what.toLowerCase(Locale.ROOT) + " cleared");
        return null;
    }

    /** Takes one away: {@code message:INDEX}, from 1 as listed, or {@code variable:NAME}. */
    @Nullable
    String delete(String what) {
        int colon = what.indexOf(':');
        String kind = colon < 0 ? what : what.substring(0, colon);
        String which = what.substring(colon + 1);
        if (kind.equalsIgnoreCase("variable")) {
            return variable(which, true);
        } else if (kind.equalsIgnoreCase("gmetric")) {
            return metric(which, "", true);
        } else if (kind.equalsIgnoreCase("message")) {
            List<String> listed = node.attributes().messages();
            boolean number = which.matches("[0-9]{1,4}");
            int index = number ? Integer.parseInt(which) : 0;
            if (index < 1 || index > listed.size()) {
                return "node " + node.id() + " has no message " + which + "; it has " + listed.size();
            }
            return message(listed.get(index - 1), true);
        }
        return "'" + what + "' cannot be deleted; message:INDEX, variable:NAME and gmetric:NAME can";
    }

    private @Nullable String metric(String name, String text, boolean remove) {
        if (remove) {
            if (!marks.metrics().containsKey(name)) {
                return "nobody attached gmetric " + name + " to node " + node.id();
            }
            marks = marks.metric(name, null);
            removes = true;
            done.add("gmetric " + name + " removed");
            return null;
        }
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            value = Double.NaN;
        }
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "gmetric[" + name + "] is '" + text + "'; a number is needed";
        }
        marks = marks.metric(name, value);
        done.add("gmetric " + name + " set to " + value);
        return null;
    }

    private @Nullable String variable(String text, boolean remove) {
        Matcher form = ASSIGNMENT.matcher(text);
        if (!form.matches()) {
            return "variable is '" + text + "'; NAME or NAME=VALUE is needed";
        }
        String name = form.group(1);
        if (remove) {
            if (!marks.variables().containsKey(name)) {
                return "nobody attached variable " + name + " to node " + node.id();
            }
            marks = marks.variable(name, null);
            removes = true;
            done.add("variable " + name + " removed");
        } else {
            String value = form.group(2) == null ? "" : form.group(2);
            marks = marks.variable(name, value);
            done.add("variable " + name + " set");
        }
        return null;
    }

    private @Nullable String message(String text, boolean remove) {
        if (text.isBlank()) {
            return "the message is empty";
        }
        if (remove) {
            if (!marks.messages().contains(text)) {
                return "nobody attached the message '" + text + "' to node " + node.id();
            }
            marks = marks.withoutMessage(text);
            removes = true;
            done.add("message removed");
        } else {
            marks = marks.message(text);
            done.add("message attached");
        }
        return null;
    }

    private @Nullable String event(String text) {
        GenericEventText event = GenericEventText.parse(text);
        if (event == null) {
            return "gevent is '" + text + "'; NAME or NAME:'TEXT' is needed";
        }
        events.add(event);
        done.add("event " + event.name() + " raised");
        return null;
    }

    private @Nullable String category(String text) {
        if (text.isEmpty() || text.equalsIgnoreCase("NONE")) {
            marks = marks.category(null);
            removes = true;
            done.add("category cleared");
            return null;
        }
        String name = NodeCategory.named(text);
        if (name == null) {
            return "'" + text + "' is no category; there are " + NodeCategory.legal();
        }
        marks = marks.category(name);
        done.add("category " + name);
        return null;
    }
}

package io.weir.scheduler.core.request;

import com.google.re2j.Pattern;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeAnnotations;
import io.weir.scheduler.core.node.NodeEventHistory;
import io.weir.scheduler.core.node.NodeMessage;
import io.weir.scheduler.core.node.ReportedCategory;
import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.scheduler.core.request.form.MessageTerms;
import io.weir.schemas.bound.Limit;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The annotations of a node in the making, as a request changes them. Each change returns what is wrong with it, or null. */
final class NodeAnnotationEdit {
    private static final Pattern INDEX = Pattern.compile("[0-9]{1,4}");

    private final Node node;
    private final String principal;
    private final long now;
    private final AnnotationEdit named;

    /** Messages and category; variables and metrics are in {@link #named}. */
    private NodeAnnotations annotations;

    private NodeEventHistory eventHistory;

    /** Events that may be cleared: those in the node's history, and those that last on it by the configuration. */
    private final SortedSet<String> clearable;

    /** Events that were cleared, by name. */
    private final SortedSet<String> cleared = new TreeSet<>();

    private boolean removes;

    /**
     * Begins with what is attached to {@code node}.
     *
     * @param lasting names of the events that the configuration acts on and that last on the node
     * @param principal who changes it
     * @param now epoch seconds
     */
    NodeAnnotationEdit(Node node, Collection<String> lasting, String principal, long now) {
        this.node = node;
        this.principal = principal;
        this.now = now;
        annotations = node.annotations();
        eventHistory = node.eventHistory();
        clearable = new TreeSet<>(lasting);
        clearable.addAll(eventHistory.events().keySet());
        named = new AnnotationEdit("node " + node.id(), annotations.named());
    }

    boolean changed() {
        return !named.done().isEmpty();
    }

    /** Returns whether something was taken away in whose place the resource manager may say something else. */
    boolean removes() {
        return removes;
    }

    /** Says what changed. */
    String summary() {
        return String.join(", ", named.done());
    }

    NodeAnnotations done() {
        return annotations.named(named.annotations());
    }

    /** Returns what happened on the node, without what was deleted and with nothing raised yet. */
    NodeEventHistory eventHistory() {
        return eventHistory;
    }

    /** Returns the events that are over, as they were cleared, sorted; those that are raised are so after that. */
    SortedSet<String> cleared() {
        return Collections.unmodifiableSortedSet(cleared);
    }

    /** Returns the events to raise about the node, in the order given. */
    List<GenericEventText> events() {
        return named.events();
    }

    /** Sets, adds or removes; {@code value} may have an operator in front. */
    @Nullable
    String change(String attribute, String value) {
        boolean remove = value.startsWith("-=");
        String text = NodeRequests.plain(value);
        String metric = AnnotationEdit.metricName(attribute);
        if (metric != null) {
            return remove ? removed(named.removeMetric(metric)) : named.setMetric(metric, text);
        }
        if (MessageTerms.isMessage(attribute)) {
            return message(attribute, text, remove);
        }
        return switch (attribute.toLowerCase(Locale.ROOT)) {
            case "variable" -> remove ? removed(named.variable(text, true)) : variable(text);
            case "category" -> category(text);
            case "failing" -> failing(text);
            case "gevent" -> named.event(text);
            default ->
                "'" + attribute + "' of a node cannot be changed; state, features, power, partition, os, category,"
                        + " failing, variable, message, gevent and gmetric[NAME] can";
        };
    }

    /** Takes all of a kind away, or one: {@code gevent:NAME}, as {@link #delete} has it. */
    @Nullable
    String clear(String what) {
        if (what.indexOf(':') >= 0) {
            return delete(what);
        }
        switch (what.toLowerCase(Locale.ROOT)) {
            case "gmetric" -> named.clearMetrics();
            case "message" -> annotations = annotations.withoutMessages();
            case "variable" -> named.clearVariables();
            case "category" -> annotations = annotations.category(null);
            case "gevent" -> {
                eventHistory = eventHistory.withoutEvents();
                cleared.addAll(clearable);
                named.done().add("gevent cleared");
                return null;
            }
            default -> {
                return "'" + what
                        + "' cannot be cleared; gmetric, gevent, gevent:NAME, message, variable, category and stats can";
            }
        }
        taken(what.toLowerCase(Locale.ROOT) + " cleared");
        return null;
    }

    /** Takes one away: {@code message:INDEX}, from 1 as listed, {@code variable:NAME} and the like. */
    @Nullable
    String delete(String what) {
        int colon = what.indexOf(':');
        String kind = colon < 0 ? what : what.substring(0, colon);
        String which = what.substring(colon + 1);
        if (kind.equalsIgnoreCase("variable")) {
            return removed(named.variable(which, true));
        } else if (kind.equalsIgnoreCase("gmetric")) {
            return removed(named.removeMetric(which));
        } else if (kind.equalsIgnoreCase("gevent")) {
            return deleteEvent(which);
        } else if (kind.equalsIgnoreCase("message")) {
            List<String> listed = node.attributes().messages();
            boolean number = INDEX.matcher(which).matches();
            int index = number ? Integer.parseInt(which) : 0;
            if (index < 1 || index > listed.size()) {
                return "node " + node.id() + " has no message " + which + "; it has " + listed.size();
            }
            return message(MessageTerms.NAME, listed.get(index - 1), true);
        }
        return "'" + what + "' cannot be deleted; message:INDEX, variable:NAME, gmetric:NAME and gevent:NAME can";
    }

    private @Nullable String deleteEvent(String name) {
        if (!clearable.contains(name)) {
            return "node " + node.id() + " has no gevent " + name + "; it has "
                    + (clearable.isEmpty() ? "none" : String.join(", ", clearable));
        }
        eventHistory = eventHistory.without(name);
        cleared.add(name);
        named.done().add("event " + name + " deleted");
        return null;
    }

    private @Nullable String message(String attribute, String text, boolean remove) {
        MessageTerms terms = MessageTerms.parse(attribute);
        if (terms == null) {
            return "'" + attribute + "' is not understood; " + MessageTerms.FORM + " is needed";
        }
        if (text.isBlank()) {
            return "the message is empty";
        }
        if (remove) {
            if (!terms.argument().equals(MessageTerms.NAME)) {
                return "'" + attribute + "' says of a message how much it matters; to remove one, give message-=TEXT";
            }
            if (!annotations.messages().contains(text)) {
                return "nobody attached the message '" + text + "' to node " + node.id();
            }
            annotations = annotations.withoutMessage(text);
            taken("message removed");
        } else if (text.length() > Limit.NOTE_LENGTH
                || (annotations.messages().size() >= Limit.MESSAGES
                        && !annotations.messages().contains(text))) {
            return "node " + node.id() + " has " + annotations.messages().size() + " messages and this one "
                    + text.length() + " characters; at most " + Limit.MESSAGES + " of " + Limit.NOTE_LENGTH
                    + " characters are allowed";
        } else {
            annotations = annotations.message(text);
            long expires = terms.seconds() == MessageTerms.FOREVER ? NodeMessage.NEVER : now + terms.seconds();
            eventHistory = eventHistory.said(text, principal, now, terms.priority(), expires);
            named.done()
                    .add("message attached"
                            + (terms.priority() == 0 ? "" : " with priority " + terms.priority())
                            + (expires == NodeMessage.NEVER ? "" : " until " + Instant.ofEpochSecond(expires)));
        }
        return null;
    }

    /** Sets a variable; the one that gives the node a category takes the names of categories alone. */
    private @Nullable String variable(String text) {
        String value = text.substring(text.indexOf('=') + 1);
        boolean gives = text.equals(ReportedCategory.VARIABLE + "=" + value);
        if (gives && !value.isEmpty() && !value.equalsIgnoreCase("NONE") && NodeCategory.named(value) == null) {
            return unknown(value);
        }
        return named.variable(text, false);
    }

    private static String unknown(String category) {
        return "'" + category + "' is no category; there are " + NodeCategory.legal();
    }

    private @Nullable String category(String text) {
        if (text.isEmpty() || text.equalsIgnoreCase("NONE")) {
            annotations = annotations.category(null);
            taken("category cleared");
            return null;
        }
        String name = NodeCategory.named(text);
        if (name == null) {
            return unknown(text);
        }
        annotations = annotations.category(name);
        named.done().add("category " + name);
        return null;
    }

    private @Nullable String failing(String text) {
        if (text.length() > Limit.NOTE_LENGTH) {
            return "the reason has " + text.length() + " characters; at most " + Limit.NOTE_LENGTH + " are allowed";
        }
        boolean none = text.isBlank() || text.equalsIgnoreCase("NONE");
        annotations = annotations.failing(none ? null : text);
        named.done().add(none ? "expected to last" : "expected to fail: " + text);
        return null;
    }

    private void taken(String what) {
        removes = true;
        named.done().add(what);
    }

    /** Notes that something was taken away, unless there is a problem; returns the problem. */
    private @Nullable String removed(@Nullable String problem) {
        removes |= problem == null;
        return problem;
    }
}

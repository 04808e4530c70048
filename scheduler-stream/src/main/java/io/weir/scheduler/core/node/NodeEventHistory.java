package io.weir.scheduler.core.node;

import io.weir.schemas.EventTally;
import io.weir.schemas.MessageTally;
import io.weir.schemas.MetricSummary;
import io.weir.schemas.bound.Bound;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of a node's metrics and what happened on it. It says nothing that placement goes by. A metric is remembered
 * while the node has it; of events as many as {@link #MOST_EVENTS}. Immutable.
 *
 * @param metrics by name, those the node has
 * @param events by name
 * @param messages by text, those the node has
 */
public record NodeEventHistory(
        SortedMap<String, MetricRange> metrics,
        SortedMap<String, NodeEvent> events,
        SortedMap<String, NodeMessage> messages) {
    /** Nothing seen. */
    public static final NodeEventHistory NONE = new NodeEventHistory(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

    /** Events remembered of a node; one more makes room for itself, in the place of what is over and longest ago. */
    public static final int MOST_EVENTS = 32;

    /** What is kept of what is said of an event. */
    private static final Bound.Prose TEXT = new Bound.Prose(256, true);

    private static final Comparator<NodeEvent> FIRST_TO_GO = Comparator.comparing(NodeEvent::active)
            .thenComparingLong(NodeEvent::last)
            .thenComparing(NodeEvent::name);

    public NodeEventHistory {
        metrics = Collections.unmodifiableSortedMap(metrics);
        events = Collections.unmodifiableSortedMap(events);
        messages = Collections.unmodifiableSortedMap(messages);
    }

    static NodeEventHistory from(
            Collection<MetricSummary> summaries,
            Collection<EventTally> tallies,
            List<String> texts,
            List<MessageTally> said) {
        if (summaries.isEmpty() && tallies.isEmpty() && said.isEmpty()) {
            return NONE;
        }
        SortedMap<String, MetricRange> metrics = new TreeMap<>();
        summaries.forEach(summary -> metrics.put(summary.getName(), MetricRange.from(summary)));
        SortedMap<String, NodeEvent> events = new TreeMap<>();
        tallies.forEach(tally -> events.put(tally.getName(), NodeEvent.from(tally)));
        SortedMap<String, NodeMessage> messages = new TreeMap<>();
        for (int i = 0; i < said.size() && said.size() == texts.size(); i++) {
            messages.put(texts.get(i), NodeMessage.from(said.get(i)));
        }
        return new NodeEventHistory(metrics, events, messages);
    }

    List<MetricSummary> metricRecords() {
        return metrics.entrySet().stream()
                .map(metric -> metric.getValue().toRecord(metric.getKey()))
                .toList();
    }

    /** Returns who said {@code texts}, in their order; nothing unless that is known of all of them. */
    List<MessageTally> messageRecords(Collection<String> texts) {
        return messages.keySet().containsAll(texts)
                ? texts.stream()
                        .flatMap(text -> Optional.ofNullable(messages.get(text)).stream())
                        .map(NodeMessage::toRecord)
                        .toList()
                : List.of();
    }

    List<EventTally> eventRecords() {
        return events.values().stream().map(NodeEvent::toRecord).toList();
    }

    /** Returns this event history after the values {@code next} took the place of {@code before}. */
    NodeEventHistory measured(SortedMap<String, Double> before, SortedMap<String, Double> next, long now) {
        if (before.equals(next) && metrics.keySet().equals(next.keySet())) {
            return this;
        }
        SortedMap<String, MetricRange> ranges = new TreeMap<>();
        next.forEach((name, value) -> {
            MetricRange range = metrics.get(name);
            Double old = before.get(name);
            if (range == null || old == null) {
                ranges.put(name, MetricRange.first(value, now));
            } else {
                ranges.put(name, old.equals(value) ? range : range.changed(old, value, now));
            }
        });
        return new NodeEventHistory(ranges, events, messages);
    }

    /** Returns this event history with the statistics of {@code values} begun anew. */
    NodeEventHistory measuredAnew(SortedMap<String, Double> values, long now) {
        return new NodeEventHistory(new TreeMap<>(), events, messages).measured(new TreeMap<>(), values, now);
    }

    /**
     * Returns this event history after {@code source} said {@code text}. What it says of it counts, whatever was said before.
     *
     * @param priority how much it matters
     * @param expires from when on it is gone, epoch seconds; {@link NodeMessage#NEVER} for never
     */
    public NodeEventHistory said(String text, String source, long when, int priority, long expires) {
        NodeMessage known = messages.get(text);
        NodeMessage said = known == null ? NodeMessage.first(text, source, when) : known.again(when);
        SortedMap<String, NodeMessage> next = new TreeMap<>(messages);
        next.put(text, said.with(priority, expires));
        return new NodeEventHistory(metrics, events, next);
    }

    /** Returns from when on the first of the messages is gone, epoch seconds; {@link NodeMessage#NEVER} if all stay. */
    long nextExpiry() {
        long next = NodeMessage.NEVER;
        for (NodeMessage message : messages.values()) {
            next = Math.min(next, message.expires());
        }
        return next;
    }

    /** Returns the texts of the messages that are gone at {@code now}, sorted. */
    List<String> expired(long now) {
        return messages.entrySet().stream()
                .filter(message -> message.getValue().expires() <= now)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns this event history with the warnings of the scheduler said at {@code when}. */
    NodeEventHistory warnedAt(long when) {
        if (nextExpiry() == NodeMessage.NEVER) {
            return this;
        }
        SortedMap<String, NodeMessage> next = new TreeMap<>(messages);
        next.replaceAll((text, message) ->
                ReportedCategory.isWarning(text) ? NodeMessage.first(text, message.source(), when) : message);
        return new NodeEventHistory(metrics, events, next);
    }

    /** Returns this event history with just the messages {@code texts}; those that are new are from {@code source}. */
    NodeEventHistory saying(Collection<String> texts, String source, long now) {
        if (texts.isEmpty() && messages.isEmpty()) {
            return this;
        }
        SortedMap<String, NodeMessage> next = new TreeMap<>();
        for (String text : texts) {
            NodeMessage known = messages.get(text);
            next.put(text, known == null ? NodeMessage.first(text, source, now) : known);
        }
        return next.keySet().equals(messages.keySet()) ? this : new NodeEventHistory(metrics, events, next);
    }

    /** Returns this event history after an event at {@code when}, epoch milliseconds. */
    NodeEventHistory happened(String name, @Nullable String text, long when) {
        String said = text == null ? "" : TEXT.cut(text);
        NodeEvent known = events.get(name);
        SortedMap<String, NodeEvent> next = new TreeMap<>(events);
        if (known == null && next.size() >= MOST_EVENTS) {
            next.remove(Collections.min(next.values(), FIRST_TO_GO).name());
        }
        next.put(name, known == null ? new NodeEvent(name, true, 1, when, when, said) : known.again(said, when));
        return new NodeEventHistory(metrics, next, messages);
    }

    /** Returns this event history after what an event reported is no longer so. */
    NodeEventHistory over(String name) {
        NodeEvent known = events.get(name);
        if (known == null || !known.active()) {
            return this;
        }
        SortedMap<String, NodeEvent> next = new TreeMap<>(events);
        next.put(name, known.over());
        return new NodeEventHistory(metrics, next, messages);
    }

    /** Returns this event history without an event. */
    public NodeEventHistory without(String name) {
        SortedMap<String, NodeEvent> next = new TreeMap<>(events);
        next.remove(name);
        return new NodeEventHistory(metrics, next, messages);
    }

    /** Returns this event history without events. */
    public NodeEventHistory withoutEvents() {
        return new NodeEventHistory(metrics, new TreeMap<>(), messages);
    }
}

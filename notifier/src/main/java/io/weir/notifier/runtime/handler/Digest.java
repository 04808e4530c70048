package io.weir.notifier.runtime.handler;

import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.OneLine;
import io.weir.schemas.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Makes one delivery of several for the same recipients: counts by event, and the first of them one by one. The same
 * several make the same digest, by the same id. Pure.
 */
final class Digest {

    private static final int SHOWN = 100;
    private static final int LONGEST_LINE_BYTES = 300;
    private static final int EVENTS_SHOWN = 5;

    private Digest() {}

    /** Returns {@code deliveries} by their recipients, in the order of each group's first. */
    static List<List<Delivery>> groups(List<Delivery> deliveries) {
        Map<String, List<Delivery>> groups = new LinkedHashMap<>();
        for (Delivery delivery : deliveries) {
            String key = delivery.cluster() + "\n" + String.join("\n", delivery.recipients());
            groups.computeIfAbsent(key, recipients -> new ArrayList<>()).add(delivery);
        }
        return new ArrayList<>(groups.values());
    }

    /** Returns one delivery that tells of all {@code several}, which are of one group; one alone is itself. */
    static Delivery of(List<Delivery> several) {
        Delivery first = several.get(0);
        if (several.size() == 1) {
            return first;
        }
        Delivery last = several.get(several.size() - 1);
        Map<String, Long> events =
                several.stream().collect(Collectors.groupingBy(Delivery::event, TreeMap::new, Collectors.counting()));
        boolean oneObject = several.stream()
                .allMatch(each -> each.objectType().equals(first.objectType())
                        && each.objectId().equals(first.objectId()));
        return new Delivery(
                first.id() + "+" + (several.size() - 1),
                first.cluster(),
                last.time(),
                several.stream()
                        .map(Delivery::severity)
                        .max(Comparator.naturalOrder())
                        .orElse(Severity.UNKNOWN),
                events.size() == 1 ? first.event() : "digest",
                oneObject ? first.objectType() : "cluster",
                oneObject ? first.objectId() : first.cluster(),
                several.size() + " notifications of " + first.cluster() + ": " + summary(events),
                text(several, events),
                first.recipients(),
                false);
    }

    private static String summary(Map<String, Long> events) {
        String most = events.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(EVENTS_SHOWN)
                .map(event -> event.getValue() + " " + OneLine.of(event.getKey()))
                .collect(Collectors.joining(", "));
        return events.size() <= EVENTS_SHOWN ? most : most + " and others";
    }

    private static String text(List<Delivery> several, Map<String, Long> events) {
        StringBuilder text = new StringBuilder();
        text.append(several.size())
                .append(" notifications from ")
                .append(several.get(0).time())
                .append(" to ");
        text.append(several.get(several.size() - 1).time())
                .append(": ")
                .append(summary(events))
                .append(".\n\n");
        several.stream()
                .limit(SHOWN)
                .forEach(each -> text.append(each.time())
                        .append(' ')
                        .append(OneLine.cut(line(each), LONGEST_LINE_BYTES))
                        .append('\n'));
        if (several.size() > SHOWN) {
            text.append("and ").append(several.size() - SHOWN).append(" more; all are on the topic\n");
        }
        return text.toString();
    }

    /** What happened to what and, where the text says more, the text. */
    private static String line(Delivery delivery) {
        String subject = OneLine.of(delivery.event() + ": " + delivery.subject());
        String text = OneLine.of(delivery.text()).strip();
        return text.isEmpty() || subject.contains(text) ? subject : subject + ": " + text;
    }
}

package io.weir.monitoring.source;

import io.weir.monitoring.format.Alert;
import io.weir.monitoring.format.Observation;
import io.weir.monitoring.format.Reading;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.NodeMetric;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns what was read into facts of one cluster, within their bounds, and counts what it could not match. An alert whose
 * state has not changed is told once. Thread-safe.
 */
final class FactMaker {

    private static final double LARGEST = 1e15;
    private static final int LONGEST_NAME = 256;
    private static final int LONGEST_MESSAGE = 4_096;
    private static final Instant BEGIN = Instant.EPOCH;
    private static final Instant END = Instant.parse("2099-01-01T00:00:00Z");

    private final String cluster;
    private final String source;
    private final NodeNames nodes;
    private final NameRules metricRules;
    private final NameRules eventRules;

    private final AlertStates states = new AlertStates();

    FactMaker(String cluster, String source, NodeNames nodes, NameRules metricRules, NameRules eventRules) {
        this.cluster = cluster;
        this.source = source;
        this.nodes = nodes;
        this.metricRules = metricRules;
        this.eventRules = eventRules;
    }

    /** Turns {@code reading}, of which what has no time of its own is of {@code sent}, into facts. */
    synchronized Facts make(Reading reading, Instant sent) {
        Map<Matching, Integer> counts = new EnumMap<>(Matching.class);
        List<NodeMetric> metrics = new ArrayList<>();
        List<GenericEvent> events = new ArrayList<>();
        if (reading.unreadable() > 0) {
            counts.put(Matching.UNREADABLE, reading.unreadable());
        }
        reading.observations()
                .forEach(observation -> counts.merge(metric(observation, sent, metrics), 1, Integer::sum));
        reading.alerts().forEach(alert -> counts.merge(event(alert, sent, events), 1, Integer::sum));
        return new Facts(metrics, events, counts, reading.firstReason());
    }

    /** Forgets the state of the alerts behind {@code events}, which could not be published. */
    synchronized void forget() {
        states.clear();
    }

    private Matching metric(Observation observation, Instant sent, List<NodeMetric> metrics) {
        Optional<String> name = metricRules.ours(observation.name(), observation.labels());
        if (name.isEmpty()) {
            return Matching.NOT_TAKEN;
        }
        Optional<String> node = nodes.of(observation.labels());
        if (node.isEmpty()) {
            return Matching.NO_NODE;
        }
        Instant time = observation.time().orElse(sent);
        double value = observation.value();
        if (!Double.isFinite(value) || Math.abs(value) > LARGEST || !bounded(name.get()) || !bounded(time)) {
            return Matching.OUT_OF_BOUNDS;
        }
        metrics.add(NodeMetric.newBuilder()
                .setCluster(cluster)
                .setNodeId(node.get())
                .setMetric(name.get())
                .setValue(value)
                .setTime(time)
                .build());
        return Matching.MATCHED;
    }

    private Matching event(Alert alert, Instant sent, List<GenericEvent> events) {
        Optional<String> name = eventRules.ours(alert.name(), alert.labels());
        if (name.isEmpty()) {
            return Matching.NOT_TAKEN;
        }
        Optional<String> node = nodes.of(alert.labels());
        if (node.isEmpty()) {
            return Matching.NO_NODE;
        }
        Instant time = alert.time().orElse(sent);
        if (!bounded(name.get()) || !bounded(time)) {
            return Matching.OUT_OF_BOUNDS;
        }
        if (!states.isNew(name.get(), node.get(), alert.fingerprint(), alert.lasting(), alert.active(), time)) {
            return Matching.REPEATED;
        }
        if (!alert.active() && alert.lasting() && states.isActive(name.get(), node.get())) {
            return Matching.REPEATED; // the event goes on: another alert of that name is active on the node
        }
        events.add(GenericEvent.newBuilder()
                .setCluster(cluster)
                .setName(name.get())
                .setObjectType("node")
                .setObjectId(node.get())
                .setMessage(message(alert.message()))
                .setTime(time)
                .setSource(source)
                .setActive(alert.active())
                .build());
        return Matching.MATCHED;
    }

    /** Without control characters that upset a terminal, and not too long; a pair of surrogates is not cut apart. */
    private static String message(String said) {
        String message = said.replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", " ");
        if (message.length() <= LONGEST_MESSAGE) {
            return message;
        }
        boolean apart = Character.isHighSurrogate(message.charAt(LONGEST_MESSAGE - 1));
        return message.substring(0, apart ? LONGEST_MESSAGE - 1 : LONGEST_MESSAGE);
    }

    private static boolean bounded(String name) {
        return !name.isEmpty() && name.length() <= LONGEST_NAME && name.chars().noneMatch(Character::isISOControl);
    }

    private static boolean bounded(Instant time) {
        return !time.isBefore(BEGIN) && time.isBefore(END);
    }
}

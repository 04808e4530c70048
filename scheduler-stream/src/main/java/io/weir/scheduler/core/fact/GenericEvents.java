package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.event.EventKey;
import io.weir.scheduler.core.event.EventTable;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeEvent;
import io.weir.scheduler.core.policy.language.value.EventName;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Measurement;
import io.weir.schemas.Severity;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What generic events do to the state: the configuration and triggers may act on them, and nodes keep their own. */
final class GenericEvents {
    /** Name of the event by which intake says that facts of a connector are missing. */
    private static final String GAP = "gap";

    /** How far an event may be ahead of the last iteration, milliseconds. */
    private static final long FARTHEST_AHEAD_MILLIS = 3_600_000;

    private final ClusterState state;

    GenericEvents(ClusterState state) {
        this.state = state;
    }

    void apply(GenericEvent reported) {
        String name = EventName.of(reported.getName());
        named(
                name.equals(reported.getName())
                        ? reported
                        : GenericEvent.newBuilder(reported).setName(name).build());
    }

    private void named(GenericEvent event) {
        List<Measurement> measurements = event.getMeasurements();
        if (measurements != null) {
            measured(event, measurements);
            return;
        }
        configured(event);
        if (event.getName().equals(GAP) && event.getObjectType().equals("rm")) {
            state.domain.askForEverything(event.getObjectId());
        } else if (event.getObjectType().equals("node")) {
            Node node = state.nodes.get(event.getObjectId());
            if (node != null && !isRepeated(node, event)) {
                state.watch.event(node.id(), event.getName(), event.getActive());
            }
            nodeEvent(event);
        }
    }

    /** Returns whether an event was heard of at the same instant and is not over: triggers have fired for it, or will. */
    private static boolean isRepeated(Node node, GenericEvent event) {
        NodeEvent known = node.eventHistory().events().get(event.getName());
        return event.getActive()
                && known != null
                && known.active()
                && known.last() == event.getTime().toEpochMilli();
    }

    private void measured(GenericEvent event, List<Measurement> measurements) {
        Node node = event.getObjectType().equals("node") ? state.nodes.get(event.getObjectId()) : null;
        if (node != null) {
            SortedMap<String, Double> metrics = new TreeMap<>();
            measurements.forEach(each -> metrics.put(each.getName(), each.getValue()));
            Node next = node.measured(metrics, state.domain.now());
            if (!next.equals(node)) {
                state.emit(next);
            }
        }
    }

    /** Counts an event that the configuration acts on, once for each instant, if there is such an object. */
    private void configured(GenericEvent event) {
        EventTable events = state.domain.events;
        if (events.rule(event.getName()) == null || !isThere(event)) {
            return;
        }
        EventKey key = new EventKey(event.getObjectType(), objectId(event), event.getName());
        long millis = event.getTime().toEpochMilli();
        if (!event.getActive()) {
            events.over(key);
        } else if (!events.isKnown(key, counted(millis))) {
            String message = event.getMessage();
            String text = message == null ? "" : message;
            if (!events.occurred(key, text, counted(millis))) {
                state.domain.notice(Severity.WARNING, key.event(), key.objectType(), key.objectId(), text);
            }
        }
    }

    /** Instants far ahead of the scheduler's own are no reason to wait for them before an event may fire again. */
    private long counted(long millis) {
        long now = state.domain.nowMillis;
        return now == Job.NONE ? millis : Math.min(millis, now + FARTHEST_AHEAD_MILLIS);
    }

    private boolean isThere(GenericEvent event) {
        return switch (event.getObjectType()) {
            case "node" -> state.nodes.get(event.getObjectId()) != null;
            case "job" -> state.jobs.get(event.getObjectId()) != null;
            case "rsv" -> state.administrativeReservations.get(event.getObjectId()) != null;
            case "rm" -> state.domain.connectors.containsKey(event.getObjectId());
            case "scheduler" -> true;
            default -> false;
        };
    }

    /** There is one scheduler, whatever it is called. */
    private String objectId(GenericEvent event) {
        return event.getObjectType().equals("scheduler") ? state.cluster : event.getObjectId();
    }

    /** The same event at the same instant is one that was heard of twice; one that is over only ends what is known. */
    private void nodeEvent(GenericEvent event) {
        Node node = state.nodes.get(event.getObjectId());
        if (node == null) {
            return;
        }
        long millis = event.getTime().toEpochMilli();
        NodeEvent known = node.eventHistory().events().get(event.getName());
        if (!event.getActive()) {
            if (known != null && known.active()) {
                state.emit(node.over(event.getName()));
            }
        } else if (known == null || known.last() != millis) {
            state.emit(node.happenedAtMillis(event.getName(), event.getMessage(), millis));
        }
    }
}

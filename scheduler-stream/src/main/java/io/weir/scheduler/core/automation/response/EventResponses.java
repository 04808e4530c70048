package io.weir.scheduler.core.automation.response;

import io.weir.scheduler.core.automation.AutomaticRequests;
import io.weir.scheduler.core.automation.NodeOrders;
import io.weir.scheduler.core.automation.Recipients;
import io.weir.scheduler.core.event.EventAction;
import io.weir.scheduler.core.event.EventKey;
import io.weir.scheduler.core.event.EventRule;
import io.weir.scheduler.core.event.EventTable;
import io.weir.scheduler.core.event.ObjectEvent;
import io.weir.scheduler.core.failure.TransientFailures;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Severity;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Does what the configuration says about events that are due, and about those that last. An iteration does a limited
 * number of things; the others wait for the next, which follows soon. Serves one iteration.
 */
public final class EventResponses {
    /** Events, steps of escalation and ends that one call acts on, each. */
    public static final int MOST = 1_000;

    /** Event that says that another one fires too often. */
    private static final String LIMITED = "eventlimit";

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final TransientFailures failures;

    /** Made when first needed: most iterations have nothing to respond to. */
    private @Nullable Recipients recipients;

    private @Nullable ChangeObject change;

    private final SortedMap<EventAction.Kind, EventResponse> responses = new TreeMap<>();

    /**
     * Prepares for one iteration.
     *
     * @param failures keeps jobs from nodes that are to be reserved
     */
    public EventResponses(ClusterState state, IterationOutputs outputs, TransientFailures failures) {
        this.state = state;
        this.outputs = outputs;
        this.failures = failures;
    }

    private Recipients recipients() {
        Recipients made = recipients;
        if (made == null) {
            made = new Recipients(state);
            recipients = made;
        }
        return made;
    }

    private ChangeObject change() {
        ChangeObject made = change;
        if (made == null) {
            AutomaticRequests requests = new AutomaticRequests(state, "event");
            made = new ChangeObject(state, requests, new NodeOrders(state, requests), recipients(), failures);
            change = made;
        }
        return made;
    }

    private EventResponse response(EventAction.Kind kind) {
        return switch (kind) {
            case NOTIFY -> new NotifyPeople(outputs, recipients());
            case RECORD -> new RecordLine(outputs);
            case EXECUTE -> new RunProgram(outputs, new EventVariables(state, recipients()));
            case DISABLE -> change()::disable;
            case FAILING -> change()::failing;
            case RESERVE -> change()::reserve;
            case OFF, ON, RESET -> occasion -> change().power(occasion, kind.name());
            case PREEMPT -> change()::preempt;
            case SIGNAL -> change()::signal;
            case OBJECTMESSAGE -> change()::message;
        };
    }

    /** Counts what occurred up to {@code nowMillis} and acts on what is due. */
    public void respond(long nowMillis) {
        EventTable events = state.domain.events;
        events.settle(nowMillis);
        for (ObjectEvent event : events.takeDue(MOST)) {
            EventRule rule = events.rule(event.key().event());
            if (rule != null) {
                for (EventAction action : rule.actions()) {
                    act(new Occasion(event, rule, action));
                }
                if (event.exhausted()) {
                    tellLimit(event.key());
                }
            }
        }
        for (EventTable.Step step : events.takeEscalations(Math.floorDiv(nowMillis, 1000L), MOST)) {
            EventRule rule = events.rule(step.event().key().event());
            if (rule != null) {
                act(new Occasion(step.event(), rule, step.action()));
            }
        }
        for (ObjectEvent event : events.takeEnded(MOST)) {
            change().enable(event);
        }
    }

    /** It fires too often: probably what is done on it causes it. Of this event itself nothing is said. */
    private void tellLimit(EventKey key) {
        if (!key.event().equals(LIMITED)) {
            state.domain.notice(
                    Severity.WARNING,
                    LIMITED,
                    key.objectType(),
                    key.objectId(),
                    "GEVENTCFG[" + key.event() + "] fired " + ObjectEvent.FIRINGS + " times in this hour on "
                            + key.objectType() + " " + key.objectId() + "; until the hour is over it is only counted:"
                            + " give it REARM, or make sure that its actions do not cause it");
        }
    }

    private void act(Occasion occasion) {
        String id = "gevent." + occasion.name();
        if (!state.quarantine.has(QuarantineKind.TRIGGER, id)) {
            state.work.on(QuarantineKind.TRIGGER, id);
            responses.computeIfAbsent(occasion.action().kind(), this::response).respond(occasion);
            state.work.onNothing();
        }
    }
}

package io.weir.scheduler.core.request;

import io.weir.scheduler.core.event.EventRule;
import io.weir.scheduler.core.event.ObjectEvent;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.NameValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers where the events stand that the configuration acts on: an {@code event} names each, the details behind it are
 * about it: {@code object} is what it happened to, as {@code TYPE:ID}, {@code counted} are occurrences since it fired last, {@code needed} those it takes to fire
 * (ECOUNT), {@code rearms} is the first instant at which it may fire again (REARM), where that is still to come. Instants
 * in ISO 8601, UTC; in the order of objects and names.
 */
final class EventQuestions {
    private static final String ALL = "ALL";

    /** Events that one answer tells of. */
    private static final int MOST = 1_000;

    /** A time after which something never comes again, in seconds: a thousand years. */
    private static final long LONGEST = 1_000L * 366 * 86_400;

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    EventQuestions(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    /** Answers about the object, or the event, of the name that was given, or ALL; returns the cost, in looks at nodes. */
    long answer(AuthorisedRequest request) {
        String wanted = request.objectId();
        List<NameValue> rows = new ArrayList<>();
        int found = 0;
        for (ObjectEvent event : state.domain.events.all()) {
            boolean asked = wanted.equalsIgnoreCase(ALL)
                    || wanted.equals(event.key().objectId())
                    || wanted.equals(event.key().event());
            if (asked && ++found <= MOST) {
                add(event, rows);
            }
        }
        if (found > MOST) {
            rows.add(new NameValue("line", "… and " + (found - MOST) + " more events; name an object to see its own"));
        }
        outputs.answered(request, found == 0 ? "no events" : found + " events", rows);
        return Math.max(1, state.domain.events.all().size());
    }

    private static String rearms(long fired, long seconds) {
        return seconds > LONGEST
                ? "never"
                : Instant.ofEpochSecond(fired + seconds).toString();
    }

    private void add(ObjectEvent event, List<NameValue> rows) {
        rows.add(new NameValue("event", event.key().event()));
        rows.add(new NameValue(
                "object", event.key().objectType() + ":" + event.key().objectId()));
        rows.add(new NameValue("active", Boolean.toString(event.active())));
        rows.add(new NameValue("total", Long.toString(event.total())));
        rows.add(new NameValue("counted", Long.toString(event.counted())));
        EventRule rule = state.domain.events.rule(event.key().event());
        if (rule != null) {
            rows.add(new NameValue("needed", Long.toString(rule.occurrences())));
        }
        Long fired = event.fired();
        if (fired != null) {
            rows.add(new NameValue("fired", Instant.ofEpochSecond(fired).toString()));
            if (rule != null && rule.rearmSeconds() > now - fired) {
                rows.add(new NameValue("rearms", rearms(fired, rule.rearmSeconds())));
            }
        }
    }
}

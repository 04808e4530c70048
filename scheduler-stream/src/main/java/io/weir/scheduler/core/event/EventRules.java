package io.weir.scheduler.core.event;

import io.weir.scheduler.core.policy.language.ObjectSettings;
import io.weir.scheduler.core.policy.language.ObjectSettings.Item;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyProblem.Kind;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is done on which event, by the configuration. Immutable.
 *
 * @param byEvent rules by the name of the event
 */
public record EventRules(SortedMap<String, EventRule> byEvent) {
    /** No event is acted on. */
    public static final EventRules NONE = new EventRules(Collections.emptySortedMap());

    /** Most events that are acted on; those behind are reported and left out. */
    public static final int MOST = 1_000;

    /** Most steps of an escalation. */
    public static final int MOST_STEPS = 16;

    private static final String PARAMETER = "GEVENTCFG";

    public EventRules {
        byEvent = Collections.unmodifiableSortedMap(new TreeMap<>(byEvent));
    }

    /** Takes the rules out of {@code settings}, and reports there what is none. */
    public static EventRules of(PolicySettings settings) {
        SortedMap<String, EventRule> rules = new TreeMap<>();
        for (ObjectSettings event : settings.objects(PARAMETER)) {
            boolean condition = MetricCondition.looksLikeOne(event.id());
            List<EventAction> actions = actions(settings, event);
            if (actions.isEmpty()) {
                boolean reduced = condition && !event.writtenNames().isEmpty();
                if (!reduced || event.isOwn("ECOUNT") || event.isOwn("SEVERITY") || event.isOwn("ESCALATE")) {
                    report(settings, event, "ACTION", "has no ACTION, so nothing is done");
                } else if (event.isOwn("REARM") && !event.isOwn("HYSTERESIS") && !event.isOwn("SMOOTHING")) {
                    report(
                            Kind.DOUBTFUL,
                            settings,
                            event,
                            event.origin("REARM"),
                            "has no ACTION, so its events are recorded and reach triggers, but nothing else is done");
                }
            } else if (rules.size() == MOST) {
                report(settings, event, "ACTION", "is left out: there are " + MOST + " events with actions already");
            } else {
                rules.put(
                        event.id(),
                        new EventRule(
                                event.id(),
                                actions,
                                Math.max(1, event.whole("ECOUNT")),
                                Math.min(PolicyTime.LONGEST, event.seconds("REARM")),
                                event.isOwn("SEVERITY") ? (int) event.whole("SEVERITY") : 0,
                                escalations(settings, event),
                                condition));
            }
        }
        return new EventRules(rules);
    }

    /** The actions that can be done; the others are reported and left out. */
    private static List<EventAction> actions(PolicySettings settings, ObjectSettings event) {
        List<EventAction> actions = new ArrayList<>();
        for (Item item : event.written("ACTION")) {
            EventAction action = EventAction.of(item.text());
            String wanted = action.problem();
            if (wanted == null) {
                actions.add(action);
            } else {
                report(settings, event, item.origin(), unfit(item.text(), action, wanted));
            }
        }
        return actions;
    }

    private static String unfit(String text, EventAction action, String wanted) {
        return "'" + text + "' is left out; behind " + action.kind() + ": " + wanted + " is possible";
    }

    private static List<EventEscalation> escalations(PolicySettings settings, ObjectSettings event) {
        String text = event.text("ESCALATE");
        if (text == null || text.isEmpty()) {
            return List.of();
        }
        List<EventEscalation> steps = new ArrayList<>();
        for (String step : text.split(";", -1)) {
            EventEscalation escalation = step(step.strip());
            String wanted = escalation == null ? null : escalation.action().problem();
            if (escalation == null) {
                report(
                        settings,
                        event,
                        "ESCALATE",
                        "'" + step + "' of ESCALATE is left out; TIME:ACTION is needed, as in 00:30:00:notify:manager,"
                                + " ACTION being one of " + EventAction.Kind.words());
            } else if (wanted != null) {
                report(settings, event, "ESCALATE", unfit(step, escalation.action(), wanted));
            } else if (steps.size() == MOST_STEPS) {
                report(
                        settings,
                        event,
                        "ESCALATE",
                        "'" + step + "' of ESCALATE is left out; up to " + MOST_STEPS + " steps are allowed");
            } else {
                steps.add(escalation);
            }
        }
        steps.sort(Comparator.comparingLong(EventEscalation::seconds));
        return steps;
    }

    /** Reads {@code time:action[:argument]}, whose time may have colons, too; null when it is none. */
    private static @Nullable EventEscalation step(String text) {
        for (int colon = text.indexOf(':'); colon > 0; colon = text.indexOf(':', colon + 1)) {
            String rest = text.substring(colon + 1);
            int end = rest.indexOf(':');
            String name = (end < 0 ? rest : rest.substring(0, end)).toUpperCase(Locale.ROOT);
            for (EventAction.Kind kind : EventAction.Kind.values()) {
                if (kind.name().equals(name)) {
                    long seconds = PolicyTime.seconds(text.substring(0, colon));
                    return seconds < 0
                            ? null
                            : new EventEscalation(
                                    seconds, new EventAction(kind, end < 0 ? "" : rest.substring(end + 1)));
                }
            }
        }
        return null;
    }

    private static void report(PolicySettings settings, ObjectSettings event, String attribute, String message) {
        String written = event.isOwn(attribute) || event.writtenNames().isEmpty()
                ? attribute
                : event.writtenNames().get(0);
        report(settings, event, event.origin(written), message);
    }

    private static void report(PolicySettings settings, ObjectSettings event, @Nullable Origin origin, String message) {
        report(Kind.BAD_VALUE, settings, event, origin, message);
    }

    private static void report(
            Kind kind, PolicySettings settings, ObjectSettings event, @Nullable Origin origin, String message) {
        if (origin != null) {
            settings.report(kind, origin, PARAMETER + "[" + event.id() + "]", message);
        }
    }

    /** Returns what is done on {@code event}; null for nothing. */
    public @Nullable EventRule of(String event) {
        return byEvent.isEmpty() ? null : byEvent.get(event);
    }
}

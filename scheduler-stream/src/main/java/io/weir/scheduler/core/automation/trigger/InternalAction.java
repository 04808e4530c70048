package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.automation.AutomaticRequests;
import io.weir.scheduler.core.automation.NodeOrders;
import io.weir.scheduler.core.automation.Recipients;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.scheduler.core.trigger.TriggerTemplate;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** AType internal: {@code type:id:operation[:argument]}, where {@code -} is the object of the trigger. */
final class InternalAction implements TriggerAction {
    private static final String FORM = "node:ID:reserve[:time], release, drain, resume, disable, enable, evacuate or"
            + " modify:ATTR=VALUE; job:ID:cancel, requeue, hold, release or modify:ATTR=VALUE; rsv:ID:cancel,"
            + " extend:TIME or modify:ATTR=VALUE; sched:-:pause or resume";
    private static final String LABEL = "trigger.";

    private final ClusterState state;
    private final AutomaticRequests requests;
    private final NodeOrders nodes;
    private final Recipients recipients;

    InternalAction(ClusterState state, AutomaticRequests requests, NodeOrders nodes, Recipients recipients) {
        this.state = state;
        this.requests = requests;
        this.nodes = nodes;
        this.recipients = recipients;
    }

    @Override
    public TriggerOutcome begin(TriggerOccasion occasion) {
        String[] parts = occasion.spec().action().split(":", 4);
        if (parts.length < 3) {
            return refused(occasion);
        }
        String id = parts[1].equals("-")
                ? occasion.objectId()
                : occasion.substitution().expand(parts[1], Place.LINE);
        String argument = parts.length < 4 ? "" : parts[3];
        String operation = parts[2].toLowerCase(Locale.ROOT);
        TriggerTemplate by = occasion.due().template();
        return switch (parts[0].toLowerCase(Locale.ROOT)) {
            case "node" -> node(occasion, by, id, operation, argument);
            case "job" -> job(occasion, by, id, operation, argument);
            case "rsv" -> reservation(occasion, by, id, operation, argument);
            case "sched" -> scheduler(occasion, by, operation);
            default -> refused(occasion);
        };
    }

    private static TriggerOutcome refused(TriggerOccasion occasion) {
        return new TriggerOutcome.Done(false, "internal is '" + occasion.spec().action() + "'; one of " + FORM);
    }

    private TriggerOutcome node(
            TriggerOccasion occasion, TriggerTemplate by, String id, String operation, String argument) {
        if (state.nodes.get(id) == null) {
            return new TriggerOutcome.Done(false, "no node " + id);
        }
        return switch (operation) {
            case "reserve" ->
                TriggerOutcome.of(
                        nodes.reserve(
                                by.actor(),
                                by.actorLevel(),
                                id,
                                LABEL + NodeOrders.labelled(id),
                                occasion.substitution().expand(argument, Place.VALUE)),
                        "the node is reserved already");
            case "release" ->
                TriggerOutcome.of(
                        nodes.release(by.actor(), by.actorLevel(), id, LABEL + NodeOrders.labelled(id)),
                        "the node is not reserved");
            case "drain", "disable" -> TriggerOutcome.of(nodes.state(by.actor(), by.actorLevel(), id, "Drained"), "");
            case "resume", "enable" -> TriggerOutcome.of(nodes.state(by.actor(), by.actorLevel(), id, "Idle"), "");
            case "evacuate" -> evacuate(by, id);
            case "modify" -> modify(occasion, by, RequestKind.MODIFY_NODE, id, argument);
            default -> refused(occasion);
        };
    }

    private TriggerOutcome evacuate(TriggerTemplate by, String node) {
        List<Job> jobs = recipients.jobs("node", node);
        return TriggerOutcome.of(
                requests.makeEach(by.actor(), by.actorLevel(), RequestKind.REQUEUE_JOB, jobs, List.of()), jobs);
    }

    private TriggerOutcome job(
            TriggerOccasion occasion, TriggerTemplate by, String id, String operation, String argument) {
        return switch (operation) {
            case "cancel" -> plain(by, RequestKind.CANCEL_JOB, id);
            case "requeue" -> plain(by, RequestKind.REQUEUE_JOB, id);
            case "hold" -> plain(by, RequestKind.HOLD_JOB, id);
            case "release" -> plain(by, RequestKind.RELEASE_JOB, id);
            case "modify" -> modify(occasion, by, RequestKind.MODIFY_JOB, id, argument);
            default -> refused(occasion);
        };
    }

    private TriggerOutcome reservation(
            TriggerOccasion occasion, TriggerTemplate by, String id, String operation, String argument) {
        AdministrativeReservation reservation = state.administrativeReservations.get(id);
        if (reservation == null) {
            return new TriggerOutcome.Done(false, "no reservation " + id);
        }
        return switch (operation) {
            case "cancel" -> plain(by, RequestKind.RELEASE_RESERVATION, id);
            case "extend" ->
                TriggerOutcome.of(
                        requests.make(
                                by.actor(),
                                by.actorLevel(),
                                RequestKind.MODIFY_RESERVATION,
                                id,
                                List.of(new NameValue(
                                        "duration",
                                        "+=" + occasion.substitution().expand(argument, Place.VALUE)))),
                        "");
            case "modify" -> modify(occasion, by, RequestKind.MODIFY_RESERVATION, id, argument);
            default -> refused(occasion);
        };
    }

    private TriggerOutcome scheduler(TriggerOccasion occasion, TriggerTemplate by, String operation) {
        if (!operation.equals("pause") && !operation.equals("resume")) {
            return refused(occasion);
        }
        return TriggerOutcome.of(
                requests.make(
                        by.actor(),
                        by.actorLevel(),
                        RequestKind.CONTROL_SCHEDULER,
                        "scheduler",
                        List.of(new NameValue("action", operation))),
                "");
    }

    private TriggerOutcome plain(TriggerTemplate by, RequestKind kind, String id) {
        return TriggerOutcome.of(requests.make(by.actor(), by.actorLevel(), kind, id, List.of()), "");
    }

    /** Changes are told apart before variables are put in: a value is a part of one change, whatever it holds. */
    private TriggerOutcome modify(
            TriggerOccasion occasion, TriggerTemplate by, RequestKind kind, String id, String changes) {
        SortedMap<String, String> values = new TreeMap<>();
        for (String change : changes.split(";", -1)) {
            int equals = change.indexOf('=');
            if (equals < 1) {
                return refused(occasion);
            }
            values.put(
                    change.substring(0, equals),
                    occasion.substitution().expand(change.substring(equals + 1), Place.VALUE));
        }
        List<NameValue> arguments = new ArrayList<>();
        values.forEach((name, value) -> arguments.add(new NameValue(name, value)));
        return TriggerOutcome.of(requests.make(by.actor(), by.actorLevel(), kind, id, arguments), "");
    }
}

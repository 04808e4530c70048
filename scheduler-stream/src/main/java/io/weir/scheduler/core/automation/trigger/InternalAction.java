package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.automation.AutomaticRequests;
import io.weir.scheduler.core.automation.NodeOrders;
import io.weir.scheduler.core.automation.Recipients;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.trigger.Substitution.Place;
import io.weir.scheduler.core.trigger.TriggerTemplate;
import io.weir.scheduler.core.trigger.action.InternalOrder;
import io.weir.scheduler.core.trigger.action.UnfitActionException;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** AType internal: {@code type:id:operation[:argument]}, where {@code -} is the object of the trigger. */
final class InternalAction implements TriggerAction {
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
    public TriggerOutcome begin(TriggerOccasion occasion) throws UnfitActionException {
        InternalOrder order = InternalOrder.read(occasion.spec().action());
        String id = order.id().equals(InternalOrder.OWN)
                ? occasion.objectId()
                : occasion.substitution().expand(order.id(), Place.LINE);
        TriggerTemplate by = occasion.due().template();
        return switch (order.type()) {
            case "node" -> node(occasion, by, id, order);
            case "job" -> job(occasion, by, id, order);
            case "rsv" -> reservation(occasion, by, id, order);
            case "sched" -> scheduler(by, order);
            default -> throw unknown(order);
        };
    }

    private static IllegalArgumentException unknown(InternalOrder order) {
        return new IllegalArgumentException(order + " cannot be carried out");
    }

    private TriggerOutcome node(TriggerOccasion occasion, TriggerTemplate by, String id, InternalOrder order) {
        if (state.nodes.get(id) == null) {
            return new TriggerOutcome.Done(false, "no node " + id);
        }
        return switch (order.operation()) {
            case "reserve" ->
                TriggerOutcome.of(
                        nodes.reserve(
                                by.actor(),
                                by.actorLevel(),
                                id,
                                LABEL + NodeOrders.labelled(id),
                                occasion.substitution().expand(order.argument(), Place.VALUE)),
                        "the node is reserved already");
            case "release" ->
                TriggerOutcome.of(
                        nodes.release(by.actor(), by.actorLevel(), id, LABEL + NodeOrders.labelled(id)),
                        "the node is not reserved");
            case "drain", "disable" -> TriggerOutcome.of(nodes.state(by.actor(), by.actorLevel(), id, "Drained"), "");
            case "resume", "enable" -> TriggerOutcome.of(nodes.state(by.actor(), by.actorLevel(), id, "Idle"), "");
            case "evacuate" -> evacuate(by, id);
            case "modify" -> modify(occasion, by, RequestKind.MODIFY_NODE, id, order);
            default -> throw unknown(order);
        };
    }

    private TriggerOutcome evacuate(TriggerTemplate by, String node) {
        List<Job> jobs = recipients.jobs("node", node);
        return TriggerOutcome.of(
                requests.makeEach(by.actor(), by.actorLevel(), RequestKind.REQUEUE_JOB, jobs, List.of()), jobs);
    }

    private TriggerOutcome job(TriggerOccasion occasion, TriggerTemplate by, String id, InternalOrder order) {
        return switch (order.operation()) {
            case "cancel" -> plain(by, RequestKind.CANCEL_JOB, id);
            case "requeue" -> plain(by, RequestKind.REQUEUE_JOB, id);
            case "hold" -> plain(by, RequestKind.HOLD_JOB, id);
            case "release" -> plain(by, RequestKind.RELEASE_JOB, id);
            case "modify" -> modify(occasion, by, RequestKind.MODIFY_JOB, id, order);
            default -> throw unknown(order);
        };
    }

    private TriggerOutcome reservation(TriggerOccasion occasion, TriggerTemplate by, String id, InternalOrder order) {
        AdministrativeReservation reservation = state.administrativeReservations.get(id);
        if (reservation == null) {
            return new TriggerOutcome.Done(false, "no reservation " + id);
        }
        return switch (order.operation()) {
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
                                        "+=" + occasion.substitution().expand(order.argument(), Place.VALUE)))),
                        "");
            case "modify" -> modify(occasion, by, RequestKind.MODIFY_RESERVATION, id, order);
            default -> throw unknown(order);
        };
    }

    private TriggerOutcome scheduler(TriggerTemplate by, InternalOrder order) {
        return TriggerOutcome.of(
                requests.make(
                        by.actor(),
                        by.actorLevel(),
                        RequestKind.CONTROL_SCHEDULER,
                        "scheduler",
                        List.of(new NameValue("action", order.operation()))),
                "");
    }

    private TriggerOutcome plain(TriggerTemplate by, RequestKind kind, String id) {
        return TriggerOutcome.of(requests.make(by.actor(), by.actorLevel(), kind, id, List.of()), "");
    }

    /** Changes are told apart before variables are put in: a value is a part of one change, whatever it holds. */
    private TriggerOutcome modify(
            TriggerOccasion occasion, TriggerTemplate by, RequestKind kind, String id, InternalOrder order) {
        SortedMap<String, String> values = new TreeMap<>();
        for (NameValue change : order.modifications()) {
            values.put(change.getName(), occasion.substitution().expand(change.getValue(), Place.VALUE));
        }
        List<NameValue> arguments = new ArrayList<>();
        values.forEach((name, value) -> arguments.add(new NameValue(name, value)));
        return TriggerOutcome.of(requests.make(by.actor(), by.actorLevel(), kind, id, arguments), "");
    }
}

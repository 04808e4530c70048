package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.automation.AutomaticRequests;
import io.weir.scheduler.core.automation.NodeOrders;
import io.weir.scheduler.core.automation.ObjectVariables;
import io.weir.scheduler.core.automation.Recipients;
import io.weir.scheduler.core.event.EventRule;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.output.OutputKind;
import io.weir.scheduler.core.request.WaitingRequests;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.trigger.ObjectKey;
import io.weir.scheduler.core.trigger.Substitution;
import io.weir.scheduler.core.trigger.TriggerActionKind;
import io.weir.scheduler.core.trigger.TriggerEvent;
import io.weir.scheduler.core.trigger.TriggerFirings;
import io.weir.scheduler.core.trigger.TriggerSpec;
import io.weir.scheduler.core.trigger.TriggerState;
import io.weir.scheduler.core.trigger.TriggerTable;
import io.weir.scheduler.core.trigger.TriggerTemplate;
import io.weir.scheduler.core.trigger.action.UnfitActionException;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.RequestOutcome;
import io.weir.schemas.RequestResult;
import io.weir.schemas.Severity;
import io.weir.schemas.TriggerFiring;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Fires the triggers that are due, as many as an iteration may, and takes the answers to what they asked for. A trigger on
 * which the scheduler failed is left alone. Serves one iteration.
 */
public final class TriggerRuns {
    /** Triggers that one iteration fires; others wait for the next, which follows soon. */
    public static final int MOST = 500;

    /**
     * Requests of triggers that wait for their turn; triggers that would make more are put off by a second. They have a
     * budget, and beyond {@link WaitingRequests#MOST_OWN} they would be refused.
     */
    private static final int MOST_REQUESTS = WaitingRequests.MOST_OWN - AutomaticRequests.MOST_JOBS;

    /** Event that says that a trigger fires too often. */
    private static final String LIMITED = "triglimit";

    /** Event that says that a trigger names a variable that nothing gave a value. */
    private static final String UNKNOWN_VARIABLE = "trigvariable";

    /** How long the answer to an action without a time limit is waited for, seconds. */
    private static final long PATIENCE_SECONDS = 3_600;

    /** How much longer than its time limit an action is waited for, seconds: its answer has a way to go. */
    private static final long GRACE_SECONDS = 600;

    /** Type of the action that ends another. */
    private static final String STOP = "stop";

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    /** Triggers that this iteration may still fire. */
    private int left;

    /** Requests of triggers that are not answered yet. */
    private int unanswered;

    private final Recipients recipients;
    private final AutomaticRequests requests;
    private final TriggerVariables variables;
    private final TriggerEndings endings;

    /** Triggers of which it was said that they name unknown variables. */
    private final SortedSet<String> warned = new TreeSet<>();

    /** Made when first needed: most iterations fire nothing. */
    private final SortedMap<TriggerActionKind, TriggerAction> actions = new TreeMap<>();

    /** Fires at {@code now}, epoch seconds. */
    public TriggerRuns(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
        recipients = new Recipients(state);
        requests = new AutomaticRequests(state, "trigger");
        variables = new TriggerVariables(state, recipients);
        endings = new TriggerEndings(state);
    }

    private TriggerAction action(TriggerActionKind kind) {
        return switch (kind) {
            case MAIL -> new MailAction(outputs, recipients);
            case EXEC -> new ExecAction(outputs, new ObjectVariables(state, recipients));
            case HTTP -> new HttpAction(outputs);
            case SNMP -> new TrapAction(outputs);
            case DBUPDATE -> new DatabaseAction(outputs);
            case EVENT -> new PublishAction(state, outputs);
            case INTERNAL -> new InternalAction(state, requests, new NodeOrders(state, requests), recipients);
            case CHANGEPARAM -> new ChangeParameterAction(requests);
            case CANCEL -> new CancelAction(requests);
            case JOBPREEMPT, JOBACTION -> new JobAction(requests, recipients, outputs);
        };
    }

    /** Fires what is due. What it asks for is carried out with the requests of others, then {@link #collect}ed. */
    public void fire() {
        TriggerTable table = state.triggers;
        if (state.domain.iteration == 0) {
            state.objectEvents.raise("schedstart", "scheduler", state.cluster, "the scheduler starts");
        }
        if (table.isIdle()) {
            return;
        }
        if (!table.rules().isEmpty()) {
            ObjectKey scheduler = new ObjectKey("scheduler", state.cluster);
            for (TriggerTemplate template : table.rules().ofScheduler()) {
                table.begin(scheduler, template, now);
            }
            if (state.domain.iteration == 0) {
                state.watch.scheduler(state.cluster, TriggerEvent.CREATE);
                state.watch.scheduler(state.cluster, TriggerEvent.START);
            }
        }
        new Thresholds(state).measure(now);
        table.settle(now);
        table.firings().takeStops().forEach(this::stop);
        unanswered = table.firings().requesting().stream()
                .mapToInt(each -> each.instance().requests().size())
                .sum();
        List<TriggerFirings.Due> dues = table.firings().takeDue(now, MOST);
        left = MOST - dues.size();
        dues.forEach(this::fire);
        fireWoken();
    }

    /** Fires what waited for variables that appeared in this iteration, as long as the iteration may fire. */
    private void fireWoken() {
        while (left > 0) {
            TriggerFirings.Due due = state.triggers.firings().takeWoken();
            if (due == null) {
                return;
            }
            left--;
            fire(due);
        }
    }

    /** Has the notifier end a program whose object is over. Nothing waits for the answer but the firing that began it. */
    private void stop(TriggerFirings.Stop stop) {
        var unused = outputs.firing(TriggerFiring.newBuilder()
                .setTriggerId(TriggerOccasion.triggerId(stop.triggerId(), stop.object()))
                .setActionType(STOP)
                .setAction(STOP + " " + stop.firingId())
                .setObjectType(stop.object().type())
                .setObjectId(stop.object().id())
                .setTarget(stop.firingId())
                .setSeverity(Severity.INFO)
                .setEvent(TriggerSpec.CLEANUP));
    }

    private void fire(TriggerFirings.Due due) {
        TriggerFirings firings = state.triggers.firings();
        String id = id(due);
        String firing =
                TriggerOccasion.triggerId(due.template().id(), due.object().key());
        if (state.quarantine.has(QuarantineKind.TRIGGER, id) || state.quarantine.has(QuarantineKind.TRIGGER, firing)) {
            firings.fires(due, now);
            endings.ended(due, false, "set aside: the scheduler fails on it", now);
            return;
        }
        state.work.on(QuarantineKind.TRIGGER, id);
        if (due.instance().state() == TriggerState.ACTIVE) {
            endings.ended(due, false, "no answer came", now);
        } else if (now >= due.template().spec().expires()) {
            firings.expired(due);
        } else if (repeatsOnEnded(due)) {
            firings.lapsed(due);
        } else if (!due.template().spec().kind().external() && unanswered >= MOST_REQUESTS) {
            firings.putOff(due, now + 1);
        } else if (due.template().spec().requires().isEmpty() || firings.requirementsHold(due, variables.set(due))) {
            int beyond = firings.spend(due, now);
            if (beyond == 0) {
                firings.fires(due, now);
                carryOut(due);
            } else {
                putOff(due, beyond);
            }
        }
        state.work.onNothing();
    }

    /** Returns whether a trigger would fire again in its interval or with its period on a reservation whose end has come. */
    private boolean repeatsOnEnded(TriggerFirings.Due due) {
        ObjectKey key = due.object().key();
        TriggerSpec spec = due.template().spec();
        if (!key.type().equals("rsv")
                || due.instance().fired() == null
                || due.instance().attempt() > 0
                || !(spec.interval() || spec.period() != null)) {
            return false;
        }
        AdministrativeReservation reservation = state.administrativeReservations.get(key.id());
        return reservation != null && reservation.end() <= now;
    }

    /** It fires too often: probably what it does causes what it waits for. */
    private void putOff(TriggerFirings.Due due, int limit) {
        ObjectKey object = due.object().key();
        state.domain.notice(
                Severity.WARNING,
                LIMITED,
                object.type(),
                object.id(),
                "trigger " + due.template().id() + " of " + object.type() + " " + object.id() + " is put off until "
                        + Instant.ofEpochSecond(
                                Objects.requireNonNull(due.instance().due())) + ": "
                        + (limit == TriggerFirings.FIRINGS
                                ? "it fired " + limit + " times in this hour"
                                : "triggers of users fire " + limit + " times an hour on one object")
                        + "; give it a RearmTime, or make sure that what it does is not what it waits for");
    }

    private static String id(TriggerFirings.Due due) {
        return due.template().principal() == null
                ? due.template().id()
                : due.template().id() + "@" + due.object().key().type() + ":"
                        + due.object().key().id();
    }

    private void carryOut(TriggerFirings.Due due) {
        TriggerAction action = actions.computeIfAbsent(due.template().spec().kind(), this::action);
        Substitution values = variables.of(due);
        EventRule rule = state.domain.events.rule(due.template().spec().genericEvent());
        warnOfUnknown(due, values);
        TriggerOutcome outcome = begin(action, TriggerOccasion.of(due, values, rule));
        if (outcome instanceof TriggerOutcome.Sent sent) {
            long timeout = due.template().spec().timeoutSeconds();
            long patience = timeout == 0 ? PATIENCE_SECONDS : timeout + GRACE_SECONDS;
            state.triggers.firings().awaits(due, sent.firingId(), now + patience);
            state.triggers.firings().blocks(due, now);
        } else if (outcome instanceof TriggerOutcome.Requested requested) {
            unanswered += requested.requests().size();
            state.triggers.firings().awaits(due, requested.requests(), now + PATIENCE_SECONDS);
            state.triggers.firings().blocks(due, now);
        } else if (outcome instanceof TriggerOutcome.Done done) {
            endings.ended(due, done.success(), done.text(), now);
        }
    }

    /** Triggers that a former build took may have an Action that is none. */
    private static TriggerOutcome begin(TriggerAction action, TriggerOccasion occasion) {
        try {
            return action.begin(occasion);
        } catch (UnfitActionException e) {
            return new TriggerOutcome.Done(false, e.reason());
        }
    }

    /**
     * A name that is not known stays as it is written, which is hardly what was meant. Said once of a trigger, on however many
     * objects it fires.
     */
    private void warnOfUnknown(TriggerFirings.Due due, Substitution values) {
        SortedSet<String> unknown = values.unknown(due.template().spec().action());
        if (!unknown.isEmpty() && warned.add(due.template().id())) {
            ObjectKey object = due.object().key();
            state.domain.notice(
                    Severity.WARNING,
                    UNKNOWN_VARIABLE,
                    object.type(),
                    object.id(),
                    "trigger " + due.template().id() + " of " + object.type() + " " + object.id()
                            + " names variables that are not known and stay as they are written: "
                            + String.join(", ", unknown));
        }
    }

    /** Takes the answers to what triggers asked for; what is not answered yet will be in a later iteration. */
    public void collect() {
        List<TriggerFirings.Due> waiting = state.triggers.firings().requesting();
        if (waiting.isEmpty()) {
            return;
        }
        Map<String, RequestResult> answers = new LinkedHashMap<>();
        for (Output output : outputs.outputs()) {
            if (output.kind() == OutputKind.REQUEST_RESULT && output.value() instanceof RequestResult result) {
                answers.put(result.getRequestId(), result);
            }
        }
        for (TriggerFirings.Due due : waiting) {
            List<RequestResult> given = new ArrayList<>();
            due.instance().requests().forEach(id -> {
                RequestResult answer = answers.get(id);
                if (answer != null) {
                    given.add(answer);
                }
            });
            if (!given.isEmpty()) {
                settle(due, given);
            }
        }
        fireWoken();
    }

    /** The last answers decide: those that came earlier were no refusals, or the trigger would not wait. */
    private void settle(TriggerFirings.Due due, List<RequestResult> given) {
        RequestResult refusal = given.stream()
                .filter(answer -> answer.getOutcome() != RequestOutcome.ACCEPTED)
                .findFirst()
                .orElse(null);
        if (refusal != null) {
            endings.ended(due, false, refusal.getMessage(), now);
        } else if (given.size() == due.instance().requests().size()) {
            endings.ended(due, true, given.get(given.size() - 1).getMessage(), now);
        } else {
            List<String> left = new ArrayList<>(due.instance().requests());
            given.forEach(answer -> left.remove(answer.getRequestId()));
            state.triggers.firings().awaits(due, left, now + PATIENCE_SECONDS);
        }
    }
}

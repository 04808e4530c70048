package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.PendingRequests;
import io.weir.scheduler.core.trigger.TriggerFirings;
import io.weir.scheduler.core.trigger.TriggerTemplate;
import io.weir.scheduler.state.Argument;
import io.weir.scheduler.state.PendingRequest;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import io.weir.schemas.Severity;
import io.weir.schemas.bound.Bound;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What follows when the action of a trigger is over. */
public final class TriggerEndings {
    /** Flag by which what a program writes to its standard error becomes a message of the object. */
    private static final String ATTACH_ERROR = "attacherror";

    /** Characters of such a message. */
    private static final Bound.Prose ERROR = new Bound.Prose(1_000, true);

    private final ClusterState state;

    public TriggerEndings(ClusterState state) {
        this.state = state;
    }

    /** The notifier answers a firing. Only the first answer to one that is awaited counts. */
    public void answered(DeliveryResult result) {
        TriggerFirings.Due due = state.triggers.firings().answered(result.getDeliveryId());
        if (due == null) {
            return;
        }
        boolean success = switch (result.getOutcome()) {
            case DELIVERED, MERGED -> true;
            case DEAD, FAILED, REFUSED, EXPIRED, UNCERTAIN, UNKNOWN -> false;
        };
        SortedMap<String, String> values = new TreeMap<>();
        List<String> wanted = due.template().spec().wanted();
        for (NameValue variable : result.getVariables()) {
            if (wanted.contains(variable.getName())) {
                values.put(variable.getName(), variable.getValue());
            }
        }
        attach(due, result.getErrors());
        ended(due, success, text(result), values, Math.max(state.clock, state.domain.now()));
    }

    private void attach(TriggerFirings.Due due, @Nullable String errors) {
        String type = due.object().key().type();
        RequestKind change = switch (type) {
            case "node" -> RequestKind.MODIFY_NODE;
            case "job" -> RequestKind.MODIFY_JOB;
            case "rsv" -> RequestKind.MODIFY_RESERVATION;
            default -> null;
        };
        if (errors == null
                || errors.isBlank()
                || change == null
                || !due.template().spec().has(ATTACH_ERROR)) {
            return;
        }
        String text = "trigger " + due.template().id() + ": " + errors.strip();
        request(due, ATTACH_ERROR, change, List.of(new Argument("message", ERROR.cut(text))));
    }

    /** Returns the trigger's id; where it was attached, objects of other types that are called the same may have the same. */
    private static String named(TriggerFirings.Due due) {
        TriggerTemplate template = due.template();
        return template.principal() == null
                ? template.id()
                : template.id() + "@" + due.object().key().type();
    }

    /** Has something done about the trigger's object, in the name of who made the trigger. */
    private void request(TriggerFirings.Due due, String why, RequestKind kind, List<Argument> arguments) {
        TriggerTemplate template = due.template();
        String id = due.object().key().id();
        state.domain.requests.add(new PendingRequest(
                PendingRequests.OWN + state.domain.nextIteration() + ":" + why + ":" + named(due) + ":" + id,
                kind.name(),
                id,
                template.actor(),
                template.actorLevel(),
                arguments,
                null));
    }

    /** Somebody who keeps accounts does not take a charge, for the moment or for good. */
    public void unbooked(DeliveryResult result) {
        boolean forNow = result.getOutcome() == DeliveryOutcome.FAILED;
        state.domain.notice(
                Severity.WARNING,
                "amfailure",
                "scheduler",
                state.cluster,
                "charge " + result.getDeliveryId() + " is not booked " + (forNow ? "yet " : "") + "by "
                        + result.getChannel() + ": " + result.getMessage()
                        + (forNow
                                ? "; it is kept and tried again, and those behind it wait"
                                : "; it is among the dead letters"));
    }

    private static String text(DeliveryResult result) {
        StringBuilder text = new StringBuilder(result.getOutcome().name());
        if (result.getCode() != null) {
            text.append(' ').append(result.getCode());
        }
        append(text, result.getMessage());
        append(text, result.getOutput());
        boolean failed = result.getOutcome() != DeliveryOutcome.DELIVERED;
        append(text, failed ? result.getErrors() : null);
        return text.toString();
    }

    private static void append(StringBuilder text, @Nullable String more) {
        if (more != null && !more.isBlank()) {
            text.append(": ").append(more.strip());
        }
    }

    /** The action is over, without any value told. */
    void ended(TriggerFirings.Due due, boolean success, String text, long now) {
        ended(due, success, text, Collections.emptySortedMap(), now);
    }

    private void ended(
            TriggerFirings.Due due, boolean success, String text, SortedMap<String, String> values, long now) {
        String type = due.object().key().type();
        String id = due.object().key().id();
        int attempt = due.instance().attempt();
        if (!state.triggers.firings().ended(due, success, text, values, now)) {
            return;
        }
        TriggerTemplate template = due.template();
        state.domain.notice(
                Severity.WARNING,
                "trigfail",
                type,
                id,
                "trigger " + template.id() + " of " + type + " " + id + " failed in attempt " + attempt + ": " + text);
        boolean cancels = template.spec().cancelOnFailure() && (type.equals("job") || type.equals("rsv"));
        if (cancels) {
            state.domain.requests.add(new PendingRequest(
                    PendingRequests.OWN + state.domain.nextIteration() + ":" + named(due) + ":" + id,
                    (type.equals("job") ? RequestKind.CANCEL_JOB : RequestKind.RELEASE_RESERVATION).name(),
                    id,
                    template.actor(),
                    template.actorLevel(),
                    List.of(),
                    null));
        }
    }
}
